using System;
using System.Globalization;
using Upcall;
using Upcall.Graph;

/// <summary>
/// How far each vertex is from one of them: the least sum of weights on a way there, infinite where there is none. It is what
/// vertices show.
/// </summary>
/// <remarks>
/// Weights may be negative. If a cycle of negative length can be reached, no distance is the least; the program then says so in
/// the log and stops after as many iterations as there are vertices.
/// </remarks>
public sealed class ShortestPaths : VertexProgram<None, double, double>, IDescribe
{
    private long from;
    private long vertices;
    private Log? log;

    /// <inheritdoc/>
    public override bool Selective => true;

    /// <inheritdoc/>
    public void Describe(Description about) => about.Parameter("from", "u64", "0");

    /// <inheritdoc/>
    public override void OnOpen(GraphOpenContext open)
    {
        (vertices, log) = (open.Vertices, open.Log);
        string text = open.Setting("from") ?? "0";
        if (!long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out from) || from >= vertices)
        {
            throw new ArgumentException($"`from` is \"{text}\": set it to one of the {vertices} vertices, from 0 on");
        }
    }

    /// <inheritdoc/>
    public override void Start(Vertex vertex, GraphContext context)
    {
        if (vertex.Id == from)
        {
            vertex.Schedule();
        }
        vertex.Show(double.PositiveInfinity);
    }

    /// <inheritdoc/>
    public override void Update(Vertex vertex, GraphContext context)
    {
        double shortest = vertex.Id == from ? Math.Min(vertex.Shown, 0) : vertex.Shown;
        Neighbours incoming = vertex.Incoming;
        for (int index = 0; index < incoming.Length; index++)
        {
            double length = incoming.Shown(index) + incoming.Value(index);
            // A weight that is no number makes no way shorter.
            shortest = length < shortest ? length : shortest;
        }
        if (shortest < vertex.Shown)
        {
            vertex.Show(shortest);
        }
    }

    /// <inheritdoc/>
    public override bool AfterIteration(Iteration iteration)
    {
        // The longest path without a cycle has one edge less than there are vertices, and the first iteration looks at none.
        bool cycle = iteration.Number > vertices && iteration.Scheduled > 0;
        if (cycle)
        {
            log?.Warn($"a cycle of negative length can be reached from vertex {from}: no distance is the least");
        }
        return cycle;
    }
}
