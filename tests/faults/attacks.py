"""Texts that try to get out: attacks on the Prolog worker, by what they try.

`$made` is a file that must not come to be, `$keep` one that must stay as it is, `$secret` one that must not be read (it
holds the word swordfish), `$evil` a Prolog file that makes `$made` when it is loaded, `$victim` a process that must go on,
`$port` a port at which somebody listens, and `JOINER_SECRET` a variable of the environment with the same word. An attack
of ACTS has succeeded when one of these has happened, one of OUTSIDE, INSIDE and CONTROL when `p(_)` holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import Template

_TOUCH = "shell('touch $made')"


@dataclass(frozen=True, slots=True)
class Attack:
    """A task, with a program that calls `p/1` unless it says otherwise."""

    background: str
    program: str = "f(A) :- p(A)."
    example: str = "f(a)"
    reads: bool = False  # it has succeeded when the example is covered

    def on(self, **names: str) -> Attack:
        """The same with real files and processes."""

        def real(text: str) -> str:
            return Template(text).safe_substitute(names)

        return Attack(real(self.background), real(self.program), real(self.example), self.reads)


def _goals(text: str, *, reads: bool = False) -> list[Attack]:
    """One attack for each line, which is the body of a clause."""
    goals = [line.strip() for line in text.strip().splitlines() if line.strip()]
    return [Attack(f"p(_) :- {goal}.", reads=reads) for goal in goals]


def _texts(text: str) -> list[Attack]:
    """One attack for each line, which is the whole background knowledge."""
    return [Attack(line.strip()) for line in text.strip().splitlines() if line.strip()]


# What acts on the system by itself.
DIRECT = _goals(r"""
    shell('touch $made')
    shell('touch $made', _)
    system:shell('touch $made')
    process_create('/bin/touch', ['$made'], [process(P)]), process_wait(P, _)
    process_create(path(touch), ['$made'], [])
    exec(touch('$made'))
    fork(P), ( P == child -> shell('touch $made'), halt ; true )
    open('$made', write, S), close(S)
    open('$made', append, S), close(S)
    open('$made', update, S), close(S)
    open('$keep', write, S), write(S, changed), close(S)
    tell('$made'), write(x), told
    append('$made'), write(x), told
    protocol('$made'), noprotocol
    make_directory('$made')
    make_directory_path('$made')
    copy_file('$keep', '$made')
    link_file('$keep', '$made', symbolic)
    rename_file('$keep', '$made')
    delete_file('$keep')
    set_time_file('$keep', _, [modified(0)])
    chmod('$keep', +x)
    save_program('$made')
    qcompile('$evil')
    tmp_file_stream(text, F, S), close(S), rename_file(F, '$made')
    consult('$evil')
    ['$evil']
    ensure_loaded('$evil')
    load_files('$evil', [])
    use_module('$evil')
    include('$evil')
    load_files(user:'$evil', [if(true)])
    open('$evil', read, S), load_files(evil, [stream(S)])
    open_shared_object('$made', _)
    use_foreign_library('$made')
    tcp_connect('127.0.0.1':$port, S, []), close(S)
    tcp_socket(S), tcp_connect(S, '127.0.0.1':$port)
    process_kill($victim)
    process_kill($victim, 9)
    janus:py_call(os:system('touch $made'), _)
    janus:py_call(os:mkdir('$made'), _)
    janus:py_call(builtins:open('$made', w), _)
    janus:py_call(os:kill($victim, 9), _)
    janus:py_call(os:remove('$keep'), _)
    janus:py_call(os:chmod('$keep', 511), _)
    janus:py_call(os:fork(), P), ( P == 0 -> shell('touch $made'), halt ; true )
    janus:py_call(os:execv('/bin/touch', [touch, '$made']), _)
    janus:py_call(os:posix_spawn('/bin/touch', [touch, '$made'], py{}), _)
    janus:py_call(subprocess:call([touch, '$made']), _)
    janus:py_call(socket:create_connection('127.0.0.1'-$port), _)
    janus:py_call(builtins:exec("import os; os.mkdir('$made')"), _)
    janus:py_call(builtins:exec("import ctypes; ctypes.CDLL(None).system(b'touch $made')"), _)
    janus:py_call(builtins:exec("import ctypes; ctypes.CDLL(None).syscall(83, b'$made', 511)"), _)
    janus:py_call(builtins:exec("import ctypes; ctypes.CDLL(None).syscall(258, -100, b'$made', 511)"), _)
    janus:py_call(builtins:exec("import ctypes; ctypes.CDLL(None).syscall(62, $victim, 9)"), _)
    janus:py_call(builtins:exec("import ctypes; ctypes.CDLL(None).syscall(0x40000000 + 83, b'$made', 511)"), _)
    janus:py_call(builtins:exec("import ctypes; ctypes.CDLL(None).ptrace(16, $victim, 0, 0)"), _)
    janus:py_call(builtins:exec("import ctypes, fcntl; fcntl.fcntl(1, 8, $victim)"), _)
    janus:py_call(builtins:exec("import resource; resource.prlimit($victim, resource.RLIMIT_CPU, (0, 0))"), _)
    janus:py_call(builtins:exec("import os; os.sched_setaffinity($victim, [0]); os.kill($victim, 9)"), _)
    janus:py_call(builtins:exec("import signal, os; signal.pidfd_send_signal(os.pidfd_open($victim), 9)"), _)
    janus:py_call(builtins:exec("import mmap, os; os.write(os.memfd_create('x'), b'y'); os.mkdir('$made')"), _)
    janus:py_call(builtins:exec("import os; os.setuid(0); os.mkdir('$made')"), _)
    janus:py_call(builtins:exec("import os; os.unshare(0x10000000); os.mkdir('$made')"), _)
""")

# What makes Prolog call something later, elsewhere or under another name.
DELAYED = _goals(r"""
    put_attr(X, freeze, system:shell('touch $made')), X = a
    put_attr(X, freeze, '$and'(user:true, system:shell('touch $made'))), X = a
    put_attr(X, user, x), X = a
    freeze(X, true), get_attr(X, freeze, A), setarg(2, A, shell('touch $made')), X = a
    freeze(X, true), get_attr(X, freeze, A), nb_setarg(2, A, shell('touch $made')), X = a
    freeze(X, shell('touch $made')), X = a
    freeze(X, true), copy_term(X, Y, [_]), frozen(Y, G), arg(1, G, _), put_attrs(X, att(freeze, system:shell('touch $made'), [])), X = a
    put_attrs(X, att(freeze, system:shell('touch $made'), [])), X = a
    when(nonvar(X), shell('touch $made')), X = a
    when(nonvar(X), true), get_attr(X, when, A), setarg(1, A, call(shell('touch $made'))), X = a
    dif(X, a), get_attr(X, dif, A), setarg(1, A, shell('touch $made')), X = b
    dif(X, a), put_attr(X, freeze, system:shell('touch $made')), X = b
    message_to_string(format('~@', [shell('touch $made')]), _)
    print_message(error, format('~@', [shell('touch $made')]))
    print_message_lines(user_error, '', ['~@'-[shell('touch $made')]])
    message_to_codes(format('~@', [shell('touch $made')]), _, _)
    format('~@', [shell('touch $made')])
    format(atom(_), '~@', [shell('touch $made')])
    format(atom(_), '~w ~20|~`-t~@', [x, shell('touch $made')])
    F = '~@', format(atom(_), F, [shell('touch $made')])
    atom_concat('~', '@', F), format(atom(_), F, [shell('touch $made')])
    format_predicate(z, shell(_, _)), format(atom(_), '~z', ['touch $made'])
    with_output_to(string(_), shell('touch $made'))
    sformat(_, '~@', [shell('touch $made')])
    '$$'(shell('touch $made'))
    $$(shell('touch $made'))
    $$, shell('touch $made')
    @(shell('touch $made'), system)
    setup_call_cleanup(true, true, shell('touch $made'))
    setup_call_cleanup(shell('touch $made'), true, true)
    call_cleanup(true, shell('touch $made'))
    setup_call_catcher_cleanup(true, true, _, shell('touch $made'))
    undo(shell('touch $made'))
    prolog_cut_to(_), shell('touch $made')
    thread_create(shell('touch $made'), I), thread_join(I)
    thread_create(shell('touch $made'), _, [detached(true)])
    thread_self(M), thread_signal(M, shell('touch $made'))
    first_solution(_, [shell('touch $made')], [])
    concurrent(1, [shell('touch $made')], [])
    concurrent_forall(true, shell('touch $made'))
    concurrent_maplist(shell, ['touch $made'])
    alarm(0, shell('touch $made'), _), repeat, fail
    call_with_time_limit(1, shell('touch $made'))
    call_with_depth_limit(shell('touch $made'), 100, _)
    call_with_inference_limit(shell('touch $made'), 10000, _)
    on_signal(usr1, _, shell('touch $made'))
    at_halt(shell('touch $made')), halt
    initialization(shell('touch $made'))
    prolog_listen(abolish, shell('touch $made'))
    wrap_predicate(atom(_), w, _, shell('touch $made')), atom(a)
    '$$c_wrap_predicate'(atom(_), w, _, _, shell('touch $made')), call(atom, a)
    engine_create(x, shell('touch $made'), E), engine_next(E, _)
    reset(shell('touch $made'), _, _)
    shift(shell('touch $made'))
    tnot(shell('touch $made'))
    start_tabling(x, p(_), shell('touch $made'))
    snapshot(shell('touch $made'))
    transaction(shell('touch $made'))
    assertz((x :- shell('touch $made'))), x
    asserta(user:portray(_) :- shell('touch $made')), print(a)
    assertz(user:message_hook(_, _, _) :- shell('touch $made')), print_message(error, x)
    assertz(user:exception(_, _, _) :- shell('touch $made')), nonesuch
    assertz(user:prolog_load_file(_, _) :- shell('touch $made')), load_files(x, [])
    assertz(prolog:error_message(_, _, _) :- shell('touch $made'))
    redefine_system_predicate(atom(_)), assertz(atom(_) :- shell('touch $made')), call(atom, a)
    set_prolog_flag(autoload, true), process_create('/bin/touch', ['$made'], [])
    set_prolog_flag(generate_debug_info, false), shell('touch $made')
    expand_goal(shell('touch $made'), G), call(G)
    compile_aux_clauses([(x :- shell('touch $made'))]), x
    dcg_translate_rule((x --> {shell('touch $made')}), R), assertz(R), x([], _)
    op(700, xfx, ===>), shell('touch $made')
    current_op(_, _, shell), shell('touch $made')
    tabling:shell('touch $made')
    nb_setval(g, shell('touch $made')), nb_getval(g, G), call(G)
    b_setval(g, shell('touch $made')), b_getval(g, G), call(G)
    recorda(k, shell('touch $made')), recorded(k, G), call(G)
    term_to_atom(G, 'shell(\'touch $made\')'), call(G)
    read_term(user_input, G, []), call(G)
    sandbox:safe_call(shell('touch $made'))
    prolog_load_context(module, M), M:shell('touch $made')
    context_module(M), @(shell('touch $made'), M)
    strip_module(shell('touch $made'), M, G), M:G
    X = point{x: 1}.put(y, shell('touch $made')), call(X.y)
    assertion(shell('touch $made'))
    must_be(list, _), shell('touch $made')
    debug(x, '~@', [shell('touch $made')])
    prolog_stack:backtrace(shell('touch $made'))
    gdebug, shell('touch $made')
    spy(p/1), shell('touch $made')
    '$$meta_call'(shell('touch $made'))
    '$$call_no_catch'(shell('touch $made'))
    '$$sig_atomic'(shell('touch $made'))
    '$$run_init_goal'(shell('touch $made'))
    '$$set_source_module'(system), shell('touch $made')
    '$$syspreds':shell('touch $made')
""")

# Where a goal can be: each of these calls the touch in another way.
_WRAPPED = r"""
    call(@)
    call(call, @)
    call(call, call, @)
    G = @, call(G)
    G = @, G
    copy_term(@, G), G
    G =.. [shell, 'touch $made'], G
    functor(G, shell, 1), arg(1, G, 'touch $made'), call(G)
    call(shell, 'touch $made')
    atom_concat(she, ll, S), call(S, 'touch $made')
    apply(shell, ['touch $made'])
    not(not(@))
    \+ \+ @
    once(@)
    ignore(@)
    (true ; true), @
    (fail ; @)
    (true -> @ ; true)
    (@ -> true ; true)
    (true *-> @ ; true)
    (@ *-> true ; true)
    findall(x, @, _)
    findall(x, @, _, [])
    findall(X, member(X, [@]), [G]), G
    findnsols(1, x, @, _)
    bagof(x, @, _)
    bagof(x, Y^Z^@, _)
    setof(x, Y^(member(Y, [1]), @), _)
    setof(X, system:@, _)
    aggregate_all(count, @, _)
    aggregate_all(max(X), (@, X = 1), _)
    aggregate_all(count, x, @, _)
    aggregate(count, Y^@, _)
    foreach(member(_, [1]), @)
    forall(@, true)
    forall(true, @)
    forall(member(X, [@]), X)
    maplist(shell, ['touch $made'])
    maplist(call, [@])
    maplist(call(call), [@])
    maplist([X]>>shell(X), ['touch $made'])
    maplist([X]>>call(X), [@])
    maplist([X, Y]>>(Y = X, @), [1], _)
    maplist([X]>>([Y]>>shell(Y), call(X)), [@])
    maplist([]>>shell, ['touch $made'])
    maplist(Q/[X]>>(Q = 1, shell(X)), ['touch $made'])
    maplist(\X^shell(X), ['touch $made'])
    call([_, _, _, _, _, _, _]>>@, 1, 2, 3, 4, 5, 6, 7)
    call([X]>>([Y]>>([Z]>>@)), 1, 2, 3)
    call([X|Xs]>>@, 1)
    call(P>>@, 1)
    call([]>>shell, 'touch $made')
    call(_/[X]>>@, 1)
    call('>>'([X], @), 1)
    '>>'([], @)
    '/'([], @)
    yall:call([]>>@)
    foldl([_, A, B]>>(@, A = B), [1], 0, _)
    foldl(call, [1], 0, _), @
    include([X]>>(X = 1, @), [1], _)
    exclude([X]>>(X = 1, @), [1], _)
    partition([X]>>(X = 1, @), [1], _, _)
    convlist([X, X]>>@, [1], _)
    predsort([O, A, B]>>(@, compare(O, A, B)), [b, a], _)
    map_list_to_pairs([X, X]>>@, [1], _)
    max_member([_, _]>>@, _, [1, 2])
    list_to_assoc([a-1], T), map_assoc([_]>>@, T)
    phrase({@}, [])
    phrase(({true}, {@}), [])
    phrase((\+ {@} ; []), [])
    phrase(call([S, S]>>@), [])
    phrase(shell('touch $made'), [], _)
    phrase(B, []), B = {@}
    catch(@, _, true)
    catch(throw(x), _, @)
    catch(throw(@), G, G)
    limit(1, @)
    order_by([asc(X)], (X = 1, @))
    distinct(X, (X = 1, @))
    call_nth(@, 1)
    system:call(@)
    user:call(@)
    lists:append([], [], _), lists:shell('touch $made')
    M = system, M:@
    M = user, call(M:@)
    call(system:shell, 'touch $made')
    findall(x, user:@, _)
    joiner_task:@
    joiner_task:shell('touch $made')
    joiner_database:assertz(trusted), @
    joiner_task_loader:admit(x), @
    joiner_safety:check_safe(x), @
"""
WRAPPED = _goals(_WRAPPED.replace("@", _TOUCH))

# What stands in the text besides bodies: heads, hooks, directives, grammar rules, quotations.
TEXTS = _texts(r"""
    '@'(a, b). p(_) :- '@'(shell('touch $made'), system).
    '$$'(a). p(_) :- '$$'(shell('touch $made')).
    '$$'. p(_) :- $$, shell('touch $made').
    call(_). p(_) :- call(shell('touch $made')).
    call(_, _). p(_) :- call(shell, 'touch $made').
    (a , b). p(_) :- true, shell('touch $made').
    system:p(a). p(_) :- shell('touch $made').
    user:portray(_) :- shell('touch $made'). p(_) :- print(a).
    portray(_) :- shell('touch $made'). p(_) :- print(a).
    lists:append(_, _, _) :- shell('touch $made'). p(_) :- append(_, _, []).
    '$$attvar':'$$wakeup'(_) :- shell('touch $made'). p(_) :- dif(X, a), X = b.
    '$$wakeup'(_) :- shell('touch $made'). p(_) :- dif(X, a), X = b.
    :- dynamic([system:shell/1]). p(_) :- shell('touch $made').
    :- dynamic(shell/1 as incremental). p(_) :- shell('touch $made').
    user:term_expansion(q, (:- shell('touch $made'))). q. p(a).
    p(_) --> {shell('touch $made')}. p(_) :- phrase(p(_), []).
    p(_) :- phrase(q, []). q --> {shell('touch $made')}.
    p(_) :- phrase(q, []). q --> call(shell, 'touch $made').
    p(_) :- phrase(q, []). q --> \+ {shell('touch $made')}.
    p(G) :- G. q :- p(shell('touch $made')).
    p(_) :- q(shell('touch $made')). q(G) :- G.
    p(_) :- q(shell('touch $made')). q(G) :- call(G).
    p(_) :- q([X]>>shell(X)). q(G) :- call(G, 'touch $made').
    p(_) :- q(shell). q(G) :- maplist(G, ['touch $made']).
    p(_) :- q(shell('touch $made')). q(G) :- findall(x, G, _).
    p(_) :- q(shell('touch $made')). q(G) :- \+ \+ G.
    p(_) :- X = {|shell('touch $made')||x|}, call(X).
    p(_) :- X = {|string(Y)||x|}, Y = shell('touch $made'), call(Y), call(X).
    p(_) :- shell('touch $made'). shell(_, _). shell.
    shell(_) :- fail. p(_) :- system:shell('touch $made').
    maplist(_, _). p(_) :- apply:maplist(shell, ['touch $made']).
    p(_) :- lists:member(X, [shell('touch $made')]), X.
    catch(_, _, _). p(_) :- system:catch(shell('touch $made'), _, true).
    attr_unify_hook(_, _) :- shell('touch $made'). p(_) :- put_attr(X, joiner_task, x), X = a.
    exception(undefined_global_variable, _, retry) :- shell('touch $made'). p(_) :- b_getval(x, _).
    prolog_exception_hook(_, _, _, _) :- shell('touch $made'). p(_) :- catch(throw(x), _, true), shell('touch $made').
""")

# Nothing of this is refused, because nothing of it is done.
IDLE = _texts(r"""
    :- initialization(shell('touch $made')). p(a).
    :- shell('touch $made'). p(a).
    ?- shell('touch $made'). p(a).
    :- table p/1. :- dynamic(shell('touch $made')). p(a).
    :- consult('$evil'). :- use_module('$evil'). :- include('$evil'). p(a).
    :- set_prolog_flag(double_quotes, codes). :- op(700, xfx, foo). p(a).
    term_expansion(q, (:- shell('touch $made'))). q. p(a).
    goal_expansion(q, shell('touch $made')). q. p(_) :- q.
    p(_) :- print_message(error, shell('touch $made')), print(shell('touch $made')), write(user_error, x).
    p(_) :- format('~w', [shell('touch $made')]), X = shell('touch $made'), X = shell(_), X =.. [shell|_].
""")

# Bias and examples: what a program or an example may name.
PROGRAMS = [
    Attack("q(a).", f"f(A) :- {goal}.", "f('touch $made')")
    for goal in (
        "shell(A)",
        "shell(A,B)",
        "call(shell,A)",
        "'$$'(A)",
        "system(A)",
        "make_directory(A)",
        "open(A,write,B)",
    )
] + [
    Attack("q(a).", "f(A) :- call(A).", "f(shell('touch $made'))"),
    Attack("q(a).", "f(A) :- '$$'(A).", "f(shell('touch $made'))"),
    Attack("q(a).", "f(A) :- findall(A,A,B).", "f(shell('touch $made'))"),
    Attack("q(a).", "f(A) :- '@'(A,system).", "f(shell('touch $made'))"),
    Attack("q(a).", "f(A) :- assertz(A).", "f(shell('touch $made'))"),
    Attack("q(a).", "f(A) :- q(A).", "'$$'(shell('touch $made'))"),
    Attack("q(a).", "f(A) :- q(A).", "call(shell('touch $made'))"),
    Attack("q(a).", "f(A) :- q(A).", "'@'(shell('touch $made'), system)"),
    Attack("q(a).", "f(A) :- q(A).", "':'(system, shell('touch $made'))"),
    Attack("q(a).", "f(A) :- q(A).", "'\\\\+'(shell('touch $made'))"),
    Attack("q(a).", "f(A) :- q(A).", "','(shell('touch $made'), true)"),
]

# What tells of the system; the confinement stops it too.
OUTSIDE = _goals(
    r"""
    open('$secret', read, S), close(S)
    see('$secret'), seen
    read_file_to_string('$secret', S, []), sub_string(S, _, _, _, "swordfish")
    read_file_to_codes('$secret', S, []), S = [_|_]
    read_file_to_terms('$secret', [_|_], [])
    read_term_from_file('$secret', _)
    phrase_from_file(([_], remainder(_)), '$secret')
    csv_read_file('$secret', _)
    load_structure('$secret', _, [])
    exists_file('$secret')
    access_file('$secret', read)
    size_file('$secret', _)
    time_file('$secret', _)
    directory_files('$folder', _)
    expand_file_name('$folder/*', [_, _|_])
    directory_member('$folder', _, [])
    getenv('JOINER_SECRET', _)
    environ(L), member('JOINER_SECRET'=_, L)
    janus:py_call(os:getenv('JOINER_SECRET'), X), X \== @none
    janus:py_call(builtins:open('$secret'), F), janus:py_call(F:read(), _)
    janus:py_call(os:listdir('$folder'), [_|_])
    janus:py_call(os:open('$secret', 0), _)
    janus:py_call(os:readlink('/proc/self/exe'), _)
    janus:py_call(builtins:open('/proc/self/environ'), _)
    janus:py_call(builtins:open('/proc/$victim/environ'), _)
    janus:py_call(socket:socket(), _)
    janus:py_call(os:pidfd_open($victim), _)
    janus:py_call(os:memfd_create(x), _)
    tcp_socket(_)
""",
    reads=True,
)

# What tells of the process, of time and chance, or changes what is inside: that is for the list alone.
INSIDE = _goals(
    r"""
    gethostname(_)
    process_id(_)
    current_prolog_flag(executable, _)
    current_prolog_flag(pid, _)
    prolog_load_context(directory, _)
    absolute_file_name(x, _)
    working_directory(_, _)
    source_file(_)
    module_property(joiner_task, file(_))
    clause(joiner_task:p(_), _)
    predicate_property(p(_), _)
    current_module(joiner_database)
    stream_property(_, file_name(_))
    current_output(_)
    current_input(S), read_term(S, _, [])
    read(_)
    get_char(_)
    get_time(_)
    statistics(cputime, _)
    statistics(process_cputime, _)
    random(_)
    random_between(1, 3, _)
    X is random(3), integer(X)
    X is random_float, float(X)
    X is cputime, number(X)
    X is e + cputime, number(X)
    X is 1 + max(cputime, 2), number(X)
    random(3) > -1
    aggregate_all(sum(random(3)), true, X), integer(X)
    random_member(_, [a])
    random_permutation([a, b], _)
    shuffle(_)
    gensym(a, _)
    flag(a, _, 1)
    garbage_collect
    halt
    halt(0)
    abort
    sleep(0)
    set_prolog_flag(occurs_check, true)
    set_prolog_stack(global, limit(100))
    prompt(_, x)
    tty_size(_, _)
    thread_self(_)
    mutex_create(_)
    message_queue_create(_)
    nb_setval(a, 1)
    b_setval(a, 1)
    recordz(a, b)
    assertz(zzz(1))
    retractall(p(_))
    abolish(p/1)
    setarg(1, f(a), b)
    nb_setarg(1, f(a), b)
    term_attvars(_, _)
    get_attr(_, freeze, _)
    copy_term(_, _, _)
    tabling_statistics(_, _)
    abolish_all_tables
    undefined
    use_module(library(lists))
    op(700, xfx, foo)
    current_op(_, xfx, is)
    char_conversion(a, b)
    style_check(-singleton)
    license(gpl)
    prolog_current_frame(_)
    trace
    nodebug
    ground(_), succ_or_zero(1)
    string_predicate(_)
    apropos(x)
    help
    listing
    listing(p/1)
    portray_text(true)
    term_to_atom(X, 'a+b'), call(X)
    sha_hash(a, _, [])
    url_iri(a, _)
    uuid(_)
    tmp_file(a, _)
""",
    reads=True,
)

# Catching what ends an evaluation, or throwing what looks like it: `p(_)` must not hold.
CONTROL = [
    Attack(f"p(_) :- {goal}. q :- repeat, fail.", reads=True)
    for goal in (
        "catch(q, _, true)",
        "catch(q, inference_limit_exceeded(_), true)",
        "catch(catch(q, _, q), _, true)",
        "catch(length(L, L), _, fail)",
        "catch((numlist(1, 100000000, L), L = [_|_]), error(resource_error(_), _), true)",
        "throw(unwind(halt(0)))",
        "throw('$aborted')",
        "throw(inference_limit_exceeded)",
        'throw(refused(unsafe, "a lie"))',
        "throw(error(resource_error(memory), _))",
        "catch(throw(unwind(halt(0))), unwind(abort), true)",
    )
]

ACTS = [*DIRECT, *DELAYED, *WRAPPED, *TEXTS, *PROGRAMS]
READS = [*OUTSIDE, *INSIDE, *CONTROL]
ALL = [*ACTS, *OUTSIDE, *INSIDE]
