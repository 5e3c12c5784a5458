using System;
using System.Numerics;

namespace Upcall.Simd;

/// <summary>The reductions as loops, for numbers that libupcall has no kernels for.</summary>
internal static class Plain
{
    internal static T Sum<T>(ReadOnlySpan<T> values)
        where T : INumber<T>
    {
        T sum = T.Zero;
        foreach (T value in values)
        {
            sum = checked(sum + value);
        }
        return sum;
    }

    internal static T SumWrapping<T>(ReadOnlySpan<T> values)
        where T : INumber<T>
    {
        T sum = T.Zero;
        foreach (T value in values)
        {
            sum = unchecked(sum + value);
        }
        return sum;
    }

    internal static T SumPairwise<T>(ReadOnlySpan<T> values)
        where T : INumber<T>
    {
        int half = values.Length / 2;
        return values.Length <= 8 ? SumWrapping(values) : SumPairwise(values[..half]) + SumPairwise(values[half..]);
    }

    internal static double Mean<T>(ReadOnlySpan<T> values)
        where T : INumber<T>
    {
        double sum = 0;
        foreach (T value in values)
        {
            sum += double.CreateChecked(value);
        }
        return sum / Some(values).Length;
    }

    internal static decimal Mean(ReadOnlySpan<decimal> values) => Sum(Some(values)) / values.Length;

    internal static T Min<T>(ReadOnlySpan<T> values)
        where T : INumber<T>
    {
        T least = Some(values)[0];
        foreach (T value in values)
        {
            // As CompareTo has it: NaN is below every number.
            least = value.CompareTo(least) < 0 ? value : least;
        }
        return least;
    }

    internal static T MinNumber<T>(ReadOnlySpan<T> values)
        where T : INumber<T>
    {
        T least = Some(values)[0];
        foreach (T value in values)
        {
            least = T.MinNumber(least, value);
        }
        return least;
    }

    internal static T Max<T>(ReadOnlySpan<T> values)
        where T : INumber<T>
    {
        T greatest = Some(values)[0];
        foreach (T value in values)
        {
            greatest = value.CompareTo(greatest) > 0 ? value : greatest;
        }
        return greatest;
    }

    private static ReadOnlySpan<T> Some<T>(ReadOnlySpan<T> values) =>
        values.IsEmpty ? throw new InvalidOperationException("reducing: there are no elements") : values;
}
