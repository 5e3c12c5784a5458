# Made by upcall bindgen 0.1.0 --config bindgen.toml --library statistics --rust src/lib.rs; do not edit.
"""What does not depend on how the library is called."""

import enum as _enum
import math as _math

from ._base import NativeError, NativeText

_LIBRARY = "statistics"
_LIBRARY_VARIABLE = "STATISTICS_LIBRARY"
_CHOICE_VARIABLE = "STATISTICS_PYTHON"
_GLUE = "statistics_native_native"
_UNDERSCORED = []


class EmptyError(NativeError):
    """A function of the library has failed with its error Empty."""


NativeError._EmptyError = EmptyError

__all__ = [
    "NativeError",
    "NativeText",
    "EmptyError",
]
