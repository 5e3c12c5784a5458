"""Numbers that no Rust enum has, wherever one may be."""

import sys

import limits
from limits import Color, Pixel, Scene, Shape, Shape_Painted, Sign

NATIVE = limits.implementation.__name__.endswith("_native")


def refused(message, function, *args):
    try:
        function(*args)
    except ValueError as error:
        assert str(error) == message, error
    else:
        raise AssertionError(f"{function.__name__} was called: {message}")


assert limits.flip(Color.Red) is Color.Green and limits.flip(9) is Color.Red
refused("color of flip is 3, which is not a value of Color", limits.flip, 3)

pixel = Pixel(x=1, color=Color.Blue, signs=[Sign.Minus, Sign.Minus])
assert limits.weigh(pixel) == 8
refused("pixel of weigh holds 0 in color, which is not a value of Color", limits.weigh, Pixel())
offset = Pixel._offsets_["signs"] + 2
data = bytearray(pixel)
data[offset : offset + 2] = (-2).to_bytes(2, sys.byteorder, signed=True)
refused("pixel of weigh holds -2 in signs[1], which is not a value of Sign", limits.weigh, Pixel._in_(data))

disc, wrong = Shape(), Shape()
limits.disc(disc, 2.0)
assert limits.area_of(disc) == 12.0 and limits.area_of(Shape()) == 0.0
wrong.tag = 77
refused("shape of area_of is 77, which is not a tag of Shape", limits.area_of, wrong)
unpainted = Shape(Painted=Shape_Painted(size=3))
refused("shape of area_of holds 0 in Painted.color, which is not a value of Color", limits.area_of, unpainted)
assert limits.area_of(Shape(Painted=Shape_Painted(size=3, color=Color.Blue))) == 27.0
# What is to be filled need not be a value.
limits.disc(wrong, 1.0)
assert limits.area_of(wrong) == 3.0

assert limits.chosen(lambda _: Color.Blue) == 2
refused("the result of a callback is 5, which is not a value of Color", limits.chosen, lambda _: 5)
seen = bytearray(1)
refused("the result of a callback is 5, which is not a value of Color", limits.remembered, lambda _: 5, seen)
assert seen[0] == Color.Red, "native code is given a value all the same"

if NATIVE:
    assert limits.area(disc) == 12.0
    wrong.tag = 3
    refused("shape of area is 3, which is not a tag of Shape", limits.area, wrong)
    scene = Scene(pixel=pixel)
    scene.shapes[0] = disc
    assert limits.show(scene) == 20.0
    scene.shapes[1].tag = 255
    refused("scene of show holds 255 in shapes[1], which is not a tag of Shape", limits.show, scene)
    scene.shapes[1] = unpainted
    refused("scene of show holds 0 in shapes[1].Painted.color, which is not a value of Color", limits.show, scene)
    assert limits.drawn(lambda _: disc) == 12.0
    refused("the result of a callback is 3, which is not a tag of Shape", limits.drawn, lambda _: wrong)
print("done")
