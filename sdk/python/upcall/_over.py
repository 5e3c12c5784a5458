"""Why an object of a handler that answers later is no longer waited for.

Each is what using the object, or ``emit``, raises from then on; what ``obj.cancelled`` is; and what the ``CancelledError``
in the handler's task has as its argument. None of them is an ``asyncio.CancelledError``: that is also what a handler's own
code cancels with.
"""

from __future__ import annotations


class TimedOut(TimeoutError):
    """The object has taken longer than the ``deadline`` of its handler."""


class Cancelled(RuntimeError):
    """It was cancelled from outside: the flow is being stopped."""


class Closed(RuntimeError):
    """It was answered already, or its handler has been closed."""


for _class in (TimedOut, Cancelled, Closed):
    _class.__module__ = "upcall"
