"""What earlier runs know that is still true of a changed task."""
