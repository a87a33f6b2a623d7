"""Tasks made to measure, the same for the same seed: for examples, tests and benchmarks.

Each generator knows the rule behind its task, so a person can compare what was learnt with what was meant, and a test can tell
whether the shortest solution was found. A task comes with held-out examples, and most kinds can be drawn.
"""
