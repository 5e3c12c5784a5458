using System;
using System.Collections.Generic;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Upcall.Simd;

/// <summary>LINQ's reductions of arrays and lists of numbers, by the vector instructions of the machine.</summary>
/// <remarks>
/// <para><c>using Upcall.Simd;</c> is all: <c>array.Sum()</c> is this one then, as an array is a better match than
/// <c>IEnumerable</c>. Nothing is copied and nothing allocated.</para>
/// <para>As LINQ has it: the types of all results; an integer sum that does not fit is an OverflowException; what is
/// empty has no Min, Max and Average, which is an InvalidOperationException; Min is NaN if any value is, Max only if
/// all are; NaN is found and equals NaN.</para>
/// <para>Other than LINQ: a sum overflows only if its end result does, whatever happens on the way; a mean of integers
/// does not overflow at all; a sum of double, and a mean of float or double, is added in 32 lanes, and so may differ
/// from LINQ's in its last bits (<c>SumInOrder</c> does not); a least or greatest zero is <c>0.0</c>, never
/// <c>-0.0</c>, where LINQ gives the first that there is; all integers have sums and means.</para>
/// </remarks>
public static partial class Reductions
{
    /// <summary>The sum; an OverflowException if the type of the elements cannot hold it.</summary>
    public static T Sum<T>(this T[] source)
        where T : unmanaged, INumber<T> => Sum(Values(source));

    /// <inheritdoc cref="Sum{T}(T[])"/>
    public static T Sum<T>(this List<T> source)
        where T : unmanaged, INumber<T> => Sum(Values(source));

    /// <inheritdoc cref="Sum{T}(T[])"/>
    public static T Sum<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => Sum((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="Sum{T}(T[])"/>
    public static T Sum<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.Sum(source);

    /// <summary>The arithmetic mean, which does not overflow.</summary>
    public static double Average<T>(this T[] source)
        where T : unmanaged, INumber<T> => Average(Values(source));

    /// <inheritdoc cref="Average{T}(T[])"/>
    public static double Average<T>(this List<T> source)
        where T : unmanaged, INumber<T> => Average(Values(source));

    /// <inheritdoc cref="Average{T}(T[])"/>
    public static double Average<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => Average((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="Average{T}(T[])"/>
    public static double Average<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.Mean(source);

    /// <summary>The mean, as LINQ has it for float.</summary>
    public static float Average(this float[] source) => (float)Kernels.Mean<float>(Values(source));

    /// <inheritdoc cref="Average(float[])"/>
    public static float Average(this List<float> source) => (float)Kernels.Mean<float>(Values(source));

    /// <inheritdoc cref="Average(float[])"/>
    public static float Average(this Span<float> source) => (float)Kernels.Mean<float>(source);

    /// <inheritdoc cref="Average(float[])"/>
    public static float Average(this ReadOnlySpan<float> source) => (float)Kernels.Mean<float>(source);

    /// <summary>The mean, as LINQ has it for decimal; an OverflowException if the sum is none.</summary>
    public static decimal Average(this decimal[] source) => Plain.Mean(Values(source));

    /// <inheritdoc cref="Average(decimal[])"/>
    public static decimal Average(this List<decimal> source) => Plain.Mean(Values(source));

    /// <inheritdoc cref="Average(decimal[])"/>
    public static decimal Average(this Span<decimal> source) => Plain.Mean(source);

    /// <inheritdoc cref="Average(decimal[])"/>
    public static decimal Average(this ReadOnlySpan<decimal> source) => Plain.Mean(source);

    /// <summary>The least value; NaN if any is.</summary>
    public static T Min<T>(this T[] source)
        where T : unmanaged, INumber<T> => Min(Values(source));

    /// <inheritdoc cref="Min{T}(T[])"/>
    public static T Min<T>(this List<T> source)
        where T : unmanaged, INumber<T> => Min(Values(source));

    /// <inheritdoc cref="Min{T}(T[])"/>
    public static T Min<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => Min((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="Min{T}(T[])"/>
    public static T Min<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.Min(source);

    /// <summary>The greatest value; NaN only if all are.</summary>
    public static T Max<T>(this T[] source)
        where T : unmanaged, INumber<T> => Max(Values(source));

    /// <inheritdoc cref="Max{T}(T[])"/>
    public static T Max<T>(this List<T> source)
        where T : unmanaged, INumber<T> => Max(Values(source));

    /// <inheritdoc cref="Max{T}(T[])"/>
    public static T Max<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => Max((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="Max{T}(T[])"/>
    public static T Max<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.Max(source);

    private static ReadOnlySpan<T> Values<T>(T[] source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return source;
    }

    private static ReadOnlySpan<T> Values<T>(List<T> source)
    {
        ArgumentNullException.ThrowIfNull(source);
        return CollectionsMarshal.AsSpan(source);
    }
}
