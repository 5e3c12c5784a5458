using System;
using Upcall;
using Upcall.Graph;

/// <summary>PageRank whose ranks travel as values of edges: a vertex sets each outgoing one to its share, and adds up incoming ones.</summary>
/// <remarks>
/// A vertex keeps and shows its rank. In the first iteration edges are only set, so that iteration k + 1 comes to what
/// <see cref="PageRank"/>'s iteration k comes to.
/// </remarks>
public sealed class PageRankEdges : VertexProgram<double, double, double>, IDescribe
{
    private Ranks ranks = new();

    /// <inheritdoc/>
    public override bool Writes => true;

    /// <inheritdoc/>
    public void Describe(Description about) => Ranks.Describe(about);

    /// <inheritdoc/>
    public override void OnOpen(GraphOpenContext open) => ranks = new Ranks(open);

    /// <inheritdoc/>
    public override void Start(Vertex vertex, GraphContext context)
    {
        vertex.Own = 1.0 / context.Vertices;
        vertex.Show(vertex.Own);
    }

    /// <inheritdoc/>
    public override void Update(Vertex vertex, GraphContext context)
    {
        double rank = context.Iteration == 0 ? vertex.Own : ranks.Of(Sum(vertex.Incoming));
        context.AddResidual(Math.Abs(rank - vertex.Own));
        if (vertex.OutDegree == 0)
        {
            context.AddTotal(rank);
        }
        vertex.Own = rank;
        vertex.Show(rank);
        double share = Ranks.Share(rank, vertex.OutDegree);
        Neighbours outgoing = vertex.Outgoing;
        for (int index = 0; index < outgoing.Length; index++)
        {
            outgoing.SetValue(index, share);
        }
    }

    /// <inheritdoc/>
    public override void BeforeIteration(long iteration, double total) => ranks.Begin(total);

    /// <inheritdoc/>
    public override bool AfterIteration(Iteration iteration) => iteration.Number > 0 && ranks.Ends(iteration);

    private static double Sum(Neighbours incoming)
    {
        double sum = 0;
        for (int index = 0; index < incoming.Length; index++)
        {
            sum += incoming.Value(index);
        }
        return sum;
    }
}
