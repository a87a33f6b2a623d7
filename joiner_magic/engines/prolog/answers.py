"""The answers of the Prolog worker as evaluations, explanations and errors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from joiner_magic.engines.prolog.codec import UNBOUND, term_of
from joiner_magic.engines.protocol import Explanation, Failure, Proof
from joiner_magic.errors import EngineError, Place, TaskError
from joiner_magic.logic.programs import Evaluation, Program
from joiner_magic.logic.terms import Term

_REMEDIES = {
    "undefined": "define it in the background knowledge, or correct its name",
    "reserved": "give the predicate another name",
    "unsafe": "write it with predicates of the list, or, if you know the text, trust it: trusted=True to learn,"
    " Session.learn or load_result, --trusted on a command or a magic",
}


def evaluation_of(answer: list[Any]) -> Evaluation:
    """The evaluation of an answer: the number of unfinished examples, the covered positives, and perhaps negatives."""
    check(answer)
    match answer:  # checked: it comes from a process that has run an untrusted text
        case [int(unfinished), int(pos), *neg] if pos >= 0 and all(isinstance(bits, int) for bits in neg):
            return Evaluation(pos, neg[0] if neg else None, complete=unfinished == 0)
    raise EngineError("the Prolog worker gave an answer that is none", remedy="ask again")


def explanation_of(program: Program, example: Term, answer: list[Any]) -> Explanation:
    """The explanation of an answer: a proof, or how far each rule gets."""
    check(answer)
    kind, content = answer
    if kind == "proof":
        return Explanation(example, _proof(program, content))
    failures = (
        Failure(program.rules[index], holds, tuple(map(_binding, bindings)))
        for index, holds, bindings in content
    )
    return Explanation(example, None, tuple(failures), complete=kind == "failures")


def _proof(program: Program, nodes: list[Any]) -> Proof:
    """The proof of a list of nodes: each comes after its premises, and the last one is the example."""
    proofs: list[Proof] = []
    for atom, index, bindings, premises in nodes:
        rule = None
        if index >= 0:
            rule = program.rules[index]
        below = tuple(proofs[place] for place in premises)
        proofs.append(Proof(term_of(atom), rule, tuple(map(term_of, bindings)), below))
    return proofs[-1]


def _binding(tokens: list[Any]) -> Term | None:
    term = term_of(tokens)
    return None if term == UNBOUND else term


def check(answer: list[Any], texts: Sequence[tuple[str, str]] = ()) -> None:
    """Raise an error if the answer is one: the user's mistake in a text, or a fault of the worker."""
    match answer:
        case ["refused", "unknown", message]:
            raise TaskError(message, remedy=_REMEDIES["undefined"])
        case ["refused", kind, message, *where]:
            place = None
            if where:
                place = _place(texts[where[0]], where[1])
            raise EngineError(message, place=place, remedy=_REMEDIES.get(kind, ""))
        case ["broken", report]:
            raise RuntimeError(f"the Prolog worker failed:\n{report}")


def _place(source: tuple[str, str], offset: int) -> Place:
    name, text = source
    start = text.rfind("\n", 0, offset) + 1
    excerpt = text[start:].partition("\n")[0].rstrip("\r")
    return Place(name, text.count("\n", 0, offset) + 1, offset - start + 1, excerpt)
