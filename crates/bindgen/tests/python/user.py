"""How a user's own file sees the package: checked by mypy --strict, and run."""

import array

import shapes
from shapes import Access, Aligned, Callback, Color, Counter, Mixed, NativeError, Point, Shape, Shape_Circle


def main() -> None:
    total: int = shapes.add(a=1, b=2)
    half: bool = shapes.not_(True)
    color: Color = shapes.flip(Color.Red)
    flags: Access = shapes.widen(Access.READ | Access.WRITE)
    point = Point(x=1.0, y=2.0)
    x: float = shapes.mirror_point(point).x
    shapes.move_point(point, Point(x=1.0))
    shapes.move_point(point._address_, Point())
    mixed = Mixed(points=[point, Point()], grid=[[1, 2, 3], [4, 5, 6]], nested=Aligned(value=3), type=1)
    mixed.grid = ((1, 2, 3), (4, 5, 6))
    mixed.next = mixed
    row: int = mixed.grid[0][1]
    corner: Point = mixed.points[0]
    values = array.array("f", [1.0, 2.0])
    shapes.scale(values, by=2.0)
    summed: float = shapes.sum(values)
    letters: int = shapes.count_letters("größer") + shapes.count_letters(b"abc")
    primes: memoryview = shapes.primes()
    text: str = shapes.spell(3) + shapes.motto()
    with shapes.squares(4) as squares:
        last: int = squares[3]
        assert bytes(squares.view())
    with Counter(5) as counter:
        count: int = counter.add(2) + shapes.counter_add(counter, 1)
    folded: int = shapes.fold(3, lambda sum, index: sum + index)
    seen: list[int] = []
    with Callback(seen.append) as notify:
        shapes.keep(notify)
        shapes.notify_from_thread(1)
    shape = Shape(Circle=Shape_Circle(_0=1.0))
    radius: float = shape.Circle._0
    try:
        shapes.divide(1, 0)
    except NativeError as error:
        code: int = error.code
    limit: int = shapes.LIMIT
    shapes.set_LEVEL(shapes.get_LEVEL() + 1)
    print(total, half, color, flags, x, row, corner, summed, letters, primes[0], text, last, count, folded)
    print(radius, code, limit, bytes(point), Point._offsets_["y"])


main()
