"""Hypothesis spaces: where programs come from, by size."""
