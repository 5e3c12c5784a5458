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


class Busy:
    def on_object(self, obj, emit):
        total = 0
        for number in range(2000):
            total += number


class Combining:
    element = "f64"
    commutative = True

    def open(self, context):
        # Only this one needs it.
        import numpy

        self.add = numpy.add

    def combine(self, source, into):
        self.add(source, into, out=into)
