"""What the engine has given a process, and processes that are forked from it."""

from __future__ import annotations

import ctypes
import os
import weakref
from typing import Any

_held: weakref.WeakSet[Any] = weakref.WeakSet()


def held(handle: Any) -> Any:
    """Says that this must not be released in a child of this process, where a release would take locks as they were at the fork, and
    wait for threads that only the parent has."""
    _held.add(handle)
    return handle


def release(handle: Any, process: int) -> None:
    """Releases what this process was given, and nothing that it has from its parent."""
    if process == os.getpid():
        handle.close()


def _forked() -> None:
    for handle in _held:
        # Not into a list, which ends with the interpreter.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(handle))


os.register_at_fork(after_in_child=_forked)
