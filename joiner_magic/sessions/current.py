"""The sessions of this process by name, and the one that cells speak to.

Tasks under different names never see each other's texts or runs.
"""

from __future__ import annotations

from joiner_magic.sessions.session import Session

DEFAULT = "main"

_sessions: dict[str, Session] = {}
_current = DEFAULT


def current() -> Session:
    """The session that magics speak to."""
    return _sessions.setdefault(_current, Session(_current))


def switch(name: str) -> Session:
    """Speak to the session of this name from now on; it is made if there is none."""
    global _current
    _current = name
    return current()


def sessions() -> dict[str, Session]:
    """All sessions by name, the current one included."""
    current()
    return dict(_sessions)


def forget_all() -> None:
    """Begin anew, as in a new process; runs are stopped and let go of."""
    global _current
    for session in _sessions.values():
        session.reset()
    _sessions.clear()
    _current = DEFAULT
