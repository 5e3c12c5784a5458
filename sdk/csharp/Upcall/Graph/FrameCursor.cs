using System;
using System.Numerics;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall.Graph;

/// <summary>
/// Where a program stands in its current frame: what does not depend on the types of values. One per instance, as vertices are
/// cursors: nothing is allocated for a vertex or an edge.
/// </summary>
internal abstract unsafe class FrameCursor(Log log)
{
    /// <summary>Not at a vertex; as a number of 32 bits it is <see cref="ErrorSlot.NoItem"/>.</summary>
    internal static nuint Nowhere => nuint.MaxValue;

    internal readonly Log Log = log;

    private VertexFrame* frame;
    private uint* woken;
    private VertexTally* tallies;
    private int shift;

    // Of the vertex; null where there is none.
    private VertexTally* tally;
    private ulong block;

    /// <summary>The vertex's number.</summary>
    internal ulong Id;

    internal long Vertices { get; private set; }

    internal long Edges { get; private set; }

    internal bool Directed { get; private set; }

    internal long Iteration { get; private set; }

    internal double Total { get; private set; }

    /// <summary>The number of the first vertex of the first block.</summary>
    protected ulong First { get; private set; }

    /// <summary>Whether vertices have not yet begun.</summary>
    internal bool Starts { get; private set; }

    /// <summary>OPEN: the graph.</summary>
    internal void Open(GraphOpenContext open) =>
        (Vertices, Edges, Directed) = (open.Vertices, open.Edges, open.Directed);

    /// <summary>A frame with vertices.</summary>
    protected void Take(VertexFrame* frame)
    {
        if (!BitOperations.IsPow2(frame->Block))
        {
            Misfit();
        }
        this.frame = frame;
        ulong output = frame->Head.Base[Base.Output];
        woken = (uint*)(output + frame->Woken.Offset);
        tallies = (VertexTally*)(output + frame->Tallies.Offset);
        shift = BitOperations.TrailingZeroCount(frame->Block);
        tally = null;
        block = ulong.MaxValue;
        (Iteration, Total, First) = ((long)frame->Iteration, frame->Total, frame->First);
        Starts = frame->Phase == Phase.Start;
    }

    /// <summary>At a vertex, which adds to the tally of its block.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    protected void AddAs(ulong id)
    {
        Id = id;
        ulong block = (id - First) >> shift;
        if (block != this.block)
        {
            tally = TallyOf(block);
            this.block = block;
        }
    }

    /// <summary>What the vertex adds to.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref VertexTally Tally()
    {
        if (tally == null)
        {
            ThrowNoVertex();
        }
        return ref *tally;
    }

    /// <summary>What a vertex adds to.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ref VertexTally TallyFor(ulong id) => ref *TallyOf((id - First) >> shift);

    /// <summary>Has a vertex updated in the next iteration.</summary>
    internal void Schedule(long id)
    {
        if ((ulong)id >= (ulong)Vertices)
        {
            throw new ArgumentOutOfRangeException(
                nameof(id), $"schedule vertex {id}: the graph has {Vertices} vertices, from 0 on");
        }
        if (frame->Wakes >= frame->Woken.Len && !MakeRoom((uint)id))
        {
            return;
        }
        woken[frame->Wakes++] = (uint)id;
    }

    internal static void Misfit() => throw new InvalidOperationException(
        "the frame's arrays are not as long as its vertices and edges ask for: the engine breaks the rules");

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private VertexTally* TallyOf(ulong block)
    {
        if (block >= frame->Tallies.Len)
        {
            Misfit();
        }
        return tallies + block;
    }

    /// <summary>Forgets what is there twice; false if the vertex is there already.</summary>
    private bool MakeRoom(uint id)
    {
        var all = new Span<uint>(woken, (int)Math.Min(frame->Wakes, int.MaxValue));
        all.Sort();
        int kept = 0;
        foreach (uint vertex in all)
        {
            if (kept == 0 || vertex != all[kept - 1])
            {
                all[kept++] = vertex;
            }
        }
        frame->Wakes = (ulong)kept;
        if (all[..kept].BinarySearch(id) >= 0)
        {
            return false;
        }
        if (frame->Wakes >= frame->Woken.Len)
        {
            throw new InvalidOperationException(frame->Woken.Len == 0
                ? $"schedule vertex {id}: the program updates all vertices in each iteration; override Selective to be true"
                : $"schedule vertex {id}: this frame's vertices have scheduled {kept} others already, and there is no room for "
                    + "more: a vertex may schedule itself and as many others as it has neighbours");
        }
        return true;
    }

    private static void ThrowNoVertex() => throw new InvalidOperationException(
        "add to a sum for a whole interval: each vertex adds for itself; use the methods of the interval's vertices");
}
