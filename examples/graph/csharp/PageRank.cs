using System;
using System.Globalization;
using Upcall;
using Upcall.Graph;

/// <summary>
/// A vertex's rank is the share of time that somebody spends there who follows edges at random, and now and then jumps to any
/// vertex. From a vertex without outgoing edges there are only jumps. Ranks add up to 1.
/// </summary>
/// <remarks>A vertex keeps its rank; what it shows is its rank divided by its outgoing edges.</remarks>
public sealed class PageRank : VertexProgram<double, double, None>, IDescribe
{
    private Ranks ranks = new();

    /// <inheritdoc/>
    public void Describe(Description about) => Ranks.Describe(about);

    /// <inheritdoc/>
    public override void OnOpen(GraphOpenContext open) => ranks = new Ranks(open);

    /// <inheritdoc/>
    public override void Start(Vertex vertex, GraphContext context)
    {
        double rank = 1.0 / context.Vertices;
        if (vertex.OutDegree == 0)
        {
            context.AddTotal(rank);
        }
        vertex.Own = rank;
        vertex.Show(Ranks.Share(rank, vertex.OutDegree));
    }

    /// <inheritdoc/>
    public override void Update(Vertex vertex, GraphContext context)
    {
        double sum = 0;
        Neighbours incoming = vertex.Incoming;
        for (int index = 0; index < incoming.Length; index++)
        {
            sum += incoming.Shown(index);
        }
        double rank = ranks.Of(sum);
        context.AddResidual(Math.Abs(rank - vertex.Own));
        if (vertex.OutDegree == 0)
        {
            context.AddTotal(rank);
        }
        vertex.Own = rank;
        vertex.Show(Ranks.Share(rank, vertex.OutDegree));
    }

    /// <inheritdoc/>
    public override void BeforeIteration(long iteration, double total) => ranks.Begin(total);

    /// <inheritdoc/>
    public override bool AfterIteration(Iteration iteration) => ranks.Ends(iteration);
}

/// <summary>The same, whose sums the engine makes.</summary>
public sealed class PageRankGather : GatherProgram<double, double, double>, IDescribe
{
    private Ranks ranks = new();

    /// <inheritdoc/>
    public override Gather Gather => Gather.Sum;

    /// <inheritdoc/>
    public void Describe(Description about) => Ranks.Describe(about);

    /// <inheritdoc/>
    public override void OnOpen(GraphOpenContext open) => ranks = new Ranks(open);

    /// <inheritdoc/>
    public override void Start(Vertex vertex, GraphContext context)
    {
        double rank = 1.0 / context.Vertices;
        if (vertex.OutDegree == 0)
        {
            context.AddTotal(rank);
        }
        vertex.Own = rank;
        vertex.Show(Ranks.Share(rank, vertex.OutDegree));
    }

    /// <inheritdoc/>
    public override void Apply(Vertex vertex, double gathered, GraphContext context)
    {
        double rank = ranks.Of(gathered);
        context.AddResidual(Math.Abs(rank - vertex.Own));
        if (vertex.OutDegree == 0)
        {
            context.AddTotal(rank);
        }
        vertex.Own = rank;
        vertex.Show(Ranks.Share(rank, vertex.OutDegree));
    }

    /// <inheritdoc/>
    public override void BeforeIteration(long iteration, double total) => ranks.Begin(total);

    /// <inheritdoc/>
    public override bool AfterIteration(Iteration iteration) => ranks.Ends(iteration);
}

/// <summary>What ranks depend on besides the graph.</summary>
internal sealed class Ranks
{
    private readonly double damping = 0.85;
    private readonly double tolerance = 1e-6;
    private readonly double vertices;
    private double jumps;

    internal Ranks()
    {
    }

    internal Ranks(GraphOpenContext open)
    {
        damping = Number(open, "damping") ?? damping;
        tolerance = Number(open, "tolerance") ?? tolerance;
        vertices = open.Vertices;
    }

    internal static void Describe(Description about)
    {
        about.Parameter("damping", "f64", "0.85", "0..=1");
        about.Parameter("tolerance", "f64", "1e-6");
    }

    /// <summary>What a vertex gives to each neighbour.</summary>
    internal static double Share(double rank, long outDegree) => outDegree == 0 ? 0 : rank / outDegree;

    /// <summary>What each vertex is given by jumps; the total are the ranks of vertices that only jumps lead on from.</summary>
    internal void Begin(double total) => jumps = (1 - damping + damping * total) * (1.0 / vertices);

    /// <summary>The rank of a vertex whose neighbours give it so much.</summary>
    internal double Of(double sum) => jumps + damping * sum;

    internal bool Ends(Iteration iteration) => iteration.Residual <= tolerance;

    private static double? Number(GraphOpenContext open, string name) => open.Setting(name) is not string text
        ? null
        : double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out double number)
            ? number
            : throw new ArgumentException($"`{name}` is \"{text}\": set it to a number");
}
