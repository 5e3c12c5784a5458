using System;
using System.Buffers;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Upcall.Mpi;

/// <summary>What is known of a type whose values are memory: they travel as they lie, with their padding zeroed.</summary>
internal static class Plain<T>
{
    /// <summary>Whether its values are memory.</summary>
    internal static bool Is => !RuntimeHelpers.IsReferenceOrContainsReferences<T>();

    /// <summary>The bytes of a value.</summary>
    internal static int Size => Unsafe.SizeOf<T>();

    /// <summary>0xFF for each byte that a field has, 0 for padding; null where there is none.</summary>
    private static readonly byte[]? Mask = Is ? PlainMask.Of(typeof(T)) : null;

    /// <summary>Whether there is padding, which must not leave the process as it is: nobody has written it.</summary>
    internal static readonly bool Padded = Mask != null;

    /// <summary>Whether the runtime pins an array of it.</summary>
    internal static readonly bool Pins = Is && CanPin();

    /// <summary>The memory of some values.</summary>
    internal static ReadOnlySpan<byte> Bytes(ReadOnlySpan<T> values) => MemoryMarshal.CreateReadOnlySpan(
        ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values)), checked(values.Length * Size));

    /// <summary>Zeroes the padding of these values.</summary>
    internal static unsafe void Clean(byte* at, nuint bytes)
    {
        if (Mask == null)
        {
            return;
        }
        fixed (byte* mask = Mask)
        {
            nuint size = (nuint)Mask.Length;
            if (size % 8 == 0)
            {
                nuint words = size / 8;
                for (nuint value = 0; value < bytes; value += size)
                {
                    ulong* to = (ulong*)(at + value);
                    for (nuint word = 0; word < words; word++)
                    {
                        to[word] &= ((ulong*)mask)[word];
                    }
                }
                return;
            }
            for (nuint value = 0; value < bytes; value += size)
            {
                for (nuint index = 0; index < size; index++)
                {
                    at[value + index] &= mask[index];
                }
            }
        }
    }

    private static bool CanPin()
    {
        try
        {
            GCHandle.Alloc(new T[1], GCHandleType.Pinned).Free();
            return true;
        }
        catch (ArgumentException)
        {
            return false;
        }
    }
}

/// <summary>Values on their way out: as they lie or, where there is padding, a copy in which that is zero.</summary>
internal readonly unsafe ref struct Outgoing<T>
{
    private readonly ref byte first;
    private readonly byte[]? copy;

    internal Outgoing(ReadOnlySpan<T> values)
    {
        Length = (nuint)values.Length * (nuint)Plain<T>.Size;
        if (!Plain<T>.Padded)
        {
            first = ref Unsafe.As<T, byte>(ref MemoryMarshal.GetReference(values));
            return;
        }
        ReadOnlySpan<byte> bytes = Plain<T>.Bytes(values);
        copy = ArrayPool<byte>.Shared.Rent(bytes.Length);
        bytes.CopyTo(copy);
        fixed (byte* at = copy)
        {
            Plain<T>.Clean(at, Length);
        }
        first = ref MemoryMarshal.GetArrayDataReference(copy);
    }

    /// <summary>The first byte; nothing where there are no values.</summary>
    internal ref byte First => ref first;

    /// <summary>How many bytes there are.</summary>
    internal readonly nuint Length;

    internal void Dispose()
    {
        if (copy != null)
        {
            ArrayPool<byte>.Shared.Return(copy);
        }
    }
}
