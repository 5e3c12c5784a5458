"""PageRank (Page, Brin, Motwani, Winograd 1999), by power iteration."""

from __future__ import annotations

from upcall import Context, Parameter
from upcall.graph import Iteration, Vertex, VertexContext


class Ranks:
    """What the programs here have in common.

    A vertex's rank, which it keeps to itself, is the share of time that somebody spends there who follows edges at random, and now
    and then jumps to any vertex. What it shows is its rank divided by its outgoing edges.
    """

    own = "f64"
    shown = "f64"
    parameters = {
        "damping": Parameter("f64", default=0.85, range="0..=1"),
        "tolerance": Parameter("f64", default=1e-6),
    }

    def open(self, ctx: Context) -> None:
        self.damping = float(ctx.settings.get("damping", 0.85))
        self.tolerance = float(ctx.settings.get("tolerance", 1e-6))
        self.vertices = ctx.graph.vertices

    def start(self, vertex: Vertex, context: VertexContext) -> None:
        rank = 1.0 / context.vertices
        degree = vertex.out_degree
        vertex.own = rank
        if degree == 0:
            context.add_total(rank)
        vertex.show(rank / degree if degree else 0.0)

    def before_iteration(self, iteration: int, total: float) -> None:
        """``total`` are the ranks of vertices that only jumps lead on from."""
        self.jumps = (1.0 - self.damping + self.damping * total) * (1.0 / self.vertices)

    def take(self, vertex: Vertex, total: float, context: VertexContext) -> None:
        """Updates a vertex whose neighbours show this, added up."""
        rank = self.jumps + self.damping * total
        degree = vertex.out_degree
        context.add_residual(abs(rank - vertex.own))
        vertex.own = rank
        if degree == 0:
            context.add_total(rank)
        vertex.show(rank / degree if degree else 0.0)

    def after_iteration(self, iteration: Iteration) -> bool:
        return iteration.residual <= self.tolerance


class PageRank(Ranks):
    """Adds up what each neighbour shows."""

    def update(self, vertex: Vertex, context: VertexContext) -> None:
        # Not by sum(), which makes up for roundings from Python 3.12 on.
        total = 0.0
        for share in vertex.incoming.shown_list():
            total += share
        self.take(vertex, total, context)


class PageRankGather(Ranks):
    """Has the engine add up what neighbours show."""

    gather = "sum"

    def apply(self, vertex: Vertex, gathered: float, context: VertexContext) -> None:
        self.take(vertex, gathered, context)


class PageRankEdges(Ranks):
    """Has ranks travel as values of edges, as GraphChi has it (Kyrola, Blelloch, Guestrin 2012).

    Each vertex sets its outgoing edges to its share, and shows its rank. The ranks of iteration ``k + 1`` are those of ``PageRank`` in
    iteration ``k``.
    """

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
