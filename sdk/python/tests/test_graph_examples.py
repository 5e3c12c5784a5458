"""The examples' vertex programs, each against a plain computation of the same."""

from __future__ import annotations

import collections
import heapq
import math
import random
from pathlib import Path
from typing import Any

import pytest

from upcall.graph_simulator import load
from upcall.testing import Failed, VertexHarness

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "graph" / "python"
VERTICES = 1100
PAIRS = sorted({(random.Random(n).randrange(VERTICES), random.Random(-n - 1).randrange(VERTICES)) for n in range(1600)})
EDGES = [(a, b, (a * 7 + b * 13) % 100 / 8) for a, b in PAIRS]


def run(file: str, name: str, directed: bool, settings: dict[str, str] | None = None, most: int = 1000) -> Any:
    of = load(EXAMPLES / f"{file}.py", name)
    return VertexHarness(of(), EDGES, vertices=VERTICES, directed=directed, settings=settings).run(most)


def neighbours(directed: bool) -> tuple[list[list[tuple[int, float]]], list[int]]:
    """Of each vertex those that it has edges from, and how many go out of it."""
    incoming: list[list[tuple[int, float]]] = [[] for _ in range(VERTICES)]
    degrees = [0] * VERTICES
    for source, destination, value in EDGES:
        incoming[destination].append((source, value))
        degrees[source] += 1
        if not directed and source != destination:
            incoming[source].append((destination, value))
            degrees[destination] += 1
    return [sorted(each) for each in incoming], degrees


@pytest.mark.parametrize("directed", [True, False])
def test_ranks_are_those_of_power_iteration(directed: bool) -> None:
    incoming, degrees = neighbours(directed)
    ranks = [1 / VERTICES] * VERTICES
    for _ in range(150):
        dangling = sum(rank for rank, degree in zip(ranks, degrees) if degree == 0)
        shares = [rank / degree if degree else 0.0 for rank, degree in zip(ranks, degrees)]
        jumps = (0.1 + 0.9 * dangling) / VERTICES
        ranks = [jumps + 0.9 * sum(shares[other] for other, _ in each) for each in incoming]
    settings = {"damping": "0.9", "tolerance": "1e-10"}
    found = {name: run("pagerank", name, directed, settings) for name in ("PageRank", "PageRankGather")}
    found["PageRankInterval"] = run("pagerank_interval", "PageRankInterval", directed, settings)
    assert found["PageRank"] == found["PageRankGather"]
    for each in found.values():
        assert each.own == pytest.approx(ranks, abs=1e-9) and math.isclose(sum(each.own), 1.0)
        shares = [rank / degree if degree else 0.0 for rank, degree in zip(each.own, degrees)]
        assert each.shown == shares


@pytest.mark.parametrize("directed", [True, False])
def test_components_are_those_of_a_search(directed: bool) -> None:
    around: list[set[int]] = [set() for _ in range(VERTICES)]
    for source, destination, _ in EDGES:
        around[source].add(destination)
        around[destination].add(source)
    least = [-1] * VERTICES
    for first in range(VERTICES):
        open = [first] if least[first] < 0 else []
        while open:
            vertex = open.pop()
            if least[vertex] < 0:
                least[vertex] = first
                open += around[vertex]
    assert run("components", "Components", directed).shown == least
    assert len(set(least)) > 10


@pytest.mark.parametrize("directed", [True, False])
def test_paths_are_those_of_dijkstra(directed: bool) -> None:
    incoming, _ = neighbours(directed)
    outgoing: list[list[tuple[int, float]]] = [[] for _ in range(VERTICES)]
    for vertex, each in enumerate(incoming):
        for other, value in each:
            outgoing[other].append((vertex, value))
    begin, distances = EDGES[0][0], [math.inf] * VERTICES
    open = [(0.0, begin)]
    while open:
        distance, vertex = heapq.heappop(open)
        if distance < distances[vertex]:
            distances[vertex] = distance
            for other, value in outgoing[vertex]:
                heapq.heappush(open, (distance + value, other))
    assert run("paths", "ShortestPaths", directed, {"from": str(begin)}).shown == distances
    assert math.inf in distances and len(set(distances)) > 10


def test_a_cycle_of_negative_length_ends() -> None:
    of = load(EXAMPLES / "paths.py", "ShortestPaths")
    found = VertexHarness(of(), [(0, 1, 1.0), (1, 2, -3.0), (2, 1, 1.0)]).run()
    assert found.iterations == 5


@pytest.mark.parametrize("directed", [True, False])
def test_labels_are_those_that_most_neighbours_have(directed: bool) -> None:
    around: list[list[int]] = [[] for _ in range(VERTICES)]
    for source, destination, _ in EDGES:
        around[destination].append(source)
        if directed or source != destination:
            around[source].append(destination)
    labels = list(range(VERTICES))
    for _ in range(10):
        counts = [collections.Counter(labels[other] for other in each) for each in around]
        labels = [
            min(count, key=lambda label: (-count[label], label)) if count else label for label, count in zip(labels, counts)
        ]
    assert run("labels", "Labels", directed, most=10).shown == labels


def test_a_setting_that_is_no_number_fails_when_the_program_is_opened() -> None:
    with pytest.raises(Failed, match="ValueError"):
        run("pagerank", "PageRank", True, {"damping": "much"})
