"""The handlers in Python; the generated `measured.pack` has the packed type."""

import ctypes
import struct

from upcall import Emit, Object

from measured.pack import Label


class Reading(ctypes.Structure):
    _fields_ = [("sensor", ctypes.c_uint64), ("celsius", ctypes.c_double)]


class MeasuredByHand:
    def on_object(self, obj: Object, emit: Emit):
        sensor, celsius = struct.unpack("<Qd", obj.value)
        emit(obj.key, struct.pack("<Qd", sensor, celsius + 1))


class MeasuredTyped:
    def on_object(self, obj: Object[Reading], emit: Emit[Reading]):
        value = obj.value
        emit(obj.key, Reading(value.sensor, value.celsius + 1))


class LabelByHand:
    def on_object(self, obj: Object, emit: Emit):
        value = Label.unpack(obj.value)
        emit(obj.key, Label(value.id + 1, value.text).pack())


class LabelTyped:
    def on_object(self, obj: Object[Label], emit: Emit[Label]):
        value = obj.value
        emit(obj.key, Label(value.id + 1, value.text))
