"""What a class says of itself that is a vertex program."""

from __future__ import annotations

import inspect
from typing import Any, NamedTuple

# The types that a program's values may have.
VALUES = ("f32", "f64", "i32", "i64", "u32", "u64")
# What a program may need, in the order of `Program`.
NEEDS = ("outgoing", "writes", "selective")
# By what neighbours may be gathered.
GATHERS = ("sum", "min", "max", "count")
# The methods of which a program has one: what each takes, and what the boundary calls that form.
METHODS = {
    "update": "(self, vertex, context)",
    "apply": "(self, vertex, gathered, context)",
    "interval": "(self, vertices, context)",
}
FORMS = {"update": "vertex", "apply": "gather", "interval": "interval"}
# Those that it may have beside.
OTHERS = {
    "start": "(self, vertex, context)",
    "before_iteration": "(self, iteration, total)",
    "before_interval": "(self, interval)",
    "after_interval": "(self, interval)",
    "repeat_updates": "(self, interval)",
    "after_iteration": "(self, iteration)",
    "open": "(self, ctx)",
    "close": "(self)",
}


class Graph(NamedTuple):
    """What a program is told of the graph when it is opened: ``ctx.graph``."""

    vertices: int
    """How many vertices it has."""
    edges: int
    """How many edges; each direction counts where they have none."""
    directed: bool
    """Whether edges have a direction."""


class Iteration(NamedTuple):
    """An iteration that has ended, as ``after_iteration`` is told."""

    number: int
    """Its number, from 0 on."""
    updated: int
    """How many vertices were updated."""
    scheduled: int
    """How many are scheduled for the next one."""
    residual: float
    """What vertices have added to the residual."""
    total: float
    """What they have added to the total, which the next iteration sees."""


class Interval(NamedTuple):
    """Vertices that are updated together, and what that has come to: all in Jacobi's way, and so many in Gauss-Seidel's."""

    iteration: int
    """The number of the iteration, from 0 on."""
    first: int
    """Its first vertex."""
    end: int
    """The vertex behind its last."""
    pass_: int
    """How often it was updated in this iteration before."""
    updated: int
    """How many of its vertices were updated in this pass; here and below 0 before they are."""
    residual: float
    """What they have added to the residual."""
    total: float
    """What they have added to the total."""


class Program(NamedTuple):
    """What a program's class says, in the words of the boundary; a type that is not there is an empty text."""

    form: str
    own: str
    shown: str
    edge: str
    outgoing: bool
    writes: bool
    selective: bool
    gather: str

    @property
    def sees_outgoing(self) -> bool:
        """Whether outgoing edges are there."""
        return self.outgoing or self.writes


def is_program(of: type) -> bool:
    """Whether a class is, or means to be, a vertex program."""
    return hasattr(of, "shown") or any(callable(getattr(of, name, None)) for name in METHODS)


def program(of: type) -> Program:
    """What the class of a program says."""
    form = FORMS[_methods(of)[0]]

    def type_of(which: str) -> str:
        return getattr(of, which, None) or ""

    own, shown, edge = map(type_of, ("own", "shown", "edge"))
    gather = getattr(of, "gather") if form == "gather" else ""
    outgoing, writes, selective = (_is(of, need) for need in NEEDS)
    return Program(form, own, shown, edge, outgoing, writes, selective, gather)


def wrong_shape(of: type) -> str | None:
    """Why a class that means to be a program is none."""
    methods = _methods(of)
    if not methods:
        *some, last = (f"{name}{takes}" for name, takes in METHODS.items())
        return f"it declares shown, as a vertex program does, and has none of {', '.join(some)} and {last}: write one"
    if len(methods) > 1:
        return f"it has {' and '.join(methods)}: keep one"
    return _wrong_value(of) or _wrong_gather(of, methods[0]) or _wrong_need(of) or _wrong_method(of, methods[0])


def _methods(of: type) -> list[str]:
    return [name for name in METHODS if callable(getattr(of, name, None))]


def _is(of: type, need: str) -> bool:
    return bool(getattr(of, need, False))


def _wrong_value(of: type) -> str | None:
    for which in ("shown", "own", "edge"):
        found = getattr(of, which, None)
        if found in VALUES or (found is None and which != "shown"):
            continue
        what = f"its {which} is {found!r}" if hasattr(of, which) else "it does not say what its vertices show"
        return f'{what}: write {which} = "f64", or another of {", ".join(VALUES)}'
    return None


def _wrong_gather(of: type, method: str) -> str | None:
    found = getattr(of, "gather", None)
    if method != "apply":
        return None if found is None else f"it declares gather, and has {method}: write apply, or leave gather out"
    if found in GATHERS:
        return None
    what = f"its gather is {found!r}" if hasattr(of, "gather") else "it has apply, and does not say what it gathers"
    return f'{what}: write gather = "sum", or another of {", ".join(GATHERS)}'


def _wrong_need(of: type) -> str | None:
    for need in NEEDS:
        found = getattr(of, need, False)
        if not isinstance(found, bool):
            return f"its {need} is {found!r}: write {need} = True, or leave it out"
    if _is(of, "writes") and getattr(of, "edge", None) is None:
        return f'it writes values of edges: declare their type as edge = "f64", or another of {", ".join(VALUES)}'
    return None


def _wrong_method(of: type, method: str) -> str | None:
    for name, takes in {method: METHODS[method], **OTHERS}.items():
        function: Any = getattr(of, name, None)
        if function is None:
            continue
        if not callable(function):
            return f"its {name} is {function!r}, not a method"
        if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function) or inspect.isgeneratorfunction(function):
            return f"{name} is async or a generator, and is called once, without an event loop: make it a plain method"
        try:
            inspect.signature(function).bind(*takes.split(","))
        except TypeError:
            return f"{name} must take {takes}, and takes {inspect.signature(function)}"
        except ValueError:
            pass  # a builtin without a signature
    return None
