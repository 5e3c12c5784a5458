using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;

namespace Upcall.Testing;

/// <summary>The values of a graph's edges, which a program sets: those of the last iteration, and those of the next.</summary>
internal sealed class GraphValues<TEdge>
    where TEdge : unmanaged
{
    private readonly GraphEdges<TEdge> outgoing;
    private readonly TEdge[] next;

    internal GraphValues(GraphEdges<TEdge> outgoing, TEdge[] values) =>
        (this.outgoing, Values, next) = (outgoing, values, (TEdge[])values.Clone());

    /// <summary>Those of the last iteration, in the order of outgoing edges.</summary>
    internal TEdge[] Values { get; }

    /// <summary>What the outgoing edges of some vertices have, one vertex's behind those of the one before.</summary>
    internal TEdge[] Of(uint[] vertices)
    {
        var values = new List<TEdge>();
        foreach (uint vertex in vertices)
        {
            values.AddRange(Values.AsSpan((int)outgoing.Offsets[vertex], outgoing.At(vertex).Length));
        }
        return [.. values];
    }

    /// <summary>What these are from the next iteration on; whoever is at the other end of a changed one is scheduled for it.</summary>
    internal void Set(uint[] vertices, ReadOnlySpan<TEdge> values, bool[] scheduled)
    {
        int at = 0;
        foreach (uint vertex in vertices)
        {
            ReadOnlySpan<uint> others = outgoing.At(vertex);
            ulong place = outgoing.Offsets[vertex];
            for (int edge = 0; edge < others.Length; edge++, at++, place++)
            {
                next[place] = values[at];
                scheduled[others[edge]] |= !Bits(values.Slice(at, 1)).SequenceEqual(Bits(new(in Values[place])));
            }
        }
    }

    /// <summary>An iteration has ended.</summary>
    internal void Advance() => next.CopyTo(Values, 0);

    private static ReadOnlySpan<byte> Bits(ReadOnlySpan<TEdge> values) => MemoryMarshal.AsBytes(values);
}
