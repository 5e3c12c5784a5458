"""Whatever a program does, each object is as often held afterwards as it was before."""

import gc
import sys
import typing

import references as api

NATIVE = api.implementation.__name__.endswith("_native")


class Ours(Exception):
    """A callback's own."""


class Place:
    """What changes an Out while it is filled."""

    def __init__(self, out: "api.Out[int]") -> None:
        self.out = out

    def __index__(self) -> int:
        self.out.value = 3
        return 4


def fails(kind: "type[BaseException]", function: typing.Callable[..., object], *given: object, **named: object) -> None:
    try:
        function(*given, **named)
    except kind:
        return
    raise AssertionError(f"{function} did not raise {kind}")


def same(one: object, other: object) -> bool:
    return one == other


def answer(pixel: api.Pixel) -> api.Pixel:
    return api.Pixel(color=pixel.color, colors=pixel.colors, wide=pixel.wide + 1)


def wrong(_: object) -> typing.Any:
    return "wrong"


def ours(_: object) -> typing.Any:
    raise Ours


def kept(values: memoryview) -> int:
    KEPT.append(values[:1])
    return 1


KEPT: "list[memoryview]" = []
PIXEL = api.Pixel(color=api.Color.Red, colors=[1, 2], wide=1 << 90)
DISC = api.Shape_Disc(radius=1.5)


def structs() -> None:
    frame = api.Frame(pixels=[PIXEL, PIXEL], text=None)
    assert frame.pixels[0].colors[1] is api.Color.Green and same(frame.pixels, [PIXEL, PIXEL])
    first, second = frame.pixels
    frame.pixels[1] = first
    del frame
    assert first == second and repr(first).startswith("Pixel(color=") and first.wide == 1 << 90
    fails(TypeError, api.Frame, 1)
    fails(TypeError, api.Frame, other=1)
    fails(ValueError, api.Frame, pixels=[PIXEL])
    fails(TypeError, api.Frame, pixels=[PIXEL, 1])
    fails(TypeError, api.Frame, heard=len)
    fails(OverflowError, api.Pixel, wide=-1)
    fails(ValueError, api.Pixel, color=9)
    fails(TypeError, delattr, first, "wide")
    assert not same(first, 1) and not same(first.colors, (1,)) and same(first.colors, (1, 2))


def variants() -> None:
    shape = api.Shape()
    if NATIVE:
        fails(ValueError, api.brightest, api.Frame())
    shape.Disc = DISC
    assert "Colored" not in repr(shape) and shape == shape and shape != api.Shape()
    fails(ValueError, getattr, shape, "Colored")


def passed() -> None:
    if not NATIVE:
        fails(NotImplementedError, api.brightest, api.Frame())
        return
    assert api.brightest(api.Frame(pixels=[PIXEL, PIXEL])) == PIXEL
    shape = api.Shape()
    shape.Disc = DISC
    assert api.grow(shape).Disc.radius == 2.5
    fails(TypeError, api.brightest, PIXEL)


def outs() -> None:
    pixel, number = api.Out[api.Pixel](), api.Out[int](5)
    api.fetch_pixel(pixel, number)
    view = pixel.value
    assert (view.wide, number.value, int(number), repr(number)) == (7, 1 << 40, 1 << 40, f"Out({1 << 40})")
    api.fetch_pixel(api.Pixel(), number)
    number.value = 2
    api.fetch_pixel(view, number)
    strange = api.Out[typing.Any]()
    strange.value = Place(strange)
    api.fetch_pixel(pixel, strange)
    fails(TypeError, api.Out, 1, 2)
    fails(TypeError if NATIVE else AttributeError, delattr, number, "value")
    del pixel
    assert view.colors[0] is api.Color.Red


def callbacks() -> None:
    if NATIVE:
        assert api.asks(answer) == (1 << 100) + 1
        fails(TypeError, api.asks, wrong)
        fails(Ours, api.asks, ours)
    fails(TypeError, api.show, wrong)
    fails(Ours, api.show, ours)
    assert api.show(len) == 2
    fails(BufferError, api.show, kept)
    KEPT.clear()
    with api.Callback(answer) as callback:
        assert callback is not None
    fails(TypeError, api.Callback, 1)
    frame = api.Frame()
    with api.Callback(int) as own:
        frame.heard = own


def results() -> None:
    assert api.half(4) == 2 and api.shout("a") == "A"
    fails(api.WrongError, api.half, 3)
    with api.floats(3) as floats, floats.view() as view:
        assert list(floats) == [0.0, 1.0, 2.0] and view[2] == 2.0
    text = api.said()
    assert str(text) == "said"


def handles() -> None:
    with api.Held(3) as held:
        assert held.get(abs) == 3
        fails(Ours, held.get, ours)
    fails(ValueError, held.get, abs)
    fails(api.WrongError, api.Held, -1)
    fails(TypeError, api.half)
    fails(TypeError, api.half, 1, other=2)


HELD: "list[object]" = [
    None, True, 1, api.Color, api.Color.Red, api.Color.Green, api.Pixel, api.Frame, api.Shape, api.Shape_Disc, api.Out,
    api.Callback, api.NativeError, api.WrongError, api.NativeText, api.NativeArray, api.NativeBuffer, api.Held, PIXEL, DISC,
    answer, wrong, ours, kept, len, NotImplemented, KEPT,
]


def counts() -> "list[int]":
    gc.collect()
    return [sys.getrefcount(one) for one in HELD]


TIMES = 2000

for test in (structs, variants, passed, outs, callbacks, results, handles):
    for _ in range(100):
        test()
    before, blocks = counts(), sys.getallocatedblocks()
    for _ in range(TIMES):
        test()
    after, more = counts(), sys.getallocatedblocks() - blocks
    # One in each round would be TIMES: Python itself keeps a few.
    for one, was, now in zip(HELD, before, after):
        assert abs(now - was) < TIMES / 2, f"{test.__name__}: {one!r} was held {was} times, and is {now} times"
    assert more < TIMES / 2, f"{test.__name__}: {more} blocks are left"
print("all is well")
