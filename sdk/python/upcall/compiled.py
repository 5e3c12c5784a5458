"""Handlers that numba compiles: they run as machine code, without the interpreter and its lock.

    from upcall.compiled import compiled

    @compiled(takes="f64", gives="f64")
    def celsius(fahrenheit):
        return (fahrenheit - 32.0) / 1.8

    flow = FlowBuilder().pool("/f", type="f64").pool("/c", type="f64")
    flow.on("/f", to="/c")(celsius)

A whole batch is one call, during which Python code runs on other threads, and under ``upcall run`` other workers. It needs numba in the interpreter that
runs the handler (``pip install numba``), which compiles the function once, when it is defined: a second or so.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ._compiled import Compiled
from ._form import NUMBERS, Form, form, record

__all__ = ["Compiled", "compiled"]

# Words of an item, and which of them say where its value is and how long.
ITEM, VALUE, LENGTH = 8, 2, 3


def compiled(
    takes: str | type, gives: str | type | None = None, *, state: Any = None
) -> Callable[[Callable[..., Any]], Compiled]:
    """Compiles a function of one value as a handler.

    ``takes`` and ``gives`` are number types by their names in a flow's file (``"f64"``), or blittable classes: a
    ``ctypes.Structure``, or one that ``upcall bindgen`` has written. The function is called for each object:

    - ``takes`` alone: ``function(value)``;
    - ``gives`` a number: what it returns is emitted with the object's key, to the first pool of the handler's ``to``;
    - ``gives`` a class: ``function(value, out)`` fills the fields of ``out``, which are 0 before;
    - ``state``, a C-contiguous numpy array, comes last. It is the program's own memory, shared by all workers: with more than
      one, give each key a place of its own, or the handler ``order="single"``.

    A struct's fields are read and written as those of a numpy record: ``value.price``. What the function may do is what numba
    compiles in its nopython mode. Where it raises, that object fails, and ``sys.unraisablehook`` is told the exception, which prints it
    on standard error; what the batch gave before stays.

    Raises ``ImportError`` without numba, and ``TypeError`` for types that it cannot take and code that numba does not compile.
    """
    taken = _form(takes, "takes")
    given = None if gives is None else _form(gives, "gives")
    return lambda function: _compile(function, taken, given, state)


def _form(of: str | type, what: str) -> Form:
    if callable(of) and not isinstance(of, type):
        name = getattr(of, "__name__", repr(of))
        raise TypeError(f'compiled: say what {name} takes and gives: @compiled(takes="f64", gives="f64") above it')
    if isinstance(of, str) and of in NUMBERS:
        return Form("blittable", float if of[0] == "f" else int, of, int(of[1:]) // 8)
    if isinstance(of, type):
        found = form(of, f"compiled, {what}")
        if found.kind == "blittable":
            return found
    raise TypeError(f"compiled: {what} is {of!r}: give one of {', '.join(NUMBERS)}, or a blittable class")


def _check(function: Callable[..., Any], given: list[str]) -> None:
    try:
        inspect.signature(function).bind(*given)
    except TypeError:
        called = f"{function.__qualname__}({', '.join(given)})"
        raise TypeError(f"compiled: it is called as {called}, and takes {inspect.signature(function)}") from None


def _compile(function: Callable[..., Any], takes: Form, gives: Form | None, state: Any) -> Compiled:
    try:
        numba, numpy = import_module("numba"), import_module("numpy")
        types, intrinsic = numba.types, import_module("numba.extending").intrinsic
    except ImportError as missing:
        raise ImportError(
            f"upcall.compiled needs numba, which {sys.executable} does not have: install it there (pip install numba)"
        ) from missing

    def numba_type(of: Form) -> tuple[Any, Any]:
        dtype = numpy.dtype(f"={NUMBERS[of.name]}") if of.of in (int, float) else record(numpy, of.of)
        return dtype, numba.from_dtype(dtype)

    (_, taken), size = numba_type(takes), takes.size

    @intrinsic  # type: ignore[untyped-decorator]
    def load(typing: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if isinstance(taken, types.Record):
                # Of a record numba has the address.
                return builder.inttoptr(arguments[0], context.get_value_type(taken))
            pointer = builder.inttoptr(arguments[0], context.get_data_type(taken).as_pointer())
            return builder.load(pointer, align=1)

        return taken(types.uint64), generate

    if state is not None and not (isinstance(state, numpy.ndarray) and state.flags.c_contiguous and state.flags.writeable):
        raise TypeError("compiled: state is a numpy array that is C-contiguous and may be written")
    held, shape = (state.dtype, state.shape) if state is not None else (numpy.dtype("u1"), (0,))
    dtype, given = numba_type(gives) if gives is not None else (numpy.dtype("u1"), types.uint8)
    returns, fills = gives is not None and not isinstance(given, types.Record), isinstance(given, types.Record)
    call, shares = numba.njit(function), state is not None
    _check(function, ["value", *["out"] * fills, *["state"] * shares])
    try:
        # By itself first: what is wrong with it is said of it, and not of what calls it.
        call.compile(tuple([taken, *[given] * fills, *([numba.typeof(state)] if shares else [])]))
    except numba.core.errors.NumbaError as error:
        code = function.__code__
        place = f"{function.__qualname__} ({code.co_filename}:{code.co_firstlineno})"
        raise TypeError(f"compiled: numba does not compile {place}: {error}") from None
    result = call.nopython_signatures[0].return_type
    if returns != (result is not types.none):
        gave = "returns nothing" if returns else f"returns {result}, which is lost"
        name, help = function.__qualname__, "it fills the fields of out" if fills else "gives= is for what it returns"
        raise TypeError(f"compiled: {name} {gave}, and {f'gives is {gives.name}' if gives else 'there is no gives'}: {help}")

    @numba.njit
    def one(value, out, index, array):  # type: ignore[no-untyped-def]
        if returns:
            out[index] = call(value, array) if shares else call(value)
        elif fills:
            if shares:
                call(value, out[index], array)
            else:
                call(value, out[index])
        elif shares:
            call(value, array)
        else:
            call(value)

    pointer = types.CPointer
    signature = types.void(
        pointer(types.uint64), types.uint64, types.uint64, pointer(given), pointer(numba.from_dtype(held)), pointer(types.uint64)
    )

    @numba.cfunc(signature)
    def batch(items, count, base, out, memory, done):  # type: ignore[no-untyped-def]
        given = numba.carray(out, (count,), dtype)
        array = numba.carray(memory, shape, held)
        for index in range(count):
            done[0] = index
            if items[ITEM * index + LENGTH] != size:
                return
            one(load(base + items[ITEM * index + VALUE]), given, index, array)
        done[0] = count

    address: int = batch.address
    return Compiled(function, address, 0 if state is None else state.ctypes.data, takes, gives, (batch, state))
