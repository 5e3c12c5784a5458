"""Weakly connected components, by the least vertex that is heard of."""

from __future__ import annotations

from upcall.graph import Vertex, VertexContext


class Components:
    """Which vertices are connected, whatever the direction of edges: each shows the least one of its component."""

    shown = "u64"
    outgoing = True
    selective = True

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(vertex.id)
        vertex.schedule()

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        heard = vertex.incoming.shown_list()
        if context.directed:
            heard += vertex.outgoing.shown_list()
        heard.append(vertex.shown)
        vertex.show(min(heard))
