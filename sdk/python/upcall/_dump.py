"""A dumped interval: what its vertices saw in an iteration and what became of them, as ``upcall graph run`` writes it."""

from __future__ import annotations

import json
import os
import re
from typing import Any, NamedTuple

from ._simulated import number
from ._vertex import GATHERS, VALUES, Interval

_VERSION = 1
# Numbers of floating point that JSON has no text for.
_TEXTS = {"inf": float("inf"), "-inf": float("-inf"), "NaN": float("nan")}
_WHOLE = re.compile(r"-?[0-9]+")
_VERTICES = 1 << 32


class Ends(NamedTuple):
    """A vertex's edges in one direction."""

    ids: list[int]
    """The other ends."""
    shown: list[Any]
    """What each of these showed."""
    values: list[Any]
    """The value of each edge; empty where the program looks at none."""


class Row(NamedTuple):
    """A vertex: what it saw, and what became of it. Its own values are ``None`` where the program declares none."""

    id: int
    own: Any
    shown: Any
    out_degree: int
    incoming: Ends
    outgoing: Ends | None
    """``None`` where the program neither looks at them nor writes their values."""
    gathered: Any
    """What the incoming neighbours come to; ``None`` where the program gathers nothing."""
    keeps: Any
    shows: Any
    sets: list[Any] | None
    """The values of its outgoing edges; ``None`` where the program does not write them."""


class Dump(NamedTuple):
    """A dumped interval."""

    program: str
    """The program that was run: its name and its file."""
    settings: dict[str, str]
    vertices: int
    """How many the graph has."""
    edges: int
    directed: bool
    iteration: int
    interval: Interval
    """Those that were updated together, of which these are some."""
    total: float
    declares: dict[str, Any]
    """What the program's class declared: ``shown``, ``own`` and so on; ``None`` where it did not."""
    rows: list[Row]


class _Fields:
    """An object in the file, whose members are asked for by their names and checked."""

    def __init__(self, where: str, members: Any) -> None:
        if not isinstance(members, dict):
            raise ValueError(f"{where} is {_short(members)}, and not an object")
        self._where = where
        self._members = members

    def any(self, name: str) -> Any:
        if name not in self._members:
            raise ValueError(f'{self._where} has no "{name}"')
        return self._members[name]

    def of(self, name: str, kind: type, what: str) -> Any:
        found = self.any(name)
        if type(found) is not kind:
            raise self._wrong(name, found, what)
        return found

    def count(self, name: str, below: int) -> int:
        found: int = self.of(name, int, "a number from 0 on")
        if not 0 <= found < below:
            raise self._wrong(name, found, f"a number from 0 to {below - 1}")
        return found

    def number(self, name: str, of: str) -> Any:
        return self._number(name, self.any(name), of)

    def numbers(self, name: str, of: str) -> list[Any]:
        return [self._number(name, each, of) for each in self.of(name, list, "a list")]

    def one_of(self, name: str, known: tuple[str, ...], what: str) -> str | None:
        found: str | None = self.any(name)
        if found is not None and found not in known:
            raise self._wrong(name, found, f"{what}: {', '.join(known)}")
        return found

    def texts(self, name: str) -> dict[str, str]:
        found: dict[str, Any] = self.of(name, dict, "an object")
        for each in found.values():
            if not isinstance(each, str):
                raise self._wrong(name, each, "a text")
        return found

    def _number(self, name: str, found: Any, of: str) -> Any:
        floats = of[0] == "f"
        if floats and isinstance(found, str) and found in _TEXTS:
            return _TEXTS[found]
        if not floats and isinstance(found, str) and _WHOLE.fullmatch(found):
            found = int(found)
        try:
            if type(found) is int or (floats and type(found) is float):
                return number(found, of, "a number of")
        except OverflowError:
            pass
        raise self._wrong(name, found, f"a number of {of}")

    def _wrong(self, name: str, found: Any, what: str) -> ValueError:
        return ValueError(f'{self._where}: "{name}" has {_short(found)}, and not {what}')


def read(file: str | os.PathLike[str]) -> Dump:
    """Reads a dumped interval; a ``ValueError`` where the file is none says what is missing or wrong."""
    path = os.fspath(file)
    try:
        with open(file, encoding="utf-8") as text:
            found = json.load(text, parse_int=_whole)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no dumped interval: it is not JSON: {error}") from None
    if not isinstance(found, dict) or found.get("upcall") != "interval":
        raise ValueError(f'{path} is no dumped interval, which says "upcall": "interval": upcall graph run … --dump-interval writes one')
    fields = _Fields(path, found)
    version = fields.any("version")
    if type(version) is not int or version != _VERSION:
        why = f"has version {_short(version)}, and this simulator reads {_VERSION}: take that of the upcall that wrote it"
        raise ValueError(f"{path} {why}")
    vertices = fields.count("vertices", _VERTICES + 1)
    declares = {
        **{name: fields.one_of(name, VALUES, "a type of numbers") for name in ("own", "shown", "edge")},
        **{name: fields.of(name, bool, "true or false") for name in ("outgoing", "selective")},
        # Older dumps say nothing of it.
        "writes": "writes" in found and fields.of("writes", bool, "true or false"),
        "gather": fields.one_of("gather", GATHERS, "a way to gather"),
    }
    if declares["shown"] is None:
        raise ValueError(f'{path}: "shown" has null, and not a type of numbers: {", ".join(VALUES)}')
    if declares["writes"] and declares["edge"] is None:
        raise ValueError(f'{path}: "edge" has null, and the program writes values of edges: {", ".join(VALUES)}')
    rows: list[Row] = []
    for place, each in enumerate(fields.of("rows", list, "a list")):
        row = _row(f"{path}, row {place}", each, vertices, declares)
        if rows and row.id <= rows[-1].id:
            raise ValueError(f"{path}, row {place}: vertex {row.id} comes after vertex {rows[-1].id}, and rows are in ascending order")
        rows.append(row)
    iteration = fields.count("iteration", 1 << 64)
    return Dump(
        program=fields.of("program", str, "a text"),
        settings=fields.texts("settings"),
        vertices=vertices,
        edges=fields.count("edges", 1 << 64),
        directed=fields.of("directed", bool, "true or false"),
        iteration=iteration,
        # Older dumps say nothing of it.
        interval=_interval(path, found.get("interval", {"first": 0, "end": vertices, "pass": 0}), vertices, iteration),
        total=fields.number("total", "f64"),
        declares=declares,
        rows=rows,
    )


def _interval(path: str, found: Any, vertices: int, iteration: int) -> Interval:
    fields = _Fields(f"{path}, interval", found)
    first, end = (fields.count(name, vertices + 1) for name in ("first", "end"))
    if end < first:
        raise ValueError(f"{path}, interval: it ends at {end}, before its first vertex {first}")
    return Interval(iteration, first, end, fields.count("pass", 1 << 64), 0, 0.0, 0.0)


def _row(where: str, found: Any, vertices: int, declares: dict[str, Any]) -> Row:
    fields = _Fields(where, found)
    id = fields.count("id", vertices)
    fields = _Fields(f"{where} (vertex {id})", found)
    own, shown, gather, writes = (declares[name] for name in ("own", "shown", "gather", "writes"))
    outgoing = None
    if declares["outgoing"] or writes:
        outgoing = _ends(f"{where} (vertex {id}), outgoing", fields.any("outgoing"), vertices, declares)
    sets = fields.numbers("sets", declares["edge"]) if writes else None
    if outgoing is not None and sets is not None and len(sets) != len(outgoing.ids):
        raise ValueError(f'{where} (vertex {id}): "sets" has {len(sets)}, and there are {len(outgoing.ids)} outgoing edges: give one for each')
    return Row(
        id=id,
        own=fields.number("own", own) if own else None,
        shown=fields.number("shown", shown),
        out_degree=fields.count("outDegree", 1 << 32),
        incoming=_ends(f"{where} (vertex {id}), incoming", fields.any("incoming"), vertices, declares),
        outgoing=outgoing,
        gathered=fields.number("gathered", "f64" if gather in ("sum", "count") else shown) if gather else None,
        keeps=fields.number("keeps", own) if own else None,
        shows=fields.number("shows", shown),
        sets=sets,
    )


def _ends(where: str, found: Any, vertices: int, declares: dict[str, Any]) -> Ends:
    fields = _Fields(where, found)
    ids, shown = fields.numbers("ids", "u32"), fields.numbers("shown", declares["shown"])
    values = fields.numbers("values", declares["edge"]) if declares["edge"] else []
    if max(ids, default=-1) >= vertices:
        raise ValueError(f"{where} has an edge of vertex {max(ids)}, and the graph has {vertices}, from 0 on")
    for name, there in (("shown", shown), ("values", values if declares["edge"] else ids)):
        if len(there) != len(ids):
            raise ValueError(f'{where}: "ids" has {len(ids)}, and "{name}" {len(there)}: give one of each for an edge')
    return Ends(ids, shown, values)


def _whole(text: str) -> int | float:
    # A whole number has no -0, and one of floating point does.
    return -0.0 if text == "-0" else int(text)


def _short(found: Any) -> str:
    text = json.dumps(found, ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
