"""Handlers of an Upcall flow, in Python.

A handler of a flow is a class with one of two methods:

    class Shout:
        def on_object(self, obj: Object, emit: Emit) -> None:
            emit(obj.key, bytes(obj.value).upper())

    class Total:
        def on_batch(self, batch: Batch, emit: Emit) -> None:
            emit("total", sum(batch.value_list()))

and, where it needs them, ``open(self, ctx: Context)``, ``flush(self, emit: Emit)`` and ``close(self)``.
An ``async def on_object`` answers later: many objects are in its hands at once, each in a task of an event loop that the
instance has on a thread of its own. What it is given lasts until the task is done, and raises ``TimedOut``,
``Cancelled`` or ``Closed`` when it is used afterwards. Its hooks may be coroutine functions too.

An instance is used by one worker. What it is given (objects, batches, views of values) ends with the call;
``bytes(obj.value)`` is yours to keep. An exception fails the object: what it emitted is forgotten.

A handler of another kind combines two arrays into the second, element by element:

    class Add:
        element = "f64"
        commutative = True

        def combine(self, source, into) -> None:
            numpy.add(source, into, out=into)

A vertex program is a handler of a third kind: ``upcall.graph`` has what it is given, and says what it looks like.

``upcall.testing`` runs a handler without an engine.
"""

from ._over import Cancelled, Closed, TimedOut
from ._support import Columns, Context, Found, Parameter, Pool

try:
    from ._upcall import Batch, Emit, Object, __version__
except ModuleNotFoundError as missing:
    if missing.name != "upcall._upcall":
        raise
    from ._find import absent, load

    try:
        load()
    except ImportError as unbuilt:
        # The simulator of vertex programs does without it. Who asks for what is native is told.
        globals()["__getattr__"] = absent(str(unbuilt))
    else:
        from ._upcall import Batch, Emit, Object, __version__

__all__ = [
    "Batch",
    "Cancelled",
    "Closed",
    "Columns",
    "Context",
    "Emit",
    "Found",
    "Object",
    "Parameter",
    "Pool",
    "TimedOut",
    "__version__",
]
