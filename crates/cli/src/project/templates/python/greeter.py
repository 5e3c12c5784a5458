"""Greets whoever a line names."""

from upcall import Emit, Object


class Greeter:
    def on_object(self, obj: Object[str], emit: Emit[str]) -> None:
        if not obj.value.strip():
            raise ValueError("nobody is named")
        emit(obj.key, f"Hello, {obj.value}!")
