using System;
using System.Linq;
using Upcall.Graph;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Programs of vertices, run over small graphs.</summary>
public sealed class GraphTests
{
    private const int Vertices = 100;

    // Each vertex has edges to some others, every seventh has none. In no order.
    private static readonly (int From, int To)[] Edges = [.. Enumerable.Range(0, Vertices)
        .Where(vertex => vertex % 7 != 0)
        .SelectMany(vertex => Enumerable.Range(1, vertex % 5 + 1).Select(n => (vertex, (vertex * 37 + n * n * 11) % Vertices)))
        .OrderBy(edge => edge.Item2 * 61 % 97)];

    [Test]
    public void Each_form_says_what_it_is()
    {
        using var vertex = new GraphHarness<None, ulong, None>(new Least(), 1);
        Described one = vertex.Describe();
        Expect.Equal(("VERTEX", "vertex", true, true, null), (one.Kind, one.Form, one.Outgoing, one.Selective, one.Gathers));
        Expect.Equal("shown u64", Said(one));
        using var gather = new GraphHarness<double, double, None>(new RanksGathered(), 1);
        one = gather.Describe();
        Expect.Equal(("VERTEX", "gather", false, false, "sum"), (one.Kind, one.Form, one.Outgoing, one.Selective, one.Gathers));
        Expect.Equal("own f64, shown f64", Said(one));
        using var interval = new GraphHarness<int, long, double>(new SeesAtOnce([]), 1);
        one = interval.Describe();
        Expect.Equal(("VERTEX", "interval", true, false, null), (one.Kind, one.Form, one.Outgoing, one.Selective, one.Gathers));
        Expect.Equal("edge f64, own i32, shown i64", Said(one));
        static string Said(Described one) =>
            string.Join(", ", one.Values.OrderBy(value => value.Key).Select(value => $"{value.Key} {value.Value}"));
    }

    [Test]
    public void Ranks_are_the_same_bits_in_all_forms_and_without_any()
    {
        foreach ((int frame, int block) in ((int, int)[])[(2048, 1024), (8, 8), (32, 4)])
        {
            (double[] own, double[] shown) = Ranked.By(Vertices, Edges, 10, block);
            foreach (GraphProgram<double, double, None> program in (GraphProgram<double, double, None>[])[
                new RanksEach(), new RanksGathered(), new RanksAtOnce()])
            {
                using var harness = new GraphHarness<double, double, None>(program, Vertices).Edges(Edges);
                (harness.Engine.Frame, harness.Engine.Block) = (frame, block);
                harness.Run(10);
                string which = $"{program.GetType().Name}, {frame} and {block}";
                Expect.Equal(true, harness.Own.AsSpan().SequenceEqual(own), $"own of {which}");
                Expect.Equal(true, harness.Shown.AsSpan().SequenceEqual(shown), $"shown of {which}");
                Expect.Equal(10, harness.Iterations.Count);
                Expect.Equal(true, harness.Iterations[9].Residual is > 0 and < 0.1, which);
            }
        }
    }

    [Test]
    public void Places_are_relative_to_the_bases_of_a_frame()
    {
        (double[] own, _) = Ranked.By(Vertices, Edges, 3, 1024);
        foreach (GraphProgram<double, double, None> program in (GraphProgram<double, double, None>[])[
            new RanksEach(), new RanksGathered(), new RanksAtOnce()])
        {
            using var harness = new GraphHarness<double, double, None>(program, Vertices).Edges(Edges);
            ((ulong[])[0x1000, 0x22000, 0x333000, 0x4444000]).CopyTo(harness.Engine.Bases, 0);
            harness.Run(3);
            Expect.Equal(true, harness.Own.AsSpan().SequenceEqual(own), program.GetType().Name);
        }
    }

    [Test]
    public void A_selective_program_updates_who_sees_a_change()
    {
        using var harness = new GraphHarness<None, ulong, None>(new Least(), 12)
            .Edges((1, 0), (2, 1), (3, 2), (4, 3), (6, 5), (5, 6), (8, 8), (11, 10), (9, 10));
        (harness.Engine.Frame, harness.Engine.Block) = (4, 2);
        harness.Run();
        Expect.Equal("0 0 0 0 0 5 5 7 8 9 9 9", string.Join(' ', harness.Shown));
        Expect.Equal(0, harness.Own.Length);
        // All at first; then those next to a change.
        Expect.Equal("12, 9, 5, 3, 1", string.Join(", ", harness.Iterations.Select(one => one.Updated)));
        Expect.Equal("9, 5, 3, 1, 0", string.Join(", ", harness.Iterations.Select(one => one.Scheduled)));
    }

    [Test]
    public void Edges_without_a_direction_are_seen_from_both_ends()
    {
        using var harness = new GraphHarness<None, ulong, None>(new Least(), 6).Undirected().Edges((1, 0), (2, 1), (5, 4), (3, 3));
        harness.Run();
        Expect.Equal("0 0 0 3 4 4", string.Join(' ', harness.Shown));
        string[] seen = new string[3];
        using var sees = new GraphHarness<int, long, double>(new Sees(seen), 3).Undirected().Edge(0, 1, 0.5).Edge(1, 2, 2).Edge(2, 2, 4);
        sees.Run();
        Expect.Equal("1: 220 11 <0 0 0.5 <2 22 2 >0 0 0.5 >2 22 2", seen[1]);
        Expect.Equal("2: 220 22 <1 11 2 <2 22 4 >1 11 2 >2 22 4", seen[2]);
    }

    [Test]
    public void Values_of_edges_are_those_of_their_own_edge_in_both_directions()
    {
        string[] seen = new string[4];
        using var harness = new GraphHarness<int, long, double>(new Sees(seen), 4)
            .Edge(3, 1, 31).Edge(0, 1, 1).Edge(1, 2, 12).Edge(0, 3, 3).Edge(1, 0, 10);
        harness.Run();
        string[] wanted =
        [
            "0: 120 0 <1 11 10 >1 11 1 >3 33 3", "1: 220 11 <0 0 1 <3 33 31 >0 0 10 >2 22 12", "2: 100 22 <1 11 12",
            "3: 110 33 <0 0 3 >1 11 31",
        ];
        Expect.Equal(string.Join('\n', wanted), string.Join('\n', seen));
        Expect.Equal(1, harness.Iterations.Count);
        Array.Clear(seen);
        using var atOnce = new GraphHarness<int, long, double>(new SeesAtOnce(seen), 4)
            .Edge(3, 1, 31).Edge(0, 1, 1).Edge(1, 2, 12).Edge(0, 3, 3).Edge(1, 0, 10);
        (atOnce.Engine.Frame, atOnce.Engine.Block) = (2, 1);
        atOnce.Run();
        Expect.Equal(string.Join('\n', wanted), string.Join('\n', seen));
    }

    [Test]
    public void Shortest_ways_are_found_by_the_values_of_edges()
    {
        using var harness = new GraphHarness<None, float, int>(new Shortest(), 6)
            .Edge(0, 1, 7).Edge(0, 2, 1).Edge(2, 3, 2).Edge(3, 1, 3).Edge(1, 4, 1).Edge(5, 4, 1);
        harness.Run();
        Expect.Equal("0 6 1 3 7 Infinity", FormattableString.Invariant(
            $"{harness.Shown[0]} {harness.Shown[1]} {harness.Shown[2]} {harness.Shown[3]} {harness.Shown[4]} {harness.Shown[5]}"));
    }

    [Test]
    public void Neighbours_are_gathered_by_four_ways()
    {
        (int, int)[] edges = [(0, 2), (1, 2), (3, 2), (1, 0)];
        Expect.Equal("1 0 4 0", Gathered(new Gathers<double>(Gather.Sum), edges));
        Expect.Equal("1 0 3 0", Gathered(new Gathers<double>(Gather.Count), edges));
        Expect.Equal($"1 {int.MaxValue} 0 {int.MaxValue}", Gathered(new Gathers<int>(Gather.Min), edges));
        Expect.Equal($"1 {int.MinValue} 3 {int.MinValue}", Gathered(new Gathers<int>(Gather.Max), edges));
        static string Gathered<T>(Gathers<T> program, (int, int)[] edges)
            where T : unmanaged
        {
            using var harness = new GraphHarness<double, int, None>(program, 4).Edges(edges);
            harness.Run(1);
            return string.Join(' ', harness.Own);
        }
    }

    [Test]
    public void What_is_not_started_begins_with_zeroes_and_what_is_not_shown_stays()
    {
        using var harness = new GraphHarness<long, uint, None>(new ShowsOnce(), 3);
        harness.Run(3);
        Expect.Equal("3 3 3", string.Join(' ', harness.Own));
        Expect.Equal("0 10 20", string.Join(' ', harness.Shown));
    }

    [Test]
    public void An_interval_of_no_neighbours_may_schedule_and_is_closed()
    {
        var program = new Talks();
        using (var harness = new GraphHarness<None, float, None>(program, 5).Setting("word", "hum").Edges((0, 1), (1, 2)))
        {
            harness.Run(10);
            Expect.Equal("0 0 0 0 3", string.Join(' ', harness.Shown));
            // Vertex 4 has itself updated twice more.
            Expect.Equal("1 1 1", string.Join(' ', harness.Iterations.Select(one => one.Updated)));
            harness.Dispose();
            string[] said = ["hum 5 2 True, handler 0 of 1", "4 at 0 of 5", "4 at 1 of 5", "4 at 2 of 5", "closed"];
            Expect.Equal(string.Join('\n', said), string.Join('\n', harness.Logged.Select(logged => logged.Text)));
        }
    }

    [Test]
    public void Vertices_and_edges_allocate_nothing()
    {
        var program = new Counts();
        using var harness = new GraphHarness<double, double, None>(program, Vertices).Edges(Edges);
        harness.Run(2);
        Expect.Equal(0L, program.Allocated);
    }

    private sealed class Gathers<T>(Gather by) : GatherProgram<double, int, T>
        where T : unmanaged
    {
        public override Gather Gather => by;

        public override void Start(Vertex vertex, GraphContext context) => vertex.Show((int)vertex.Id);

        public override void Apply(Vertex vertex, T gathered, GraphContext context) =>
            vertex.Own = gathered is double number ? number : (int)(object)gathered;
    }

    private sealed class ShowsOnce : VertexProgram<long, uint, None>
    {
        public override void Update(Vertex vertex, GraphContext context)
        {
            vertex.Own++;
            if (context.Iteration == 0)
            {
                vertex.Show((uint)(vertex.Shown + 10 * vertex.Id));
            }
        }
    }

    private sealed class Talks : IntervalProgram<None, float, None>, IDisposable
    {
        private Log? log;

        public override bool Selective => true;

        public override void OnOpen(GraphOpenContext open)
        {
            log = open.Log;
            log.Info($"{open.Setting("word")} {open.Vertices} {open.Edges} {open.Directed}, {open.Name} {open.Worker} of {open.Workers}");
        }

        public override void Start(Vertex vertex, GraphContext context)
        {
            if (vertex.Id == 4)
            {
                vertex.Schedule();
            }
        }

        public override void Interval(Vertices vertices, GraphContext context)
        {
            Expect.Equal((1, 0), (vertices.Length, vertices.Incoming.Length));
            context.Log.Info($"{vertices.Id(0)} at {context.Iteration} of {context.Vertices}");
            vertices.Next[0] = vertices.Before[0] + 1;
            if (context.Iteration < 2)
            {
                vertices.Schedule(vertices.Id(0));
                vertices.Schedule(vertices.Id(0));
            }
        }

        public void Dispose() => log?.Info("closed");
    }

    private sealed class Counts : VertexProgram<double, double, None>
    {
        private long before;

        public long Allocated { get; private set; } = -1;

        public override void Update(Vertex vertex, GraphContext context)
        {
            if (vertex.Id == 1)
            {
                before = GC.GetAllocatedBytesForCurrentThread();
            }
            for (int index = 0; index < vertex.Incoming.Length; index++)
            {
                vertex.Own += vertex.Incoming.Shown(index) + vertex.Incoming.Id(index) + context.Total;
            }
            context.AddResidual(1);
            vertex.Show(vertex.Own);
            Allocated = GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }
}
