using System;
using System.Numerics;
using System.Runtime.InteropServices;

namespace Upcall.Testing;

/// <summary>What an engine puts together of what neighbours show.</summary>
internal static class Gathered
{
    /// <summary>The bytes of what they come to: of a <c>double</c> by sum and count, of a number of their own type otherwise.</summary>
    internal static byte[] Of<T>(string by, ReadOnlySpan<T> shown)
        where T : unmanaged => Type.GetTypeCode(typeof(T)) switch
    {
        TypeCode.Single => Of(by, MemoryMarshal.Cast<T, float>(shown), float.NegativeInfinity, float.PositiveInfinity),
        TypeCode.Double => Of(by, MemoryMarshal.Cast<T, double>(shown), double.NegativeInfinity, double.PositiveInfinity),
        TypeCode.Int32 => Of(by, MemoryMarshal.Cast<T, int>(shown), int.MinValue, int.MaxValue),
        TypeCode.Int64 => Of(by, MemoryMarshal.Cast<T, long>(shown), long.MinValue, long.MaxValue),
        TypeCode.UInt32 => Of(by, MemoryMarshal.Cast<T, uint>(shown), uint.MinValue, uint.MaxValue),
        _ => Of(by, MemoryMarshal.Cast<T, ulong>(shown), ulong.MinValue, ulong.MaxValue),
    };

    private static byte[] Of<T>(string by, ReadOnlySpan<T> shown, T least, T most)
        where T : unmanaged, INumber<T>
    {
        (double sum, T min, T max) = (0, most, least);
        foreach (T one in shown)
        {
            sum += double.CreateTruncating(one);
            min = one < min ? one : min;
            max = one > max ? one : max;
        }
        return by switch
        {
            "sum" => Bytes(sum),
            "count" => Bytes((double)shown.Length),
            "min" => Bytes(min),
            _ => Bytes(max),
        };
    }

    private static byte[] Bytes<T>(T number)
        where T : unmanaged => MemoryMarshal.AsBytes(new ReadOnlySpan<T>(in number)).ToArray();
}
