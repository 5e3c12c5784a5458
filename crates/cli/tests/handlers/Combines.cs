using System;
using Upcall;

/// <summary>Adds. Where it is given a number that is none, it says how often it has been called.</summary>
public sealed class Sums : ICombine<double>
{
    private ulong calls;

    /// <inheritdoc/>
    public bool Commutative => true;

    /// <inheritdoc/>
    public void Combine(ReadOnlySpan<double> from, Span<double> into)
    {
        calls++;
        for (int index = 0; index < from.Length; index++)
        {
            if (double.IsNaN(from[index]) || double.IsNaN(into[index]))
            {
                throw new ArithmeticException($"after {calls} calls");
            }
            into[index] += from[index];
        }
    }
}

/// <summary>The first of both: what is combined in another order than that of the ranks shows.</summary>
public sealed class First : ICombine<uint>
{
    /// <inheritdoc/>
    public void Combine(ReadOnlySpan<uint> from, Span<uint> into) => from.CopyTo(into);
}
