"""A handler that is machine code, as the native part takes it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._form import Form


class Compiled:
    """A function that ``upcall.compiled`` has compiled: a handler of a flow. Called, it runs as Python."""

    def __init__(
        self, function: Callable[..., Any], address: int, state: int, takes: Form, gives: Form | None, keep: object
    ) -> None:
        self.__name__ = self.__qualname__ = function.__name__
        self.__doc__ = function.__doc__
        self.__module__ = function.__module__
        self.__wrapped__ = function
        self.address = address
        """Of the code that goes through a batch."""
        self.state = state
        """Where its array is; 0 without one."""
        self.forms: tuple[tuple[Form, ...], tuple[Form, ...]] = (takes,), () if gives is None else (gives,)
        # The code, and what it reaches.
        self._keep = keep

    def __call__(self, *given: Any) -> Any:
        return self.__wrapped__(*given)

    def __repr__(self) -> str:
        return f"<compiled handler {self.__qualname__}>"
