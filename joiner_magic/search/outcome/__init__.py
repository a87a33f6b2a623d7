"""What came of a run: its result, what it may claim, and what stands in the way of a solution."""
