"""Functions, classes and their instances of a program as handlers of its flow."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable
from typing import Any

from ._support import METHODS


def factory(handler: Any) -> Callable[[], object]:
    """What makes an instance: the class itself, what returns the instance that is given, or a class around a function."""
    if isinstance(handler, type):
        return handler
    if any(hasattr(handler, method) for method in METHODS):
        return lambda: handler
    if not callable(handler):
        raise TypeError(f"a handler is a function, a class or an instance of one, and this is {handler!r}")
    return _around(handler)


def _around(function: Callable[..., Any]) -> type:
    is_async = inspect.iscoroutinefunction(function)
    if is_async:

        async def later(self: object, obj: Any, emit: Any) -> None:
            await function(obj, emit)

        method: Any = later
    else:

        def at_once(self: object, obj: Any, emit: Any) -> Any:
            return function(obj, emit)

        method = at_once
    method.__annotations__ = _annotations(function)
    name = getattr(function, "__qualname__", type(function).__qualname__)
    return type(name, (), {"on_object": method, "__module__": getattr(function, "__module__", __name__)})


def _annotations(function: Callable[..., Any]) -> dict[str, Any]:
    """What the function says of its two parameters, under the names that they have here."""
    try:
        names = list(inspect.signature(function).parameters)[:2]
        hints = typing.get_type_hints(function)
    except (NameError, TypeError, ValueError):
        return {}
    return {ours: hints[theirs] for ours, theirs in zip(("obj", "emit"), names) if theirs in hints}
