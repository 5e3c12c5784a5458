using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.InteropServices;
using Upcall.Abi;
using Upcall.Graph;

namespace Upcall.Testing;

/// <summary>Has a program run over a graph in memory.</summary>
internal sealed unsafe class GraphEngine<TOwn, TShown, TEdge>(Driver driver) : Engine(driver)
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    private GraphEdges<TEdge> incoming = null!;
    private GraphEdges<TEdge> outgoing = null!;
    private GraphValues<TEdge> values = null!;
    private Described described = new();
    private bool directed;
    private TShown[] next = [];
    private bool[] scheduled = [];

    // The lists of edges as the engine's files have them: for a whole run.
    private Memory files = new();
    private (Edges Incoming, Edges Outgoing) lists;

    internal TOwn[] Own { get; private set; } = [];

    internal TShown[] Shown { get; private set; } = [];

    /// <summary>Of edges that the program writes, in the order of incoming ones.</summary>
    internal TEdge[] EdgeValues => described.Writes ? [.. incoming.Places.Select(place => values.Values[place])] : [];

    internal List<Iteration> Iterations { get; } = [];

    /// <summary>Vertices that add to one tally.</summary>
    internal int Block { get; set; } = 1024;

    /// <summary>Vertices of a frame: some blocks.</summary>
    internal int Frame { get; set; } = 2048;

    /// <summary>Room for scheduled vertices; null for as much as an engine gives.</summary>
    internal int? WokenRoom { get; set; }

    /// <summary>What a frame's places are relative to: 0 as in an engine's own process.</summary>
    internal ulong[] Bases { get; } = new ulong[4];

    protected override ushort Batch => Kind.Vertex;

    internal void Run(int vertices, bool directed, List<(uint, uint, TEdge)> edges, int iterations)
    {
        this.directed = directed;
        described = Describe();
        (incoming, outgoing, TEdge[] given) = GraphEdges<TEdge>.Of(vertices, directed, described.Writes, edges);
        values = new GraphValues<TEdge>(outgoing, given);
        Own = new TOwn[typeof(TOwn) == typeof(None) ? 0 : vertices];
        (Shown, next, scheduled) = (new TShown[vertices], new TShown[vertices], new bool[vertices]);
        Iterations.Clear();
        Open();
        using (files = new Memory())
        {
            Lay();
            Iterate(iterations);
        }
    }

    protected override Rel Add(Memory call, Memory lent)
    {
        VertexOpen* added = call.New<VertexOpen>();
        *added = new VertexOpen
        {
            Size = (uint)sizeof(VertexOpen),
            Directed = directed ? 1u : 0,
            Vertices = (ulong)next.Length,
            Edges = (ulong)incoming.Ids.Length,
        };
        return new Rel { Offset = (ulong)added, Len = (ulong)sizeof(VertexOpen) };
    }

    private void Iterate(int iterations)
    {
        (_, double total) = Frames(Phase.Start, 0, 0, 0, Enumerable.Range(0, next.Length));
        for (int number = 0; number < iterations; number++)
        {
            int[] due = Publish();
            if (described.Selective && due.Length == 0)
            {
                break;
            }
            Iterations.Add(Update(number, total, due));
            total = Iterations[^1].Total;
            if (described.Writes)
            {
                values.Advance();
                values.Values.CopyTo(new Span<TEdge>((void*)lists.Incoming.Values.Offset, values.Values.Length));
            }
            if (After(Iterations[^1]))
            {
                break;
            }
        }
        next.CopyTo(Shown, 0);
    }

    /// <summary>What vertices show is seen from now on; those that are to be updated.</summary>
    private int[] Publish()
    {
        next.CopyTo(Shown, 0);
        int[] due = [.. Enumerable.Range(0, next.Length).Where(vertex => !described.Selective || scheduled[vertex])];
        Array.Clear(scheduled);
        return due;
    }

    /// <summary>One iteration: all vertices are one interval, which is updated as often as the program says.</summary>
    private Iteration Update(int number, double total, int[] due)
    {
        long updated = 0;
        for (int pass = 0; ; pass++)
        {
            (double residual, double sum) = Frames(Phase.Update, number, pass, total, due);
            updated += due.Length;
            foreach (int vertex in due)
            {
                Wake((uint)vertex);
            }
            bool again = Again(new Interval(number, 0, next.Length, pass, due.Length, residual, sum));
            if (again && described.Writes)
            {
                throw new InvalidOperationException(
                    "run the program: it writes values of edges, which are seen in the next iteration: its updates are not repeated");
            }
            if (again)
            {
                due = Publish();
            }
            if (!again || (described.Selective && due.Length == 0))
            {
                int wanted = described.Selective ? scheduled.Count(one => one) : next.Length;
                return new Iteration(number, updated, wanted, residual, sum);
            }
        }
    }

    /// <summary>A vertex that shows something new schedules those that see it.</summary>
    private void Wake(uint vertex)
    {
        if (MemoryMarshal.AsBytes(next.AsSpan((int)vertex, 1)).SequenceEqual(MemoryMarshal.AsBytes(Shown.AsSpan((int)vertex, 1))))
        {
            return;
        }
        foreach (uint other in outgoing.At(vertex))
        {
            scheduled[other] = true;
        }
        if (described.Outgoing && directed)
        {
            foreach (uint other in incoming.At(vertex))
            {
                scheduled[other] = true;
            }
        }
    }

    /// <summary>Vertices in ascending order, by frames; what they add up.</summary>
    private (double Residual, double Total) Frames(
        uint phase, int iteration, int pass, double total, IEnumerable<int> vertices)
    {
        (double residual, double sum) = (0, 0);
        foreach (IGrouping<int, int> some in vertices.GroupBy(vertex => vertex / Frame))
        {
            uint[] ids = [.. some.Select(vertex => (uint)vertex)];
            foreach (VertexTally tally in Call(phase, iteration, pass, total, (uint)(some.Key * Frame), ids))
            {
                residual += tally.Residual;
                sum += tally.Total;
            }
        }
        return (residual, sum);
    }

    private VertexTally[] Call(uint phase, int iteration, int pass, double total, uint first, uint[] ids)
    {
        using var call = new Memory();
        VertexFrame* frame = call.New<VertexFrame>();
        Head(call, &frame->Head, Kind.Vertex, sizeof(VertexFrame));
        (frame->Phase, frame->Block, frame->Iteration, frame->Total) = (phase, (uint)Block, (ulong)iteration, total);
        (frame->First, frame->Count) = (first, (ulong)ids.Length);
        (frame->IntervalEnd, frame->Pass) = ((ulong)next.Length, (ulong)pass);
        bool apart = ids.Length < Math.Min(Frame, next.Length - (int)first);
        frame->Ids = apart ? Numbers(call, ids) : default;
        bool starts = phase == Phase.Start;
        if (Own.Length > 0)
        {
            frame->Own = Bytes<TOwn>(call, [.. ids.Select(id => Own[id])]);
        }
        frame->Before = starts ? default : Bytes<TShown>(call, [.. ids.Select(id => Shown[id])]);
        frame->Next = Bytes<TShown>(call, [.. ids.Select(id => Shown[id])]);
        frame->OutDegrees = Numbers(call, [.. ids.Select(id => (uint)outgoing.At(id).Length)]);
        frame->Shown = starts ? default : Bytes<TShown>(call, Shown);
        frame->Incoming = Of(call, lists.Incoming, incoming, ids, starts);
        bool looksOut = described.Outgoing || described.Writes;
        frame->Outgoing = looksOut ? Of(call, lists.Outgoing, outgoing, ids, starts) : default;
        frame->NextValues = described.Writes && !starts ? Bytes<TEdge>(call, values.Of(ids)) : default;
        if (described.Gathers is string by && !starts)
        {
            frame->Gathered = call.Bytes([.. ids.SelectMany(id => Gathered.Of<TShown>(by, SeenFrom(id)))]);
        }
        var tallies = new VertexTally[(Frame + Block - 1) / Block];
        frame->Tallies = new RelTally { Offset = (ulong)call.New<VertexTally>(tallies.Length), Len = (ulong)tallies.Length };
        int room = WokenRoom ?? ids.Sum(id => 1 + incoming.At(id).Length + outgoing.At(id).Length);
        frame->Woken = Numbers(call, new uint[described.Selective ? room : 0]);
        frame->ValueSize = Valued ? (uint)sizeof(TEdge) : 0;
        Shift(frame, 1);
        Status status = Call(&frame->Head);
        Shift(frame, -1);
        if (frame->Head.Error.Item != ErrorSlot.NoItem)
        {
            // For the test, which knows vertices.
            frame->Head.Error.Item = ids[frame->Head.Error.Item];
        }
        Check(status, &frame->Head, 0);
        Take(frame, ids);
        new ReadOnlySpan<VertexTally>((void*)frame->Tallies.Offset, tallies.Length).CopyTo(tallies);
        return tallies;
    }

    /// <summary>Has places be relative to the bases, or to 0 again.</summary>
    private void Shift(VertexFrame* frame, long times)
    {
        (ulong batch, ulong files) = (Bases[Base.Batch] * (ulong)times, Bases[Base.Files] * (ulong)times);
        (ulong columns, ulong output) = (Bases[Base.Columns] * (ulong)times, Bases[Base.Output] * (ulong)times);
        for (int at = 0; at < Bases.Length; at++)
        {
            frame->Head.Base[at] = times > 0 ? Bases[at] : 0;
        }
        frame->Head.Error.Text.Offset -= output;
        frame->Ids.Offset -= batch;
        frame->Own.Offset -= output;
        frame->Before.Offset -= batch;
        frame->Next.Offset -= output;
        frame->OutDegrees.Offset -= batch;
        frame->Shown.Offset -= columns;
        frame->Gathered.Offset -= batch;
        frame->Tallies.Offset -= output;
        frame->Woken.Offset -= output;
        frame->NextValues.Offset -= output;
        Shift(&frame->Incoming, files, columns);
        Shift(&frame->Outgoing, files, columns);
    }

    private static void Shift(Edges* edges, ulong files, ulong columns)
    {
        edges->Begins.Offset -= files;
        edges->Ends.Offset -= files;
        edges->Ids.Offset -= files;
        edges->At.Offset -= columns;
        edges->Values.Offset -= files;
        edges->Places.Offset -= files;
    }

    private static bool Valued => typeof(TEdge) != typeof(None);

    /// <summary>What came of a frame.</summary>
    private void Take(VertexFrame* frame, uint[] ids)
    {
        for (int index = 0; index < ids.Length; index++)
        {
            next[ids[index]] = ((TShown*)frame->Next.Offset)[index];
            if (Own.Length > 0)
            {
                Own[ids[index]] = ((TOwn*)frame->Own.Offset)[index];
            }
        }
        if (frame->NextValues.Len > 0)
        {
            int count = (int)frame->NextValues.Len / sizeof(TEdge);
            values.Set(ids, new((void*)frame->NextValues.Offset, count), scheduled);
        }
        foreach (uint vertex in new ReadOnlySpan<uint>((void*)frame->Woken.Offset, (int)frame->Wakes))
        {
            scheduled[vertex] = true;
        }
    }

    /// <summary>Whether the iteration was the last one.</summary>
    private bool After(Iteration iteration) => Ask(new VertexFrame
    {
        Phase = Phase.After,
        Iteration = (ulong)iteration.Number,
        Updated = (ulong)iteration.Updated,
        Scheduled = (ulong)iteration.Scheduled,
        Residual = iteration.Residual,
        Total = iteration.Total,
    });

    /// <summary>Whether the interval is to be updated again.</summary>
    private bool Again(Interval interval) => Ask(new VertexFrame
    {
        Phase = Phase.Interval,
        Iteration = (ulong)interval.Iteration,
        Updated = (ulong)interval.Updated,
        Residual = interval.Residual,
        Total = interval.Total,
        IntervalFirst = (ulong)interval.First,
        IntervalEnd = (ulong)interval.End,
        Pass = (ulong)interval.Pass,
    });

    /// <summary>What a program answers to a frame without vertices.</summary>
    private bool Ask(VertexFrame about)
    {
        using var call = new Memory();
        VertexFrame* frame = call.New<VertexFrame>();
        *frame = about;
        frame->Block = 1;
        Head(call, &frame->Head, Kind.Vertex, sizeof(VertexFrame));
        Check(Call(&frame->Head), &frame->Head, 0);
        return frame->Ended != 0;
    }

    private TShown[] SeenFrom(uint vertex)
    {
        var shown = new List<TShown>();
        foreach (uint other in incoming.At(vertex))
        {
            shown.Add(Shown[other]);
        }
        return [.. shown];
    }

    /// <summary>
    /// The graph's lists of edges: outgoing edges' values have places, unless edges have no direction, so that both are the same; of a
    /// program that writes them incoming ones' have.
    /// </summary>
    private void Lay()
    {
        Rel numbers = Valued ? Bytes<TEdge>(files, values.Values) : default;
        RelU32 ids = Numbers(files, incoming.Ids);
        lists.Incoming = new Edges { Ids = ids, At = ids, Values = numbers };
        ids = Numbers(files, outgoing.Ids);
        lists.Outgoing = new Edges { Ids = ids, At = ids, Values = numbers };
        if (described.Writes)
        {
            lists.Incoming.Places = Long(files, incoming.Places);
        }
        else if (Valued && directed)
        {
            lists.Outgoing.Places = Long(files, outgoing.Places);
        }
    }

    private static Edges Of(Memory call, Edges list, GraphEdges<TEdge> side, uint[] ids, bool starts)
    {
        Edges edges = starts ? default : list;
        edges.Begins = Long(call, [.. ids.Select(id => side.Offsets[id])]);
        edges.Ends = Long(call, [.. ids.Select(id => side.Offsets[id + 1])]);
        return edges;
    }

    private static Rel Bytes<T>(Memory memory, ReadOnlySpan<T> elements)
        where T : unmanaged => memory.Bytes(MemoryMarshal.AsBytes(elements));

    private static RelU32 Numbers(Memory memory, ReadOnlySpan<uint> elements) =>
        new() { Offset = Bytes(memory, elements).Offset, Len = (ulong)elements.Length };

    private static RelU64 Long(Memory memory, ReadOnlySpan<ulong> elements) =>
        new() { Offset = Bytes(memory, elements).Offset, Len = (ulong)elements.Length };
}
