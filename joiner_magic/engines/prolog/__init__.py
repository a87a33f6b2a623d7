"""The Prolog engine: full SWI-Prolog in a worker process that can be killed.

The process that uses the engine never imports janus_swi: an SWI-Prolog of the wrong version
would abort it, and a running query could not be stopped. The worker in turn needs nothing of
the project but this package, which therefore imports nothing by itself.
"""
