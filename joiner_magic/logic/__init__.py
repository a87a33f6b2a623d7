"""Values of the logic: terms, clauses, programs, coverage. Nothing here has side effects."""
