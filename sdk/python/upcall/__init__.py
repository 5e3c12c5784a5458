"""Handlers of an Upcall flow, in Python.

A handler of a flow is a class with one of two methods:

    class Shout:
        def on_object(self, obj: Object, emit: Emit) -> None:
            emit(obj.key, bytes(obj.value).upper())

    class Total:
        def on_batch(self, batch: Batch, emit: Emit) -> None:
            emit("total", sum(batch.value_list()))

and, where it needs them, ``open(self, ctx: Context)``, ``flush(self, emit: Emit)`` and ``close(self)``.
An instance is used by one worker. What it is given (objects, batches, views of values) ends with the call;
``bytes(obj.value)`` is yours to keep. An exception fails the object: what it emitted is forgotten.

A handler of another kind combines two arrays into the second, element by element:

    class Add:
        element = "f64"
        commutative = True

        def combine(self, source, into) -> None:
            numpy.add(source, into, out=into)

``upcall.testing`` runs a handler without an engine.
"""

from ._support import Context, Found, Parameter, Pool

try:
    from ._upcall import Batch, Emit, Object, __version__
except ModuleNotFoundError as missing:
    if missing.name != "upcall._upcall":
        raise
    from ._find import load

    load()
    from ._upcall import Batch, Emit, Object, __version__

__all__ = ["Batch", "Context", "Emit", "Found", "Object", "Parameter", "Pool", "__version__"]
