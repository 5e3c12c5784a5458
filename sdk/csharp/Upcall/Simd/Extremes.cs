using System;
using System.Collections.Generic;
using System.Numerics;

namespace Upcall.Simd;

/// <content>Least and greatest values that LINQ does not have; of nothing, an InvalidOperationException.</content>
public static partial class Reductions
{
    /// <summary>The least number: NaN is passed over.</summary>
    public static T MinNumber<T>(this T[] source)
        where T : unmanaged, INumber<T> => MinNumber(Values(source));

    /// <inheritdoc cref="MinNumber{T}(T[])"/>
    public static T MinNumber<T>(this List<T> source)
        where T : unmanaged, INumber<T> => MinNumber(Values(source));

    /// <inheritdoc cref="MinNumber{T}(T[])"/>
    public static T MinNumber<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => MinNumber((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="MinNumber{T}(T[])"/>
    public static T MinNumber<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.MinNumber(source);

    /// <summary>The greatest number: NaN is passed over, which Max does too.</summary>
    public static T MaxNumber<T>(this T[] source)
        where T : unmanaged, INumber<T> => MaxNumber(Values(source));

    /// <inheritdoc cref="MaxNumber{T}(T[])"/>
    public static T MaxNumber<T>(this List<T> source)
        where T : unmanaged, INumber<T> => MaxNumber(Values(source));

    /// <inheritdoc cref="MaxNumber{T}(T[])"/>
    public static T MaxNumber<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => MaxNumber((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="MaxNumber{T}(T[])"/>
    public static T MaxNumber<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.Max(source);

    /// <summary>Min and Max, read once.</summary>
    public static (T Min, T Max) MinMax<T>(this T[] source)
        where T : unmanaged, INumber<T> => MinMax(Values(source));

    /// <inheritdoc cref="MinMax{T}(T[])"/>
    public static (T Min, T Max) MinMax<T>(this List<T> source)
        where T : unmanaged, INumber<T> => MinMax(Values(source));

    /// <inheritdoc cref="MinMax{T}(T[])"/>
    public static (T Min, T Max) MinMax<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => MinMax((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="MinMax{T}(T[])"/>
    public static (T Min, T Max) MinMax<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T>
    {
        Ends<T> ends = Kernels.MinMax(source);
        return (ends.Min, T.IsNaN(ends.Min) ? Kernels.Max(source) : ends.Max);
    }

    /// <summary>The least number and the greatest, read once: NaN is passed over.</summary>
    public static (T Min, T Max) MinMaxNumber<T>(this T[] source)
        where T : unmanaged, INumber<T> => MinMaxNumber(Values(source));

    /// <inheritdoc cref="MinMaxNumber{T}(T[])"/>
    public static (T Min, T Max) MinMaxNumber<T>(this List<T> source)
        where T : unmanaged, INumber<T> => MinMaxNumber(Values(source));

    /// <inheritdoc cref="MinMaxNumber{T}(T[])"/>
    public static (T Min, T Max) MinMaxNumber<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => MinMaxNumber((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="MinMaxNumber{T}(T[])"/>
    public static (T Min, T Max) MinMaxNumber<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T>
    {
        Ends<T> ends = Kernels.MinMaxNumber(source);
        return (ends.Min, ends.Max);
    }
}
