"""Typed handlers; ``Shapes.cs`` and ``lib.rs`` say the same in C# and Rust."""

from shapes_types.pack import Circle, Pair_i32, Shape, Shape_Box, Shape_Circle
from upcall import Emit, Object


class Turns:
    """Makes a pair of a shape, the other way round."""

    def on_object(self, obj: Object[Shape], emit: Emit[Pair_i32]) -> None:
        match obj.value:
            case Shape_Box(pair):
                emit(obj.key, Pair_i32(pair.other, pair.one))
            case Shape_Circle(circle):
                emit(obj.key, Pair_i32(int(circle.radius), 0))


class Wraps:
    """Makes a shape of a pair, a circle where the other is 0."""

    def on_object(self, obj: Object[Pair_i32], emit: Emit[Shape]) -> None:
        pair = obj.value
        emit(obj.key, Shape_Box(pair) if pair.other else Shape_Circle(Circle(pair.one)))
