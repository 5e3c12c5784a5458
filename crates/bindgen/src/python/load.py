"""Finds the library and the implementation: the extension where it is built, else ctypes."""

import atexit
import importlib
import importlib.machinery
import importlib.util
import os
import pathlib
import sys
import sysconfig

from . import _base, _types


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


def load_native():
    """The extension module: beside this file, or where cargo leaves it. None where it is not built."""
    folder = pathlib.Path(__file__).parent
    beside = [folder / f"_native{end}" for end in importlib.machinery.EXTENSION_SUFFIXES]
    for file in [*beside, folder / "glue" / "target" / "release" / _base.file_name(_types._GLUE)]:
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
            module._open(_types, str(folder))
            atexit.register(module._close)
            sys.modules[name] = module
            return module
    return None


def load_ctypes():
    module = importlib.import_module(f"{__package__}._ctypes")
    module._open(os.path.dirname(__file__))
    return module


def _implementation():
    chosen = os.environ.get(_types._CHOICE_VARIABLE, "")
    if chosen == "ctypes":
        return load_ctypes()
    native = load_native()
    if native is None and chosen == "native":
        raise ImportError(f"the extension of {__package__} is not built: run cargo build --release in its glue folder")
    return native or load_ctypes()


implementation = _implementation()
"""The module that does the work: `_native` where it is built, else `_ctypes`."""

_base.NativeText._at = staticmethod(implementation._text_at)


def publish(scope):
    """Gives the package its names, the last step that may use Python's own: the API may have the same."""
    scope.update({name: getattr(_types, name) for name in _types.__all__})
    for name, item in vars(implementation).items():
        if not name.startswith("_") or name in _types._UNDERSCORED:
            scope[name] = item
