"""What a run has tested, what that covers, and what became of it."""
