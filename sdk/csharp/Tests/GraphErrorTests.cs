using System;
using System.Linq;
using Upcall.Abi;
using Upcall.Graph;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>What programs of vertices must not do, and frames that they are not to read.</summary>
public sealed unsafe class GraphErrorTests
{
    private delegate void Does(GraphProgram<None, float, None>.Vertex vertex, GraphContext context);

    [Test]
    public void A_neighbour_that_is_not_there_is_an_error_that_names_the_vertex()
    {
        foreach (int index in (int[])[2, -1, int.MaxValue, int.MinValue])
        {
            string of = $"incoming neighbour {index} of vertex 3: it has 2, from 0 on";
            Expect.Holds(of, Fails((vertex, _) => vertex.Incoming.Shown(index)));
            Expect.Holds(of, Fails((vertex, _) => vertex.Incoming.Id(index)));
            Expect.Holds(of, Fails((vertex, _) => vertex.Incoming.Value(index)));
        }
    }

    [Test]
    public void What_is_not_declared_is_an_error_that_says_what_to_do()
    {
        Expect.Holds("make TOwn its type", Fails((vertex, _) => vertex.Own.ToString()));
        Expect.Holds("make TEdge their type", Fails((vertex, _) => vertex.Incoming.Value(0)));
        Expect.Holds("override Outgoing to be true", Fails((vertex, _) => vertex.Outgoing.Shown(0)));
        Expect.Holds("override Selective to be true", Fails((vertex, _) => vertex.Schedule()));
    }

    [Test]
    public void Scheduling_what_is_not_there_names_it_and_how_many_there_are()
    {
        foreach (long id in (long[])[4, -1, uint.MaxValue, 1L << 32])
        {
            Expect.Holds($"schedule vertex {id}: the graph has 4 vertices, from 0 on", Fails((vertex, _) => vertex.Schedule(id)));
        }
    }

    [Test]
    public void Before_the_first_iteration_no_neighbour_is_seen()
    {
        using var harness = new GraphHarness<None, double, None>(new LooksTooSoon(), 3).Edges((0, 1));
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Run());
        Expect.Holds("neighbour 0 of vertex 1: before the first iteration nobody shows anything", failure.Message);
        Expect.Equal(1, failure.Item);
    }

    [Test]
    public void Neighbours_that_are_gathered_are_not_seen()
    {
        using var harness = new GraphHarness<None, double, None>(new LooksBehind(), 3).Edges((0, 1));
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Run());
        Expect.Holds("what neighbours show is gathered, and they are not there", failure.Message);
    }

    [Test]
    public void In_an_interval_each_vertex_adds_for_itself()
    {
        using var harness = new GraphHarness<None, double, None>(new AddsForAll(0), 3);
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Run());
        Expect.Holds("add to a sum for a whole interval", failure.Message);
        Expect.Equal(null, failure.Item);
        foreach (int which in (int[])[1, 2, 3])
        {
            using var beyond = new GraphHarness<None, double, None>(new AddsForAll(which), 3);
            failure = Expect.Throws<HandlerFailedException>(() => beyond.Run());
            Expect.Holds("vertex 3 of the interval: it has 3, from 0 on", failure.Message);
        }
    }

    [Test]
    public void An_interval_has_what_is_declared_only()
    {
        foreach ((int which, string said) in ((int, string)[])[(4, "make TOwn its type"), (5, "override Outgoing to be true")])
        {
            using var harness = new GraphHarness<None, double, None>(new AddsForAll(which), 3);
            Expect.Holds(said, Expect.Throws<HandlerFailedException>(() => harness.Run()).Message);
        }
    }

    [Test]
    public void An_edge_of_an_interval_that_is_not_there_is_an_error()
    {
        using var harness = new GraphHarness<None, double, long>(new LooksAtEdge(), 3).Edge(0, 1, 5);
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Run());
        Expect.Holds("incoming edge 1 of the interval: it has 1, from 0 on", failure.Message);
    }

    [Test]
    public void Scheduled_vertices_are_kept_once_and_more_than_there_is_room_for_are_an_error()
    {
        using var harness = new GraphHarness<None, int, None>(new Wakes(5), 10);
        harness.Engine.WokenRoom = 5;
        harness.Run(2);
        Expect.Equal("5 5 5 5 5 0 0 0 0 0", string.Join(' ', harness.Shown));
        using var more = new GraphHarness<None, int, None>(new Wakes(6), 10);
        more.Engine.WokenRoom = 5;
        var failure = Expect.Throws<HandlerFailedException>(() => more.Run(2));
        Expect.Holds("schedule vertex 0: this frame's vertices have scheduled 5 others already", failure.Message);
    }

    [Test]
    public void Types_that_are_no_numbers_and_nothing_shown_are_refused_when_the_class_is_found()
    {
        Expect.Holds("its values cannot be u8s: make them float, double,", Drivers.Unfit(typeof(Typed<byte, int, None>))!);
        Expect.Holds("its values cannot be Guids", Drivers.Unfit(typeof(Typed<None, int, Guid>))!);
        Expect.Holds("its vertices show nothing: make TShown", Drivers.Unfit(typeof(Typed<int, None, None>))!);
        Expect.Equal(null, Drivers.Unfit(typeof(Typed<float, ulong, long>)));
        var refused = Expect.Throws<ArgumentException>(() => new GraphHarness<None, byte, None>(new Typed<None, byte, None>(), 1));
        Expect.Holds("its values cannot be u8s", refused.Message);
        Expect.Holds("handles objects of a flow", Drivers.Unfit(typeof(Torn))!);
    }

    [Test]
    public void What_neighbours_come_to_is_of_the_type_that_the_program_takes()
    {
        using var harness = new GraphHarness<None, int, None>(new GathersWrong(Gather.Sum), 1);
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Describe());
        Expect.Holds("gathers by Sum, which comes to f64, and takes i64: change TGathered", failure.Message);
        using var least = new GraphHarness<None, int, None>(new GathersWrong(Gather.Min), 1);
        Expect.Holds("Min, which comes to i32", Expect.Throws<HandlerFailedException>(() => least.Describe()).Message);
        using var none = new GraphHarness<None, int, None>(new GathersWrong((Gather)9), 1);
        Expect.Holds("make Gather one of", Expect.Throws<HandlerFailedException>(() => none.Describe()).Message);
    }

    [Test]
    public void A_frame_whose_arrays_are_too_short_is_refused()
    {
        using var harness = new GraphHarness<double, double, double>(new Typed<double, double, double>(), 4);
        harness.Edge(0, 1);
        harness.Run(1);
        (string What, Change Change)[] changes =
        [
            ("own", frame => frame->Own.Len--), ("next", frame => frame->Next.Len--), ("before", frame => frame->Before.Len = 0),
            ("out_degrees", frame => frame->OutDegrees.Len--), ("begins", frame => frame->Incoming.Begins.Len--),
            ("ends", frame => frame->Incoming.Ends.Len--), ("at", frame => frame->Incoming.At.Len--),
            ("values", frame => frame->Incoming.Values.Len--), ("tallies", frame => frame->Tallies.Len = 0),
            ("ids", frame => frame->Ids.Len = 3), ("places", frame => frame->Incoming.Places = new RelU64 { Offset = frame->Shown.Offset, Len = 1 }),
            ("block", frame => frame->Block = 3),
        ];
        foreach ((string what, Change change) in changes)
        {
            Expect.Equal("", Answer(harness, _ => { }));
            Expect.Holds("the engine breaks the rules", Answer(harness, change) + $" ({what})");
        }
        Expect.Holds("edges 0 to 9 of a vertex are not among the frame's 2", Answer(harness, frame => *(ulong*)frame->Incoming.Ends.Offset = 9));
        Expect.Holds("edges 3 to 2 of a vertex are not among", Answer(harness, frame => *(ulong*)frame->Incoming.Begins.Offset = 3));
        Expect.Holds("unknown phase 7", Answer(harness, frame => frame->Phase = 7));
    }

    [Test]
    public void A_value_that_lies_nowhere_is_a_damaged_files()
    {
        using var harness = new GraphHarness<None, double, double>(new Typed<None, double, double>(), 2).Edge(0, 1);
        harness.Run(1);
        string answer = Answer(harness, frame =>
        {
            ulong* places = (ulong*)frame->Shown.Offset;
            (places[0], places[1]) = (0, 2);
            frame->Incoming.Places = new RelU64 { Offset = (ulong)places, Len = 2 };
        });
        Expect.Holds("edge is at place 2 of 2: the graph's file is damaged", answer);
    }

    [Test]
    public void A_program_is_not_called_before_open_nor_opened_for_another_kind()
    {
        using var harness = new GraphHarness<None, double, None>(new Typed<None, double, None>(), 2);
        Expect.Holds("called before OPEN, which says what the graph is", Answer(harness, _ => { }));
        using var call = new Memory();
        OpenFrame* open = call.New<OpenFrame>();
        Testing.Engine.Head(call, &open->Head, Kind.Open, sizeof(OpenFrame));
        open->Batch = Kind.Flow;
        Status status = harness.Engine.Call(&open->Head);
        string refused = Expect.Throws<HandlerFailedException>(() => Testing.Engine.Check(status, &open->Head, 0)).Message;
        Expect.Holds("it takes VERTEX frames, and the engine calls with FLOW frames", refused);
        open->Batch = Kind.Vertex;
        status = harness.Engine.Call(&open->Head);
        refused = Expect.Throws<HandlerFailedException>(() => Testing.Engine.Check(status, &open->Head, 0)).Message;
        Expect.Holds("OPEN has no graph", refused);
    }

    [Test]
    public void An_edge_of_the_harness_has_two_ends()
    {
        using var harness = new GraphHarness<None, double, None>(new Typed<None, double, None>(), 2);
        Expect.Holds("from 0 to 2: the graph has 2", Expect.Throws<ArgumentOutOfRangeException>(() => harness.Edges((0, 2))).Message);
    }

    private delegate void Change(VertexFrame* frame);

    /// <summary>What a program fails with at vertex 3 of 4, which two have an edge to.</summary>
    private static string Fails(Does does)
    {
        using var harness = new GraphHarness<None, float, None>(new AtThree(does), 4).Edges((0, 3), (1, 3), (3, 2));
        var failure = Expect.Throws<HandlerFailedException>(() => harness.Run(1));
        Expect.Equal(3, failure.Item);
        Expect.Holds("GraphErrorTests", failure.HandlerStack);
        return failure.Message;
    }

    /// <summary>What is answered to a frame of two vertices, of which the first has two edges, when this is changed.</summary>
    private static string Answer<TOwn, TShown, TEdge>(GraphHarness<TOwn, TShown, TEdge> harness, Change change)
        where TOwn : unmanaged
        where TShown : unmanaged
        where TEdge : unmanaged
    {
        using var call = new Memory();
        VertexFrame* frame = call.New<VertexFrame>();
        Testing.Engine.Head(call, &frame->Head, Kind.Vertex, sizeof(VertexFrame));
        (frame->Phase, frame->Block, frame->Count, frame->First) = (Phase.Update, 2, 4, 0);
        var numbers = new RelU32 { Offset = (ulong)call.New<uint>(4), Len = 4 };
        var values = new Rel { Offset = (ulong)call.New<double>(4), Len = 32 };
        ulong* offsets = call.New<ulong>(5);
        (offsets[1], offsets[2], offsets[3], offsets[4]) = (2, 2, 2, 2);
        (frame->Own, frame->Before, frame->Next, frame->Shown) = (values, values, values, values);
        frame->Shown.Offset = (ulong)call.New<double>(4);
        frame->OutDegrees = numbers;
        var two = new RelU32 { Offset = numbers.Offset, Len = 2 };
        frame->Incoming = new Edges
        {
            Begins = new RelU64 { Offset = (ulong)offsets, Len = 4 },
            Ends = new RelU64 { Offset = (ulong)(offsets + 1), Len = 4 },
            Ids = two,
            At = two,
            Values = new Rel { Offset = values.Offset, Len = 16 },
        };
        frame->Tallies = new RelTally { Offset = (ulong)call.New<VertexTally>(2), Len = 2 };
        change(frame);
        Status status = harness.Engine.Call(&frame->Head);
        return status == Status.Ok ? "" : Testing.Engine.Failed(&frame->Head, 0).Message;
    }

    private sealed class AtThree(Does does) : VertexProgram<None, float, None>
    {
        public override void Update(Vertex vertex, GraphContext context)
        {
            if (vertex.Id == 3)
            {
                does(vertex, context);
            }
        }
    }

    private sealed class LooksTooSoon : VertexProgram<None, double, None>
    {
        public override void Start(Vertex vertex, GraphContext context)
        {
            if (vertex.InDegree > 0)
            {
                vertex.Incoming.Shown(0);
            }
        }

        public override void Update(Vertex vertex, GraphContext context)
        {
        }
    }

    private sealed class LooksBehind : GatherProgram<None, double, double>
    {
        public override Gather Gather => Gather.Max;

        public override void Apply(Vertex vertex, double gathered, GraphContext context)
        {
            if (vertex.InDegree == 1)
            {
                vertex.Incoming.Shown(0);
            }
        }
    }

    private sealed class AddsForAll(int which) : IntervalProgram<None, double, None>
    {
        public override void Interval(Vertices vertices, GraphContext context)
        {
            switch (which)
            {
                case 0:
                    context.AddResidual(1);
                    break;
                case 1:
                    vertices.AddResidual(3, 1);
                    break;
                case 2:
                    vertices.Incoming.Of(3);
                    break;
                case 3:
                    vertices.Id(3);
                    break;
                case 4:
                    vertices.Own.Clear();
                    break;
                default:
                    vertices.Outgoing.Of(0);
                    break;
            }
        }
    }

    private sealed class LooksAtEdge : IntervalProgram<None, double, long>
    {
        public override void Interval(Vertices vertices, GraphContext context)
        {
            Expect.Equal(5L, vertices.Incoming.Value(0));
            vertices.Incoming.Value(1);
        }
    }

    private sealed class Wakes(int many) : VertexProgram<None, int, None>
    {
        public override bool Selective => true;

        public override void Start(Vertex vertex, GraphContext context)
        {
            for (int id = 0; id < many; id++)
            {
                vertex.Schedule(many - 1 - id);
            }
        }

        public override void Update(Vertex vertex, GraphContext context) => vertex.Show(many);
    }

    private sealed class Typed<TOwn, TShown, TEdge> : VertexProgram<TOwn, TShown, TEdge>
        where TOwn : unmanaged
        where TShown : unmanaged
        where TEdge : unmanaged
    {
        public override void Update(Vertex vertex, GraphContext context)
        {
            for (int index = 0; index < vertex.Incoming.Length && typeof(TEdge) != typeof(None); index++)
            {
                vertex.Incoming.Value(index);
            }
        }
    }

    private sealed class GathersWrong(Gather by) : GatherProgram<None, int, long>
    {
        public override Gather Gather => by;

        public override void Apply(Vertex vertex, long gathered, GraphContext context)
        {
        }
    }

    private sealed class Torn : VertexProgram<None, int, None>, IObjectHandler
    {
        public override void Update(Vertex vertex, GraphContext context)
        {
        }

        public void OnObject(FlowObject obj, Emitter emit)
        {
        }
    }
}
