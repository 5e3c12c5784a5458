namespace Upcall.Graph;

/// <summary>A program that updates the vertices of a graph one by one.</summary>
/// <inheritdoc cref="GraphProgram{TOwn, TShown, TEdge}"/>
/// <example>The largest number that each vertex hears of:<code>
/// class Largest : VertexProgram&lt;None, ulong, None&gt;
/// {
///     public override bool Selective =&gt; true;
///
///     public override void Start(Vertex vertex, GraphContext context)
///     {
///         vertex.Schedule();
///         vertex.Show((ulong)vertex.Id);
///     }
///
///     public override void Update(Vertex vertex, GraphContext context)
///     {
///         ulong largest = vertex.Shown;
///         Neighbours incoming = vertex.Incoming;
///         for (int index = 0; index &lt; incoming.Length; index++)
///         {
///             largest = Math.Max(largest, incoming.Shown(index));
///         }
///         vertex.Show(largest);
///     }
/// }
/// </code></example>
public abstract class VertexProgram<TOwn, TShown, TEdge> : GraphProgram<TOwn, TShown, TEdge>
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    /// <summary>Updates one vertex. An exception fails the run.</summary>
    public abstract void Update(Vertex vertex, GraphContext context);

    internal sealed override Driver Drive() => new VertexDriver<TOwn, TShown, TEdge>(this);
}
