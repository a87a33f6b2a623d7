"""A process to be interrupted at random moments: it makes calls by name, and tells what came of each and when.

A line on its input names a call. It prepares what the call needs, says "ready", and makes the call once a further line
comes; then it tells, as one JSON object, when the call returned, what it gave, and what it left behind.
"""

from __future__ import annotations

import faulthandler
import gc
import json
import random
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

import psutil

import joiner_magic
from joiner_magic import (
    JoinerError,
    Result,
    Session,
    Task,
    choose_engine,
    learn,
    load_result,
    load_task,
    read_task,
    save_result,
    view,
)
from joiner_magic.questions import engine_of_run

Ready: TypeAlias = Callable[[], object]  # a call, with everything at hand that it needs

EXAMPLES = Path(joiner_magic.__file__).parent / "examples"
LONG: dict[str, Any] = {"max_vars": 6, "max_body": 10}  # a solution at once, and the rest takes minutes
FACTS = 100_000
PATIENCE = 10.0  # seconds for what was left to end


@cache
def many_facts() -> tuple[str, str]:
    """Background knowledge and examples that take a second to read."""
    rng = random.Random(1)
    places = [f"place{number}" for number in range(5_000)]
    facts = "\n".join(
        f"road({rng.choice(places)},{rng.choice(places)},{rng.randrange(99)})." for _ in range(FACTS)
    )
    examples = "".join(f"{rng.choice(('pos', 'neg'))}(far({place})). " for place in places)
    return facts, examples


@cache
def rules_to_close() -> Task:
    """Rules that take seconds to close, and more than this process may do by itself."""
    rng = random.Random(1)
    edges = " ".join(f"e(n{rng.randrange(700)},n{rng.randrange(700)})." for _ in range(1_500))
    rules = "path(X,Y) :- e(X,Y). path(X,Z) :- path(X,Y), e(Y,Z)."
    return read_task(
        f"{edges}\n{rules}",
        "pos(f(n1,n2)). neg(f(n2,n1)).",
        "head_pred(f,2). body_pred(path,2). body_pred(e,2). max_vars(3). max_body(3).",
    )


@cache
def pyramids() -> Task:
    return load_task(EXAMPLES / "pyramids")


@cache
def strings() -> Task:
    return load_task(EXAMPLES / "strings")


@cache
def session(engine: str = "datalog") -> Session:
    """With a run that was stopped."""
    made = Session()
    made.import_task(EXAMPLES / "pyramids")
    made.learn(engine=engine, source="asp", timeout=1.5, **LONG)
    return made


@cache
def learnt(engine: str) -> Result:
    return learn(pyramids(), engine=engine, timeout=5)


@cache
def learnt_of_many() -> Result:
    facts, examples = many_facts()
    return learn(read_task(facts, examples, "head_pred(far,1). body_pred(road,3)."), timeout=0.1)


def said(result: Result) -> Result:
    assert result.hypothesis is not None or result.status == "none"
    return result


def _read() -> Ready:
    facts, examples = many_facts()
    return lambda: read_task(facts, examples, "head_pred(far,1). body_pred(road,3).")


def _infer() -> Ready:
    facts, examples = many_facts()
    return lambda: read_task(facts, examples)


def _bias() -> Ready:
    directives = "\n".join(f"body_pred(p{n},1) :- wanted({n})." for n in range(300))
    bias = f"head_pred(f,1).\nwanted(0..150).\n{directives}"
    facts = " ".join(f"p{number}(a)." for number in range(300))
    return lambda: [read_task(facts, "pos(f(a)). neg(f(b)).", bias) for _ in range(20)]


def _say() -> Ready:
    facts, _ = many_facts()
    return lambda: Session().bk(facts)


def _close() -> Ready:
    task = rules_to_close()
    return lambda: choose_engine(task, "datalog").engine.close()


def _load_facts() -> Ready:
    facts, examples = many_facts()
    task = read_task(facts, examples, "head_pred(far,1). body_pred(road,3).")
    return lambda: [choose_engine(task, "datalog").engine for _ in range(4)]


def _learning(task: Callable[[], Task], **options: Any) -> Callable[[], Ready]:
    def prepare() -> Ready:
        made = task()
        return lambda: said(learn(made, **options))

    return prepare


def _advise() -> Ready:
    facts = " ".join(f"e(n{number},n{number + 1})." for number in range(60))
    facts += " ".join(f" c{colour}(n{number})." for number in range(60) for colour in range(number % 4))
    examples = " ".join(f"{'pos' if number % 7 in (1, 4) else 'neg'}(f(n{number}))." for number in range(60))
    bias = "head_pred(f,1). body_pred(e,2). body_pred(c0,1). body_pred(c1,1). body_pred(c2,1). max_vars(2). max_body(2)."
    task = read_task(facts, examples, bias)
    return lambda: said(learn(task, source="asp"))


def _session(engine: str) -> Callable[[], Ready]:
    def prepare() -> Ready:
        made = Session()
        made.import_task(EXAMPLES / "pyramids")
        return lambda: said(made.learn(engine=engine, source="asp", join=False, fresh=True, **LONG))

    return prepare


def _resume() -> Ready:
    made = Session()
    made.import_task(EXAMPLES / "pyramids")
    made.learn(source="asp", join=False, timeout=1, **LONG)
    return lambda: said(made.resume().wait())


def _looking(name: str, engine: str) -> Callable[[], Ready]:
    def prepare() -> Ready:
        run = session(engine).runs[-1]
        return lambda: [view(name, run).to_html() for _ in range(3)]

    return prepare


def _verify(engine: str) -> Callable[[], Ready]:
    def prepare() -> Ready:
        run = session(engine).runs[-1]

        def ask() -> None:
            shown = view("constraints", run)
            for one in shown.answer("page", {})["rows"][:20]:
                shown.answer("verify", {"number": one["number"]})

        return ask

    return prepare


def _explain(engine: str) -> Callable[[], Ready]:
    def prepare() -> Ready:
        result = learnt(engine)
        atoms = result.task.examples.pos
        return lambda: [result.explain(atom) for atom in atoms[:5]]

    return prepare


def _predict(engine: str) -> Callable[[], Ready]:
    def prepare() -> Ready:
        result = learnt(engine)
        atoms = result.task.examples.pos
        return lambda: [result.predict(atoms) for _ in range(5)]

    return prepare


def _save() -> Ready:
    result = learnt_of_many()
    folder = tempfile.mkdtemp()
    return lambda: [save_result(result, Path(folder) / "result.json") for _ in range(3)]


def _load() -> Ready:
    path = Path(tempfile.mkdtemp()) / "result.json"
    save_result(learnt_of_many(), path)
    return lambda: load_result(path)


# Each call, and for how many seconds it works at most: the interrupt comes within them.
CALLS: dict[str, tuple[Callable[[], Ready], float]] = {
    "read": (_read, 0.4),
    "infer": (_infer, 0.6),
    "bias": (_bias, 0.5),
    "say": (_say, 0.2),
    "load facts": (_load_facts, 0.4),
    "close": (_close, 3.0),
    "native": (_learning(pyramids, join=False, **LONG), 0.3),
    "native, every rule": (
        _learning(pyramids, join=False, splittable=True, every_rule=True, max_vars=6, max_body=8), 1.2,
    ),
    "asp": (_learning(pyramids, source="asp", **LONG), 2.0),
    "asp, no join": (_learning(pyramids, source="asp", join=False, **LONG), 2.0),
    "recursion": (_learning(strings, source="asp", max_vars=5, max_body=6), 2.0),
    "advise": (_advise, 1.0),
    "session": (_session("datalog"), 1.5),
    "resume": (_resume, 1.0),
    "lattice": (_looking("lattice", "datalog"), 0.5),
    "coverage": (_looking("coverage", "datalog"), 0.5),
    "constraints": (_looking("constraints", "datalog"), 0.5),
    "verify": (_verify("datalog"), 0.5),
    "explain": (_explain("datalog"), 0.1),
    "predict": (_predict("datalog"), 0.1),
    "save": (_save, 0.5),
    "load": (_load, 0.5),
}  # fmt: skip

PROLOG_CALLS: dict[str, tuple[Callable[[], Ready], float]] = {
    "prolog": (_learning(pyramids, engine="prolog", **LONG), 2.0),
    "prolog, session": (_session("prolog"), 2.0),
    "prolog, lattice": (_looking("lattice", "prolog"), 1.5),
    "prolog, verify": (_verify("prolog"), 1.0),
    "prolog, explain": (_explain("prolog"), 1.5),
    "prolog, predict": (_predict("prolog"), 1.5),
}


def tell(**values: Any) -> None:
    print(json.dumps(values), flush=True)


def left_behind() -> list[str]:
    """Threads and processes that no call needs any more, if they are there for good."""
    until = time.monotonic() + PATIENCE
    while (left := _at_work()) and time.monotonic() < until:
        time.sleep(0.05)
    return left


def _at_work() -> list[str]:
    gc.collect()  # runs that can go on are let go of
    threads = [thread.name for thread in threading.enumerate() if thread.ident not in _there_before]
    new = [one for one in psutil.Process().children(recursive=True) if one.pid not in _there_before]
    return [*threads, *(name for process in new if (name := _name(process)))]


def _name(process: psutil.Process) -> str:
    """Nothing for one that has ended since it was listed."""
    with suppress(psutil.NoSuchProcess):
        return str(process.name())
    return ""


_there_before: set[int | None] = set()  # threads and processes


def still_works() -> bool:
    task = read_task("p(a).", "pos(f(a)). neg(f(b)).", "head_pred(f,1). body_pred(p,1).")
    return learn(task).optimal


def make(call: Ready) -> dict[str, Any]:
    """The call, as a program makes it: with Python's own handler of interrupts."""
    told: dict[str, Any] = {}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        try:
            value = call()
            told = {"outcome": "value", "status": value.status if isinstance(value, Result) else ""}
        except KeyboardInterrupt:
            told = {"outcome": "interrupt", "status": ""}
        except JoinerError as error:
            told = {"outcome": f"error: {error}", "status": ""}
        told["at"] = time.monotonic()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    except KeyboardInterrupt:  # it came just after the end
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        told.setdefault("outcome", "interrupt")
        told.setdefault("at", time.monotonic())
    return told


def main() -> None:
    faulthandler.enable()
    engine_of_run.IDLE = (
        1.0  # seconds that an engine for questions is kept: whether it ends is to be seen here
    )
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for line in sys.stdin:
        prepare, _ = {**CALLS, **PROLOG_CALLS}[line.strip()]
        call = prepare()
        left_behind()  # by what the call needs
        _there_before.update(thread.ident for thread in threading.enumerate())
        _there_before.update(process.pid for process in psutil.Process().children(recursive=True))
        tell(ready=True)
        sys.stdin.readline()
        told = make(call)
        del call
        tell(**told, left=left_behind(), works=still_works())


if __name__ == "__main__":
    main()
