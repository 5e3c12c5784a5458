"""What reductions combine by: MPI's own operations, and functions."""

from __future__ import annotations

import array
import operator
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from types import FunctionType
from typing import Any

from ._mpi_arrays import called
from ._mpi_handler import HandlerOperation
from ._mpi_placed import least, most
from ._upcall import MpiOperator


class Operator(MpiOperator):
    """An operation of MPI's own on numbers, by the type of the array's elements. Called, it combines two objects."""

    function: Callable[[Any, Any], Any]

    def __new__(cls, name: str, shown: str, function: Callable[[Any, Any], Any]) -> Operator:
        made = super().__new__(cls, name)
        made.function = function
        made._shown = shown
        made.name = name
        return made

    _shown: str
    name: str
    """What Rust calls it."""

    def __call__(self, a: Any, b: Any) -> Any:
        return self.function(a, b)

    def __repr__(self) -> str:
        return f"mpi.{self._shown}"


SUM = Operator("Sum", "SUM", operator.add)
PRODUCT = Operator("Product", "PRODUCT", operator.mul)
MIN = Operator("Min", "MIN", min)
MAX = Operator("Max", "MAX", max)
LOGICAL_AND = Operator("LogicalAnd", "LOGICAL_AND", lambda a, b: bool(a) and bool(b))
LOGICAL_OR = Operator("LogicalOr", "LOGICAL_OR", lambda a, b: bool(a) or bool(b))
LOGICAL_XOR = Operator("LogicalXor", "LOGICAL_XOR", lambda a, b: bool(a) != bool(b))
BIT_AND = Operator("BitAnd", "BIT_AND", operator.and_)
BIT_OR = Operator("BitOr", "BIT_OR", operator.or_)
BIT_XOR = Operator("BitXor", "BIT_XOR", operator.xor)

# On arrays of dtype mpi.placed(...), and on objects that are (value, place).
MIN_WITH_PLACE = Operator("MinWithPlace", "MIN_WITH_PLACE", least)
MAX_WITH_PLACE = Operator("MaxWithPlace", "MAX_WITH_PLACE", most)
@dataclass(frozen=True)
class WindowOperator:
    """An operation that windows alone have."""

    name: str

    def __repr__(self) -> str:
        return f"mpi.{self.name.upper()}"


# What is there is replaced.
REPLACE = WindowOperator("Replace")

# Functions of numpy's that are operations of MPI's, and on which kinds of dtype they come to the same there. With a NaN its
# minimum and maximum do not; and truths are added by it as truths.
_UFUNCS = {
    "add": (SUM, "iufc"),
    "multiply": (PRODUCT, "iuf"),
    "minimum": (MIN, "iu"),
    "maximum": (MAX, "iu"),
    "bitwise_and": (BIT_AND, "iub"),
    "bitwise_or": (BIT_OR, "iub"),
    "bitwise_xor": (BIT_XOR, "iub"),
    "logical_and": (LOGICAL_AND, "b"),
    "logical_or": (LOGICAL_OR, "b"),
    "logical_xor": (LOGICAL_XOR, "b"),
}
# Floating-point numbers of numpy's that MPI does not have here: of 16 bits, and long ones.
_NOT_MPIS = "egG"


@dataclass(frozen=True)
class Operation:
    """A function of two arrays, as what a reduction combines by, and whether it commutes.

    Given alone, a function is taken for one that commutes. It is called as ``function(a, b)`` once per chunk: ``a`` is what lower
    ranks have, where the order matters. What it returns is stored into ``b``; where it returns ``None`` it has done that itself.
    Both are numpy arrays where the reduced one is, else memoryviews; they end with the call. It must not call MPI.
    """

    function: Callable[[Any, Any], Any]
    commutes: bool = True


def resolved(op: object, data: Any) -> tuple[object, bool]:
    """What the native part calls: an ``Operator``, or a function of two that export bytes; and whether it commutes."""
    if type(op) is FunctionType and (numpy := sys.modules.get("numpy")) and type(data) is numpy.ndarray:
        # As nearly always: what follows would come to the same, and takes as long as all else of a small reduction.
        return _on_arrays(op, data.dtype, numpy), True
    if isinstance(op, HandlerOperation):
        return op.on(data)
    if isinstance(op, Operation):
        function, commutes = op.function, op.commutes
    elif callable(op):
        function, commutes = op, True
    else:
        raise TypeError(
            f"reduce by {called(op)}: give an operation of MPI's, as mpi.SUM, or a function of two arrays"
        )
    if isinstance(function, MpiOperator):
        return function, True
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(data, (numpy.ndarray, numpy.generic)):
        dtype = data.dtype
        if isinstance(function, numpy.ufunc):
            known = _UFUNCS.get(function.__name__)
            if known is not None and dtype.isnative and dtype.kind in known[1] and dtype.char not in _NOT_MPIS:
                return known[0], True
        return _on_arrays(function, dtype, numpy), commutes
    return _on_views(function, memoryview(data).format.lstrip("@=<")), commutes


def _on_arrays(function: Callable[[Any, Any], Any], dtype: Any, numpy: Any) -> Callable[[Any, Any], None]:
    frombuffer = numpy.frombuffer

    def combine(source: Any, into: Any) -> None:
        a, b = frombuffer(source, dtype), frombuffer(into, dtype)
        try:
            result = function(a, b)
            if result is not None and result is not b:
                b[...] = result
        except BaseException as error:
            # What is raised outlives the arrays, and the frames in it would show them.
            traceback.clear_frames(error.__traceback__)
            raise
        finally:
            del a, b

    return combine


def _on_views(function: Callable[[Any, Any], Any], format: str) -> Callable[[Any, Any], None]:
    def combine(source: Any, into: Any) -> None:
        a, b = memoryview(source).cast(format), memoryview(into).cast(format)  # type: ignore[call-overload]
        try:
            result = function(a, b)
            if result is not None and result is not b:
                b[:] = array.array(format, result)
        except BaseException as error:
            traceback.clear_frames(error.__traceback__)
            raise
        finally:
            a.release()
            b.release()

    return combine
