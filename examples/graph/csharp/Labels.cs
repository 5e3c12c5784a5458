using System.Collections.Generic;
using Upcall.Graph;

/// <summary>
/// Communities by label propagation: each vertex shows its label, at first its own number, then the one that most of its
/// neighbours show, of several the least. Each edge counts, in both directions.
/// </summary>
public sealed class Labels : VertexProgram<None, uint, None>
{
    private readonly List<uint> labels = [];

    /// <inheritdoc/>
    public override bool Outgoing => true;

    /// <inheritdoc/>
    public override void Start(Vertex vertex, GraphContext context) => vertex.Show((uint)vertex.Id);

    /// <inheritdoc/>
    public override void Update(Vertex vertex, GraphContext context)
    {
        labels.Clear();
        Add(vertex.Incoming);
        // Where edges have no direction, these are the same.
        if (context.Directed)
        {
            Add(vertex.Outgoing);
        }
        labels.Sort();
        uint label = MostFrequent(vertex.Shown);
        if (label != vertex.Shown)
        {
            context.AddResidual(1);
            vertex.Show(label);
        }
    }

    /// <inheritdoc/>
    public override bool AfterIteration(Iteration iteration) => iteration.Residual == 0;

    private void Add(Neighbours neighbours)
    {
        for (int index = 0; index < neighbours.Length; index++)
        {
            labels.Add(neighbours.Shown(index));
        }
    }

    /// <summary>Of the sorted labels the first that is there most often; another one where there is none.</summary>
    private uint MostFrequent(uint most)
    {
        (int begin, int longest) = (0, 0);
        for (int end = 1; end <= labels.Count; end++)
        {
            if (end == labels.Count || labels[end] != labels[begin])
            {
                if (end - begin > longest)
                {
                    (longest, most) = (end - begin, labels[begin]);
                }
                begin = end;
            }
        }
        return most;
    }
}
