"""Time and memory are bounded in every stage: each case is a task that once took all of one or the other.

Each runs in a process of its own, whose peak of memory is its own too, and which a limit of time ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest

from busy import Busy

_CASE = """
import json, sys, time
from joiner_magic import Budget, JoinerError, Session, learn, read_task

def fact(arity, letter):
    return "t(" + ",".join(f"{letter}{i}" for i in range(arity)) + "). "

def table(arity):
    return fact(arity, "a") + fact(arity, "b")

EXAMPLES = "pos(f(a0)). neg(f(b0))."
SMALL = "e(a,b). e(b,c). p(c)."
SMALL_EXAMPLES = "pos(f(a)). neg(f(b)). neg(f(c))."
SMALL_BIAS = "head_pred(f,1). body_pred(e,2). body_pred(p,1). "
CLOSING = "".join(f"e(n{i},n{(i*7+1)%3000}). " for i in range(3000))
CLOSING += "r(X,Y) :- e(X,Y). r(X,Z) :- e(X,Y), r(Y,Z). p(X) :- r(X,X)."

def session(test="", test_bk="", bk="p(a). p(b)."):
    made = Session()
    made.bk(bk)
    made.examples("pos(f(a)). neg(f(c)).")
    made.bias("head_pred(f,1). body_pred(p,1).")
    if test:
        made.examples(test, test=True)
        made.say("test bk", test_bk)
    made.task()  # what is imported late is there
    return made

GIVEN
began = time.monotonic()
try:
    result = CASE
    said = [result.status, result.unmeasured or result.why]
except JoinerError as error:
    said = ["error", error.headline]
# Not of getrusage: that begins with the size of the process that this one was forked from.
(peak,) = [int(line.split()[1]) / 1024 for line in open("/proc/self/status") if line.startswith("VmHWM")]
print(json.dumps([*said, time.monotonic() - began, peak]))
"""
_LATE = 2.0  # seconds that a case may take with a timeout of 1
_BUSY = 60.0  # seconds after which it is ended
_TRIES = 3


def outcome(case: str, given: str = "") -> tuple[str, str, float, float]:
    """Status and why, or the headline of an error; seconds; megabytes at the peak."""
    code = _CASE.replace("CASE", case, 1).replace("GIVEN", given, 1)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=_BUSY)
    assert done.returncode == 0, done.stderr[-2000:]
    status, why, seconds, peak = json.loads(done.stdout)
    return status, why, seconds, peak


def in_time(case: str, given: str = "", late: float = _LATE) -> tuple[str, str, float]:
    """Status, why, and megabytes of a case that ends within a second of its timeout.

    One in three tries is enough: a machine that is busy with other work may hold any process up for a moment, but
    a stage that does not look at the time is late every time.
    """
    for _ in range(_TRIES):
        with Busy() as busy:
            status, why, seconds, peak = outcome(case, given)
        if seconds < busy.stretched(late):
            break
    assert seconds < busy.stretched(late)
    return status, why, peak


@pytest.mark.parametrize("arity", [9, 20, 50, 100, 1_000])
def test_a_wide_table_costs_nothing(arity: int) -> None:
    status, why, peak = in_time(f"learn(read_task(table({arity}), EXAMPLES), timeout=20)")
    assert (status, why[:20]) == ("none", "no rule of the space")
    assert peak < 150


@pytest.mark.parametrize("arity", [9, 20, 50, 63])
@pytest.mark.parametrize("more", ["", "allow_singletons. "])
def test_a_wide_table_that_rules_may_use_costs_little(arity: int, more: str) -> None:
    bias = f"head_pred(f,1). body_pred(t,{arity}). max_vars({arity}). {more}"
    status, why, peak = in_time(
        f"learn(read_task(table({arity}), EXAMPLES, {bias!r}), timeout=20, advise=False)"
    )
    assert (status, why[:20]) == ("none", "no rule of the space")
    assert peak < 150


@pytest.mark.parametrize("arity", [9, 20, 50])
def test_a_rule_over_a_wide_table_is_found(arity: int) -> None:
    bias = f"head_pred(f,1). body_pred(t,{arity}). max_vars({arity}). allow_singletons."
    examples = "pos(f(a0)). pos(f(b0)). neg(f(c))."
    status, _, peak = in_time(f"learn(read_task(table({arity}), {examples!r}, {bias!r}), timeout=20)")
    assert status == "optimal"
    assert peak < 150


@pytest.mark.parametrize("arity", [9, 20, 50])
@pytest.mark.parametrize(
    ("more", "options"),
    [
        ("enable_recursion.", ""),
        ("enable_pi.", ""),
        ("", "limit=1000"),
        pytest.param("", "engine='prolog'", marks=pytest.mark.prolog),
    ],
    ids=["recursion", "invention", "limit", "prolog"],
)
def test_a_wide_table_is_too_much_for_clingo_which_says_at_once_what_to_do(
    arity: int, more: str, options: str
) -> None:
    bias = f"head_pred(f,1). body_pred(t,{arity}). max_vars({arity}). {more}"
    status, why, peak = in_time(
        f"learn(read_task(table({arity}), EXAMPLES, {bias!r}), timeout=20, {options})", late=2
    )
    assert status == "none"
    ways = "362,880" if arity == 9 else "over 1,000,000,000"
    assert f"t/{arity} can have its variables in {ways} ways: in its place give the bias" in why
    assert "p(A,B) :- t(A,B,_,…)" in why
    assert "\n" not in why
    assert peak < 150


@pytest.mark.parametrize("more", ["enable_recursion.", "enable_pi."])
def test_what_to_do_with_a_wide_table_helps(more: str) -> None:
    rest = ",".join(["_"] * 18)
    bias = f"head_pred(f,1). body_pred(p,2). max_vars(3). allow_singletons. {more}"
    examples = "pos(f(a0)). pos(f(b0)). neg(f(c))."
    status, _, peak = in_time(
        f"learn(read_task(table(20) + 'p(A,B) :- t(A,B,{rest}).', {examples!r}, {bias!r}), timeout=20)",
        late=3,
    )
    assert status == "optimal"
    assert peak < 150


def test_too_many_variables_are_to_blame_where_no_predicate_is_wide() -> None:
    bias = "head_pred(f,1). body_pred(q,4). max_vars(50). max_body(30)."
    status, why, _ = in_time(
        f"learn(read_task('q(a,b,c,d).', 'pos(f(a)). neg(f(e)).', {bias!r}), source='asp')", late=3
    )
    assert status == "none"
    assert "q/4 can have its variables in 5,527,200 ways: lower max_vars" in why


def test_a_table_of_numbers_that_no_search_can_exhaust_ends_in_time() -> None:
    rows = '" ".join("t(" + ",".join(str((i * 7 + j * j) % 10) for j in range(12)) + ")." for i in range(50))'
    bias = "head_pred(f,1). body_pred(t,12). max_vars(13)."
    status, _, peak = in_time(
        f"learn(read_task({rows}, 'pos(f(1)). neg(f(2)).', {bias!r}), timeout=1, memory=300)"
    )
    assert status == "none"
    assert peak < 600


@pytest.mark.parametrize("source", ["auto", "asp"])
@pytest.mark.parametrize(
    "bounds",
    [
        "max_vars(1000000000).",
        "max_body(1000000000).",
        "max_vars(1000). max_body(1000).",
        "max_vars(1000000000). max_body(1000000000).",
        "enable_recursion. max_clauses(1000000000).",
    ],
)
def test_bounds_beyond_all_reason(bounds: str, source: str) -> None:
    status, _, peak = in_time(
        f"learn(read_task(SMALL, SMALL_EXAMPLES, SMALL_BIAS + {bounds!r}), timeout=20, source={source!r})"
    )
    assert status == "optimal"
    assert peak < 300


_EXPLODING = "n(0..10000). m(X,Y) :- n(X), n(Y). "


@pytest.mark.parametrize(
    "bias",
    [
        _EXPLODING + "body_pred(p,1) :- m(0,0).",
        _EXPLODING + "body_pred(p,1). :- m(X,Y), body_literal(0,p,1,(X,)), Y < 0.",
    ],
)
def test_a_bias_that_explodes_is_refused_in_one_line(bias: str) -> None:
    task = f"read_task('p(a).', 'pos(f(a)).', 'head_pred(f,1). ' + {bias!r}, stop=Budget(SECONDS).stop)"
    status, why, peak = in_time(f"learn({task.replace('SECONDS', '30')})", late=6)
    assert status == "error"
    assert "working out this bias takes more than 5 s" in why
    assert peak < 150
    status, why, peak = in_time(f"learn({task.replace('SECONDS', '1')})")
    assert (status, why[:16]) == ("error", "the time was up ")
    assert peak < 150


def test_the_time_for_closing_rules_counts() -> None:
    status, why, peak = in_time(
        "learn(read_task(CLOSING, 'pos(f(n0)). neg(f(n1)).', 'head_pred(f,1). body_pred(p,1).'), timeout=1)"
    )
    assert (status, why) == ("none", "the time was up before the search began")
    assert peak < 150


@pytest.mark.parametrize(
    "task",
    [
        "'q(a). p(X) :- ' + ', '.join(['q(X)'] * 100_000) + '.', 'pos(f(a)).', 'head_pred(f,1). body_pred(p,1).'",
        "''.join(f'e(n{i},n{i * 7 % 400_000},{i % 17}).\\n' for i in range(400_000)), 'pos(f(n0)). neg(f(n1)).'",
        "'p(a).', 'pos(f(a)).', 'head_pred(f,1). body_pred(p,1).' + ''.join(f'type(q{i},(t{i},)). ' for i in range(50_000))",
        "SMALL, SMALL_EXAMPLES, SMALL_BIAS + ''.join(f':- body_size(0,{i}), not p(V) : q(V). ' for i in range(50_000))",
        "'t(' + ','.join(['a'] * 100_000) + ').', 'pos(f(a)).'",
    ],
    ids=["a long clause", "many facts", "many types", "many constraints", "a long fact"],
)
def test_reading_ends_in_time(task: str) -> None:
    made = f"(lambda budget: learn(read_task({task}, stop=budget.stop), budget=budget))(Budget(1))"
    _, _, peak = in_time(made)
    assert peak < 1_000


def test_a_head_with_many_outputs_is_refused() -> None:
    arguments, out = ",".join("x" * 30), ",".join(["out"] * 30)
    bias = f"head_pred(f,30). body_pred(q,1). max_vars(30). direction(f,({out})). direction(q,(out,))."
    status, why, _ = in_time(f"learn(read_task('q(x).', 'pos(f({arguments})).', {bias!r}), timeout=1)")
    assert status == "error"
    assert "30 outputs" in why


def test_the_command_counts_the_time_for_reading(tmp_path: Any) -> None:
    (tmp_path / "bk.pl").write_text("".join(f"e(n{i},n{i * 7 % 400_000}).\n" for i in range(400_000)))
    (tmp_path / "exs.pl").write_text("pos(f(n0)). neg(f(n1)).")
    command = [sys.executable, "-m", "joiner_magic", "learn", str(tmp_path), "--timeout", "0.2"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_BUSY)
    assert "the time was up" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_run_of_a_session_counts_the_time_for_its_bias() -> None:
    given = "made = session()"
    status, why, _ = in_time(f"made.learn({_EXPLODING + 'body_pred(p,1) :- m(0,0).'!r}, timeout=1)", given)
    assert (status, why[:42]) == ("error", "the time was up before the task was read; ")


def test_a_run_of_a_session_counts_the_time_for_inferring_the_bias() -> None:
    given = """
facts = "".join(f"e(n{i},n{i * 7 % 400_000},{i % 17}).\\n" for i in range(400_000))
made = Session()
made.bk(facts)
made.examples("pos(f(n0)). neg(f(n1)).")
"""
    status, why, _ = in_time("made.learn(timeout=0.2)", given, late=1.2)
    assert (status, why[:15]) == ("error", "the time was up")


def test_a_run_of_a_session_counts_the_time_for_measuring() -> None:
    """What was learnt is there, without a score on examples whose background knowledge takes a minute to close."""
    given = "made = session('pos(f(n0)). neg(f(n1)).', CLOSING)"
    status, why, _ = in_time("made.learn(timeout=1)", given)
    assert (status, why) == ("optimal", "the time was up before they were measured")


def test_going_on_counts_the_time_for_held_out_examples() -> None:
    given = """
made = session(bk=CLOSING)
made.learn(timeout=0.1)
made.examples("".join(f"pos(f(x{i})).\\n" for i in range(40_000)), test=True)
"""
    status, why, _ = in_time("made.resume(timeout=0.1).wait()", given, late=1.1)
    assert (status, why[:50]) == ("error", "the time was up before what is held out was read; ")


def test_a_refused_run_leaves_the_session_as_it_was() -> None:
    from joiner_magic import JoinerError, Session

    session = Session()
    session.bk("p(a). p(b).")
    session.examples("pos(f(a)). neg(f(c)).")
    first = session.learn()
    with pytest.raises(JoinerError, match="the time was up before the task was read"):
        session.learn(_EXPLODING + "body_pred(p,1) :- m(0,0).", timeout=0.3)
    assert [run.result for run in session.runs] == [first]
    assert session.running is None
    assert session.learn().rules == first.rules


def test_the_memory_for_closing_rules_is_the_users() -> None:
    bias = "head_pred(f,1). body_pred(p,1)."
    status, why, peak = in_time(
        f"learn(read_task(CLOSING, 'pos(f(n0)). neg(f(n1)).', {bias!r}), memory=20, engine='datalog')", late=3
    )
    assert status == "error"
    assert "closing the rules into facts needed more than 20 MB; the option `memory` allows more" in why
    assert peak < 150


@pytest.mark.parametrize(
    "case",
    [
        "learn(read_task('p(a).', 'pos(f(a)).', 'head_pred(f,1). ' + BIAS, memory=20))",
        "session().learn(BIAS, memory=20)",
    ],
)
def test_the_memory_for_working_out_the_bias_is_the_users(case: str) -> None:
    status, why, peak = in_time(case, f"BIAS = {_EXPLODING + 'body_pred(p,1) :- m(0,0).'!r}", late=3)
    assert status == "error"
    assert "working out this bias takes more than 20 MB" in why
    assert "option `memory`" in why
    assert peak < 150


def test_the_command_bounds_the_memory_for_the_bias(tmp_path: Any) -> None:
    (tmp_path / "bk.pl").write_text("p(a).")
    (tmp_path / "exs.pl").write_text("pos(f(a)).")
    (tmp_path / "bias.pl").write_text(f"head_pred(f,1). {_EXPLODING} body_pred(p,1) :- m(0,0).")
    command = [sys.executable, "-m", "joiner_magic", "learn", str(tmp_path), "--memory", "20"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_BUSY)
    assert "working out this bias takes more than 20 MB" in done.stderr
