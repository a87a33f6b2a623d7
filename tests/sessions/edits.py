"""Random tasks that are edited step by step, as a person does in cells."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from joiner_magic.logic.render import render_term
from joiner_magic.logic.terms import Compound, Symbol
from joiner_magic.sessions.session import Session
from search.learning_tasks import HEAD, LearningTask, random_learning_task


@dataclass
class Edited:
    """The lines of a task; each edit changes one or two of them."""

    rng: Random
    task: LearningTask
    facts: list[str] = field(default_factory=list)
    rules: str = ""
    labels: dict[str, str] = field(default_factory=dict)  # atom -> "pos" or "neg"
    bounds: dict[str, int] = field(default_factory=dict)
    flags: set[str] = field(default_factory=set)
    others: list[str] = field(default_factory=list)  # lines of the bias that stay
    body: list[str] = field(default_factory=list)

    @classmethod
    def random(cls, rng: Random, *, recursion: bool = False) -> Edited:
        task = random_learning_task(rng, recursion=recursion)
        edited = cls(rng, task)
        lines = task.background.splitlines()
        edited.facts = [line for line in lines if ":-" not in line]
        edited.rules = "\n".join(line for line in lines if ":-" in line)
        edited.labels = {line[4:-2]: line[:3] for line in task.examples.splitlines()}
        for line in task.bias.splitlines():
            name = line.split("(")[0].rstrip(".")
            if name in ("max_vars", "max_body", "max_clauses"):
                edited.bounds[name] = int(line[len(name) + 1 : -2])
            elif name in ("allow_singletons", "non_datalog"):
                edited.flags.add(name)
            elif name == "body_pred" and ":-" not in line:
                edited.body.append(line)
            else:
                edited.others.append(line)
        return edited

    def edit(self) -> str:
        """One edit, and its name."""
        examples = [self.add_example, self.add_example, self.remove_example, self.flip_example]
        facts = [self.add_fact, self.remove_fact, self.add_stranger, self.add_stranger]
        chosen = self.rng.choice([*examples, *facts, self.change_bound, self.change_flag, self.change_body])
        chosen()
        return chosen.__name__

    def add_example(self) -> None:
        args = tuple(self.rng.choice(self.task.domain) for _ in range(self.task.head.arity))
        atom = render_term(Compound(HEAD, args) if args else Symbol(HEAD))
        self.labels.setdefault(atom, self.rng.choice(["pos", "neg"]))

    def remove_example(self) -> None:
        atom = self.rng.choice(list(self.labels))
        if list(self.labels.values()).count("pos") > 1 or self.labels[atom] == "neg":
            del self.labels[atom]

    def flip_example(self) -> None:
        atom = self.rng.choice(list(self.labels))
        self.remove_example()
        if atom not in self.labels:
            self.labels[atom] = "neg"
        elif self.labels[atom] == "neg":
            self.labels[atom] = "pos"

    def add_fact(self) -> None:
        name, _, _ = self.rng.choice(self.facts).partition("(")
        arity = next(p.arity for p in self.task.body if p.name == name.rstrip("."))
        args = tuple(self.rng.choice(self.task.domain) for _ in range(arity))
        if args:
            self.facts.append(render_term(Compound(name, args)) + ".")

    def add_stranger(self) -> None:
        """An example with facts of its own, about constants that nothing else mentions, and some that others do."""
        number = len(self.labels)
        strangers = [Symbol(f"new{number}_{i}") for i in range(3)]
        known = [strangers[0], *self.rng.sample(self.task.domain, 2)]
        for predicate in self.task.body:
            if (
                any(fact.partition("(")[0] == predicate.name for fact in self.facts)
                and self.rng.random() < 0.7
            ):
                first = self.rng.choice(strangers)
                rest = [self.rng.choice([*strangers, *known]) for _ in range(predicate.arity - 1)]
                if predicate.arity:
                    self.facts.append(render_term(Compound(predicate.name, (first, *rest))) + ".")
        if self.task.head.arity:
            args = tuple(self.rng.choice(strangers[:2]) for _ in range(self.task.head.arity))
            self.labels.setdefault(render_term(Compound(HEAD, args)), self.rng.choice(["pos", "neg"]))

    def remove_fact(self) -> None:
        fact = self.rng.choice(self.facts)
        name = fact.partition("(")[0]
        if any(other != fact and other.partition("(")[0] == name for other in self.facts):
            self.facts = [other for other in self.facts if other != fact]

    def change_bound(self) -> None:
        name = self.rng.choice(["max_vars", "max_body"])
        least = max(1, self.task.head.arity) if name == "max_vars" else 1
        self.bounds[name] = min(4, max(least, self.bounds[name] + self.rng.choice([-1, 1])))

    def change_flag(self) -> None:
        self.flags ^= {"allow_singletons"}

    def change_body(self) -> None:
        """A predicate less, or all of them again."""
        everything = [f"body_pred({p.name},{p.arity})." for p in self.task.body]
        named = {name for name, _ in self.task.constants}
        everything = [line for line in everything if line[10:].partition(",")[0] not in named]
        if len(self.body) > 1 and self.rng.random() < 0.6:
            self.body.remove(self.rng.choice(self.body))
        else:
            self.body = everything

    def tell(self, session: Session) -> None:
        """What the cells now say."""
        session.say("bk", "\n".join([*self.facts, self.rules]), key="bk")
        examples = [f"{label}({atom})." for atom, label in self.labels.items()]
        session.say("examples", "\n".join(examples), key="examples")
        lines = [*self.body, *self.others, *(f"{name}({value})." for name, value in self.bounds.items())]
        session.say("bias", "\n".join([*lines, *(f"{flag}." for flag in sorted(self.flags))]), key="bias")

    def __str__(self) -> str:
        session = Session()
        self.tell(session)
        return "\n".join(cell.text for cell in session.cells)
