"""Values of logic programming: terms, clauses, programs and what they cover. Nothing here has side effects."""
