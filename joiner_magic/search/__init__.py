"""The paper's loop: generate, test, join, combine, constrain."""
