"""The progress view of a run, as a picture, a table and a text."""
