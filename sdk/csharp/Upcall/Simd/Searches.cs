using System;
using System.Collections.Generic;
using System.Numerics;

namespace Upcall.Simd;

/// <content>Searches and comparisons. Spans have their own (MemoryExtensions), lists their own Contains and IndexOf.</content>
public static partial class Reductions
{
    /// <summary>Whether a value is in it. NaN is found.</summary>
    public static bool Contains<T>(this T[] source, T value)
        where T : unmanaged, INumber<T> => IndexOf(source, value) >= 0;

    /// <summary>The index of the first value that is equal; -1 if none is. NaN is found.</summary>
    public static int IndexOf<T>(this T[] source, T value)
        where T : unmanaged, INumber<T>
    {
        ReadOnlySpan<T> values = Values(source);
        // libupcall holds no NaN equal to another.
        return T.IsNaN(value) ? Array.IndexOf(source, value) : Kernels.IndexOf(values, value);
    }

    /// <summary>How many values are equal. NaN is counted.</summary>
    public static int Count<T>(this T[] source, T value)
        where T : unmanaged, INumber<T> => Count(Values(source), value);

    /// <inheritdoc cref="Count{T}(T[], T)"/>
    public static int Count<T>(this List<T> source, T value)
        where T : unmanaged, INumber<T> => Count(Values(source), value);

    /// <summary>Whether both have the same length and equal values in the same places. NaN equals NaN.</summary>
    public static bool SequenceEqual<T>(this T[] first, T[] second)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        return Equal<T>(first, second);
    }

    /// <inheritdoc cref="SequenceEqual{T}(T[], T[])"/>
    public static bool SequenceEqual<T>(this List<T> first, List<T> second)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        return Equal(Values(first), Values(second));
    }

    private static int Count<T>(ReadOnlySpan<T> source, T value)
        where T : unmanaged, INumber<T> =>
        T.IsNaN(value) ? MemoryExtensions.Count(source, value) : Kernels.Count(source, value);

    private static bool Equal<T>(ReadOnlySpan<T> first, ReadOnlySpan<T> second)
        where T : unmanaged, INumber<T>
    {
        if (first.Length != second.Length)
        {
            return false;
        }
        if (Kernels.Equal(first, second))
        {
            return true;
        }
        // What differs for libupcall may be NaN twice; integers have none.
        return (typeof(T) == typeof(float) || typeof(T) == typeof(double)) && first.SequenceEqual(second);
    }
}
