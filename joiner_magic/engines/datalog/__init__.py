"""The embedded engine: clingo closes the background knowledge into facts, the native core answers."""
