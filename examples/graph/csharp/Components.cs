using System;
using Upcall.Graph;

/// <summary>Which vertices are connected, whatever the direction of edges: each shows the least one of its component.</summary>
public sealed class Components : VertexProgram<None, uint, None>
{
    /// <inheritdoc/>
    public override bool Outgoing => true;

    /// <inheritdoc/>
    public override bool Selective => true;

    /// <inheritdoc/>
    public override void Start(Vertex vertex, GraphContext context)
    {
        vertex.Schedule();
        vertex.Show((uint)vertex.Id);
    }

    /// <inheritdoc/>
    public override void Update(Vertex vertex, GraphContext context)
    {
        uint least = Least(vertex.Shown, vertex.Incoming);
        // Where edges have no direction, these are the same.
        if (context.Directed)
        {
            least = Least(least, vertex.Outgoing);
        }
        vertex.Show(least);
    }

    private static uint Least(uint least, Neighbours neighbours)
    {
        for (int index = 0; index < neighbours.Length; index++)
        {
            least = Math.Min(least, neighbours.Shown(index));
        }
        return least;
    }
}
