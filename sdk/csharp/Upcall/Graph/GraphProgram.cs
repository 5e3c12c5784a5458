using System;
using System.Linq;

namespace Upcall.Graph;

/// <summary>What every program of vertices is; derive from <see cref="VertexProgram{TOwn, TShown, TEdge}"/>.</summary>
public abstract class GraphProgram
{
    private static readonly Type[] Numbers =
        [typeof(float), typeof(double), typeof(int), typeof(long), typeof(uint), typeof(ulong)];

    private protected GraphProgram()
    {
    }

    internal abstract Driver Drive();

    /// <summary>Why a class of programs cannot be run; null when it can.</summary>
    internal static string? Unfit(Type program)
    {
        Type type = program;
        while (!type.IsGenericType || type.GetGenericTypeDefinition() != typeof(GraphProgram<,,>))
        {
            type = type.BaseType!;
        }
        Type[] values = type.GetGenericArguments();
        if (values[1] == typeof(None))
        {
            return "its vertices show nothing: make TShown the type of what a vertex shows to its neighbours";
        }
        Type? unknown = values.FirstOrDefault(value => value != typeof(None) && !Numbers.Contains(value));
        return unknown == null
            ? null
            : $"its values cannot be {FormName.Of(unknown)}s: make them float, double, int, long, uint or ulong, or None where "
                + "there is no value";
    }
}

/// <summary>
/// A program that an engine runs for each vertex of a graph, in iterations. There are three forms of it:
/// <see cref="VertexProgram{TOwn, TShown, TEdge}"/> updates vertices one by one,
/// <see cref="GatherProgram{TOwn, TShown, TGathered}"/> has the engine put together what their neighbours show, and
/// <see cref="IntervalProgram{TOwn, TShown, TEdge}"/> is given many at once.
/// </summary>
/// <typeparam name="TOwn">What a vertex keeps to itself: a number, or <see cref="None"/>.</typeparam>
/// <typeparam name="TShown">
/// What it shows to its neighbours: <c>float</c>, <c>double</c>, <c>int</c>, <c>long</c>, <c>uint</c> or <c>ulong</c>.
/// </typeparam>
/// <typeparam name="TEdge">The value of an edge: a number, or <see cref="None"/> if the program does not look at it.</typeparam>
/// <remarks>
/// <para>Iterations are Jacobi's: whatever a vertex shows, its neighbours see in the next iteration. So it does not matter in
/// which order vertices are updated, nor by how many workers.</para>
/// <para>An instance belongs to one worker and is used on its thread only; what it keeps in fields, the instances of other
/// workers do not see. A class needs a constructor without parameters; <see cref="IDescribe"/> and <see cref="IDisposable"/>
/// are optional.</para>
/// </remarks>
public abstract partial class GraphProgram<TOwn, TShown, TEdge> : GraphProgram
    where TOwn : unmanaged
    where TShown : unmanaged
    where TEdge : unmanaged
{
    private protected GraphProgram()
    {
    }

    /// <summary>
    /// Whether it looks at outgoing edges, which not every graph's file has. The same for all instances, as
    /// <see cref="Selective"/>.
    /// </summary>
    public virtual bool Outgoing => false;

    /// <summary>
    /// Whether it sets the values of outgoing edges, at which it looks then, too: <see cref="Neighbours.SetValue"/>. Values are
    /// kept for the run, in which they begin as the graph's file has them, or at 0; the file stays as it is. The same for all
    /// instances.
    /// </summary>
    public virtual bool Writes => false;

    /// <summary>
    /// Whether only those vertices are updated that see a changed value: a neighbour at the other end of an incoming edge (or of
    /// an outgoing one, if the program is <see cref="Outgoing"/>) showed another in the last iteration, or set another to an
    /// incoming edge. In the first iteration, the vertices that were scheduled by <see cref="Start"/> are updated.
    /// </summary>
    public virtual bool Selective => false;

    /// <summary>Called once, before anything else. An exception fails the engine's start.</summary>
    public virtual void OnOpen(GraphOpenContext open)
    {
    }

    /// <summary>
    /// What a vertex begins with: it keeps and shows 0 unless this writes something else. Its degrees are known, its neighbours
    /// are not yet.
    /// </summary>
    public virtual void Start(Vertex vertex, GraphContext context)
    {
    }

    /// <summary>Called before an instance updates its first vertex of an iteration, for what is the same for all of them.</summary>
    /// <param name="iteration">The iteration's number, from 0 on.</param>
    /// <param name="total">What vertices have added to the total in the last one, or at the start.</param>
    public virtual void BeforeIteration(long iteration, double total)
    {
    }

    /// <summary>
    /// Called in each instance that updates vertices of an interval, before the first of them; also before each further pass.
    /// </summary>
    public virtual void BeforeInterval(Interval interval)
    {
    }

    /// <summary>Called in one instance when all vertices of an interval were updated, with what they have come to.</summary>
    public virtual void AfterInterval(Interval interval)
    {
    }

    /// <summary>
    /// Called after <see cref="AfterInterval"/>, in the same instance: whether the interval's vertices are to be updated once more
    /// before others are. They see then what all of them show now. Of a <see cref="Selective"/> program, those are updated that
    /// have seen a change or were scheduled; where there are none, the interval is done. A program that <see cref="Writes"/>
    /// edges cannot repeat: the engine ends the run.
    /// </summary>
    public virtual bool RepeatUpdates(Interval interval) => false;

    /// <summary>
    /// Called between iterations, in each worker's instance with the same numbers; true if it was the last one. What it changes
    /// in the instance's fields, the next iteration sees.
    /// </summary>
    public virtual bool AfterIteration(Iteration iteration) => false;
}
