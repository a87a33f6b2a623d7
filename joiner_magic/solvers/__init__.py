"""The only room that imports clingo or PySAT; it knows values of the logic and texts, nothing else."""
