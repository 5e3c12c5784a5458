class Printer:
    def on_object(self, obj, emit):
        print(obj.sender, obj.pool, obj.key.decode(), bytes(obj.value).decode(errors="replace"))
