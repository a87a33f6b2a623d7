"""The operating system's protection around a worker that reads an untrusted text.

The list of pure predicates is one wall, this is another: a gap in one of them is not enough to get out. On Linux the worker gives up its
capabilities and the right to new ones, Landlock leaves it the files of SWI-Prolog to read and nothing to write, and
seccomp leaves it the few system calls with which a program computes, waits for a pipe and makes threads: it opens no
file, starts no program and no process, reaches no other process and no network, whoever runs it, root included. Both
are calls of the kernel and need no package. What else there is are limits on memory, CPU and files.

Nothing here can be undone from inside the process. It holds for the thread that calls it and for
threads made later, so it comes before any other thread is made.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

MEMORY = 4 << 30  # bytes of addresses that a worker may have
CPU = 3600  # seconds of one worker's life; it is replaced where it ends

_FILES = 32  # descriptors that a confined worker may have open

_SET_NO_NEW_PRIVILEGES = 38
_PATH_BENEATH = 1
_READ_FILE, _READ_FOLDER = 1 << 2, 1 << 3
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446  # the same on every machine
_LANDLOCK_VERSION = 1
_FILE_ACCESS = {1: 0x1FFF, 2: 0x3FFF, 3: 0x7FFF, 4: 0x7FFF}  # what a version of Landlock can forbid
_FILE_ACCESS_LATER = 0xFFFF
_NETWORK = 0b11  # binding and connecting
_SCOPES = 0b11  # abstract sockets and signals

_SECCOMP_FILTER, _ALL_THREADS = 1, 1
_ALLOW, _KILL, _ERROR = 0x7FFF0000, 0x80000000, 0x00050000
_NOT_PERMITTED, _NO_SUCH_CALL = 1, 38
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_NUMBER, _MACHINE, _ARGUMENTS = 0, 4, 16  # where they stand in what a filter sees
_OTHER_NUMBERS = 0x40000000  # x86-64 has the calls a second time from here

_THREAD = 0x10000  # clone makes a thread, not a process
_EXECUTABLE = 4
_EMPTY_PATH = 0x1000  # fstat by its other name
_DESCRIPTOR_COMMANDS = (0, 1, 2, 3, 4, 1030)  # duplicate, and flags; not: whom to signal
_TERMINAL_QUESTIONS = (
    0x5401,
    0x5413,
    0x541B,
    0x5450,
    0x5451,
)  # is it one, how large, how much is there to read
_NAMES = (15, 16, 0x53564D41)  # of threads and of memory

# The calls by their numbers, for each machine: (x86-64, aarch64); None where a machine has no such call.
_X86, _ARM = "x86_64", "aarch64"
_MACHINES = {
    _X86: (0, 0xC000003E, 317),
    _ARM: (1, 0xC00000B7, 277),
}  # column, audit number, number of seccomp
_PLAIN: dict[str, tuple[int | None, int | None]] = {
    "read": (0, 63),
    "write": (1, 64),
    "readv": (19, 65),
    "writev": (20, 66),
    "pread64": (17, 67),
    "lseek": (8, 62),
    "close": (3, 57),
    "fstat": (5, 80),
    "dup": (32, 23),
    "dup2": (33, None),
    "dup3": (292, 24),
    "poll": (7, None),
    "ppoll": (271, 73),
    "select": (23, None),
    "pselect6": (270, 72),
    "brk": (12, 214),
    "munmap": (11, 215),
    "mremap": (25, 216),
    "madvise": (28, 233),
    "membarrier": (324, 283),
    "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135),
    "rt_sigreturn": (15, 139),
    "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137),
    "rt_sigsuspend": (130, 133),
    "sigaltstack": (131, 132),
    "restart_syscall": (219, 128),
    "futex": (202, 98),
    "set_robust_list": (273, 99),
    "rseq": (334, 293),
    "set_tid_address": (218, 96),
    "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123),
    "getcpu": (309, 168),
    "nanosleep": (35, 101),
    "clock_gettime": (228, 113),
    "clock_getres": (229, 114),
    "clock_nanosleep": (230, 115),
    "gettimeofday": (96, 169),
    "time": (201, None),
    "times": (100, 153),
    "getrusage": (98, 165),
    "getrlimit": (97, 163),
    "getrandom": (318, 278),
    "getpid": (39, 172),
    "getppid": (110, 173),
    "gettid": (186, 178),
    "getuid": (102, 174),
    "geteuid": (107, 175),
    "getgid": (104, 176),
    "getegid": (108, 177),
    "exit": (60, 93),
    "exit_group": (231, 94),
}
_CLONE, _CLONE3 = (56, 220), (435, 435)
_MMAP, _MPROTECT = (9, 222), (10, 226)
_FCNTL, _IOCTL, _PRCTL = (72, 25), (16, 29), (157, 167)
_SIGNAL_THREAD = (234, 131)
_LIMITS = (302, 261)
_STATUS = (262, 79)


def limit(memory: int = MEMORY, cpu: int = CPU) -> None:
    """Bounds on what any worker may take, trusted or not; where the system has none, nothing happens."""
    _limit("RLIMIT_AS", memory)
    _limit("RLIMIT_CPU", cpu)
    _limit("RLIMIT_CORE", 0)


def confine(readable: Path) -> tuple[str, ...]:
    """Everything this system offers, for good; the names of what it has offered."""
    _limit("RLIMIT_FSIZE", 0)
    _limit("RLIMIT_NOFILE", _FILES)
    if sys.platform != "linux":
        _limit("RLIMIT_NPROC", 0)  # on Linux it would count threads, and not hold for root
        return ()
    system = ctypes.CDLL(None, use_errno=True)
    if system.prctl(_SET_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
        return ()
    _drop_capabilities(system)
    layers = {"Landlock": _restrict_files(system, readable), "seccomp": _restrict_calls(system)}
    return tuple(name for name, holds in layers.items() if holds)


def _limit(name: str, bound: int) -> None:
    """Lowers a limit; one that is lower already stays."""
    if sys.platform == "win32":
        return
    import resource

    which = getattr(resource, name, None)
    if which is None:
        return
    _, hard = resource.getrlimit(which)
    bound = bound if hard == resource.RLIM_INFINITY else min(bound, hard)
    try:
        resource.setrlimit(which, (bound, bound))
    except (OSError, ValueError):  # macOS has limits that cannot be set
        return


def _drop_capabilities(system: ctypes.CDLL) -> None:
    """Give up what the process may do beyond other processes of the user."""
    version, this_process = 0x20080522, 0
    system.capset(struct.pack("Ii", version, this_process), bytes(24))


# Landlock


def _restrict_files(system: ctypes.CDLL, readable: Path) -> bool:
    """Of all files only those below `readable` can be opened, and only for reading."""
    version = system.syscall(_LANDLOCK_CREATE, None, ctypes.c_size_t(0), _LANDLOCK_VERSION)
    if version < 1:
        return False
    access = _FILE_ACCESS.get(version, _FILE_ACCESS_LATER)
    fields = [access]
    if version >= 4:
        fields.append(_NETWORK)
    if version >= 6:
        fields.append(_SCOPES)
    attributes = struct.pack(f"{len(fields)}Q", *fields)
    rules = system.syscall(_LANDLOCK_CREATE, attributes, ctypes.c_size_t(len(attributes)), 0)
    if rules < 0:
        return False
    try:
        _permit_reading(system, rules, readable)
        return not system.syscall(_LANDLOCK_RESTRICT, rules, 0)
    finally:
        os.close(rules)


def _permit_reading(system: ctypes.CDLL, rules: int, readable: Path) -> None:
    """A folder that cannot be found is not readable either: then nothing is."""
    try:
        folder = os.open(readable, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return
    try:
        beneath = struct.pack("=Qi", _READ_FILE | _READ_FOLDER, folder)
        system.syscall(_LANDLOCK_ADD, rules, _PATH_BENEATH, beneath, 0)
    finally:
        os.close(folder)


# seccomp


class _Filter(ctypes.Structure):
    """The kernel's structure for a seccomp program: its length and its code."""

    _fields_ = (("length", ctypes.c_ushort), ("code", ctypes.c_char_p))


def _restrict_calls(system: ctypes.CDLL) -> bool:
    """Allow only the system calls that are listed above, some of them with certain arguments only."""
    if (machine := platform.machine()) not in _MACHINES or struct.calcsize("P") != 8:
        return False
    column, audit, seccomp = _MACHINES[machine]
    code = b"".join(_program(column, audit, os.getpid()))
    install = _Filter(len(code) // 8, code)
    return not system.syscall(seccomp, _SECCOMP_FILTER, _ALL_THREADS, ctypes.byref(install))


def _program(column: int, audit: int, process: int) -> Iterator[bytes]:
    """The seccomp program, instruction by instruction: which system calls are allowed."""
    yield _step(_LOAD, _MACHINE)
    yield from _unless(_EQUAL, audit, _step(_RETURN, _KILL))
    yield _step(_LOAD, _NUMBER)
    yield from _when(_AT_LEAST, _OTHER_NUMBERS, [_step(_RETURN, _KILL)])
    for numbers in _PLAIN.values():
        if (number := numbers[column]) is not None:
            yield from _when(_EQUAL, number, [_step(_RETURN, _ALLOW)])
    yield from _when(_EQUAL, _CLONE3[column], [_step(_RETURN, _ERROR | _NO_SUCH_CALL)])
    for numbers, conditions in _conditions(process):
        yield from _when(_EQUAL, numbers[column], [*conditions, _deny()])
    yield _deny()


def _conditions(process: int) -> Iterator[tuple[tuple[int, int], list[bytes]]]:
    """System calls that are allowed for certain arguments only, each with the steps that check them."""
    yield _CLONE, _allowed_with_bit(0, _THREAD)
    yield _MMAP, _allowed_without_bit(2, _EXECUTABLE)
    yield _MPROTECT, _allowed_without_bit(2, _EXECUTABLE)
    yield _FCNTL, _allowed_if_one_of(1, _DESCRIPTOR_COMMANDS)
    yield _IOCTL, _allowed_if_one_of(1, _TERMINAL_QUESTIONS)
    yield _PRCTL, _allowed_if_one_of(0, _NAMES)
    yield _SIGNAL_THREAD, _allowed_if_one_of(0, (process,))
    # Limits may be read, but not set.
    yield _LIMITS, [*_denied_unless_zero(0), *_denied_unless_zero(2), _step(_RETURN, _ALLOW)]
    yield _STATUS, _allowed_if_one_of(3, (_EMPTY_PATH,))


def _allowed_if_one_of(argument: int, values: Sequence[int]) -> list[bytes]:
    """Steps that allow the call if an argument is one of the values."""
    steps = _load(argument)
    for value in values:
        steps += _when(_EQUAL, value, [_step(_RETURN, _ALLOW)])
    return steps


def _allowed_with_bit(argument: int, bit: int) -> list[bytes]:
    """Steps that allow the call if an argument has the bit."""
    return [*_load(argument), *_when(_ANY_BIT, bit, [_step(_RETURN, _ALLOW)])]


def _allowed_without_bit(argument: int, bit: int) -> list[bytes]:
    """Steps that allow the call if an argument does not have the bit."""
    return [*_load(argument), *_unless(_ANY_BIT, bit, _step(_RETURN, _ALLOW))]


def _denied_unless_zero(argument: int) -> list[bytes]:
    """Steps that refuse the call unless an argument is zero, in both its halves."""
    halves = (_ARGUMENTS + 8 * argument, _ARGUMENTS + 8 * argument + 4)
    return [step for half in halves for step in (_step(_LOAD, half), *_unless(_EQUAL, 0, _deny()))]


def _load(argument: int) -> list[bytes]:
    """A step that loads the lower half of an argument, which has all that is compared; it comes first in memory."""
    return [_step(_LOAD, _ARGUMENTS + 8 * argument)]


def _deny() -> bytes:
    """A step that refuses the call with an error."""
    return _step(_RETURN, _ERROR | _NOT_PERMITTED)


def _when(test: int, value: int, steps: Sequence[bytes]) -> list[bytes]:
    """The steps are done if the test holds, and skipped if it fails."""
    return [_step(test, value, 0, len(steps)), *steps]


def _unless(test: int, value: int, step: bytes) -> list[bytes]:
    """The step is done if the test fails, and skipped if it holds."""
    return [_step(test, value, 1, 0), step]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction of a seccomp program; the last two are how many steps to skip after a test."""
    return struct.pack("=HBBI", code, if_true, if_false, value)
