using System;
using System.Numerics;
using System.Runtime.InteropServices;
using Upcall;

/// <summary>A handler that adds doubles: the operation of a reduction.</summary>
public sealed class Sums : ICombine<double>
{
    /// <inheritdoc/>
    public bool Commutative => true;

    /// <inheritdoc/>
    public void Combine(ReadOnlySpan<double> from, Span<double> into) => Add(from, into);

    /// <summary>As a program would add two spans: by vectors, and what is left one by one.</summary>
    internal static void Add(ReadOnlySpan<double> from, Span<double> into)
    {
        ReadOnlySpan<Vector<double>> sources = MemoryMarshal.Cast<double, Vector<double>>(from);
        Span<Vector<double>> targets = MemoryMarshal.Cast<double, Vector<double>>(into);
        for (int index = 0; index < targets.Length; index++)
        {
            targets[index] += sources[index];
        }
        for (int index = targets.Length * Vector<double>.Count; index < into.Length; index++)
        {
            into[index] += from[index];
        }
    }
}
