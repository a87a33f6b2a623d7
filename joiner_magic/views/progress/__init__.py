"""Progress of a run: laid out and drawn."""
