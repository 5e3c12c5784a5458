using System;
using System.Collections.Generic;
using System.Linq;

namespace Upcall.Testing;

/// <summary>The edges of a graph by the vertex at one end, in ascending order of the other; edges' values are where they lie.</summary>
internal sealed class GraphEdges<TEdge>
    where TEdge : unmanaged
{
    private GraphEdges(ulong[] offsets, uint[] ids, ulong[] places) => (Offsets, Ids, Places) = (offsets, ids, places);

    /// <summary>Where the edges of each vertex begin, and where the last one's end.</summary>
    internal ulong[] Offsets { get; }

    /// <summary>The other ends.</summary>
    internal uint[] Ids { get; }

    /// <summary>Where each one's value is among all.</summary>
    internal ulong[] Places { get; }

    /// <summary>
    /// Edges that come in, edges that go out, and their values: in the order of those that come in, or, as the engine has them of a
    /// program that writes them, in that of those that go out.
    /// </summary>
    internal static (GraphEdges<TEdge> Incoming, GraphEdges<TEdge> Outgoing, TEdge[] Values) Of(
        int vertices, bool directed, bool writes, IReadOnlyList<(uint From, uint To, TEdge Value)> edges)
    {
        // An edge from a vertex to itself is there once also where edges have no direction.
        var all = directed ? edges : [.. edges, .. edges.Where(edge => edge.From != edge.To).Select(edge => (edge.To, edge.From, edge.Value))];
        int[] byTarget = Order(all, edge => edge.To, edge => edge.From);
        int[] bySource = Order(all, edge => edge.From, edge => edge.To);
        int[] order = writes ? bySource : byTarget;
        var place = new ulong[order.Length];
        for (int at = 0; at < order.Length; at++)
        {
            place[order[at]] = (ulong)at;
        }
        return (
            Sorted(vertices, byTarget.Select(edge => (all[edge].To, all[edge].From, place[edge]))),
            Sorted(vertices, bySource.Select(edge => (all[edge].From, all[edge].To, place[edge]))),
            [.. order.Select(edge => all[edge].Value)]);
    }

    /// <summary>The other ends of a vertex's edges.</summary>
    internal ReadOnlySpan<uint> At(uint vertex) =>
        Ids.AsSpan((int)Offsets[vertex], (int)(Offsets[vertex + 1] - Offsets[vertex]));

    // LINQ's sort keeps the order of equal ones.
    private static int[] Order(
        IReadOnlyList<(uint From, uint To, TEdge Value)> edges,
        Func<(uint From, uint To, TEdge Value), uint> major,
        Func<(uint From, uint To, TEdge Value), uint> minor) =>
        [.. Enumerable.Range(0, edges.Count).OrderBy(edge => major(edges[edge])).ThenBy(edge => minor(edges[edge]))];

    private static GraphEdges<TEdge> Sorted(int vertices, IEnumerable<(uint Major, uint Minor, ulong Place)> edges)
    {
        (uint Major, uint Minor, ulong Place)[] all = [.. edges];
        var offsets = new ulong[vertices + 1];
        foreach ((uint major, _, _) in all)
        {
            offsets[major + 1]++;
        }
        for (int vertex = 0; vertex < vertices; vertex++)
        {
            offsets[vertex + 1] += offsets[vertex];
        }
        return new(offsets, [.. all.Select(edge => edge.Minor)], [.. all.Select(edge => edge.Place)]);
    }
}
