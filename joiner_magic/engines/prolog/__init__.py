"""The Prolog engine: full SWI-Prolog in a worker process that can be killed.

The process that uses the engine never imports janus_swi: an SWI-Prolog of the wrong version
would abort it, and a running query could not be stopped.
"""

from __future__ import annotations

from joiner_magic.engines.prolog.engine import PrologEngine
from joiner_magic.engines.prolog.installation import prolog_available

__all__ = ["PrologEngine", "prolog_available"]
