"""The hypothesis lattice of a run as a model: a few of its rules at a time."""
