using System;
using System.Collections.Generic;
using System.Numerics;

namespace Upcall.Simd;

/// <content>Sums that LINQ does not have.</content>
public static partial class Reductions
{
    /// <summary>The sum. Integers wrap; floats are added in lanes of their own width.</summary>
    public static T SumWrapping<T>(this T[] source)
        where T : unmanaged, INumber<T> => SumWrapping(Values(source));

    /// <inheritdoc cref="SumWrapping{T}(T[])"/>
    public static T SumWrapping<T>(this List<T> source)
        where T : unmanaged, INumber<T> => SumWrapping(Values(source));

    /// <inheritdoc cref="SumWrapping{T}(T[])"/>
    public static T SumWrapping<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => SumWrapping((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="SumWrapping{T}(T[])"/>
    public static T SumWrapping<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.SumWrapping(source);

    /// <summary>The sum, one after the other, to the bit what a loop gives. Integers wrap.</summary>
    public static T SumInOrder<T>(this T[] source)
        where T : unmanaged, INumber<T> => SumInOrder(Values(source));

    /// <inheritdoc cref="SumInOrder{T}(T[])"/>
    public static T SumInOrder<T>(this List<T> source)
        where T : unmanaged, INumber<T> => SumInOrder(Values(source));

    /// <inheritdoc cref="SumInOrder{T}(T[])"/>
    public static T SumInOrder<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => SumInOrder((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="SumInOrder{T}(T[])"/>
    public static T SumInOrder<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.SumInOrder(source);

    /// <summary>The sum, whose error grows with the logarithm of the length. Integers wrap.</summary>
    public static T SumPairwise<T>(this T[] source)
        where T : unmanaged, INumber<T> => SumPairwise(Values(source));

    /// <inheritdoc cref="SumPairwise{T}(T[])"/>
    public static T SumPairwise<T>(this List<T> source)
        where T : unmanaged, INumber<T> => SumPairwise(Values(source));

    /// <inheritdoc cref="SumPairwise{T}(T[])"/>
    public static T SumPairwise<T>(this Span<T> source)
        where T : unmanaged, INumber<T> => SumPairwise((ReadOnlySpan<T>)source);

    /// <inheritdoc cref="SumPairwise{T}(T[])"/>
    public static T SumPairwise<T>(this ReadOnlySpan<T> source)
        where T : unmanaged, INumber<T> => Kernels.SumPairwise(source);

    /// <summary>The sum as long, which does not overflow.</summary>
    public static long SumLong(this sbyte[] source) => Kernels.SumLong<sbyte, long>(Values(source));

    /// <inheritdoc cref="SumLong(sbyte[])"/>
    public static long SumLong(this List<sbyte> source) => Kernels.SumLong<sbyte, long>(Values(source));

    /// <inheritdoc cref="SumLong(sbyte[])"/>
    public static long SumLong(this Span<sbyte> source) => Kernels.SumLong<sbyte, long>(source);

    /// <inheritdoc cref="SumLong(sbyte[])"/>
    public static long SumLong(this ReadOnlySpan<sbyte> source) => Kernels.SumLong<sbyte, long>(source);

    /// <summary>The sum as long, which does not overflow.</summary>
    public static long SumLong(this short[] source) => Kernels.SumLong<short, long>(Values(source));

    /// <inheritdoc cref="SumLong(short[])"/>
    public static long SumLong(this List<short> source) => Kernels.SumLong<short, long>(Values(source));

    /// <inheritdoc cref="SumLong(short[])"/>
    public static long SumLong(this Span<short> source) => Kernels.SumLong<short, long>(source);

    /// <inheritdoc cref="SumLong(short[])"/>
    public static long SumLong(this ReadOnlySpan<short> source) => Kernels.SumLong<short, long>(source);

    /// <summary>The sum as long, which does not overflow.</summary>
    public static long SumLong(this int[] source) => Kernels.SumLong<int, long>(Values(source));

    /// <inheritdoc cref="SumLong(int[])"/>
    public static long SumLong(this List<int> source) => Kernels.SumLong<int, long>(Values(source));

    /// <inheritdoc cref="SumLong(int[])"/>
    public static long SumLong(this Span<int> source) => Kernels.SumLong<int, long>(source);

    /// <inheritdoc cref="SumLong(int[])"/>
    public static long SumLong(this ReadOnlySpan<int> source) => Kernels.SumLong<int, long>(source);

    /// <summary>The sum as ulong, which does not overflow.</summary>
    public static ulong SumLong(this byte[] source) => Kernels.SumLong<byte, ulong>(Values(source));

    /// <inheritdoc cref="SumLong(byte[])"/>
    public static ulong SumLong(this List<byte> source) => Kernels.SumLong<byte, ulong>(Values(source));

    /// <inheritdoc cref="SumLong(byte[])"/>
    public static ulong SumLong(this Span<byte> source) => Kernels.SumLong<byte, ulong>(source);

    /// <inheritdoc cref="SumLong(byte[])"/>
    public static ulong SumLong(this ReadOnlySpan<byte> source) => Kernels.SumLong<byte, ulong>(source);

    /// <summary>The sum as ulong, which does not overflow.</summary>
    public static ulong SumLong(this ushort[] source) => Kernels.SumLong<ushort, ulong>(Values(source));

    /// <inheritdoc cref="SumLong(ushort[])"/>
    public static ulong SumLong(this List<ushort> source) => Kernels.SumLong<ushort, ulong>(Values(source));

    /// <inheritdoc cref="SumLong(ushort[])"/>
    public static ulong SumLong(this Span<ushort> source) => Kernels.SumLong<ushort, ulong>(source);

    /// <inheritdoc cref="SumLong(ushort[])"/>
    public static ulong SumLong(this ReadOnlySpan<ushort> source) => Kernels.SumLong<ushort, ulong>(source);

    /// <summary>The sum as ulong, which does not overflow.</summary>
    public static ulong SumLong(this uint[] source) => Kernels.SumLong<uint, ulong>(Values(source));

    /// <inheritdoc cref="SumLong(uint[])"/>
    public static ulong SumLong(this List<uint> source) => Kernels.SumLong<uint, ulong>(Values(source));

    /// <inheritdoc cref="SumLong(uint[])"/>
    public static ulong SumLong(this Span<uint> source) => Kernels.SumLong<uint, ulong>(source);

    /// <inheritdoc cref="SumLong(uint[])"/>
    public static ulong SumLong(this ReadOnlySpan<uint> source) => Kernels.SumLong<uint, ulong>(source);

    /// <summary>The sum as double, in whose lanes it is added.</summary>
    public static double SumLong(this float[] source) => Kernels.SumLong<float, double>(Values(source));

    /// <inheritdoc cref="SumLong(float[])"/>
    public static double SumLong(this List<float> source) => Kernels.SumLong<float, double>(Values(source));

    /// <inheritdoc cref="SumLong(float[])"/>
    public static double SumLong(this Span<float> source) => Kernels.SumLong<float, double>(source);

    /// <inheritdoc cref="SumLong(float[])"/>
    public static double SumLong(this ReadOnlySpan<float> source) => Kernels.SumLong<float, double>(source);
}
