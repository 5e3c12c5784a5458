"""The part of the driver that is not worth writing in native code: it runs once, or on failure."""

from __future__ import annotations

import ctypes
import difflib
import inspect
import logging
import os
import sys
import traceback
import types
import typing
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any, NamedTuple

from ._folders import folder

# Kinds of a refusal, as the boundary numbers them.
FILE_MISSING, FILE_INVALID, HANDLER_MISSING = 2, 3, 4
# Levels of the engine's log.
ERROR, WARN, INFO, DEBUG, TRACE = 1, 2, 3, 4, 5


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
class Context:
    """What a handler learns when it is opened."""

    name: str
    settings: Mapping[str, str]
    pools: Sequence[Pool]
    senders: Sequence[str]
    worker: int
    workers: int
    log: logging.Logger


def context(
    name: str,
    settings: dict[str, str],
    pools: list[tuple[str, str, int]],
    senders: list[str],
    worker: int,
    workers: int,
) -> Context:
    made = [Pool(path, of, bool(may & 1), bool(may & 2), bool(may & 4)) for path, of, may in pools]
    return Context(name, settings, made, senders, worker, workers, logging.getLogger(f"upcall.{name}"))


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
    stack = "".join(traceback.format_exception(error))
    return _clean(name), _clean(message), _clean(stack)


def _clean(text: str) -> str:
    return text.encode("utf-8", "replace").decode("utf-8")


def array(view: memoryview | bytes, of: str | type, count: int, stride: int) -> Any:
    """A numpy array over ``count`` numbers or structs that lie ``stride`` bytes apart."""
    try:
        import numpy
    except ImportError as missing:
        raise ImportError(
            f"batch.values needs numpy, which {sys.executable} does not have: "
            "install it there (pip install numpy) or use batch.value_list()"
        ) from missing
    dtype = numpy.dtype(f"<{of[0]}{int(of[1:]) // 8}") if isinstance(of, str) else _record(numpy, of)
    return numpy.ndarray((count,), dtype, view, strides=(stride,))


def _record(numpy: ModuleType, of: type) -> Any:
    """The dtype of a blittable class."""
    dtype = numpy.dtype(of) if issubclass(of, ctypes.Structure) else numpy.asarray(of()).dtype
    if dtype.names is None:
        raise TypeError(f"batch.values cannot show {of.__name__} as a numpy record: use batch.value_list()")
    return dtype


def takes_batches(handler: object) -> bool:
    """Whether a handler takes batches; raises when it takes nothing."""
    wrong = _wrong_shape(type(handler))
    if wrong:
        raise TypeError(f"{type(handler).__qualname__} is not a handler: {wrong}")
    return hasattr(handler, "on_batch")


def _wrong_shape(of: type) -> str | None:
    shapes = [name for name in ("on_object", "on_batch") if callable(getattr(of, name, None))]
    if not shapes:
        return "it has neither on_object(self, obj, emit) nor on_batch(self, batch, emit): write one"
    if len(shapes) > 1:
        return "it has both on_object and on_batch: keep one"
    method = getattr(of, shapes[0])
    first = "obj" if shapes[0] == "on_object" else "batch"
    if inspect.iscoroutinefunction(method):
        return f"{shapes[0]} is async, and handlers are called without an event loop: make it a plain method"
    try:
        inspect.signature(method).bind(None, None, None)
    except TypeError:
        return f"{shapes[0]} must take (self, {first}, emit), and takes {inspect.signature(method)}"
    except ValueError:
        pass  # a builtin without a signature
    return None


class Form(NamedTuple):
    """What values of an annotated type are, as the native part takes it."""

    kind: str
    of: type
    name: str
    size: int = 0
    read: Callable[[Any], Any] | None = None
    write: Callable[[Any], Any] | None = None


def forms(handler: object) -> tuple[tuple[Form, ...], tuple[Form, ...]]:
    """What the annotations of a handler's method say: of what it takes (at most one) and of what it emits.

    ``Object[T]`` or ``Batch[T]``, and ``Emit[T]`` or ``Emit[A | B]``; nothing where there are none.
    """
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


def form(of: Any, place: str) -> Form:
    """What values of a type are."""
    if of in (int, float):
        return Form("number", of, of.__name__)
    if of is str:
        return Form("text", of, "text")
    if of in (bytes, memoryview):
        return Form("bytes", of, "")
    if isinstance(of, type):
        # As the source calls what upcall bindgen made: Python may have another name for it.
        name = getattr(of, "__upcall_name__", of.__name__)
        if hasattr(of, "_in_"):
            return Form("blittable", of, name, of._size_, of._in_)  # type: ignore[attr-defined]
        if issubclass(of, ctypes.Structure):
            return Form("blittable", of, name, ctypes.sizeof(of), of.from_buffer_copy)
        read, write = getattr(of, "unpack", None), getattr(of, "pack", None)
        if callable(read) and callable(write):
            return Form("packed", of, name, 0, read, write)
    raise TypeError(
        f"{place}: {getattr(of, '__name__', of)} cannot be used as a value type: give int, float, str, bytes, a "
        "ctypes.Structure, or a class with unpack and pack, as upcall bindgen writes them"
    )


def undecodable(error: BaseException, key: str, of: type) -> None:
    """Raises what says which value it is that cannot be read."""
    raise ValueError(f"read the value of {key} as {of.__name__}: {error}") from error


def load(file: str, name: str) -> tuple[int, Any]:
    """Finds a handler's class: 0 and the class, or the kind of refusal and its message."""
    place = f"load Python handler {name} from {file}"
    path = os.path.realpath(file)
    if not os.path.isfile(path):
        return FILE_MISSING, f"{place}: there is no such file; write it, or correct its path"
    try:
        module = folder(os.path.dirname(path)).load(path)
    except SyntaxError as error:
        lines = "".join(traceback.format_exception_only(error)).rstrip()
        return FILE_INVALID, f"{place}: it is not Python {sys.version.split()[0]}:\n{_clean(lines)}"
    except BaseException as error:
        kind, message, stack = describe(error)
        return FILE_INVALID, f"{place}: running the file raised {kind}: {message}\n{stack.rstrip()}"
    found = getattr(module, name, None)
    if isinstance(found, type):
        wrong = _wrong_shape(found)
        return (HANDLER_MISSING, f"{place}: {wrong}") if wrong else (0, found)
    if found is not None:
        return HANDLER_MISSING, f"{place}: {name} is of type {type(found).__name__}, not a class"
    there = [
        key
        for key, value in vars(module).items()
        if isinstance(value, type) and value.__module__ == module.__name__ and not _wrong_shape(value)
    ]
    if not there:
        return HANDLER_MISSING, f"{place}: it has no handler class; write one with on_object or on_batch"
    near = difflib.get_close_matches(name, there, 1, 0.5)
    hint = f"; did you mean {near[0]}?" if near else ""
    return HANDLER_MISSING, f"{place}: it has {', '.join(there)}{hint}"
