"""Functions, classes and their instances of a program as handlers of its flow."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ._compiled import Compiled
from ._support import METHODS, _is_async


def factory(handler: Any) -> Callable[[], object]:
    """What makes an instance: the class itself, what returns the instance that is given, or a class around a function."""
    if isinstance(handler, type):
        return handler
    if isinstance(handler, Compiled):
        return lambda: handler
    if any(hasattr(handler, method) for method in METHODS):
        return lambda: handler
    if not callable(handler):
        raise TypeError(f"a handler is a function, a class or an instance of one, and this is {handler!r}")
    return _around(handler)


def _around(function: Callable[..., Any]) -> type:
    try:
        inspect.signature(function).bind(None, None)
    except TypeError:
        raise TypeError(f"a handler takes (obj, emit), and {_name(function)} takes {inspect.signature(function)}") from None
    except ValueError:
        pass  # a builtin without a signature

    def made(self: Any) -> None:
        # Of the instance, the function is called as it is, without another around it.
        self.on_object = function

    async def later(self: object, obj: Any, emit: Any) -> None:
        await function(obj, emit)

    def at_once(self: object, obj: Any, emit: Any) -> Any:
        return function(obj, emit)

    method = later if _is_async(function) else at_once
    module = getattr(function, "__module__", __name__)
    return type(_name(function), (), {"__init__": made, "on_object": method, "__module__": module})


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", type(function).__qualname__)
