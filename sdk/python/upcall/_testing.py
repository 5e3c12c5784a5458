"""A handler's life in a test, whatever its kind."""

from __future__ import annotations

import logging
from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self

import upcall  # noqa: F401  (finds the native part)

from . import _upcall
from ._support import DEBUG, EngineLog


class Failed(Exception):
    """The handler failed: as the engine would see it."""

    def __init__(self, type_name: str, message: str, stack: str, done: int, item: int | None) -> None:
        super().__init__(f"{type_name}: {message}\n{stack}".rstrip())
        self.type_name = type_name
        self.message = message
        self.stack = stack
        self.done = done
        """How many objects of the batch were done before it."""
        self.item = item
        """The object that failed; None when everything beyond ``done`` did."""


Failed.__module__ = "upcall.testing"


class Life(ABC):
    """A handler's life."""

    _native: _upcall.Harness

    def __init__(self) -> None:
        self._open = False
        self.logged: list[tuple[int, str]] = []
        """What was logged so far: level (1 is error, 4 debug) and text."""

    def close(self) -> None:
        """Lets the handler go."""
        if self._open:
            self._open = False
            self._raise(self._native.close())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _opened(self) -> None:
        if not self._open:
            logger = logging.getLogger("upcall")
            if not any(isinstance(handler, EngineLog) for handler in logger.handlers):
                logger.addHandler(EngineLog(DEBUG))
                logger.setLevel(logging.DEBUG)
            self._raise(self._open_native())
            self._open = True

    @abstractmethod
    def _open_native(self) -> _upcall.Failure | None:
        """OPEN, for the handler's kind."""

    def _raise(self, failure: _upcall.Failure | None) -> None:
        if failure is not None:
            raise Failed(*failure)
