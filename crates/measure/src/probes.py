SIXTEEN = bytes(16)


class Empty:
    def on_object(self, obj, emit):
        pass


class Reading:
    def on_object(self, obj, emit):
        obj.key
        obj.value


class Emitting:
    def on_object(self, obj, emit):
        obj.value
        emit(obj.key, SIXTEEN)


class BatchReading:
    def on_batch(self, batch, emit):
        batch.keys()
        batch.value_list()
