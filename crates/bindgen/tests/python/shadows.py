"""What the library calls like Python's own is the library's in the package, and Python's everywhere else."""

import math

import shadows

assert issubclass(shadows.int, int) and int(shadows.int.Two) == 2
assert shadows.bytes(0) is shadows.bytes.Zero and int(shadows.type.Plain) == 0
assert int(shadows.enum.First) == 0 and int(shadows.Exception.Odd) == 0
assert (shadows.list, shadows.hasattr, shadows.format, shadows.globals, shadows.vars) == (1, 2, 3, 4, 5)
assert (shadows.getattr, shadows.os, shadows.sys, shadows.pathlib, shadows.warnings) == (6, 7, 8, 9, 10)
assert (shadows.property, shadows.ValueError, shadows.bool) == (11, 12, True)
assert math.isnan(shadows.float) and shadows.tuple == -math.inf

value = shadows.object(list=shadows.dict(list=3, of=shadows.int.Two))
assert value.list.list == 3
assert shadows.classmethod(value) is shadows.int.Two

text = shadows.staticmethod()
assert text is not None and (str(text), bytes(text), f"{text:>5}") == ("said", b"said", " said")
assert repr(text).startswith("NativeText(0x")

with shadows.Held(3) as held:
    assert held.get() == 3
try:
    held.get()
except ValueError as error:
    assert str(error) == "the Held was closed"
try:
    shadows.Held(-1)
except shadows.WrongError as error:
    assert isinstance(error, shadows.NativeError) and isinstance(error, Exception) and str(error) == "wrong (1)"
else:
    raise AssertionError("-1 was held")
with shadows.Held.classmethod() as held, shadows.Held.second() as other:
    assert (held.get(), other.get(), shadows.Held.staticmethod(), shadows.Held.last()) == (7, 8, 9, 10)
print("all is well")
