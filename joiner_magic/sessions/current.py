"""The sessions of this process by name, and the current one, to which the cells of a notebook add their texts.

Sessions under different names never see each other's texts or runs.
"""

from __future__ import annotations

from joiner_magic.sessions.session import Session

DEFAULT = "main"

_sessions: dict[str, Session] = {}
_current = DEFAULT


def current() -> Session:
    """The current session, which magics use; it is made when it is first asked for."""
    return _sessions.setdefault(_current, Session(_current))


def switch(name: str) -> Session:
    """Make the session of this name the current one; it is made if there is none."""
    global _current
    _current = name
    return current()


def sessions() -> dict[str, Session]:
    """All sessions by name, the current one included."""
    current()
    return dict(_sessions)


def forget_all() -> None:
    """Forget all sessions, as in a new process. Their runs are stopped."""
    global _current
    for session in _sessions.values():
        session.reset()
    _sessions.clear()
    _current = DEFAULT
