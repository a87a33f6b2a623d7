"""The view of pruning constraints, as a picture, a table and a text."""
