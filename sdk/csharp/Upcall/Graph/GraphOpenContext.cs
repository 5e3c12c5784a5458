using Upcall.Abi;

namespace Upcall.Graph;

/// <summary>What a program learns when it is opened: its settings, and the graph. May be kept.</summary>
public sealed class GraphOpenContext : Context
{
    internal unsafe GraphOpenContext(OpenFrame* frame, VertexOpen* graph, Log log)
        : base(frame, log)
    {
        Directed = graph->Directed != 0;
        Vertices = (long)graph->Vertices;
        Edges = (long)graph->Edges;
    }

    /// <summary>How many vertices the graph has.</summary>
    public long Vertices { get; }

    /// <summary>How many edges, each direction counted where they have none.</summary>
    public long Edges { get; }

    /// <summary>Whether edges have a direction. If they have none, those that come in and those that go out are the same.</summary>
    public bool Directed { get; }
}
