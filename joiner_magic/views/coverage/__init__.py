"""The coverage view: fragments and the examples that they cover, as a picture, a table and a text."""
