using System;
using System.Collections.Generic;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Upcall.Simd;

/// <summary>LINQ's reductions of arrays and lists of numbers, by the vector instructions of the machine.</summary>
/// <remarks>
/// <para><c>using Upcall.Simd;</c> is all: <c>array.Sum()</c> is this one then, as an array is a better match than
/// <c>IEnumerable</c>. Nothing is copied and nothing allocated.</para>
/// <para>As LINQ has it: an integer sum that does not fit is an OverflowException; what is empty has no Min, Max and
/// Average, which is an InvalidOperationException; Min is NaN if any value is, Max only if all are; NaN is found and
/// equals NaN. Other than LINQ: a sum overflows only if its end result does, whatever happens on the way; a sum of
/// double is added in 32 lanes, and so may differ from LINQ's in its last bits; all integers have sums and means.
/// </para>
/// </remarks>
public static partial class Reductions
{
    /// <summary>The sum; an OverflowException if the type of the elements cannot hold it.</summary>
    public static T Sum<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T>
    {
        if (typeof(T) == typeof(float))
        {
            // As LINQ does, in double.
            return T.CreateTruncating(Kernels.SumLong<T, double>(source));
        }
        return typeof(T) == typeof(double) ? Kernels.SumWrapping(source) : Kernels.Sum(source);
    }

    /// <summary>The sum; an OverflowException if the type of the elements cannot hold it.</summary>
    public static T Sum<T>(this T[] source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Sum((ReadOnlySpan<T>)source);
    }

    /// <summary>The sum; an OverflowException if the type of the elements cannot hold it.</summary>
    public static T Sum<T>(this List<T> source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Sum((ReadOnlySpan<T>)CollectionsMarshal.AsSpan(source));
    }

    /// <summary>The sum; an OverflowException if the type of the elements cannot hold it.</summary>
    public static T Sum<T>(this Span<T> source)
        where T : unmanaged, INumber<T>
    {
        return Sum((ReadOnlySpan<T>)source);
    }

    /// <summary>The sum. Integers wrap; floats are added in lanes of their own width.</summary>
    public static T SumWrapping<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T>
    {
        return Kernels.SumWrapping(source);
    }

    /// <summary>The sum. Integers wrap; floats are added in lanes of their own width.</summary>
    public static T SumWrapping<T>(this T[] source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return SumWrapping((ReadOnlySpan<T>)source);
    }

    /// <summary>The sum. Integers wrap; floats are added in lanes of their own width.</summary>
    public static T SumWrapping<T>(this List<T> source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return SumWrapping((ReadOnlySpan<T>)CollectionsMarshal.AsSpan(source));
    }

    /// <summary>The sum. Integers wrap; floats are added in lanes of their own width.</summary>
    public static T SumWrapping<T>(this Span<T> source)
        where T : unmanaged, INumber<T>
    {
        return SumWrapping((ReadOnlySpan<T>)source);
    }

    /// <summary>The arithmetic mean, which does not overflow.</summary>
    public static double Average<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T>
    {
        return Kernels.Mean(source);
    }

    /// <summary>The arithmetic mean, which does not overflow.</summary>
    public static double Average<T>(this T[] source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Average((ReadOnlySpan<T>)source);
    }

    /// <summary>The arithmetic mean, which does not overflow.</summary>
    public static double Average<T>(this List<T> source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Average((ReadOnlySpan<T>)CollectionsMarshal.AsSpan(source));
    }

    /// <summary>The arithmetic mean, which does not overflow.</summary>
    public static double Average<T>(this Span<T> source)
        where T : unmanaged, INumber<T>
    {
        return Average((ReadOnlySpan<T>)source);
    }

    /// <summary>The least value; NaN if any is.</summary>
    public static T Min<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T>
    {
        return Kernels.Min(source);
    }

    /// <summary>The least value; NaN if any is.</summary>
    public static T Min<T>(this T[] source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Min((ReadOnlySpan<T>)source);
    }

    /// <summary>The least value; NaN if any is.</summary>
    public static T Min<T>(this List<T> source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Min((ReadOnlySpan<T>)CollectionsMarshal.AsSpan(source));
    }

    /// <summary>The least value; NaN if any is.</summary>
    public static T Min<T>(this Span<T> source)
        where T : unmanaged, INumber<T>
    {
        return Min((ReadOnlySpan<T>)source);
    }

    /// <summary>The greatest value; NaN only if all are.</summary>
    public static T Max<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T>
    {
        return Kernels.Max(source);
    }

    /// <summary>The greatest value; NaN only if all are.</summary>
    public static T Max<T>(this T[] source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Max((ReadOnlySpan<T>)source);
    }

    /// <summary>The greatest value; NaN only if all are.</summary>
    public static T Max<T>(this List<T> source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return Max((ReadOnlySpan<T>)CollectionsMarshal.AsSpan(source));
    }

    /// <summary>The greatest value; NaN only if all are.</summary>
    public static T Max<T>(this Span<T> source)
        where T : unmanaged, INumber<T>
    {
        return Max((ReadOnlySpan<T>)source);
    }

    /// <summary>The least and the greatest value, read once.</summary>
    public static (T Min, T Max) MinMax<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T>
    {
        Kernels.Ends<T> ends = Kernels.MinMax(source);
        return (ends.Min, T.IsNaN(ends.Min) ? Kernels.Max(source) : ends.Max);
    }

    /// <summary>The least and the greatest value, read once.</summary>
    public static (T Min, T Max) MinMax<T>(this T[] source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return MinMax((ReadOnlySpan<T>)source);
    }

    /// <summary>The least and the greatest value, read once.</summary>
    public static (T Min, T Max) MinMax<T>(this List<T> source)
        where T : unmanaged, INumber<T>
    {
        ArgumentNullException.ThrowIfNull(source);
        return MinMax((ReadOnlySpan<T>)CollectionsMarshal.AsSpan(source));
    }

    /// <summary>The least and the greatest value, read once.</summary>
    public static (T Min, T Max) MinMax<T>(this Span<T> source)
        where T : unmanaged, INumber<T>
    {
        return MinMax((ReadOnlySpan<T>)source);
    }
}
