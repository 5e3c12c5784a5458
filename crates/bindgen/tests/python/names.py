"""Docs with quotes, an error named like one of Python's, and fields that there are not."""

import builtins
import copy

import names
from names import *

assert (GREETING, ONE, TWO) == ("x", 1, 2)
assert Mode.__doc__ == 'The mode "fast"' and Fields.__doc__ == 'A "struct"'
assert (sum.__doc__ or "").endswith('The "sum"') and (get_LEVEL.__doc__ or "").endswith('A "static"')

# The library's error hides none of Python's.
assert TypeError is builtins.TypeError and issubclass(TypeError_, NativeError)
assert (half.__doc__ or "").endswith("Raises TypeError_ when it fails.")
try:
    half(3)
except TypeError_ as error:
    assert error.message == "odd"
else:
    raise AssertionError("3 was halved")
with Held(3) as held:
    assert held.get() == 3
    try:
        copy.copy(held)
    except TypeError as wrong:
        assert str(wrong) == "a Held cannot be copied: the library has one of it"
    else:
        raise AssertionError("a handle was copied")

fields = Fields(event=1, mode=Mode.Fast)
fields.event = 3
assert fields.event == 3
for unknown in ("evnt", "_owner", "_limits_", "__other__"):
    try:
        setattr(fields, unknown, 9)
    except AttributeError:
        assert fields.event == 3
    else:
        raise AssertionError(f"the field {unknown} was set")
print("all is well")
