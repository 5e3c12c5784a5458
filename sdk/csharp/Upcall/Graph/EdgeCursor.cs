using System;
using System.IO;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall.Graph;

/// <summary>The edges of a frame in one direction, and those of the vertex where the program stands.</summary>
internal sealed unsafe partial class EdgeCursor<TShown, TEdge>(FrameCursor vertex, string direction)
    where TShown : unmanaged
    where TEdge : unmanaged
{
    // Of the vertex. Where neighbours are not to be seen, there are 0.
    internal int Length;
    internal uint* At;
    internal ulong Begin;

    internal TShown* Shown;
    internal ulong ShownCount;
    internal ulong* Begins;
    internal ulong* Ends;
    internal uint* Ids;
    internal uint* AllAt;
    internal TEdge* Values;

    // Null where a value is at its edge's own place.
    internal ulong* Places;

    // Of a whole frame that is handed over at once.
    internal ulong WindowBegin;
    internal int WindowLength;

    private ulong values;
    private ulong edges;
    private ulong count;
    private nuint index;
    private bool seen;

    internal static bool Valued => typeof(TEdge) != typeof(None);

    internal string Direction => direction;

    internal ReadOnlySpan<TShown> AllShown => ShownCount <= int.MaxValue
        ? new(Shown, (int)ShownCount)
        : throw new InvalidOperationException(
            $"what {ShownCount} vertices show: a span holds {int.MaxValue}; derive from VertexProgram instead");

    /// <summary>Of the vertex, whether or not they are to be seen.</summary>
    internal long Degree => Begins == null
        ? throw new InvalidOperationException($"the engine does not say how many {direction} edges a vertex has")
        : (long)(Ends[index] - Begins[index]);

    internal void Take(VertexFrame* frame, Edges* of, bool seen)
    {
        count = frame->Count;
        edges = of->Ids.Len;
        this.seen = seen;
        if (seen || of->Begins.Len != 0)
        {
            if (of->Begins.Len < count || of->Ends.Len < count)
            {
                FrameCursor.Misfit();
            }
        }
        if (seen && of->At.Len < edges)
        {
            FrameCursor.Misfit();
        }
        ulong files = frame->Head.Base[Base.Files];
        ulong columns = frame->Head.Base[Base.Columns];
        Begins = of->Begins.Len == 0 ? null : (ulong*)(files + of->Begins.Offset);
        Ends = (ulong*)(files + of->Ends.Offset);
        Ids = (uint*)(files + of->Ids.Offset);
        AllAt = (uint*)(columns + of->At.Offset);
        Shown = (TShown*)(columns + frame->Shown.Offset);
        ShownCount = frame->Shown.Len / (ulong)sizeof(TShown);
        Values = (TEdge*)(files + of->Values.Offset);
        values = of->Values.Len / (ulong)sizeof(TEdge);
        Places = of->Places.Len == 0 ? null : (ulong*)(files + of->Places.Offset);
        if (seen && Valued && (Places == null ? values : of->Places.Len) < edges)
        {
            FrameCursor.Misfit();
        }
        (index, Length) = (0, 0);
        Next = null;
        TakeAhead(frame);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void MoveTo(nuint index)
    {
        this.index = index;
        if (seen)
        {
            ulong begin = Begins[index];
            ulong end = Ends[index];
            ulong length = end - begin;
            if (length > int.MaxValue || end > edges)
            {
                ThrowEdges(begin, end);
            }
            Begin = begin;
            At = AllAt + begin;
            Length = (int)length;
            if (end > due)
            {
                Ask(begin, end);
            }
        }
    }

    /// <summary>The edges from the first vertex's first to the last one's last.</summary>
    internal void TakeWindow(ulong vertices)
    {
        ulong begin = vertices == 0 ? 0 : Begins[0];
        ulong end = vertices == 0 ? 0 : Ends[vertices - 1];
        if (end - begin > int.MaxValue || end > edges)
        {
            ThrowEdges(begin, end);
        }
        (WindowBegin, WindowLength) = (begin, (int)(end - begin));
    }

    /// <summary>Which edges of the window are those of a vertex.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Range Of(int index)
    {
        if ((uint)index >= count)
        {
            ThrowVertex(index);
        }
        ulong begin = Begins[index] - WindowBegin;
        ulong end = Ends[index] - WindowBegin;
        if (begin > end || end > (uint)WindowLength)
        {
            ThrowEdges(Begins[index], Ends[index]);
        }
        return new Range((int)begin, (int)end);
    }

    /// <summary>The value of an edge, by its place in the arrays, which is within.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal TEdge ValueAt(ulong edge)
    {
        if (!Valued)
        {
            ThrowNoValues();
        }
        if (Places != null)
        {
            edge = Places[edge];
            if (edge >= values)
            {
                ThrowPlace(edge);
            }
        }
        return Values[edge];
    }

    /// <summary>Why there is no such neighbour.</summary>
    internal Exception NoNeighbour(int index)
    {
        string edges = $"{direction} neighbour {index} of vertex {vertex.Id}";
        if (vertex.Starts)
        {
            return new InvalidOperationException(
                $"{edges}: before the first iteration nobody shows anything; InDegree and OutDegree say how many there are");
        }
        if (!seen)
        {
            return new InvalidOperationException(
                $"{edges}: what neighbours show is gathered, and they are not there; a VertexProgram can look at them");
        }
        return new ArgumentOutOfRangeException(nameof(index), $"{edges}: it has {Length}, from 0 on");
    }

    // Methods that throw are one statement, by which the compiler sees that they do not return: else what a loop adds up would be
    // in memory because of the call.
    private void ThrowEdges(ulong begin, ulong end) => throw NoEdges(begin, end);

    private InvalidOperationException NoEdges(ulong begin, ulong end) => new(
        end > edges || end < begin || end - begin <= int.MaxValue
            ? $"the {direction} edges {begin} to {end} of a vertex are not among the frame's {edges}: the engine breaks the rules"
            : $"a vertex with {end - begin} {direction} edges: a program in C# can look at {int.MaxValue}");

    private void ThrowVertex(int index) => throw new ArgumentOutOfRangeException(
        nameof(index), $"the {direction} edges of vertex {index} of the interval: it has {count}, from 0 on");

    private void ThrowNoValues() => throw new InvalidOperationException(
        $"the value of an {direction} edge: the program does not declare any; make TEdge their type");

    private void ThrowPlace(ulong place) => throw new InvalidDataException(
        $"the value of an {direction} edge is at place {place} of {values}: the graph's file is damaged");
}
