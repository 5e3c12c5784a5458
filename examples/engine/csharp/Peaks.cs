using System;
using Upcall;

/// <summary>The greatest of each column, in C#.</summary>
public sealed class Peaks : ICombine<double>
{
    /// <inheritdoc/>
    public bool Commutative => true;

    /// <inheritdoc/>
    public void Combine(ReadOnlySpan<double> from, Span<double> into)
    {
        for (int index = 0; index < into.Length; index++)
        {
            into[index] = Math.Max(into[index], from[index]);
        }
    }
}
