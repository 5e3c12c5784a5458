import ctypes
import struct

from upcall import Emit, Object


class Measured(ctypes.Structure):
    _fields_ = [("sensor", ctypes.c_uint64), ("celsius", ctypes.c_double)]


class Label:
    __slots__ = ("id", "text")

    def __init__(self, id, text):
        self.id, self.text = id, text

    @classmethod
    def unpack(cls, data):
        members, id, length, _ = struct.unpack_from("<Biii", data)
        if members != 2:
            raise ValueError("no object of two members at byte 0")
        return cls(id, str(data[13 : 13 + ~length], "utf-8"))

    def pack(self):
        text = self.text.encode()
        return struct.pack("<Biii", 2, self.id, ~len(text), len(self.text)) + text


class MeasuredByHand:
    def on_object(self, obj: Object, emit: Emit):
        sensor, celsius = struct.unpack("<Qd", obj.value)
        emit(obj.key, struct.pack("<Qd", sensor, celsius + 1))


class MeasuredTyped:
    def on_object(self, obj: Object[Measured], emit: Emit[Measured]):
        value = obj.value
        emit(obj.key, Measured(value.sensor, value.celsius + 1))


class LabelByHand:
    def on_object(self, obj: Object, emit: Emit):
        value = Label.unpack(obj.value)
        emit(obj.key, Label(value.id + 1, value.text).pack())


class LabelTyped:
    def on_object(self, obj: Object[Label], emit: Emit[Label]):
        value = obj.value
        emit(obj.key, Label(value.id + 1, value.text))
