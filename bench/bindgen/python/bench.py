"""Times each function through the generated bindings and through those that people write."""

import array

import by_hand
import ours
import with_cffi
import with_ctypes
from rounds import measure

TEXT = "as many letters as a name has"
NUMBERS = array.array("f", [0.5]) * 16


def same(value):
    return value


native, fallback = ours.implementation, ours._load.load_ctypes()
api, api_callback = with_cffi.compiled(same)
abi, abi_callback = with_cffi.without_compiler(same)
modules = [
    ("ours, extension", native, native.Body(dx=1.0), same),
    ("C API by hand", by_hand, by_hand.Body(dx=1.0), same),
    ("ours, ctypes", fallback, fallback.Body(dx=1.0), same),
    ("ctypes by hand", with_ctypes, with_ctypes.Body(dx=1.0), with_ctypes.Callback(lambda _, value: value)),
    ("cffi, compiled", api, api.body, api_callback),
    ("cffi, not compiled", abi, abi.body, abi_callback),
]

for name, module, body, callback in modules:
    found = [module.add(2, 3), module.length(TEXT), module.sum(NUMBERS), module.apply(7, callback), module.checked(9)]
    assert found == [5, len(TEXT), 8.0, 7, 9], (name, found)
    assert module.moved(body).dx == body.dx, name

measure("add", [(name, module.add, 100_000, 7) for name, module, _, _ in modules])
measure("struct", [(name, module.moved, body) for name, module, body, _ in modules])
measure("str", [(name, module.length, TEXT) for name, module, _, _ in modules])
measure("slice", [(name, module.sum, NUMBERS) for name, module, _, _ in modules])
measure("callback", [(name, module.apply, 1000, callback) for name, module, _, callback in modules])
measure("upcall", [(name, module.repeat, 100, callback) for name, module, _, callback in modules], 100)
measure("result", [(name, module.checked, 1000) for name, module, _, _ in modules])
