"""The handlers in Python whose driver is counted."""

from __future__ import annotations

from upcall import Emit, Object


class Empty:
    """Does nothing."""

    def on_object(self, obj: Object, emit: Emit) -> None:
        pass


class Reading:
    """Looks at key and value."""

    def on_object(self, obj: Object, emit: Emit) -> None:
        obj.key
        obj.value


class Emitting:
    """Emits under its key what it is given."""

    def on_object(self, obj: Object, emit: Emit) -> None:
        emit(obj.key, obj.value)
