"""A Jupyter kernel for learning rules. Nothing is imported here: `__main__` prepares the import path first."""
