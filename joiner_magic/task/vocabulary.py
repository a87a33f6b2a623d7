"""The words of a bias: its directives, and the meta-language in which constraints speak about rules.

Each is here with how it is written and what it means, for the reader of bias texts, for completion and help, and for
docs/reference/bias.md.
"""

from __future__ import annotations

from joiner_magic.logic.terms import Predicate

# How each directive is written, by name.
DIRECTIVES = {
    "head_pred": "head_pred(name, arity)",
    "body_pred": "body_pred(name, arity)",
    "type": "type(name, (type1, ...))",
    "direction": "direction(name, (in, out, ...))",
    "constant": "constant(name, type)",
    "max_vars": "max_vars(number)",
    "max_body": "max_body(number)",
    "max_clauses": "max_clauses(number)",
    "enable_recursion": "enable_recursion",
    "enable_pi": "enable_pi",
    "allow_singletons": "allow_singletons",
    "non_datalog": "non_datalog",
}
MEANINGS = {
    "head_pred": "the predicate that is learnt",
    "body_pred": "a predicate that rules may use",
    "type": "the types of a predicate's arguments: a variable has one type throughout its rule",
    "direction": "which arguments must be bound when a literal runs (in), and which it binds (out)",
    "constant": "a name and its type, for other lines of the bias; rules that are learnt have no constants",
    "max_vars": "the most variables in a generated rule; joined rules may have more",
    "max_body": "the most literals in the body of a generated rule; joined rules may have more",
    "max_clauses": "the most rules of a recursive program",
    "enable_recursion": "rules may call the predicate that is learnt",
    "enable_pi": "rules may call predicates that the learner invents",
    "allow_singletons": "a variable of the body may occur only once",
    "non_datalog": "a variable of the head need not occur in the body",
}
FLAGS = ("enable_recursion", "enable_pi", "allow_singletons", "non_datalog")
BOUNDS = ("max_vars", "max_body", "max_clauses")

# What constraints may say about the rules that are generated; the generator defines these. `C` is the number of a
# rule, `P` a predicate's name and `A` its arity, `V` a variable's number, `Vars` a tuple of them. Those of the head are
# 0, 1, …
META_MEANINGS = {
    "clause(C)": "there is a rule C",
    "head_literal(C,P,A,Vars)": "the head of rule C is P(Vars)",
    "body_literal(C,P,A,Vars)": "P(Vars) is in the body of rule C",
    "size(N)": "the program has N literals",
    "body_size(C,N)": "the body of rule C has N literals",
    "clause_var(C,V)": "V occurs in rule C",
    "head_var(C,V)": "V occurs in the head of rule C",
    "body_var(C,V)": "V occurs in the body of rule C",
    "var(V)": "V is a variable's number, below max_vars",
    "vars(A,Vars)": "Vars are A different variables",
    "head_vars(A,Vars)": "Vars are the variables of a head of arity A: (0,…,A-1)",
    "var_type(C,V,T)": "V has type T in rule C",
    "var_pos(V,Vars,I)": "V is number I in Vars, counted from 0",
    "var_member(V,Vars)": "V is one of Vars",
    "var_in_literal(C,P,Vars,V)": "P(Vars) is a literal of rule C, and V is one of Vars",
    "recursive": "some rule calls the predicate it defines",
    "recursive_clause(C,P,A)": "rule C defines P/A and calls it",
    "base_clause(C,P,A)": "rule C defines P/A and does not call it",
    "num_recursive(P,N)": "N rules that define P call it",
    "invented(P,A)": "P/A is invented",
}
META_LANGUAGE = frozenset(
    Predicate(name, len(arguments.split(",")) if arguments else 0)
    for name, _, arguments in (form.partition("(") for form in META_MEANINGS)
)
