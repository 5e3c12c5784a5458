"""PageRank whose ranks travel as values of edges, as GraphChi (Kyrola, Blelloch, Guestrin 2012) has it."""

from __future__ import annotations

from pagerank import Ranks

from upcall.graph import Iteration, Vertex, VertexContext


class PageRankEdges(Ranks):
    """Each vertex sets its outgoing edges to its share. The ranks of iteration ``k + 1`` are those of ``PageRank`` in iteration ``k``."""

    edge = "f64"
    writes = True

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        vertex.own = 1.0 / context.vertices
        vertex.show(vertex.own)

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        # In the first iteration nobody has set an edge.
        rank = vertex.own
        if context.iteration > 0:
            total = 0.0
            for share in vertex.incoming.value_list():
                total += share
            rank = self.jumps + self.damping * total
        context.add_residual(abs(rank - vertex.own))
        vertex.own = rank
        vertex.show(rank)
        degree = vertex.out_degree
        if degree == 0:
            context.add_total(rank)
            return
        outgoing, share = vertex.outgoing, rank / degree
        for index in range(degree):
            outgoing.set_value(index, share)

    def after_iteration(self, iteration: Iteration) -> bool:
        # The first one changes no rank.
        return iteration.number > 0 and super().after_iteration(iteration)
