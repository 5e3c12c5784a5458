using System;
using System.Collections.Generic;
using System.Numerics;
using System.Runtime.InteropServices;

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
        ArgumentNullException.ThrowIfNull(source);
        // libupcall holds no NaN equal to another.
        return T.IsNaN(value) ? Array.IndexOf(source, value) : Kernels.IndexOf(source, value);
    }

    /// <summary>How many values are equal. NaN is counted.</summary>
    public static int Count<T>(this T[] source, T value)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Count((ReadOnlySpan<T>)source, value);
    }

    /// <summary>How many values are equal. NaN is counted.</summary>
    public static int Count<T>(this List<T> source, T value)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Count((ReadOnlySpan<T>)CollectionsMarshal.AsSpan(source), value);
    }

    /// <summary>Whether both have the same length and equal values in the same places. NaN equals NaN.</summary>
    public static bool SequenceEqual<T>(this T[] first, T[] second)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        return Equal<T>(first, second);
    }

    /// <summary>Whether both have the same length and equal values in the same places. NaN equals NaN.</summary>
    public static bool SequenceEqual<T>(this List<T> first, List<T> second)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(first);
        ArgumentNullException.ThrowIfNull(second);
        return Equal<T>(CollectionsMarshal.AsSpan(first), CollectionsMarshal.AsSpan(second));
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

    /// <summary>The sum as long, which does not overflow.</summary>
    public static long SumLong(this sbyte[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Kernels.SumLong<sbyte, long>(source);
    }

    /// <summary>The sum as long, which does not overflow.</summary>
    public static long SumLong(this short[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Kernels.SumLong<short, long>(source);
    }

    /// <summary>The sum as long, which does not overflow.</summary>
    public static long SumLong(this int[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Kernels.SumLong<int, long>(source);
    }

    /// <summary>The sum as ulong, which does not overflow.</summary>
    public static ulong SumLong(this byte[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Kernels.SumLong<byte, ulong>(source);
    }

    /// <summary>The sum as ulong, which does not overflow.</summary>
    public static ulong SumLong(this ushort[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Kernels.SumLong<ushort, ulong>(source);
    }

    /// <summary>The sum as ulong, which does not overflow.</summary>
    public static ulong SumLong(this uint[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Kernels.SumLong<uint, ulong>(source);
    }

    /// <summary>The sum as double, in whose lanes it is added.</summary>
    public static double SumLong(this float[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return Kernels.SumLong<float, double>(source);
    }

    /// <summary>The mean, as LINQ has it for float.</summary>
    public static float Average(this float[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return (float)Kernels.Mean<float>(source);
    }

    /// <summary>The mean, as LINQ has it for float.</summary>
    public static float Average(this List<float> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return (float)Kernels.Mean<float>(CollectionsMarshal.AsSpan(source));
    }
}
