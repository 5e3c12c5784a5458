"""Communities by label propagation (Raghavan, Albert, Kumara 2007), synchronous and without chance: CDLP of Graphalytics."""

from __future__ import annotations

from collections import Counter

from upcall.graph import Iteration, Vertex, VertexContext


class Labels:
    """Each vertex shows its label: at first its own number, then the one that most of its neighbours show, of several the least.

    Each edge counts, in both directions.
    """

    shown = "u64"
    outgoing = True

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.show(vertex.id)

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        labels = vertex.incoming.shown_list()
        if context.directed:
            labels += vertex.outgoing.shown_list()
        if not labels:
            return
        counts = Counter(labels)
        most = max(counts.values())
        label = min(label for label, count in counts.items() if count == most)
        if label != vertex.shown:
            context.add_residual(1.0)
            vertex.show(label)

    def after_iteration(self, iteration: Iteration) -> bool:
        return iteration.residual == 0.0
