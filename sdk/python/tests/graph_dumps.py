"""Dumps of intervals, made from what a program comes to under the harness, and not by the simulator."""

from __future__ import annotations

import json
import math
import struct
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from upcall.testing import VertexHarness

Edge = tuple[Any, ...]


class Updated(NamedTuple):
    """A vertex that was updated."""

    iteration: int
    vertex: int
    total: float


def watched(of: type, updates: list[Updated]) -> Any:
    """An instance of a program that tells which vertices it updates."""

    class Watched(of):  # type: ignore[misc]
        pass

    for form in ("update", "apply", "interval"):
        if (method := getattr(of, form, None)) is None:
            continue

        def tells(self: Any, vertices: Any, *given: Any, method: Any = method) -> None:
            context = given[-1]
            ids = vertices.ids if hasattr(vertices, "ids") else [vertices.id]
            updates.extend(Updated(context.iteration, int(id), context.total) for id in ids)
            method(self, vertices, *given)

        takes = {"update": "vertex, context", "apply": "vertex, gathered, context", "interval": "vertices, context"}[form]
        # The SDK looks at the parameters that a method has.
        named: dict[str, Any] = {"tells": tells}
        exec(f"def method(self, {takes}): tells(self, {takes})", named)
        setattr(Watched, form, named["method"])
    return Watched()


def dump(
    of: type,
    edges: Sequence[Edge],
    iteration: int,
    *,
    vertices: int,
    directed: bool = True,
    settings: Mapping[str, str] | None = None,
    block: int = 0,
) -> dict[str, Any]:
    """What the engine writes of the vertices of a block that a program updates in an iteration."""
    updates: list[Updated] = []
    options: Any = {"vertices": vertices, "directed": directed, "settings": settings or {}}
    before = VertexHarness(of(), edges, **options).run(iteration)
    after = VertexHarness(watched(of, updates), edges, **options).run(iteration + 1)
    rows = [each for each in updates if each.iteration == iteration and each.vertex // 1024 == block]
    says: dict[str, Any] = {which: getattr(of, which, None) for which in ("own", "shown", "edge", "gather")}
    own, shown, edge, gather = says.values()
    outgoing, writes = (getattr(of, need, False) for need in ("outgoing", "writes"))
    links: list[Edge] = []
    # Those between the same two vertices stay in this order.
    for begin, end, *value in edges:
        links.append((begin, end, *value))
        if not directed and begin != end:
            links.append((end, begin, *value))

    # Of each vertex: the other end and the place among all edges, by destination and source.
    into: dict[int, list[tuple[int, int]]] = defaultdict(list)
    out: dict[int, list[tuple[int, int]]] = defaultdict(list)
    links.sort(key=lambda link: (link[1], link[0]))
    for place, (begin, end, *_) in enumerate(links):
        into[end].append((begin, place))
        out[begin].append((end, place))
    values = before.edges if writes else [value for _, _, *some in links for value in some]

    def row(vertex: int) -> dict[str, Any]:
        incoming, outwards = into[vertex], out[vertex]

        def side(ends: Sequence[tuple[int, int]]) -> dict[str, Any]:
            seen = [number(before.shown[end], shown) for end, _ in ends]
            valued = {"values": [number(values[place], edge) for _, place in ends]} if edge else {}
            return {"ids": [end for end, _ in ends], "shown": seen, **valued}

        found: dict[str, Any] = {"id": vertex, "shown": number(before.shown[vertex], shown), "outDegree": len(outwards)}
        found["incoming"] = side(incoming)
        if outgoing or writes:
            found["outgoing"] = side(outwards)
        if writes:
            found["sets"] = [number(after.edges[place], edge) for _, place in outwards]
        if gather:
            numbers = [before.shown[begin] for begin, _ in incoming]
            found["gathered"] = number(come(gather, numbers, shown), "f64" if gather in ("sum", "count") else shown)
        if own:
            found["own"], found["keeps"] = number(before.own[vertex], own), number(after.own[vertex], own)
        return {**found, "shows": number(after.shown[vertex], shown)}

    return {
        "upcall": "interval",
        "version": 1,
        "program": "Program of program.py",
        "settings": dict(settings or {}),
        "vertices": vertices,
        "edges": len(links),
        "directed": directed,
        "iteration": iteration,
        "total": number(rows[0].total if rows else 0.0, "f64"),
        **says,
        "outgoing": outgoing,
        **({"writes": True} if writes else {}),
        "selective": getattr(of, "selective", False),
        "rows": [row(each.vertex) for each in rows],
    }


def come(gather: str, numbers: Sequence[Any], of: str) -> Any:
    """What numbers come to."""
    if gather == "count":
        return float(len(numbers))
    if gather == "sum":
        total = 0.0
        for each in numbers:
            total += each
        return total
    bits = int(of[1:])
    least, most = {
        "f": (-math.inf, math.inf),
        "i": (-(1 << bits - 1), (1 << bits - 1) - 1),
        "u": (0, (1 << bits) - 1),
    }[of[0]]
    return min(numbers, default=most) if gather == "min" else max(numbers, default=least)


def number(value: Any, of: str) -> Any:
    """A number as the engine writes it."""
    if of in ("u64", "i64"):
        return str(value)
    if of[0] != "f":
        return value
    if not math.isfinite(value):
        return {math.inf: "inf", -math.inf: "-inf"}.get(value, "NaN")
    if of == "f64":
        return value
    # The shortest text that is read as the same f32.
    texts = (f"{value:.{digits}g}" for digits in range(1, 10))
    return next(float(text) for text in texts if struct.unpack("<f", struct.pack("<f", float(text)))[0] == value)


def written(folder: Path, found: Any) -> Path:
    """The file of a dump."""
    file = folder / "interval.json"
    file.write_text(found if isinstance(found, str) else json.dumps(found, allow_nan=False))
    return file
