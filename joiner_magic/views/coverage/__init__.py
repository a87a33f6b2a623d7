"""Conjunction coverage: fragments and examples, laid out, drawn and told."""
