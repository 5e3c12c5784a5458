using System;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall.Graph;

/// <summary>The values that a program sets.</summary>
internal sealed unsafe partial class EdgeCursor<TShown, TEdge>
{
    /// <summary>Where a frame ends that has the values; in a shorter one there are none.</summary>
    private const uint End = 512;

    // Of the vertex's edges. Null where they cannot be set.
    internal TEdge* Next;

    private TEdge* allNext;
    private ulong nextCount;

    /// <summary>Whether the program says that it sets the values of these edges.</summary>
    internal bool Written { get; set; }

    /// <summary>Of all vertices of a frame that is handed over at once.</summary>
    internal Span<TEdge> AllNext
    {
        get
        {
            const string What = "what values edges have from the next iteration on";
            if (Unwritten(What) is Exception unwritten)
            {
                throw unwritten;
            }
            return nextCount <= int.MaxValue
                ? new(allNext, (int)nextCount)
                : throw new InvalidOperationException(
                    $"{What}: a span holds {int.MaxValue}, and there are {nextCount}; derive from VertexProgram instead");
        }
    }

    /// <summary>Of a frame whose edges are taken, before the first vertex.</summary>
    internal void TakeNext(VertexFrame* frame)
    {
        Rel next = frame->Head.Size >= End ? frame->NextValues : default;
        ulong room = next.Len / (ulong)sizeof(TEdge);
        nextCount = 0;
        for (ulong index = 0; index < count; index++)
        {
            (ulong begin, ulong end) = (Begins[index], Ends[index]);
            if (begin > end || end > edges)
            {
                ThrowEdges(begin, end);
            }
            nextCount += end - begin;
            if (nextCount > room)
            {
                FrameCursor.Misfit();
            }
        }
        allNext = Next = (TEdge*)(frame->Head.Base[Base.Output] + next.Offset);
    }

    /// <summary>Behind the values of the vertex's edges are those of the next one's.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void PassNext() => Next += Length;

    /// <summary>Why the value of the edge to a neighbour cannot be set.</summary>
    internal Exception NotSet(int index) =>
        Unwritten($"set the value of the edge to {direction} neighbour {index} of vertex {vertex.Id}") ?? NoNeighbour(index);

    private InvalidOperationException? Unwritten(string what)
    {
        string? why = direction == "incoming" ? "values are set on outgoing edges"
            : !Written ? "the program does not declare that it sets them; override Writes to be true"
            : vertex.Starts ? "values are set in Update, not at the start"
            : null;
        return why == null ? null : new($"{what}: {why}");
    }
}
