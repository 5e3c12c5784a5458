from upcall import Emit, Object


class Printer:
    def on_object(self, obj: Object, emit: Emit) -> None:
        print(obj.sender, obj.pool, obj.key.decode(), bytes(obj.value).decode(errors="replace"))
