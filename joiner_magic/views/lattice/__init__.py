"""The hypothesis lattice: laid out, drawn and told."""
