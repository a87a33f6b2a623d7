"""A Jupyter kernel for learning rules. Nothing is imported here: `__main__` sees to where from."""
