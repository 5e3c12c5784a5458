using System;
using System.Runtime.CompilerServices;
using Upcall.Abi;

namespace Upcall.Graph;

/// <summary>Where a program stands in its current frame, and what is there.</summary>
internal sealed unsafe class VertexCursor<TOwn, TShown, TEdge> : FrameCursor
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    internal readonly EdgeCursor<TShown, TEdge> Incoming;
    internal readonly EdgeCursor<TShown, TEdge> Outgoing;

    internal nuint Index = Nowhere;
    internal TOwn* Own;
    internal TShown* Before;
    internal TShown* Next;

    private uint* ids;
    private uint* outDegrees;
    private nuint count;

    /// <summary>Whether the program looks at outgoing edges; else it must not.</summary>
    internal bool LooksOut;

    /// <summary>Whether what incoming neighbours show comes gathered; then these are not to be seen.</summary>
    internal bool Gathers;

    internal VertexCursor(Log log)
        : base(log)
    {
        Incoming = new EdgeCursor<TShown, TEdge>(this, "incoming");
        Outgoing = new EdgeCursor<TShown, TEdge>(this, "outgoing");
    }

    internal static bool Keeps => typeof(TOwn) != typeof(None);

    internal nuint Count => count;

    internal long OutDegree => outDegrees[Index];

    internal ReadOnlySpan<uint> OutDegrees => new(outDegrees, (int)count);

    /// <summary>What vertices keep to themselves.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal TOwn* Kept()
    {
        if (!Keeps)
        {
            ThrowKeepsNothing();
        }
        return Own;
    }

    /// <summary>The outgoing edges, at which the program looks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal EdgeCursor<TShown, TEdge> LooksAt()
    {
        if (!LooksOut)
        {
            ThrowLooksIn();
        }
        return Outgoing;
    }

    internal new void Take(VertexFrame* frame)
    {
        base.Take(frame);
        Index = Nowhere;
        ulong batch = frame->Head.Base[Base.Batch];
        ulong output = frame->Head.Base[Base.Output];
        ulong count = frame->Count;
        if ((frame->Ids.Len != 0 && frame->Ids.Len < count)
            || count > uint.MaxValue
            || frame->OutDegrees.Len < count
            || frame->Next.Len < count * (ulong)sizeof(TShown)
            || (!Starts && frame->Before.Len < count * (ulong)sizeof(TShown))
            || (Keeps && frame->Own.Len < count * (ulong)sizeof(TOwn)))
        {
            Misfit();
        }
        this.count = (nuint)count;
        ids = frame->Ids.Len == 0 ? null : (uint*)(batch + frame->Ids.Offset);
        outDegrees = (uint*)(batch + frame->OutDegrees.Offset);
        Own = (TOwn*)(output + frame->Own.Offset);
        Next = (TShown*)(output + frame->Next.Offset);
        Before = Starts ? null : (TShown*)(batch + frame->Before.Offset);
        Incoming.Take(frame, &frame->Incoming, seen: !Starts && !Gathers);
        if (LooksOut)
        {
            Outgoing.Take(frame, &frame->Outgoing, seen: !Starts);
        }
        if (Outgoing.Written && !Starts)
        {
            Outgoing.TakeNext(frame);
        }
    }

    /// <summary>The number of a vertex of the frame.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal ulong IdAt(nuint index) => ids == null ? First + index : ids[index];

    /// <summary>At a vertex of the frame: at one after the other, from the first on.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void MoveTo(nuint index)
    {
        Index = index;
        AddAs(IdAt(index));
        Incoming.MoveTo(index);
        if (LooksOut)
        {
            if (Outgoing.Written)
            {
                Outgoing.PassNext();
            }
            Outgoing.MoveTo(index);
        }
    }

    /// <summary>What vertices begin with that begin with nothing else.</summary>
    internal void Clear()
    {
        if (Keeps)
        {
            Clear(Own);
        }
        Clear(Next);
    }

    private static void ThrowKeepsNothing() => throw new InvalidOperationException(
        "what a vertex keeps to itself: the program does not declare it; make TOwn its type");

    private static void ThrowLooksIn() => throw new InvalidOperationException(
        "outgoing edges: the program does not declare that it looks at them; override Outgoing to be true, or Writes if it sets their "
            + "values");

    private void Clear<T>(T* values)
        where T : unmanaged
    {
        for (nuint index = 0; index < count; index++)
        {
            values[index] = default;
        }
    }
}
