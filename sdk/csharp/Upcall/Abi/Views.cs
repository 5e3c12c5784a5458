using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;

namespace Upcall.Abi;

/// <summary>Turns slices of a frame into spans.</summary>
internal static unsafe class Views
{
    /// <summary>The bytes of a slice, relative to <paramref name="origin"/>.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static ReadOnlySpan<byte> Bytes(this Rel slice, ulong origin)
    {
        if (slice.Len > int.MaxValue)
        {
            ThrowTooLong(slice.Len);
        }
        // Without the checks of the span's constructor: the length was checked above.
        return MemoryMarshal.CreateReadOnlySpan(ref *(byte*)(origin + slice.Offset), (int)slice.Len);
    }

    /// <summary>The elements of a slice, relative to <paramref name="origin"/>.</summary>
    internal static ReadOnlySpan<T> Elements<T>(this Rel slice, ulong origin)
        where T : unmanaged => new((void*)(origin + slice.Offset), checked((int)slice.Len));

    internal static string Text(this Rel slice, ulong origin) => Encoding.UTF8.GetString(slice.Bytes(origin));

    private static void ThrowTooLong(ulong len) => throw new InvalidOperationException(
        $"view a value of {len} bytes: a span holds at most {int.MaxValue}; put smaller values");
}
