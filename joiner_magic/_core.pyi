"""The native core: the reader of Prolog texts and the store that evaluates programs, the join."""

from collections.abc import Callable, Sequence

from joiner_magic.logic.programs import Evaluation, Literal, Program
from joiner_magic.logic.terms import Clause, Term

class ReadError(Exception):
    """A text that cannot be read; `args` are the message, the remedy, the line and the column."""

class Reading:
    """A text, read: its clauses by number, its ground facts interned."""

    def __init__(self, text: str, stop: Callable[[], bool]) -> None:
        """Asks `stop` about every 50 ms, and raises Stopped."""
    def __len__(self) -> int: ...
    def clause(self, index: int) -> Clause: ...
    def predicates(self) -> list[tuple[str, int, int, int, list[int]]]:
        """Name, arity, number of ground facts, first clause, clauses that are no ground facts."""
    def directives(self) -> list[int]: ...
    def position(self, index: int) -> tuple[int, int]:
        """Line and column of a clause."""
    def columns(self, name: str, arity: int) -> list[list[int]]:
        """The arguments of a predicate's ground facts, column by column, as numbers for `term`."""
    def term(self, number: int) -> Term: ...

def read_term(text: str) -> Term: ...
def infix_operators() -> list[tuple[str, int, int, int]]:
    """Name, priority, highest priority of the left and of the right operand."""

def prefix_operators() -> list[tuple[str, int, int, int]]:
    """Likewise; the left operand's priority is 0."""

class Stopped(Exception):
    """`Store.cancel` was called during an evaluation."""

class Store:
    """Facts and examples over interned terms, and the evaluation of programs on them."""

    def __init__(self) -> None: ...
    def declare(self, name: str, arity: int) -> None:
        """Let programs call the predicate, even without a fact."""
    def load(self, reading: Reading, wanted: Sequence[tuple[str, int]], stop: Callable[[], bool]) -> None:
        """Copy the ground facts of these predicates. Asks `stop` about every 50 ms, and raises Stopped."""
    def add_asp(self, name: str, arity: int, text: str) -> None:
        """Add facts from ASP text, one a line, their arguments numbers or t(ID) as in `asp_facts`."""
    def project(self, head: Literal, pattern: Literal) -> None:
        """A fact `head` for each interned compound term that fits the pattern.

        Variable 0 is the whole term; the pattern binds the others.
        """
    def set_examples(
        self, name: str, arity: int, pos: Sequence[tuple[Term, ...]], neg: Sequence[tuple[Term, ...]]
    ) -> None: ...
    def intern(self, term: Term) -> int: ...
    def term(self, number: int) -> Term: ...
    def terms(self) -> int:
        """How many terms are interned; their ids are 0 up to this number."""
    def count(self, name: str, arity: int) -> int: ...
    def facts(self, name: str, arity: int, most: int) -> list[tuple[Term, ...]]: ...
    def asp_facts(self, name: str, arity: int, as_: str) -> str:
        """The predicate's facts as ASP text under another name: numbers, and t(ID) for other terms."""
    def asp_terms(self, functor: str, arity: int, as_: str) -> str:
        """The interned compound terms with this functor as ASP facts: the term, then its arguments."""
    def asp_universe(self, as_: str) -> str:
        """All interned terms as ASP facts."""
    def evaluable(self, symbols: set[str], functors: Sequence[tuple[str, int]]) -> list[int]:
        """Terms that Prolog may calculate with and clingo cannot.

        Floats, whole numbers beyond 32 bits, short strings, and symbols and compounds with these names; of lists those
        with one item.
        """
    def evaluate(
        self,
        programs: Sequence[Program],
        limit: int | None,
        lazy: bool,
        result: Callable[[int, int | None, bool], Evaluation],
    ) -> list[Evaluation]: ...
    def prove(
        self, program: Program, name: str, args: Sequence[Term], limit: int | None
    ) -> list[tuple[int, tuple[Term | None, ...], tuple[int | None, ...]]] | None:
        """The derivation of a ground atom, premises first; None when it does not follow.

        A step is a rule's number, the values of its variables, and for each body literal the step
        that proves it or None for a fact.
        """
    def miner(self, space: object, memory: int) -> Miner:
        """A miner of the rules of a space (search.mining_source.Space) that may use so many bytes."""
    def cancel(self) -> None: ...

class Covering:
    """A weighted set cover without the parts and examples that cannot matter; parts are (price, coverage)."""

    def __init__(
        self,
        target: int,
        parts: Sequence[tuple[int, int]],
        forbidden: Sequence[Sequence[int]],
        stop: Callable[[], bool],
    ) -> None:
        """Raises Stopped when `stop` says so."""
    @property
    def numbers(self) -> list[int]:
        """The parts that are left, by place."""
    @property
    def covering(self) -> list[list[int]]:
        """For each example that is left the places of the parts that cover it."""
    def cheapest(
        self, below: int | None, work: int, stop: Callable[[], bool]
    ) -> tuple[bool, list[int] | None]:
        """The cheapest parts, if they cost less than `below`; first, whether the work was enough to decide.

        Raises Stopped when `stop` says so.
        """

class Unions:
    """The maximal unions of parts, given as (price, coverage), by what the parts cost together."""

    def __init__(self, parts: Sequence[tuple[int, int]], most: int) -> None:
        """Gives up on budgets for which more than `most` unions have to be compared."""
    def within(self, budget: int, stop: Callable[[], bool]) -> list[int] | None:
        """Those within the budget; None if they are given up. Raises Stopped when `stop` says so."""

class Front:
    """What no other one dominates: one with at least the same merit, a bitset, at no larger cost."""

    def __init__(self, width: int) -> None:
        """Merits have so many bits."""
    def __len__(self) -> int: ...
    def add(self, cost: int, merit: int) -> bool:
        """Keep it, unless a kept one dominates it: then False."""
    def dominates(self, cost: int, merit: int) -> bool:
        """Whether some kept one does."""
    def dominator(self, cost: int, merit: int) -> int | None:
        """One that does, by its number among those that were kept."""

class OutOfMemory(Exception):
    """A miner has used all the memory that it may use."""

class PricedPieces:
    """The pieces of rules where errors have a price, in one unit of cost. A rule is told as (pieces, whole, size, pos, neg)."""

    def __init__(
        self, required: int, demands: int, literal: int, missed: Sequence[int], wrong: Sequence[int]
    ) -> None:
        """`missed` and `wrong` are prices by example; the rest as for Conjunctions."""
    def add(self, cost: int, pos: int, neg: int, head: int, progress: int, stuck: int) -> None:
        """A piece, which costs so many literals."""
    def add_whole(self, literals: int, pos: int, neg: int) -> None:
        """A rule as it is, or several that are taken together."""
    def cheaper(
        self,
        begin: Sequence[tuple[tuple[int, ...], int | None]],
        rounds: int,
        most_work: int,
        seed: int,
        stop: Callable[[], bool],
    ) -> tuple[list[tuple[tuple[int, ...], int | None, int, int, int]], int]:
        """The rules that a local search finds, and what they cost. Raises Stopped when `stop` says so."""
    def closure(
        self,
        most_kept: int,
        most_work: int,
        stop: Callable[[], bool],
        proof: tuple[Sequence[int], int, int] | None = None,
    ) -> list[tuple[tuple[int, ...], int | None, int, int, int]] | None:
        """Rules among which some cheapest hypothesis is; None if there are too many, or it is too much work.

        With `proof`, what a positive example is worth at most, the price of a unit of size, and a slack: only rules that are
        worth at least their price less the slack.
        """
    def underpriced(
        self,
        cuts: Sequence[tuple[int, int, Sequence[tuple[int, int]]]],
        whole: int,
        price: int,
        most_rules: int,
        most_work: int,
        stop: Callable[[], bool],
    ) -> tuple[list[tuple[tuple[int, ...], int | None, int, int, int]], bool]:
        """Some rules that earn more than their price by the duals of cuts, and whether all rules were looked at.

        A cut is told as (positive, dual, weights of negatives); `whole` stands for 1 in the weights.
        """
    def best_rule(
        self,
        earning: Sequence[int],
        paying: Sequence[int],
        above: int,
        most_nodes: int,
        stop: Callable[[], bool],
    ) -> tuple[tuple[tuple[int, ...], int | None, int, int, int] | None, int, bool]:
        """The rule that is worth most by these prices, if that is more than `above`; its worth, and whether it is the best."""

class Miner:
    """Enumerates and tests the bodies of a space, level by level: of one literal, of two, and so on.

    For wide rules, miner and record are of other classes, which do the same.
    """

    @property
    def next_length(self) -> int | None:
        """The length of the shortest bodies that wait to be extended and are needed, if there are any."""
    @property
    def waiting(self) -> int:
        """How many bodies wait to be extended, with those that are put off."""
    @property
    def as_bits(self) -> bool:
        """Whether the facts are laid out as bits; else they are too many for that."""
    @property
    def share(self) -> float:
        """How much of the level is done, from 0 to 1."""
    @property
    def record(self) -> Record: ...
    def inform(
        self, parts: Sequence[tuple[int, int]], required: tuple[Sequence[int], Sequence[int]] | None
    ) -> None:
        """Sizes and coverages of known parts and unions of them; sets of positives, one of which a part must cover to be of use.

        The first are for parts of the level's size, the second for larger ones.
        """
    def set_prices(self, literal: int, positives: Sequence[int]) -> None:
        """Where errors have a price: what a literal costs, and what it is worth to cover each positive. Bodies that cannot pay are
        left out.
        """
    def set_worth(self, worth: tuple[int, Sequence[int], int] | None) -> None:
        """Which bodies are needed: what a literal costs and covering each positive is worth, and by how much an extension may be
        worth less than its literals. The others are put off. None if all are needed.
        """
    def exclude_waiting(self) -> None:
        """The search has proven that no extension of a body that waits is needed: the record says so."""
    def most_to_earn(self, earning: Sequence[int], stop: Callable[[], bool]) -> list[tuple[int, int]]:
        """By the length of bodies that wait, the most that an extension can earn, by weights of the positives. Raises Stopped when
        `stop` says so.
        """
    def start_level(self, length: int) -> int:
        """Begin to extend the bodies of this length that wait and are needed; how many they are."""
    def step(
        self, jobs: int, every: bool, stop: Callable[[], bool]
    ) -> tuple[
        bool,
        list[tuple[tuple[tuple[int, tuple[int, ...]], ...], int, int | None]],
        tuple[int, int, list[int]],
        int,
    ]:
        """Go on with the level: whether it is done, rules with their coverage, a tally, the most variables.

        The tally has how many bodies were made and tested, and how many met each of the FATES. Literals are numbers of predicates with variables. Raises Stopped when `stop` says so.
        """

FATES: tuple[str, ...]
PRUNINGS: tuple[str, ...]  # by the facts: what MinedSpace.prunings may have (core/mining/prunings.cpp)
"""The names of what can become of a body, by number (core/mining/record.hpp)."""

class Record:
    """What a miner has tested: bodies by number, in the order in which they were tested. Fates are numbers of FATES.

    It can be asked while the miner is at work, and when it is gone. Literals are numbers of predicates with variables.
    """

    def __len__(self) -> int: ...
    @property
    def missed(self) -> int:
        """Bodies that were tested when the record was full."""
    def entry(
        self, number: int
    ) -> tuple[tuple[tuple[int, tuple[int, ...]], ...], int | None, int | None, int, bool, int | None]:
        """Its literals, positives and negatives covered, its fate, whether it is legal, and a later fate or None."""
    def counts(self) -> dict[tuple[int, int], int]:
        """By length and fate."""
    def page(
        self,
        lengths: Sequence[int],
        fates: Sequence[int],
        predicates: Sequence[Sequence[int]],
        without: Sequence[int],
        order: str,
        offset: int,
        limit: int,
    ) -> tuple[int, list[int]]:
        """How many bodies there are of these lengths and fates, without some; and some of them. Of each set one predicate occurs.

        `order` is "size", "positives" or "balance", which is positives minus negatives.
        """
    def find(self, literals: Sequence[tuple[int, Sequence[object]]]) -> int | None: ...
    def generalisations(self, number: int) -> list[int]: ...
    def specialisations(self, number: int) -> tuple[list[int], list[tuple[int | None, int, int]]]:
        """Those that were made; and of those never made the cause, the kind and how many there are."""
    def never_made(self, number: int, kind: int, limit: int) -> list[tuple[tuple[int, tuple[int, ...]], ...]]:
        """The first of those, of one kind."""
    def sample_of_cut(
        self, number: int, how_many: int, seed: int
    ) -> list[tuple[tuple[int, tuple[int, ...]], ...]]:
        """Legal bodies below this one that were never made, drawn at random."""

class WideMiner(Miner):
    """The same with wider words, for predicates of more than eight arguments and rules of more than 32 variables."""

class WideRecord(Record):
    """What a WideMiner has tested."""

class Conjunctions:
    """Pieces, and the conjunctions of them that cover no negative. Sets of positives and of pieces are bitsets.

    `stop` is asked about every 50 ms; `Stopped` is raised when it says so, unless something else is said.
    """

    def __init__(self, positives: int, negatives: int, required: int, demands: int) -> None: ...
    def add(self, cost: int, pos: int, neg: int, head: int, progress: int, stuck: int) -> None:
        """A piece, with the fields of `joiner_magic.logic.dominance.Piece`."""
    def block(self, pos: int, size: int) -> None:
        """From this size on nothing inside `pos` is of use."""
    def maximal(
        self, bound: int, including: int, stop: Callable[[], bool]
    ) -> tuple[list[tuple[tuple[int, ...], int, int]], bool]:
        """Pieces, coverage and size of conjunctions that are new, and whether that is all of them.

        It is not if `stop` said so.
        """
    def most_covering(self, uncovered: int, exact: bool, stop: Callable[[], bool]) -> tuple[int, bool]:
        """What a conjunction covers of these: as much as was found, and whether that is proven to be the most."""
    def smallest(self, covering: int, stop: Callable[[], bool]) -> list[int]:
        """Pieces of a small conjunction that covers these: a smallest, if it can be found in a moment."""
    def coverages(self, most: int, stop: Callable[[], bool]) -> list[int] | None:
        """The maximal sets that conjunctions can cover; None beyond `most`, or where it takes too long."""
    def can_cover(self, positives: int) -> bool:
        """Whether a conjunction covers all of these."""
    def conflicts(self, stop: Callable[[], bool]) -> list[int]:
        """Large sets of positives no two of which a conjunction covers together; may miss some."""
    def all(self) -> int: ...
    def owed(self) -> list[int]:
        """By obligation of every conjunction, the pieces that meet it; the hardest ones suffice."""
    def demands(self) -> list[tuple[int, int]]:
        """By demand, the pieces that are stuck under it and those that make progress."""
    def covering(self) -> list[int]:
        """By positive, the pieces that cover it."""
