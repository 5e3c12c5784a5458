using System;
using System.Collections.Generic;
using System.Linq;
using Upcall.Abi;
using Upcall.Graph;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>What programs are told of intervals, and intervals that are updated again.</summary>
public sealed unsafe class GraphIntervalTests
{
    private const int Vertices = 50;

    private static readonly (int From, int To)[] Edges = [.. Enumerable.Range(0, Vertices)
        .SelectMany(vertex => Enumerable.Range(1, vertex % 4).Select(n => (vertex, (vertex * 37 + n * n * 11) % Vertices)))];

    private delegate void Change(VertexFrame* frame);

    [Test]
    public void A_program_is_told_of_an_interval_before_and_after_each_pass()
    {
        var told = new List<string>();
        using var harness = new GraphHarness<long, ulong, None>(new Mixes(2) { Told = told }, 5).Edges((0, 1));
        // Three frames in each pass.
        (harness.Engine.Frame, harness.Engine.Block) = (2, 1);
        harness.Run(2);
        var wanted = new List<string>();
        for (int iteration = 0; iteration < 2; iteration++)
        {
            wanted.Add($"before iteration {iteration}: {iteration * 10}");
            for (int pass = 0; pass < 2; pass++)
            {
                wanted.Add($"before {iteration} 0..5 {pass}: 0 0 0");
                wanted.AddRange(["0", "1", "2", "3", "4"]);
                wanted.Add($"after {iteration} 0..5 {pass}: 5 5 10");
                wanted.Add($"again? {iteration} 0..5 {pass}: 5 5 10");
            }
            // Each vertex is counted as often as it was updated, and adds once.
            wanted.Add($"after iteration {iteration}: 10 5 5 10");
        }
        Expect.Equal(string.Join('\n', wanted), string.Join('\n', told));
        Expect.Equal(new Iteration(1, 10, 5, 5, 10), harness.Iterations[1]);
    }

    [Test]
    public void Vertices_that_are_updated_again_see_what_all_of_the_interval_show()
    {
        for (int times = 1; times < 4; times++)
        {
            foreach (int frame in (int[])[8, 2048])
            {
                using var harness = new GraphHarness<long, ulong, None>(new Mixes(times), Vertices).Edges(Edges);
                (harness.Engine.Frame, harness.Engine.Block) = (frame, 8);
                harness.Run(3);
                Expect.Equal(string.Join(' ', Mixes.Plainly(Vertices, Edges, 3 * times)), string.Join(' ', harness.Shown));
                // Each pass has left its number.
                string passes = string.Concat(Enumerable.Repeat(string.Concat(Enumerable.Range(1, times)), 3));
                Expect.Equal(true, harness.Own.All(own => $"{own}" == passes), passes);
            }
        }
    }

    [Test]
    public void A_selective_program_is_updated_again_until_nobody_sees_a_change()
    {
        using var harness = new GraphHarness<None, uint, None>(new Distances { IsRepeated = true }, 40)
            .Edges([.. Enumerable.Range(0, 39).Select(vertex => (vertex, vertex + 1)), (39, 1)]);
        (harness.Engine.Frame, harness.Engine.Block) = (8, 4);
        harness.Run();
        Expect.Equal(string.Join(' ', Enumerable.Range(0, 40)), string.Join(' ', harness.Shown));
        // Each vertex once, and the second, to which the last one has an edge, twice.
        Expect.Equal(new Iteration(0, 41, 0, 0, 0), harness.Iterations.Single());
    }

    [Test]
    public void Who_is_not_updated_again_is_updated_in_the_next_iteration()
    {
        using var harness = new GraphHarness<None, uint, None>(new Distances(), 4).Edges((0, 1), (1, 2), (2, 3));
        harness.Run();
        Expect.Equal("0 1 2 3", string.Join(' ', harness.Shown));
        Expect.Equal("1 1 1 1", string.Join(' ', harness.Iterations.Select(one => one.Updated)));
    }

    [Test]
    public void All_forms_are_told()
    {
        using var gather = new GraphHarness<None, uint, None>(new Gathers(), 3).Edges((0, 1), (1, 2));
        gather.Run(1);
        Expect.Equal("0 0 0", string.Join(' ', gather.Shown));
        using var atOnce = new GraphHarness<None, uint, None>(new AtOnce(), 3).Edges((0, 1), (1, 2));
        atOnce.Run(1);
        Expect.Equal("0 0 0", string.Join(' ', atOnce.Shown));
    }

    [Test]
    public void What_a_hook_throws_fails_the_run_and_names_no_vertex()
    {
        foreach (string which in (string[])["before", "after", "again?"])
        {
            using var harness = new GraphHarness<long, ulong, None>(new Mixes(2) { Fails = which }, 3);
            var failure = Expect.Throws<HandlerFailedException>(() => harness.Run());
            Expect.Equal(($"{which}: not today", null), (failure.Message, failure.Item));
            Expect.Equal(2, harness.Iterations.Count);
        }
    }

    [Test]
    public void What_is_set_on_edges_is_not_set_twice_in_an_iteration()
    {
        using var harness = new GraphHarness<None, int, double>(new Sets(), 2).Edges((0, 1));
        Expect.Holds("it writes values of edges, which are seen in the next iteration: its updates are not repeated",
            Expect.Throws<InvalidOperationException>(() => harness.Run()).Message);
    }

    [Test]
    public void A_program_without_hooks_answers_that_its_interval_is_done()
    {
        using var harness = new GraphHarness<None, ulong, None>(new Least(), 3);
        harness.Run();
        Expect.Equal(("", 0u), Answer(harness, frame => (frame->Phase, frame->Ended) = (Phase.Interval, 7)));
    }

    [Test]
    public void It_is_told_once_of_each_interval_and_pass_of_an_iteration()
    {
        var told = new List<string>();
        using var harness = new GraphHarness<long, ulong, None>(new Mixes(2) { Told = told }, 4);
        harness.Run(1);
        void Tells(string wanted, Change change)
        {
            told.Clear();
            Expect.Equal("", Answer(harness, change).Answer);
            Expect.Equal(wanted, string.Join("; ", told));
        }
        Tells("before iteration 0: 0; before 0 0..4 0: 0 0 0", _ => { });
        Tells("", _ => { });
        Tells("before 0 0..4 1: 0 0 0", frame => frame->Pass = 1);
        Tells("before 0 2..4 1: 0 0 0", frame => (frame->IntervalFirst, frame->Pass) = (2, 1));
        // An interval that has ended does not end the iteration.
        Tells("after 0 2..4 1: 0 0 0; again? 0 2..4 1: 0 0 0", frame =>
            (frame->Phase, frame->IntervalFirst, frame->Pass) = (Phase.Interval, 2, 1));
        Tells("", frame => (frame->IntervalFirst, frame->Pass) = (2, 1));
        Tells("after iteration 0: 0 0 0 0", frame => frame->Phase = Phase.After);
        Tells("before iteration 1: 0; before 1 2..4 1: 0 0 0", frame =>
            (frame->Iteration, frame->IntervalFirst, frame->Pass) = (1, 2, 1));
        Tells("", frame => frame->Phase = Phase.Start);
        Tells("before iteration 1: 0; before 1 2..4 1: 0 0 0", frame =>
            (frame->Iteration, frame->IntervalFirst, frame->Pass) = (1, 2, 1));
    }

    [Test]
    public void A_frame_of_an_older_engine_says_nothing_of_intervals()
    {
        var told = new List<string>();
        using var harness = new GraphHarness<long, ulong, None>(new Mixes(2) { Told = told }, 4);
        harness.Run(0);
        foreach (uint size in (uint[])[496, 512, 528])
        {
            told.Clear();
            Expect.Equal("", Answer(harness, frame => frame->Phase = Phase.Start).Answer);
            Expect.Equal("", Answer(harness, frame => frame->Head.Size = size).Answer);
            Expect.Equal("before iteration 0: 0", string.Join("; ", told));
            (string refused, _) = Answer(harness, frame => (frame->Phase, frame->Head.Size) = (Phase.Interval, size));
            Expect.Holds("a frame about an interval does not say which: the engine breaks the rules", refused);
        }
    }

    /// <summary>What is answered to a frame without vertices, which has begun to update them, when this is changed.</summary>
    private static (string Answer, uint Ended) Answer<TOwn>(GraphHarness<TOwn, ulong, None> harness, Change change)
        where TOwn : unmanaged
    {
        using var call = new Memory();
        VertexFrame* frame = call.New<VertexFrame>();
        Testing.Engine.Head(call, &frame->Head, Kind.Vertex, sizeof(VertexFrame));
        (frame->Phase, frame->Block, frame->IntervalEnd) = (Phase.Update, 1, 4);
        change(frame);
        Status status = harness.Engine.Call(&frame->Head);
        return (status == Status.Ok ? "" : Testing.Engine.Failed(&frame->Head, 0).Message, frame->Ended);
    }

    /// <summary>Mixes what neighbours show, so that it matters when; each interval is updated so many times.</summary>
    private sealed class Mixes(int times) : VertexProgram<long, ulong, None>
    {
        private Interval now;

        public List<string> Told { get; init; } = [];

        /// <summary>The hook that fails in iteration 2.</summary>
        public string? Fails { get; init; }

        internal static ulong[] Plainly(int vertices, (int From, int To)[] edges, int passes)
        {
            ulong[][] incoming = [.. Enumerable.Range(0, vertices)
                .Select(to => edges.Where(edge => edge.To == to).Select(edge => (ulong)edge.From).Order().ToArray())];
            ulong[] shown = [.. Enumerable.Range(0, vertices).Select(vertex => (ulong)vertex)];
            for (int pass = 0; pass < passes; pass++)
            {
                shown = [.. incoming.Select((from, vertex) => from.Aggregate(shown[vertex], (all, one) => Mixed(all, shown[one])))];
            }
            return shown;
        }

        public override void Start(Vertex vertex, GraphContext context) => vertex.Show((ulong)vertex.Id);

        public override void BeforeIteration(long iteration, double total) => Told.Add($"before iteration {iteration}: {total}");

        public override void BeforeInterval(Interval interval)
        {
            Tell("before", interval);
            now = interval;
        }

        public override void Update(Vertex vertex, GraphContext context)
        {
            Told.Add($"{vertex.Id}");
            Expect.Equal(true, now.Iteration == context.Iteration && now.First <= vertex.Id && vertex.Id < now.End);
            vertex.Own = vertex.Own * 10 + now.Pass + 1;
            context.AddResidual(1);
            context.AddTotal(vertex.Id);
            ulong shown = vertex.Shown;
            for (int index = 0; index < vertex.Incoming.Length; index++)
            {
                shown = Mixed(shown, vertex.Incoming.Shown(index));
            }
            vertex.Show(shown);
        }

        public override void AfterInterval(Interval interval) => Tell("after", interval);

        public override bool RepeatUpdates(Interval interval)
        {
            Tell("again?", interval);
            return interval.Pass + 1 < times;
        }

        public override bool AfterIteration(Iteration iteration)
        {
            Told.Add($"after iteration {iteration.Number}: "
                + $"{iteration.Updated} {iteration.Scheduled} {iteration.Residual} {iteration.Total}");
            return false;
        }

        private static ulong Mixed(ulong all, ulong one) => (all * 31 + one) % 1_000_003;

        private void Tell(string what, Interval interval)
        {
            Told.Add($"{what} {interval.Iteration} {interval.First}..{interval.End} {interval.Pass}: "
                + $"{interval.Updated} {interval.Residual} {interval.Total}");
            if (what == Fails && interval.Iteration == 2)
            {
                throw new InvalidOperationException($"{what}: not today");
            }
        }
    }

    /// <summary>The number of edges to each vertex from the first; all in one iteration if it is repeated.</summary>
    private sealed class Distances : VertexProgram<None, uint, None>
    {
        public bool IsRepeated { get; init; }

        public override bool Selective => true;

        public override void Start(Vertex vertex, GraphContext context)
        {
            if (vertex.Id == 0)
            {
                vertex.Schedule();
            }
            vertex.Show(uint.MaxValue);
        }

        public override void Update(Vertex vertex, GraphContext context)
        {
            uint nearest = vertex.Id == 0 ? 0 : vertex.Shown;
            for (int index = 0; index < vertex.Incoming.Length; index++)
            {
                uint far = vertex.Incoming.Shown(index);
                nearest = far == uint.MaxValue ? nearest : Math.Min(nearest, far + 1);
            }
            vertex.Show(nearest);
        }

        public override bool RepeatUpdates(Interval interval) => IsRepeated;
    }

    private sealed class Gathers : GatherProgram<None, uint, uint>
    {
        private Interval now;

        public override Gather Gather => Gather.Min;

        public override void Start(Vertex vertex, GraphContext context) => vertex.Show((uint)vertex.Id);

        public override void BeforeInterval(Interval interval) => now = interval;

        public override void Apply(Vertex vertex, uint gathered, GraphContext context) =>
            vertex.Show(now.End == 3 ? Math.Min(vertex.Shown, gathered) : uint.MaxValue);

        public override bool RepeatUpdates(Interval interval) => interval.Pass < 1;
    }

    private sealed class AtOnce : IntervalProgram<None, uint, None>
    {
        private Interval now;

        public override void Start(Vertex vertex, GraphContext context) => vertex.Show((uint)vertex.Id);

        public override void BeforeInterval(Interval interval) => now = interval;

        public override void Interval(Vertices vertices, GraphContext context)
        {
            Expect.Equal(3, (int)now.End);
            for (int index = 0; index < vertices.Length; index++)
            {
                foreach (uint at in vertices.Incoming.At[vertices.Incoming.Of(index)])
                {
                    vertices.Next[index] = Math.Min(vertices.Before[index], vertices.Shown[(int)at]);
                }
            }
        }

        public override bool RepeatUpdates(Interval interval) => interval.Pass < 1;
    }

    private sealed class Sets : VertexProgram<None, int, double>
    {
        public override bool Writes => true;

        public override void Update(Vertex vertex, GraphContext context)
        {
        }

        public override bool RepeatUpdates(Interval interval) => true;
    }
}
