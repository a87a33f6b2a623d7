"""Tasks made to measure, the same for the same seed: for examples, tests and benchmarks."""
