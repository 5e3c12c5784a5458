class Echo:
    def on_object(self, obj, emit):
        emit(obj.key, obj.value)
