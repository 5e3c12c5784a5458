using System;

namespace Upcall.Graph;

/// <summary>By what an engine puts together what a vertex's incoming neighbours show.</summary>
public enum Gather
{
    /// <summary>Their sum, as a <c>double</c>; 0 where there are none.</summary>
    Sum,

    /// <summary>The least; where there are none the largest number of the type, which is infinity of those that have one.</summary>
    Min,

    /// <summary>The largest; where there are none the least number of the type.</summary>
    Max,

    /// <summary>How many there are, as a <c>double</c>.</summary>
    Count,
}

/// <summary>A program whose vertices are updated by what their incoming neighbours come to, which the engine puts together.</summary>
/// <typeparam name="TOwn">What a vertex keeps to itself: a number, or <see cref="None"/>.</typeparam>
/// <typeparam name="TShown">
/// What it shows to its neighbours: <c>float</c>, <c>double</c>, <c>int</c>, <c>long</c>, <c>uint</c> or <c>ulong</c>.
/// </typeparam>
/// <typeparam name="TGathered">
/// What these come to: <c>double</c> for <see cref="Gather.Sum"/> and <see cref="Gather.Count"/>, and <typeparamref name="TShown"/>
/// for <see cref="Gather.Min"/> and <see cref="Gather.Max"/>.
/// </typeparam>
/// <remarks>All else is as for <see cref="VertexProgram{TOwn, TShown, TEdge}"/>.</remarks>
/// <example>The least number that each vertex hears of:<code>
/// class Least : GatherProgram&lt;None, uint, uint&gt;
/// {
///     public override Gather Gather =&gt; Gather.Min;
///
///     public override void Start(Vertex vertex, GraphContext context) =&gt; vertex.Show((uint)vertex.Id);
///
///     public override void Apply(Vertex vertex, uint gathered, GraphContext context) =&gt;
///         vertex.Show(Math.Min(vertex.Shown, gathered));
/// }
/// </code></example>
public abstract class GatherProgram<TOwn, TShown, TGathered> : GraphProgram<TOwn, TShown, None>
    where TOwn : unmanaged
    where TShown : unmanaged
    where TGathered : unmanaged
{
    /// <summary>By what the engine puts together what neighbours show. The same for all instances.</summary>
    public abstract Gather Gather { get; }

    /// <summary>Updates one vertex by what its incoming neighbours come to. An exception fails the run.</summary>
    public abstract void Apply(Vertex vertex, TGathered gathered, GraphContext context);

    internal sealed override Driver Drive() => new GatherDriver<TOwn, TShown, TGathered>(this);
}
