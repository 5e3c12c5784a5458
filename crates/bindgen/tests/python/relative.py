"""The elements of a Rel, in both implementations and for mypy."""

import array
import ctypes
import struct

import relative
from relative import Point, header


def raises(kind: type[Exception], text: str, base: object) -> None:
    try:
        header().weights.elements(base)  # type: ignore[arg-type]
    except kind as error:
        assert str(error) == text, error
    else:
        raise AssertionError(f"no {kind.__name__}")


rel = header()
base = bytearray(struct.pack("=10f", 0, 0, *range(1, 9)))
points = rel.points.elements(base)
assert len(points) == 2 and [(point.x, point.y) for point in points] == [(1, 2), (3, 4)]
assert repr(points) == "[Point(x=1.0, y=2.0), Point(x=3.0, y=4.0)]"
weights: memoryview = rel.weights.elements(base)
assert weights.format == "f" and weights.tolist() == [5, 6, 7]
weights[0] = 50
relative.move_right(points[0])
points[-1].y = 9
assert struct.unpack_from("=5f", base, 8) == (2, 2, 3, 9, 50)

point: Point = rel.points.elements(base)[0]
del points, weights
try:
    base.clear()
except BufferError:
    pass
else:
    raise AssertionError("the bytes are kept where they are")
assert point.x == 2
del point
copies = rel.points.elements(bytes(base))
copies[0].x = 100
assert copies[0].x == 2, "bytes are not written"

numbers = array.array("f", range(10))
assert rel.weights.elements(numbers).tolist() == [6, 7, 8]
assert rel.points.elements(memoryview(numbers)[2:])[0].x == 4
address, _ = numbers.buffer_info()
assert rel.weights.elements(address).tolist() == [6, 7, 8]
assert rel.points.elements(address)[1].y == 5
floats = (ctypes.c_float * 10)(*range(10))
assert rel.weights.elements(floats).tolist() == [6, 7, 8]
assert relative.Rel_f32(offset=0, len=2).elements(Point(x=1, y=2)).tolist() == [1, 2]
assert rel.weights.elements(Point._at_(address)._address_)[0] == 6
for empty in (base, 0, b""):
    assert len(relative.Rel_f32().elements(empty)) == 0 and len(relative.Rel_Point().elements(empty)) == 0

raises(ValueError, "base of Rel_f32.elements has 35 bytes, and the elements end at 36", bytes(35))
raises(ValueError, "base of Rel_f32.elements must be contiguous", memoryview(bytes(200))[::2])
raises(TypeError, "base of Rel_f32.elements must be a buffer or an address, not str", "text")
raises(ValueError, "base of Rel_f32.elements is null", -24)
far = relative.Rel_f32(offset=2**64 - 8, len=2**62)
try:
    far.elements(base)
except ValueError as error:
    assert "has 40 bytes" in str(error)
else:
    raise AssertionError("far away")
try:
    Point._in_(bytes(7))
except ValueError as error:
    assert str(error) == "bytes of _in_ must be 8, not 7", error
print("all is well")
