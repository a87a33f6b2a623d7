"""The words of a bias: its directives, and the meta-language in which constraints speak about rules.

Each is here with how it is written and what it means, for the reader of bias texts, for completion and help, and for
docs/reference/bias.md.
"""

from __future__ import annotations

from joiner_magic.logic.terms import Predicate
from joiner_magic.task.bias import BIAS_DIRECTIVES
from joiner_magic.task.declarations import DirectiveKind, names_of_kind

# By the name of each directive: how it is written, and what it means. The fields of `Bias` declare both.
DIRECTIVES = {name: directive.form for name, directive in BIAS_DIRECTIVES.items()}
MEANINGS = {name: directive.meaning for name, directive in BIAS_DIRECTIVES.items()}
FLAGS = names_of_kind(BIAS_DIRECTIVES, DirectiveKind.FLAG)
BOUNDS = names_of_kind(BIAS_DIRECTIVES, DirectiveKind.BOUND)

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
