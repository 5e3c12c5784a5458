using System;
using System.Linq;
using Upcall.Abi;
using Upcall.Graph;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Programs that set the values of edges.</summary>
public sealed unsafe class GraphWritesTests
{
    private delegate void Does(GraphProgram<double, double, double>.Vertex vertex, GraphContext context);

    private delegate void AtOnce(GraphProgram<double, double, double>.Vertices vertices);

    private delegate void Change(VertexFrame* frame);

    // Two edges from 0 to 1, one from 1 to itself, none from 3.
    private static readonly (int From, int To, double Value)[] Twice =
        [(0, 1, 5), (2, 0, 9), (0, 1, 6), (1, 1, 7), (1, 0, 8), (1, 2, 3)];

    [Test]
    public void What_it_says_is_that_it_writes()
    {
        using var writes = new GraphHarness<double, double, double>(new RanksByEdges(), 1);
        Described one = writes.Describe();
        Expect.Equal((true, false, false), (one.Writes, one.Outgoing, one.Selective));
        using var reads = new GraphHarness<None, ulong, None>(new Least(), 1);
        Expect.Equal(false, reads.Describe().Writes);
        reads.Run();
        Expect.Equal(0, reads.EdgeValues.Length);
    }

    [Test]
    public void Ranks_that_travel_as_values_of_edges_are_the_same_bits_one_iteration_later()
    {
        const int Vertices = 100;
        (int, int)[] edges = [.. Enumerable.Range(0, Vertices).Where(vertex => vertex % 7 != 0)
            .SelectMany(vertex => Enumerable.Range(1, vertex % 5 + 1).Select(n => (vertex, (vertex * 37 + n * n * 11) % Vertices)))];
        foreach ((int frame, int block) in ((int, int)[])[(2048, 1024), (8, 8), (32, 4)])
        {
            foreach (int iterations in (int[])[0, 1, 10])
            {
                (double[] own, double[] shares) = Ranked.By(Vertices, edges, iterations, block);
                foreach (GraphProgram<double, double, double> program in (GraphProgram<double, double, double>[])[
                    new RanksByEdges(), new RanksByEdgesAtOnce()])
                {
                    using var harness = new GraphHarness<double, double, double>(program, Vertices).Edges(edges);
                    (harness.Engine.Frame, harness.Engine.Block) = (frame, block);
                    ((ulong[])[0x1000, 0x22000, 0x333000, 0x4444000]).CopyTo(harness.Engine.Bases, 0);
                    harness.Run(iterations + 1);
                    string which = $"{program.GetType().Name}, {frame} and {block}";
                    Expect.Equal(true, harness.Own.AsSpan().SequenceEqual(own), which);
                    double[] values = [.. edges.OrderBy(edge => edge.Item2).ThenBy(edge => edge.Item1).Select(edge => shares[edge.Item1])];
                    Expect.Equal(true, harness.EdgeValues.AsSpan().SequenceEqual(values), $"values of {which}");
                }
            }
        }
    }

    [Test]
    public void A_value_is_seen_by_both_ends_from_the_next_iteration_on()
    {
        string[] seen = new string[4];
        Does says = (vertex, context) =>
        {
            var outgoing = vertex.Outgoing;
            for (int index = 0; index < outgoing.Length; index++)
            {
                outgoing.SetValue(index, 100 * (context.Iteration + 1) + 10 * vertex.Id + index);
            }
            // Still what it was.
            seen[vertex.Id] = Seen(vertex);
        };
        using var harness = Graph(new Program { Updates = says });
        harness.Run(1);
        Expect.Equal("<1 8 <2 9 >1 5 >1 6; <0 5 <0 6 <1 7 >0 8 >1 7 >2 3; <1 3 >0 9; ", string.Join("; ", seen));
        Expect.Equal("110 120 100 101 111 112", string.Join(' ', harness.EdgeValues));
        // Again, from the start.
        harness.Run(2);
        Expect.Equal("<1 110 <2 120 >1 100 >1 101; <0 100 <0 101 <1 111 >0 110 >1 111 >2 112; <1 112 >0 120; ", string.Join("; ", seen));
        Expect.Equal("210 220 200 201 211 212", string.Join(' ', harness.EdgeValues));
    }

    [Test]
    public void An_edge_without_a_direction_has_a_value_in_each()
    {
        string[] seen = new string[4];
        Does says = (vertex, context) =>
        {
            var outgoing = vertex.Outgoing;
            for (int index = 0; index < outgoing.Length; index++)
            {
                outgoing.SetValue(index, 10 * vertex.Id + index);
            }
            seen[vertex.Id] = Seen(vertex);
        };
        using var harness = new GraphHarness<double, double, double>(new Program { Updates = says }, 4)
            .Undirected().Edge(0, 1, 1).Edge(1, 2, 2).Edge(0, 1, 3).Edge(2, 2, 4);
        harness.Run(1);
        Expect.Equal("<1 1 <1 3 >1 1 >1 3; <0 1 <0 3 <2 2 >0 1 >0 3 >2 2; <1 2 <2 4 >1 2 >2 4; ", string.Join("; ", seen));
        Expect.Equal("10 11 0 1 20 12 21", string.Join(' ', harness.EdgeValues));
        harness.Run(2);
        Expect.Equal("<1 10 <1 11 >1 0 >1 1; <0 0 <0 1 <2 20 >0 10 >0 11 >2 12; <1 12 <2 21 >1 20 >2 21; ", string.Join("; ", seen));
    }

    [Test]
    public void What_is_not_set_stays()
    {
        using var harness = Graph(new Program
        {
            Updates = (vertex, context) =>
            {
                if (context.Iteration == 1 && vertex.Id == 0)
                {
                    vertex.Outgoing.SetValue(1, -1);
                }
            },
        });
        harness.Run(0);
        Expect.Equal("8 9 5 6 7 3", string.Join(' ', harness.EdgeValues));
        harness.Run(4);
        Expect.Equal("8 9 5 -1 7 3", string.Join(' ', harness.EdgeValues));
    }

    [Test]
    public void Who_is_at_the_other_end_of_a_changed_value_is_updated()
    {
        // Distances that edges carry: 0 has not been told of any.
        Does tells = (vertex, context) =>
        {
            double nearest = vertex.Id == 0 ? 0 : double.PositiveInfinity;
            for (int index = 0; index < vertex.Incoming.Length; index++)
            {
                double told = vertex.Incoming.Value(index);
                nearest = told == 0 ? nearest : Math.Min(nearest, told);
            }
            for (int index = 0; index < vertex.Outgoing.Length; index++)
            {
                vertex.Outgoing.SetValue(index, nearest + 1);
            }
            vertex.Own = nearest;
        };
        var program = new Program { Updates = tells, IsSelective = true };
        using var harness = new GraphHarness<double, double, double>(program, 12)
            .Edges((0, 4), (4, 9), (9, 2), (0, 2), (2, 0), (2, 11), (3, 4));
        (harness.Engine.Frame, harness.Engine.Block) = (4, 2);
        harness.Run();
        Expect.Equal("0 0 1 0 1 0 0 0 0 2 0 2", string.Join(' ', harness.Own));
        Expect.Equal("2 1 3 1 0 2 2", string.Join(' ', harness.EdgeValues));
        // 0; 2 and 4; 0, 9 and 11; 2, which 9 tells of another way; and nobody, as a value that is as it was wakes nobody.
        Expect.Equal("1 2 3 1", string.Join(' ', harness.Iterations.Select(one => one.Updated)));
    }

    [Test]
    public void Who_writes_is_woken_by_what_its_incoming_neighbours_show_and_who_looks_out_by_the_others_too()
    {
        foreach ((bool looks, string updated) in ((bool, string)[])[(false, "1 1"), (true, "1 2 1")])
        {
            var program = new Program { IsSelective = true, LooksOut = looks, Updates = (vertex, _) => vertex.Show(1) };
            // Vertex 0 is updated at first.
            using var harness = new GraphHarness<double, double, double>(program, 3).Edges((1, 0), (0, 2));
            harness.Run();
            Expect.Equal(updated, string.Join(' ', harness.Iterations.Select(one => one.Updated)));
        }
    }

    [Test]
    public void What_cannot_be_set_is_an_error_that_names_the_vertex()
    {
        foreach (int index in (int[])[3, -1, int.MaxValue, int.MinValue])
        {
            Expect.Holds(
                $"outgoing neighbour {index} of vertex 1: it has 3, from 0 on",
                Fails((vertex, _) => vertex.Outgoing.SetValue(index, 1)));
        }
        Expect.Holds(
            "set the value of the edge to incoming neighbour 0 of vertex 1: values are set on outgoing edges",
            Fails((vertex, _) => vertex.Incoming.SetValue(0, 1)));
        Expect.Holds("override Writes to be true", Fails((vertex, _) => vertex.Outgoing.SetValue(0, 1), writes: false));
        Expect.Holds("values are set in Update, not at the start", Starts((vertex, _) => vertex.Outgoing.SetValue(0, 1)));
    }

    [Test]
    public void An_interval_has_values_to_set_of_outgoing_edges_only_if_it_declares_so()
    {
        Expect.Holds("values are set on outgoing edges", Fails(vertices => vertices.Incoming.NextValues.Clear()));
        Expect.Holds("override Writes to be true", Fails(vertices => vertices.Outgoing.NextValues.Clear(), writes: false));
    }

    [Test]
    public void Values_of_an_interval_lie_close_whatever_vertices_it_has()
    {
        using var harness = Graph(new Programs
        {
            IsSelective = true,
            Updates = vertices =>
            {
                Span<double> next = vertices.Outgoing.NextValues;
                // Those of vertex 0 and of vertex 2, without those of vertex 1 between them.
                Expect.Equal((2, 6, 3), (vertices.Length, vertices.Outgoing.Length, next.Length));
                Expect.Equal("5 6 9", string.Join(' ', next.ToArray()));
                next[1] = 60;
                next[2] = 90;
            },
        });
        harness.Run(1);
        Expect.Equal("8 90 5 60 7 3", string.Join(' ', harness.EdgeValues));
        Expect.Equal(2L, harness.Iterations[0].Scheduled);
    }

    [Test]
    public void Who_writes_values_declares_their_type()
    {
        using var harness = new GraphHarness<None, int, None>(new Untyped(), 1);
        const string Wanted = "Untyped writes values of edges: make TEdge of a VertexProgram or an IntervalProgram their type";
        Expect.Holds(Wanted, Expect.Throws<HandlerFailedException>(() => harness.Describe()).Message);
        using var call = new Memory();
        OpenFrame* open = call.New<OpenFrame>();
        Testing.Engine.Head(call, &open->Head, Kind.Open, sizeof(OpenFrame));
        open->Batch = Kind.Vertex;
        Expect.Equal(Status.Failed, harness.Engine.Call(&open->Head));
        Expect.Holds(Wanted, Testing.Engine.Failed(&open->Head, 0).Message);
    }

    [Test]
    public void A_frame_without_room_for_the_values_is_refused_and_nothing_is_written()
    {
        using var harness = Graph(new Program { Updates = (vertex, _) => vertex.Outgoing.SetValue((int)vertex.OutDegree - 1, 1) });
        harness.Run(0);
        Expect.Equal(("", "2 1 3 1 "), Answer(harness, _ => { }));
        Change[] changes =
        [
            frame => frame->NextValues.Len -= 8, frame => frame->NextValues.Len = 0, frame => frame->Head.Size = 496,
            frame => frame->Outgoing.Ends.Len = 0,
        ];
        foreach (Change change in changes)
        {
            (string answer, string values) = Answer(harness, change);
            Expect.Holds("the engine breaks the rules", answer);
            Expect.Equal("2 2 3 3 ", values);
        }
        foreach ((int vertex, ulong end) in ((int, ulong)[])[(0, 5), (1, 1)])
        {
            (string answer, string values) = Answer(harness, frame => ((ulong*)frame->Outgoing.Ends.Offset)[vertex] = end);
            Expect.Holds("are not among the frame's 4", answer);
            Expect.Equal("2 2 3 3 ", values);
        }
    }

    [Test]
    public void A_shorter_frame_is_enough_for_who_does_not_write()
    {
        using var harness = Graph(new Program { IsWriting = false });
        harness.Run(0);
        Expect.Equal(("", "2 2 3 3 "), Answer(harness, frame => frame->Head.Size = 496));
    }

    private static string Seen(GraphProgram<double, double, double>.Vertex vertex)
    {
        string seen = "";
        for (int index = 0; index < vertex.Incoming.Length; index++)
        {
            seen += $"<{vertex.Incoming.Id(index)} {vertex.Incoming.Value(index)} ";
        }
        for (int index = 0; index < vertex.Outgoing.Length; index++)
        {
            seen += $">{vertex.Outgoing.Id(index)} {vertex.Outgoing.Value(index)} ";
        }
        return seen.TrimEnd();
    }

    private static GraphHarness<double, double, double> Graph(GraphProgram<double, double, double> program)
    {
        var harness = new GraphHarness<double, double, double>(program, 4);
        foreach ((int from, int to, double value) in Twice)
        {
            harness.Edge(from, to, value);
        }
        return harness;
    }

    /// <summary>What a program fails with at vertex 1.</summary>
    private static string Fails(Does does, bool writes = true) => Fails(
        new Program { IsWriting = writes, LooksOut = true, Updates = (vertex, context) => AtOne(does, vertex, context) }, 1);

    private static string Starts(Does does) =>
        Fails(new Program { Begins = (vertex, context) => AtOne(does, vertex, context) }, 1);

    private static string Fails(AtOnce does, bool writes = true) =>
        Fails(new Programs { IsWriting = writes, LooksOut = true, Updates = does }, null);

    private static string Fails(GraphProgram<double, double, double> program, int? vertex)
    {
        using var harness = Graph(program);
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Run(1));
        Expect.Equal(vertex, failure.Item);
        return failure.Message;
    }

    private static void AtOne(Does does, GraphProgram<double, double, double>.Vertex vertex, GraphContext context)
    {
        if (vertex.Id == 1)
        {
            does(vertex, context);
        }
    }

    /// <summary>
    /// What is answered to a frame of two vertices with two outgoing edges each, and what these have then, when this is changed.
    /// </summary>
    private static (string Answer, string Values) Answer(GraphHarness<double, double, double> harness, Change change)
    {
        using var call = new Memory();
        VertexFrame* frame = call.New<VertexFrame>();
        Testing.Engine.Head(call, &frame->Head, Kind.Vertex, sizeof(VertexFrame));
        (frame->Phase, frame->Block, frame->Count) = (Phase.Update, 2, 2);
        var numbers = new RelU32 { Offset = (ulong)call.New<uint>(4), Len = 4 };
        var values = new Rel { Offset = (ulong)call.New<double>(4), Len = 32 };
        ulong* begins = call.New<ulong>(2);
        ulong* ends = call.New<ulong>(2);
        (begins[1], ends[0], ends[1]) = (2, 2, 4);
        uint* degrees = call.New<uint>(2);
        (degrees[0], degrees[1]) = (2, 2);
        (frame->Own, frame->Before, frame->Next, frame->Shown) = (values, values, values, values);
        frame->OutDegrees = new RelU32 { Offset = (ulong)degrees, Len = 2 };
        frame->Outgoing = new Edges
        {
            Begins = new RelU64 { Offset = (ulong)begins, Len = 2 },
            Ends = new RelU64 { Offset = (ulong)ends, Len = 2 },
            Ids = numbers,
            At = numbers,
            Values = values,
        };
        frame->Incoming = frame->Outgoing;
        // One more behind them than there is room for.
        double* next = call.New<double>(5);
        (next[0], next[1], next[2], next[3], next[4]) = (2, 2, 3, 3, 0);
        frame->NextValues = new Rel { Offset = (ulong)next, Len = 32 };
        frame->Tallies = new RelTally { Offset = (ulong)call.New<VertexTally>(2), Len = 2 };
        change(frame);
        Status status = harness.Engine.Call(&frame->Head);
        Expect.Equal(0.0, next[4]);
        string answer = status == Status.Ok ? "" : Testing.Engine.Failed(&frame->Head, 0).Message;
        return (answer, $"{next[0]} {next[1]} {next[2]} {next[3]} ");
    }

    private sealed class Program : VertexProgram<double, double, double>
    {
        public bool IsWriting { get; init; } = true;

        public bool IsSelective { get; init; }

        public bool LooksOut { get; init; }

        public Does? Begins { get; init; }

        public Does? Updates { get; init; }

        public override bool Writes => IsWriting;

        public override bool Selective => IsSelective;

        public override bool Outgoing => LooksOut;

        public override void Start(Vertex vertex, GraphContext context)
        {
            if (IsSelective && vertex.Id == 0)
            {
                vertex.Schedule();
            }
            Begins?.Invoke(vertex, context);
        }

        public override void Update(Vertex vertex, GraphContext context) => Updates?.Invoke(vertex, context);
    }

    private sealed class Programs : IntervalProgram<double, double, double>
    {
        public bool IsWriting { get; init; } = true;

        public bool IsSelective { get; init; }

        public bool LooksOut { get; init; }

        public required AtOnce Updates { get; init; }

        public override bool Writes => IsWriting;

        public override bool Selective => IsSelective;

        public override bool Outgoing => LooksOut;

        public override void Start(Vertex vertex, GraphContext context)
        {
            if (IsSelective && vertex.Id % 2 == 0)
            {
                vertex.Schedule();
            }
        }

        public override void Interval(Vertices vertices, GraphContext context) => Updates(vertices);
    }

    private sealed class Untyped : VertexProgram<None, int, None>
    {
        public override bool Writes => true;

        public override void Update(Vertex vertex, GraphContext context)
        {
        }
    }
}
