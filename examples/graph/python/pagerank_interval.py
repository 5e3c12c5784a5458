"""PageRank with numpy, many vertices at once."""

from __future__ import annotations

from typing import Any

import numpy
from pagerank import Ranks

from upcall.graph import VertexContext, Vertices


class PageRankInterval(Ranks):
    """Updates many vertices at once. numpy adds in another order, so the last digits are others."""

    def interval(self, vertices: Vertices, context: VertexContext) -> None:
        edges, degrees, own = vertices.incoming, vertices.out_degrees, vertices.own
        sums = sums_of(edges.shown, edges.begins, edges.ends)
        ranks = self.jumps + self.damping * sums
        vertices.add_residual(numpy.abs(ranks - own))
        vertices.add_total(numpy.where(degrees == 0, ranks, 0.0))
        own[:] = ranks
        vertices.next[:] = 0.0
        numpy.divide(ranks, degrees, out=vertices.next, where=degrees > 0)


def sums_of(shown: Any, begins: Any, ends: Any) -> Any:
    """For each of consecutive vertices what its neighbours show, which is side by side, added up."""
    some = ends > begins
    sums = numpy.zeros(len(begins))
    if shown.size:
        sums[some] = numpy.add.reduceat(shown, (begins[some] - begins[0]).astype(numpy.intp))
    return sums
