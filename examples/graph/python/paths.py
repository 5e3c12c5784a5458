"""Shortest paths (Bellman 1958, Ford 1956)."""

from __future__ import annotations

import math

from upcall import Context, Parameter
from upcall.graph import Iteration, Vertex, VertexContext


class ShortestPaths:
    """How far each vertex is from the one that the setting ``from`` names: the least sum of edges' values on a way there.

    Values may be negative. If a cycle of negative length can be reached no distance is the least; the program then stops after as
    many iterations as there are vertices.
    """

    shown = "f64"
    edge = "f64"
    selective = True
    parameters = {"from": Parameter("u64", default=0)}

    def open(self, ctx: Context) -> None:
        assert ctx.graph is not None
        self.begin = int(ctx.settings.get("from", 0))
        self.vertices = ctx.graph.vertices

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(math.inf)
        if vertex.id == self.begin:
            vertex.schedule()

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        before = vertex.shown
        shortest = min(before, 0.0) if vertex.id == self.begin else before
        edges = vertex.incoming
        for other, length in zip(edges.shown_list(), edges.value_list()):
            if other + length < shortest:
                shortest = other + length
        if shortest < before:
            vertex.show(shortest)

    def after_iteration(self, iteration: Iteration) -> bool:
        # The longest path without a cycle has one edge less than there are vertices, and the first iteration looks at none.
        return iteration.number > self.vertices and iteration.scheduled > 0
