"""The lattice view: rules and their specialisations, as a picture, a table and a text."""
