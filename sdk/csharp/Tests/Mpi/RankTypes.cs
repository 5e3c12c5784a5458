using System;
using System.Numerics;

namespace Upcall.Tests;

/// <summary>Has padding, and an operator.</summary>
public record struct Padded(byte Small, long Large, short Last) : IAdditionOperators<Padded, Padded, Padded>
{
    public static Padded operator +(Padded a, Padded b) =>
        new((byte)(a.Small + b.Small), a.Large + b.Large, (short)(a.Last + b.Last));

    public static Padded Of(int value) => new((byte)value, value * 3L, (short)-value);
}

/// <summary>Has an operator and no interface, as MPI.NET's points.</summary>
public record struct Point(int X, int Y)
{
    public static Point operator +(Point a, Point b) => new(a.X + b.X, a.Y + b.Y);
}

/// <summary>Has no blittable form for marshalling.</summary>
public record struct WithBool(int Number, char Letter, bool Odd)
{
    public static WithBool Of(int value) => new(value, (char)('A' + (value % 26)), value % 2 != 0);
}

/// <summary>Has a buffer of fixed length.</summary>
public unsafe struct Dimensions
{
    public fixed float Values[11];
}

/// <summary>An object without a form of its own.</summary>
public sealed record Person(string Name, int[] Numbers);

/// <summary>An object that packs itself, as bindgen's classes do.</summary>
public sealed record Packed(string Text)
{
    public static void Pack(Packed? value, System.Buffers.IBufferWriter<byte> to)
    {
        byte[] bytes = System.Text.Encoding.UTF8.GetBytes(value?.Text ?? throw new ArgumentException("nothing to pack"));
        bytes.CopyTo(to.GetSpan(bytes.Length));
        to.Advance(bytes.Length);
    }

    public static Packed? Unpack(ReadOnlySpan<byte> bytes) => new(System.Text.Encoding.UTF8.GetString(bytes));
}
