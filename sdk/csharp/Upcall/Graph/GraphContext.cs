using System.Runtime.CompilerServices;

namespace Upcall.Graph;

/// <summary>What is the same for all vertices of an iteration, and what they add up. Ends with the call.</summary>
public readonly ref struct GraphContext
{
    private readonly FrameCursor cursor;

    internal GraphContext(FrameCursor cursor) => this.cursor = cursor;

    /// <summary>The number of the iteration, from 0 on.</summary>
    public long Iteration => cursor.Iteration;

    /// <summary>How many vertices the graph has.</summary>
    public long Vertices => cursor.Vertices;

    /// <summary>How many edges, each direction counted where they have none.</summary>
    public long Edges => cursor.Edges;

    /// <summary>Whether edges have a direction. If they have none, those that come in and those that go out are the same.</summary>
    public bool Directed => cursor.Directed;

    /// <summary>What vertices have added to the total in the last iteration, or at the start.</summary>
    public double Total => cursor.Total;

    /// <summary>The engine's log.</summary>
    public Log Log => cursor.Log;

    /// <summary>Adds to the iteration's residual: how far the program is from its end.</summary>
    /// <exception cref="System.InvalidOperationException">In an interval, whose vertices have a method of their own for it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddResidual(double amount) => cursor.Tally().Residual += amount;

    /// <summary>Adds to the iteration's total, which all vertices see in the next one.</summary>
    /// <exception cref="System.InvalidOperationException">In an interval, whose vertices have a method of their own for it.</exception>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void AddTotal(double amount) => cursor.Tally().Total += amount;
}
