namespace Upcall.Graph;

/// <summary>A program that is given many vertices at once, as spans over the engine's memory.</summary>
/// <inheritdoc cref="GraphProgram{TOwn, TShown, TEdge}"/>
/// <example>The largest number that each vertex hears of:<code>
/// class Largest : IntervalProgram&lt;None, ulong, None&gt;
/// {
///     public override void Start(Vertex vertex, GraphContext context) =&gt; vertex.Show((ulong)vertex.Id);
///
///     public override void Interval(Vertices vertices, GraphContext context)
///     {
///         ReadOnlySpan&lt;ulong&gt; shown = vertices.Shown;
///         for (int index = 0; index &lt; vertices.Length; index++)
///         {
///             ulong largest = vertices.Before[index];
///             foreach (uint at in vertices.Incoming.At[vertices.Incoming.Of(index)])
///             {
///                 largest = Math.Max(largest, shown[(int)at]);
///             }
///             vertices.Next[index] = largest;
///         }
///     }
/// }
/// </code></example>
public abstract class IntervalProgram<TOwn, TShown, TEdge> : GraphProgram<TOwn, TShown, TEdge>
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    /// <summary>Updates vertices. An exception fails the run.</summary>
    public abstract void Interval(Vertices vertices, GraphContext context);

    internal sealed override Driver Drive() => new IntervalDriver<TOwn, TShown, TEdge>(this);
}
