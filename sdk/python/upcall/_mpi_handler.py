"""Handlers in any language as operations."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from typing import Any

from . import _upcall
from ._mpi_error import MpiError

# What the library's failures are, beside "operation": UPCALL_MPI_USAGE and UPCALL_MPI_TYPE.
_KINDS = {43: "usage", 47: "type"}


class HandlerOperation:
    """A handler that combines, in whichever language, named as a flow's file names it.

        sums = mpi.HandlerOperation("csharp", "build/sums.dll", "Sums")
        total = world.all_reduce(array, sums)

    ``guest`` is its language: ``native``, ``csharp``, ``java``, ``python``, ``node``, ``wasm``; ``file`` is relative to the current
    folder; ``type`` is its class, or the name that it is exported by. ``settings`` it reads when it is opened. ``isolated`` has it run
    in a process of its own, as handlers in JavaScript do always.

    It is loaded when it is first used on elements of a type, on the thread that does, and called there once per chunk. What it raises
    is the error of the reduction. Elements are numbers, or structs that are named by ``element``, as the handler has them.
    """

    def __init__(
        self,
        guest: str,
        file: str | os.PathLike[str],
        type: str,
        settings: Mapping[str, str] | None = None,
        *,
        isolated: bool = False,
        element: str | None = None,
    ) -> None:
        self._guest, self._file, self._type = guest, os.fspath(file), type
        self._settings = dict(settings or {})
        self._isolated, self._element = isolated, element
        self._loaded: dict[tuple[str, int], Any] = {}

    def __repr__(self) -> str:
        return f"mpi.HandlerOperation({self._guest!r}, {self._file!r}, {self._type!r})"

    def on(self, data: Any) -> tuple[Callable[[memoryview, memoryview], None], bool]:
        """What combines two views of bytes, with elements as those of ``data``; and whether it commutes."""
        from ._mpi_typed import ElementType

        of = ElementType.of(data, self._element)
        known = self._loaded.get((of.name, of.size))
        if known is None:
            known = self._loaded[of.name, of.size] = self._load(of.name, of.size)
        combiner, commutes = known

        def combine(source: memoryview, into: memoryview) -> None:
            _failing(lambda: combiner.combine(source, into))

        return combine, commutes

    def _load(self, element: str, size: int) -> tuple[Any, bool]:
        from ._native import native

        def load() -> tuple[Any, bool]:
            handler = native.UpcallCombineHandler(self._guest, self._file, self._type)
            for name, value in self._settings.items():
                handler.setting(name, value)
            if self._isolated:
                handler.isolate()
            handler.program("python", _upcall.table(), native.UPCALL_THREADS_ONE)
            combiner = handler.combiner(element, size)
            return combiner, combiner.commutes()

        loaded: tuple[Any, bool] = _failing(load)
        return loaded


def _failing(call: Callable[[], Any]) -> Any:
    from ._native import native

    try:
        return call()
    except native.NativeError as error:
        raise MpiError(_KINDS.get(error.code, "operation"), error.message) from None
