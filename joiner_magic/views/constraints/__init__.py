"""Pruning constraints: as bars and as a table."""
