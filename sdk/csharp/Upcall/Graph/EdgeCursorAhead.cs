using System;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics.X86;
using Upcall.Abi;

namespace Upcall.Graph;

/// <summary>
/// What neighbours show, or edges' values where the program sets these, is asked for before it looks at it: it lies anywhere, and a core
/// has few look-ups under way.
/// </summary>
internal sealed unsafe partial class EdgeCursor<TShown, TEdge>
{
    /// <summary>Of how many edges at a time, at least and at most: what a core's own cache holds.</summary>
    private const ulong Least = 1024;
    private const ulong Most = 4096;

    /// <summary>How many edges before the last of those that were asked for the next ones are.</summary>
    private const ulong Lead = 256;

    // The edges before were asked for.
    private ulong asked;

    // With which edge the next ones are asked for; the largest number there is where none are.
    private ulong due;

    // Where the last vertex's edges end; 0 where those behind a vertex are not the next one's.
    private ulong last;

    /// <summary>Whether the program looks at these edges.</summary>
    internal bool Asks { get; set; }

    /// <summary>Whether it looks at their values, and not at what neighbours show: it does where it sets values.</summary>
    internal bool Weighs { get; set; }

    private void TakeAhead(VertexFrame* frame)
    {
        (asked, due, last) = (0, ulong.MaxValue, 0);
        if (!Sse.IsSupported || !seen || !Asks || (Weighs && Places == null) || count == 0)
        {
            return;
        }
        due = 0;
        ulong span = count;
        if (frame->Ids.Len >= count)
        {
            uint* ids = (uint*)(frame->Head.Base[Base.Batch] + frame->Ids.Offset);
            span = (ulong)ids[count - 1] - ids[0] + 1;
        }
        if (count >= span / 4)
        {
            last = Math.Min(Ends[count - 1], edges);
        }
    }

    /// <summary>Asks for what is looked up of a vertex's edges, which are within, and of those behind it.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Ask(ulong begin, ulong end)
    {
        ulong from = Math.Max(asked, begin);
        ulong to = Math.Min(Math.Max(end, Math.Min(from + Least, last)), from + Most);
        if (Weighs)
        {
            for (ulong edge = from; edge < to; edge++)
            {
                Sse.Prefetch0(Values + Places[edge]);
            }
        }
        else
        {
            for (ulong edge = from; edge < to; edge++)
            {
                Sse.Prefetch0(Shown + AllAt[edge]);
            }
        }
        asked = to;
        due = to > from + Lead ? to - Lead : to;
    }
}
