"""The part of the driver that is not worth writing in native code: it runs once, or on failure."""

from __future__ import annotations

import functools
import inspect
import io
import logging
import os
import sys
import traceback
import types
import typing
from array import array as array_of
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ._compiled import Compiled
from ._folders import folder
from ._form import NUMBERS, Form, form, no_utf8, record, shown
from ._over import Cancelled as Cancelled
from ._over import Closed as Closed
from ._over import TimedOut as TimedOut
from ._vertex import METHODS as PROGRAM_METHODS
from ._vertex import VALUES, Graph, Interval, Iteration, Program, is_program
from ._vertex import program as program_of
from ._vertex import wrong_shape as wrong_program

# Kinds of a refusal, as the boundary numbers them.
FILE_MISSING, FILE_INVALID, HANDLER_MISSING = 2, 3, 4
# Levels of the engine's log.
ERROR, WARN, INFO, DEBUG, TRACE = 1, 2, 3, 4, 5


# The methods of which a handler has one, and what each takes.
METHODS = {
    "on_object": "(self, obj, emit)",
    "on_batch": "(self, batch, emit)",
    "combine": "(self, source, into)",
}
# Where a function that is around another one has that: of functools.wraps, partial and partialmethod, before 3.13 and since.
AROUND = ("__wrapped__", "func", "_partialmethod", "__partialmethod__")


class Found(NamedTuple):
    """What ``emit.read`` found: copies, to be kept as long as you like."""

    value: bytes
    version: int
    time: int


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool that the handler has to do with."""

    path: str
    value_type: str
    watched: bool
    emits: bool
    readable: bool


@dataclass(frozen=True, slots=True)
class Parameter:
    """A setting that a handler understands: ``parameters = {"every": Parameter("u64", default=10)}`` in its class.

    It is shown by ``upcall describe``; ``ctx.settings`` holds what the flow's file has set.
    """

    type: str
    """The type of its values: ``u64``, ``text``."""
    default: str | int | float | None = None
    """What it is when nobody sets it, which may be empty; ``None`` where there is no such value."""
    range: str | None = None
    """Which values it may have, in words of the type's own: ``1..=100``, ``fast or exact``."""


@dataclass(frozen=True, slots=True)
class Context:
    """What a handler learns when it is opened. Only handlers of a flow have pools and senders, only vertex programs a graph."""

    name: str
    settings: Mapping[str, str]
    pools: Sequence[Pool]
    senders: Sequence[str]
    worker: int
    workers: int
    log: logging.Logger
    graph: Graph | None = None


def context(
    name: str,
    settings: dict[str, str],
    worker: int,
    workers: int,
    pools: Sequence[tuple[str, str, int]] = (),
    senders: Sequence[str] = (),
    graph: tuple[int, int, bool] | None = None,
) -> Context:
    made = [Pool(path, of, bool(may & 1), bool(may & 2), bool(may & 4)) for path, of, may in pools]
    of = Graph(*graph) if graph else None
    return Context(name, settings, made, senders, worker, workers, logging.getLogger(f"upcall.{name}"), of)


def not_awaited(returned: object) -> None:
    """Raises, as nobody awaits what a synchronous handler has returned."""
    if inspect.iscoroutine(returned):
        returned.close()
    what = type(returned).__name__
    raise TypeError(
        f"on_object returned a {what}, which nobody awaits: write it as `async def on_object`, or mark what it is wrapped in"
        " with inspect.markcoroutinefunction"
    )


class EngineLog(logging.Handler):
    """Hands records to the engine, under the name of the handler that is running."""

    def emit(self, record: logging.LogRecord) -> None:
        from upcall import _upcall

        try:
            text = record.getMessage()
            if record.exc_info:
                text += "\n" + logging.Formatter().formatException(record.exc_info)
            if record.name.partition(".")[0] not in ("root", "upcall"):
                text = f"{record.name}: {text}"
            number = record.levelno
            level = ERROR if number >= 40 else WARN if number >= 30 else INFO if number >= 20 else DEBUG
            _upcall.log(level if number >= 10 else TRACE, text)
        except Exception:
            self.handleError(record)


def embedded(paths: list[str]) -> None:
    """Once, in a process that is the engine's: the module path and the log are the engine's too."""
    sys.path.extend(path for path in paths if path not in sys.path)
    if not hasattr(sys, "argv"):
        sys.argv = [""]
    logging.root.addHandler(EngineLog())
    logging.root.setLevel(logging.INFO)
    logging.getLogger("upcall").setLevel(logging.DEBUG)


def print_by_line() -> None:
    """In a process that may end at any time: a pipe gets each line at once, and not when there are 8 KiB of them."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)


def flush_output() -> None:
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()


def describe(error: BaseException) -> tuple[str, str, str]:
    """Type, message and traceback, each as text."""
    kind = type(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    try:
        message = str(error)
    except Exception as failed:
        message = f"(its __str__ raised {type(failed).__name__})"
    lines = traceback.format_exception(error)
    # An error of the driver's own has no frames: all that is there is the headline.
    stack = "".join(lines) if len(lines) > 1 else ""
    return _clean(name), _clean(message), _clean(stack)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


class Columns(NamedTuple):
    """The keys and values of a batch, each one after another: numpy arrays that are yours to keep.

    The key of object ``n`` is ``keys[key_offsets[n]:key_offsets[n + 1]]``, and so with the values: as Arrow has them, so that
    ``pyarrow.LargeBinaryArray.from_buffers`` takes them too.
    """

    keys: Any
    """``uint8``."""
    key_offsets: Any
    """``int64``, one more than there are objects."""
    values: Any
    """``uint8``."""
    value_offsets: Any
    """``int64``, one more than there are objects."""


def columns(keys: bytes, key_offsets: bytes, values: bytes, value_offsets: bytes) -> Columns:
    numpy = _numpy("batch.columns()", "batch.keys() and batch.value_list()")
    ndarray, (u1, i8) = numpy.ndarray, _columns(numpy)
    places = len(key_offsets) // 8
    arrays = (
        ndarray(len(keys), u1, keys),
        ndarray(places, i8, key_offsets),
        ndarray(len(values), u1, values),
        ndarray(places, i8, value_offsets),
    )
    # Half of what its own constructor takes.
    return tuple.__new__(Columns, arrays)


@functools.cache
def _columns(numpy: types.ModuleType) -> tuple[Any, Any]:
    return numpy.dtype("<u1"), numpy.dtype("<i8")


def array(view: memoryview | bytes, of: str | type, count: int, stride: int) -> Any:
    """A numpy array over ``count`` numbers or structs that lie ``stride`` bytes apart."""
    numpy = _numpy("batch.values", "batch.value_list()")
    return numpy.ndarray((count,), _dtype(numpy, of), view, strides=(stride,))


def _numpy(what: str, instead: str) -> Any:
    try:
        import numpy
    except ImportError as missing:
        raise ImportError(
            f"{what} needs numpy, which {sys.executable} does not have: install it there (pip install numpy) or use {instead}"
        ) from missing
    return numpy


@functools.cache
def _dtype(numpy: types.ModuleType, of: str | type) -> Any:
    """What numpy calls a pool's number type or a blittable class, which it takes microseconds to find."""
    return numpy.dtype(f"<{of[0]}{int(of[1:]) // 8}") if isinstance(of, str) else record(numpy, of)


def kind_of(handler: object) -> str:
    """What a handler takes: ``object``, ``batch`` or ``combine``, or ``later`` for objects that it answers later.

    ``vertex``, ``gather`` or ``interval`` where it is a vertex program, ``compiled`` where it is machine code. Raises when it is
    no handler.
    """
    if isinstance(handler, Compiled):
        return "compiled"
    of = type(handler)
    wrong = _wrong_shape(of)
    if wrong:
        raise TypeError(f"{of.__qualname__} is not a handler: {wrong}")
    shapes = _methods(of)
    if not shapes:
        return program(handler).form
    name = shapes[0]
    return "later" if _is_async(getattr(of, name)) else name.removeprefix("on_")


def flushes_later(handler: object) -> bool:
    """Whether the ``flush`` of a handler is a coroutine function."""
    return _is_async(getattr(handler, "flush", None))


def _is_async(function: Any) -> bool:
    """Whether it is a coroutine function, behind whatever decorators tell what they are around."""
    while function is not None:
        if inspect.iscoroutinefunction(function):
            return True
        if inspect.iscoroutinefunction(getattr(type(function), "__call__", None)):
            return True
        function = next((found for name in AROUND if (found := getattr(function, name, None)) is not None), None)
    return False


def _methods(of: type) -> list[str]:
    return [name for name in METHODS if callable(getattr(of, name, None))]


def _wrong_shape(of: type) -> str | None:
    shapes = _methods(of)
    if not shapes and is_program(of):
        return wrong_program(of)
    if not shapes:
        all = " nor ".join(f"{name}{takes}" for name, takes in (METHODS | PROGRAM_METHODS).items())
        return f"it has neither {all}: write one"
    if getattr(of, "shown", None) in VALUES:
        # Without it, a class of another kind may well have a method that is called as a program's are.
        shapes += [name for name in PROGRAM_METHODS if callable(getattr(of, name, None))]
    if len(shapes) > 1:
        both = "both " if len(shapes) == 2 else ""
        return f"it has {both}{' and '.join(shapes)}: keep one"
    name = shapes[0]
    method = getattr(of, name)
    waits = _is_async(method)
    if inspect.isasyncgenfunction(method):
        return f"{name} is an asynchronous generator: emit with emit(key, value) instead of yield"
    if waits and name == "on_batch":
        return "on_batch is async, and a batch has one answer: write async def on_object, which is handed one object at a time"
    if waits and name != "on_object":
        return f"{name} is async, and is called without an event loop: make it a plain method"
    for hook in ("open", "flush", "close") if not waits else ():
        if _is_async(getattr(of, hook, None)):
            return f"{hook} is async, and {name} is not: make both async, or {hook} a plain method"
    try:
        inspect.signature(method).bind(None, None, None)
    except TypeError:
        return f"{name} must take {METHODS[name]}, and takes {inspect.signature(method)}"
    except ValueError:
        pass  # a builtin without a signature
    return _wrong_element(of) if name == "combine" else None


def _wrong_element(of: type) -> str | None:
    element = getattr(of, "element", None)
    if isinstance(element, str) and element in NUMBERS:
        return None
    found = f"its element is {element!r}" if hasattr(of, "element") else "it does not say what it combines"
    return f'{found}: write element = "f64", or another of {", ".join(NUMBERS)}'


def combines(handler: object) -> tuple[str, bool | None]:
    """The element of a handler that combines, and ``None`` if the order of the arrays matters."""
    return type(handler).element, bool(getattr(handler, "commutative", False)) or None  # type: ignore[attr-defined]


def program(handler: object) -> Program:
    """What a vertex program says of itself."""
    return program_of(type(handler))


def iteration(number: int, updated: int, scheduled: int, residual: float, total: float) -> Iteration:
    """An iteration that has ended."""
    return Iteration(number, updated, scheduled, residual, total)


def interval(iteration: int, first: int, end: int, pass_: int, updated: int, residual: float, total: float) -> Interval:
    """Vertices that are updated together."""
    return Interval(iteration, first, end, pass_, updated, residual, total)


def consecutive(first: int, count: int) -> Any:
    """An array of numbers from the first one on."""
    try:
        import numpy
    except ImportError:
        return memoryview(array_of("I", range(first, first + count)))
    return numpy.arange(first, first + count, dtype=numpy.uint32)


def doubles(numbers: Any) -> Any:
    """The bytes of numbers as f64, one behind another."""
    try:
        view = memoryview(numbers)
    except TypeError:
        return array_of("d", numbers).tobytes()
    if view.format == "d" and view.c_contiguous and view.ndim == 1:
        return view
    return array_of("d", view.tolist()).tobytes()


def array_of_elements(element: str) -> Callable[[memoryview], Any] | None:
    """What makes a numpy array of a view; ``None`` without numpy."""
    try:
        import numpy
    except ImportError:
        return None
    return functools.partial(numpy.frombuffer, dtype=numpy.dtype(f"={NUMBERS[element]}"))


def parameters(handler: object) -> tuple[tuple[str, str, str | None, str | None], ...]:
    """The settings that a handler understands: name, type, default and range of each."""
    given = getattr(handler, "parameters", {})
    if not isinstance(given, Mapping) or not all(
        isinstance(name, str) and isinstance(parameter, Parameter) for name, parameter in given.items()
    ):
        raise TypeError(
            f"{type(handler).__qualname__}.parameters must map names to upcall.Parameter: "
            'parameters = {"every": upcall.Parameter("u64", default=10)}'
        )
    return tuple((name, of.type, _default(of.default), of.range) for name, of in given.items())


def _default(value: str | int | float | None) -> str | None:
    if value is None:
        return None
    return str(value).lower() if isinstance(value, bool) else str(value)  # as flow files write it


def forms(handler: object) -> tuple[tuple[Form, ...], tuple[Form, ...]]:
    """What the annotations of a handler's method say: of what it takes (at most one) and of what it emits.

    ``Object[T]`` or ``Batch[T]``, and ``Emit[T]`` or ``Emit[A | B]``; nothing where there are none.
    """
    if isinstance(handler, Compiled):
        return handler.forms
    name = "on_batch" if hasattr(handler, "on_batch") else "on_object"
    method = getattr(handler, name)
    try:
        given = list(inspect.signature(method).parameters.values())[:2]
    except ValueError:
        return (), ()  # a builtin without a signature
    if not any(_generic(parameter.annotation) for parameter in given):
        return (), ()
    place = f"{type(handler).__qualname__}.{name}"
    try:
        hints = typing.get_type_hints(method)
    except Exception as error:
        raise TypeError(f"{place}: its annotations cannot be resolved: {error}") from error
    takes, emits = (_of(hints.get(parameter.name)) for parameter in given)
    if len(takes) > 1:
        names = " | ".join(of.__name__ for of in takes)
        raise TypeError(f"{place} takes {names}: bytes do not say which of them they are, so name one")
    return tuple(form(of, place) for of in takes), tuple(form(of, place) for of in emits)


def _generic(annotation: object) -> bool:
    return "[" in annotation if isinstance(annotation, str) else typing.get_origin(annotation) is not None


def _of(hint: object) -> list[Any]:
    """The classes in ``Object[A]`` and ``Emit[A | B]``."""
    given = typing.get_args(hint)
    if not given or given[0] is Any:
        return []
    union = typing.get_origin(given[0]) in (typing.Union, types.UnionType)
    return list(typing.get_args(given[0]) if union else given[:1])


def refused(error: BaseException, pool: str, key: object = None) -> BaseException:
    """What says which key or value it is that is not emitted. What the handler's own code has raised says itself where."""
    place = f"pool {pool}" if key is None else f"pool {pool}, key {shown(key)}"
    if error.__traceback__ is not None:
        return error
    if isinstance(error, UnicodeEncodeError):
        return no_utf8(error, place if error.object == key else f"the value for {place}")
    kind = type(error)
    return kind(f"{place}: {error}") if kind in (TypeError, ValueError, OverflowError) else error


def undecodable(error: BaseException, key: str, of: type) -> None:
    """Raises what says which value it is that cannot be read."""
    raise ValueError(f"read the value of {key} as {of.__name__}: {error}") from error


def load(file: str, name: str) -> tuple[int, Any]:
    """Finds a handler's class: 0 and the class, or the kind of refusal and why.

    Where the file holds no such class, the names of the handlers that it holds follow, each on a line.
    """
    path = os.path.realpath(file)
    if not os.path.isfile(path):
        return FILE_MISSING, "there is no such file; write it, or correct its path"
    try:
        module = folder(os.path.dirname(path)).load(path)
    except SyntaxError as error:
        lines = "".join(traceback.format_exception_only(error)).rstrip()
        return FILE_INVALID, f"it is not Python {sys.version.split()[0]}:\n{_clean(lines)}"
    except BaseException as error:
        kind, message, stack = describe(error)
        return FILE_INVALID, f"running the file raised {kind}: {message}\n{stack.rstrip()}"
    found = getattr(module, name, None)
    if isinstance(found, Compiled):
        return 0, lambda: found
    wrong = _wrong_shape(found) if isinstance(found, type) else None
    if isinstance(found, type) and not wrong:
        return 0, found
    if found is not None:
        wrong = wrong or f"{name} is of type {type(found).__name__}, not a class"
        return FILE_INVALID, " ".join(wrong.split("\n"))
    there = [
        key
        for key, value in vars(module).items()
        if isinstance(value, Compiled) or isinstance(value, type) and value.__module__ == module.__name__ and not _wrong_shape(value)
    ]
    *others, last = METHODS | PROGRAM_METHODS
    help = "" if there else f": write one with {', '.join(others)} or {last}"
    return HANDLER_MISSING, "\n".join([f"there is no such class{help}", *there])
