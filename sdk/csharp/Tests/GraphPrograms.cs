using System;
using System.Collections.Generic;
using System.Linq;
using Upcall.Graph;

namespace Upcall.Tests;

/// <summary>RanksEach by three forms of programs, which come to the same bits.</summary>
internal static class Ranked
{
    internal const double Damping = 0.85;

    internal static double Jumps(GraphContext context) =>
        (1 - Damping + Damping * context.Total) * (1.0 / context.Vertices);

    internal static double Share(double rank, long outDegree) => outDegree == 0 ? 0 : rank / outDegree;

    internal static (double Rank, double Shown) Start(long outDegree, GraphContext context)
    {
        double rank = 1.0 / context.Vertices;
        if (outDegree == 0)
        {
            context.AddTotal(rank);
        }
        return (rank, Share(rank, outDegree));
    }

    /// <summary>The same without any of ours: own and shown after so many iterations.</summary>
    internal static (double[] Own, double[] Shown) By(int vertices, (int From, int To)[] edges, int iterations, int block)
    {
        int[][] incoming = [.. Enumerable.Range(0, vertices)
            .Select(to => edges.Where(edge => edge.To == to).Select(edge => edge.From).Order().ToArray())];
        int[] outDegrees = [.. Enumerable.Range(0, vertices).Select(from => edges.Count(edge => edge.From == from))];
        double Dangling(double[] own) => Enumerable.Range(0, vertices).Chunk(block)
            .Aggregate(0.0, (sum, some) => sum + some.Where(v => outDegrees[v] == 0).Aggregate(0.0, (part, v) => part + own[v]));
        double[] own = [.. Enumerable.Repeat(1.0 / vertices, vertices)];
        double[] Shares() => [.. own.Select((rank, vertex) => Share(rank, outDegrees[vertex]))];
        double[] shown = Shares();
        for (int iteration = 0; iteration < iterations; iteration++)
        {
            double jumps = (1 - Damping + Damping * Dangling(own)) * (1.0 / vertices);
            own = [.. incoming.Select(from => jumps + Damping * from.Aggregate(0.0, (sum, other) => sum + shown[other]))];
            shown = Shares();
        }
        return (own, shown);
    }
}

internal sealed class RanksEach : VertexProgram<double, double, None>
{
    public override void Start(Vertex vertex, GraphContext context)
    {
        (vertex.Own, double shown) = Ranked.Start(vertex.OutDegree, context);
        vertex.Show(shown);
    }

    public override void Update(Vertex vertex, GraphContext context)
    {
        double sum = 0;
        Neighbours incoming = vertex.Incoming;
        for (int index = 0; index < incoming.Length; index++)
        {
            sum += incoming.Shown(index);
        }
        double rank = Ranked.Jumps(context) + Ranked.Damping * sum;
        context.AddResidual(Math.Abs(rank - vertex.Own));
        if (vertex.OutDegree == 0)
        {
            context.AddTotal(rank);
        }
        vertex.Own = rank;
        vertex.Show(Ranked.Share(rank, vertex.OutDegree));
    }
}

internal sealed class RanksGathered : GatherProgram<double, double, double>
{
    public override Gather Gather => Gather.Sum;

    public override void Start(Vertex vertex, GraphContext context)
    {
        (vertex.Own, double shown) = Ranked.Start(vertex.OutDegree, context);
        vertex.Show(shown);
    }

    public override void Apply(Vertex vertex, double gathered, GraphContext context)
    {
        double rank = Ranked.Jumps(context) + Ranked.Damping * gathered;
        context.AddResidual(Math.Abs(rank - vertex.Own));
        if (vertex.OutDegree == 0)
        {
            context.AddTotal(rank);
        }
        vertex.Own = rank;
        vertex.Show(Ranked.Share(rank, vertex.OutDegree));
    }
}

internal sealed class RanksAtOnce : IntervalProgram<double, double, None>
{
    public override void Start(Vertex vertex, GraphContext context)
    {
        (vertex.Own, double shown) = Ranked.Start(vertex.OutDegree, context);
        vertex.Show(shown);
    }

    public override void Interval(Vertices vertices, GraphContext context)
    {
        ReadOnlySpan<double> shown = vertices.Shown;
        ReadOnlySpan<uint> at = vertices.Incoming.At;
        Span<double> own = vertices.Own;
        Span<double> next = vertices.Next;
        for (int index = 0; index < vertices.Length; index++)
        {
            double sum = 0;
            foreach (uint place in at[vertices.Incoming.Of(index)])
            {
                sum += shown[(int)place];
            }
            double rank = Ranked.Jumps(context) + Ranked.Damping * sum;
            vertices.AddResidual(index, Math.Abs(rank - own[index]));
            if (vertices.OutDegrees[index] == 0)
            {
                vertices.AddTotal(index, rank);
            }
            own[index] = rank;
            next[index] = Ranked.Share(rank, vertices.OutDegrees[index]);
        }
    }
}

/// <summary>Ranks that travel as values of edges, which are seen one iteration later.</summary>
internal sealed class RanksByEdges : VertexProgram<double, double, double>
{
    public override bool Writes => true;

    public override void Start(Vertex vertex, GraphContext context) => vertex.Own = 1.0 / context.Vertices;

    public override void Update(Vertex vertex, GraphContext context)
    {
        if (context.Iteration > 0)
        {
            double sum = 0;
            for (int index = 0; index < vertex.Incoming.Length; index++)
            {
                sum += vertex.Incoming.Value(index);
            }
            vertex.Own = Ranked.Jumps(context) + Ranked.Damping * sum;
        }
        if (vertex.OutDegree == 0)
        {
            context.AddTotal(vertex.Own);
        }
        Neighbours outgoing = vertex.Outgoing;
        for (int index = 0; index < outgoing.Length; index++)
        {
            outgoing.SetValue(index, Ranked.Share(vertex.Own, vertex.OutDegree));
        }
    }
}

/// <summary>The same, handed over at once.</summary>
internal sealed class RanksByEdgesAtOnce : IntervalProgram<double, double, double>
{
    public override bool Writes => true;

    public override void Start(Vertex vertex, GraphContext context) => vertex.Own = 1.0 / context.Vertices;

    public override void Interval(Vertices vertices, GraphContext context)
    {
        Span<double> next = vertices.Outgoing.NextValues;
        for (int index = 0; index < vertices.Length; index++)
        {
            ref double own = ref vertices.Own[index];
            if (context.Iteration > 0)
            {
                double sum = 0;
                (int begin, int length) = vertices.Incoming.Of(index).GetOffsetAndLength(vertices.Incoming.Length);
                for (int edge = begin; edge < begin + length; edge++)
                {
                    sum += vertices.Incoming.Value(edge);
                }
                own = Ranked.Jumps(context) + Ranked.Damping * sum;
            }
            int degree = (int)vertices.OutDegrees[index];
            if (degree == 0)
            {
                vertices.AddTotal(index, own);
            }
            next[..degree].Fill(Ranked.Share(own, degree));
            next = next[degree..];
        }
    }
}

/// <summary>The least vertex of each one's component.</summary>
internal sealed class Least : VertexProgram<None, ulong, None>
{
    public override bool Outgoing => true;

    public override bool Selective => true;

    public override void Start(Vertex vertex, GraphContext context)
    {
        vertex.Schedule();
        vertex.Show((ulong)vertex.Id);
    }

    public override void Update(Vertex vertex, GraphContext context)
    {
        ulong least = Of(vertex.Shown, vertex.Incoming);
        vertex.Show(context.Directed ? Of(least, vertex.Outgoing) : least);
    }

    private static ulong Of(ulong least, Neighbours neighbours)
    {
        for (int index = 0; index < neighbours.Length; index++)
        {
            least = Math.Min(least, neighbours.Shown(index));
        }
        return least;
    }
}

/// <summary>The shortest way from vertex 0.</summary>
internal sealed class Shortest : VertexProgram<None, float, int>
{
    public override bool Selective => true;

    public override void Start(Vertex vertex, GraphContext context)
    {
        if (vertex.Id == 0)
        {
            vertex.Schedule();
        }
        vertex.Show(float.PositiveInfinity);
    }

    public override void Update(Vertex vertex, GraphContext context)
    {
        float shortest = vertex.Id == 0 ? 0 : vertex.Shown;
        for (int index = 0; index < vertex.Incoming.Length; index++)
        {
            shortest = Math.Min(shortest, vertex.Incoming.Shown(index) + vertex.Incoming.Value(index));
        }
        vertex.Show(shortest);
    }
}

/// <summary>Writes down all that a vertex sees, in the second iteration.</summary>
internal sealed class Sees(string[] seen) : VertexProgram<int, long, double>
{
    public override bool Outgoing => true;

    public override void Start(Vertex vertex, GraphContext context)
    {
        vertex.Own = (int)(100 * vertex.InDegree + 10 * vertex.OutDegree + vertex.Incoming.Length + vertex.Outgoing.Length);
        vertex.Show(vertex.Shown + vertex.Id * 11);
    }

    public override void Update(Vertex vertex, GraphContext context)
    {
        List<string> words = [$"{vertex.Id}: {vertex.Own} {vertex.Shown}"];
        Neighbours incoming = vertex.Incoming;
        for (int index = 0; index < incoming.Length; index++)
        {
            words.Add($"<{incoming.Id(index)} {incoming.Shown(index)} {incoming.Value(index)}");
        }
        for (int index = 0; index < vertex.Outgoing.Length; index++)
        {
            words.Add($">{vertex.Outgoing.Id(index)} {vertex.Outgoing.Shown(index)} {vertex.Outgoing.Value(index)}");
        }
        seen[vertex.Id] = string.Join(' ', words);
    }

    public override bool AfterIteration(Iteration iteration) => true;
}

/// <summary>The same, handed over at once.</summary>
internal sealed class SeesAtOnce(string[] seen) : IntervalProgram<int, long, double>
{
    public override bool Outgoing => true;

    public override void Start(Vertex vertex, GraphContext context)
    {
        vertex.Own = (int)(100 * vertex.InDegree + 10 * vertex.OutDegree);
        vertex.Show(vertex.Id * 11);
    }

    public override void Interval(Vertices vertices, GraphContext context)
    {
        for (int index = 0; index < vertices.Length; index++)
        {
            List<string> words = [$"{vertices.Id(index)}: {vertices.Own[index]} {vertices.Before[index]}"];
            Add(words, '<', vertices, vertices.Incoming, index);
            Add(words, '>', vertices, vertices.Outgoing, index);
            seen[vertices.Id(index)] = string.Join(' ', words);
        }
    }

    public override bool AfterIteration(Iteration iteration) => true;

    private static void Add(List<string> words, char arrow, Vertices vertices, Edges edges, int index)
    {
        (int begin, int length) = edges.Of(index).GetOffsetAndLength(edges.Length);
        for (int edge = begin; edge < begin + length; edge++)
        {
            words.Add($"{arrow}{edges.Ids[edge]} {vertices.Shown[(int)edges.At[edge]]} {edges.Value(edge)}");
        }
    }
}
