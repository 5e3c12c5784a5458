# Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
"""The library statistics."""

import atexit
import importlib
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import sysconfig

from . import _types
from ._types import *


def _library():
    """The library's file beside the package; None where the search is left to the system."""
    prefix, suffix = _types._FILE_NAMES.get(sys.platform, ("lib", ".so"))
    file = pathlib.Path(__file__).parent / f"{prefix}{_types._LIBRARY}{suffix}"
    return str(file) if _types._LIBRARY_VARIABLE not in os.environ and file.exists() else None


def _refuse():
    """Raises where the extension would damage objects: it counts references in their headers, which are others in a
    free-threaded build, whether its GIL is on or off. Asked before the extension is loaded, which asks again."""
    if not hasattr(sys, "_is_gil_enabled"):
        return
    if not sys._is_gil_enabled() or sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise ImportError(
            f"import {__package__}._native: Python {sys.version.split()[0]} is a free-threaded build, whose objects the "
            f"extension does not fit: use a standard build, or set {_types._CHOICE_VARIABLE} to ctypes"
        )


def _load_native():
    """The extension module: beside this file, or where cargo leaves it. None where it is not built."""
    folder = pathlib.Path(__file__).parent
    prefix, suffix = _types._FILE_NAMES.get(sys.platform, ("lib", ".so"))
    built = f"{prefix}{_types._GLUE}{suffix}"
    beside = [folder / f"_native{end}" for end in importlib.machinery.EXTENSION_SUFFIXES]
    for file in [*beside, folder / "glue" / "target" / "release" / built]:
        if file.exists():
            # By its place in sys.modules, which its own folder's handlers may have to themselves.
            name = f"{__package__}._native"
            loaded = sys.modules.get(name)
            if hasattr(loaded, "_Address"):
                return loaded
            _refuse()
            loader = importlib.machinery.ExtensionFileLoader(name, str(file))
            spec = importlib.util.spec_from_file_location(name, file, loader=loader)
            module = importlib.util.module_from_spec(spec)
            loader.exec_module(module)
            module._open(_types, _library())
            atexit.register(module._close)
            sys.modules[name] = module
            return module
    return None


def _load_ctypes():
    module = importlib.import_module(f"{__name__}._ctypes")
    module._open(_library())
    return module


def _implementation():
    chosen = os.environ.get(_types._CHOICE_VARIABLE, "")
    if chosen == "ctypes":
        return _load_ctypes()
    native = _load_native()
    if native is None and chosen == "native":
        raise ImportError(f"the extension of {__name__} is not built: run cargo build --release in its glue folder")
    return native or _load_ctypes()


implementation = _implementation()
"""The module that does the work: `_native` where it is built, else `_ctypes`."""

_types.NativeText._at = staticmethod(implementation._text_at)

globals().update(
    {
        name: item
        for name, item in vars(implementation).items()
        if not name.startswith("_") or name in _types._UNDERSCORED
    }
)


class _Handle(implementation._Address, _types._Handle):
    pass


class Sum(_Handle):
    """A sum that remembers."""
    @staticmethod
    def _release(address):
        sum_release(address)

    def __init__(self, start):
        """A sum that begins here.

        Raises NativeError when it fails.
        """
        self._hold(sum_new(start))

    def add(self, value):
        """Adds and tells the sum.

        Raises NativeError when it fails.
        """
        return sum_add(self, value)


implementation._learn((Sum,))
