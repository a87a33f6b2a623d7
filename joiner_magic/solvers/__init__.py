"""The solvers: the only package that imports clingo and PySAT. It knows terms, programs, numbers and texts."""
