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

    internal static ReadOnlySpan<Rel> Elements(this RelRel slice, ulong origin) =>
        Elements<Rel>(origin + slice.Offset, slice.Len);

    internal static ReadOnlySpan<Setting> Elements(this RelSetting slice, ulong origin) =>
        Elements<Setting>(origin + slice.Offset, slice.Len);

    internal static ReadOnlySpan<PoolEntry> Elements(this RelPoolEntry slice, ulong origin) =>
        Elements<PoolEntry>(origin + slice.Offset, slice.Len);

    internal static string Text(this Rel slice, ulong origin) => Encoding.UTF8.GetString(slice.Bytes(origin));

    private static ReadOnlySpan<T> Elements<T>(ulong start, ulong len)
        where T : unmanaged => new((void*)start, checked((int)len));

    private static void ThrowTooLong(ulong len) => throw new InvalidOperationException(
        $"view a value of {len} bytes: a span holds at most {int.MaxValue}; put smaller values");
}
