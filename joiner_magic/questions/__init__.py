"""Questions about a run: the one place that puts its record, an engine and names of rules together."""
