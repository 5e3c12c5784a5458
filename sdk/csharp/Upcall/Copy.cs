using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Upcall;

/// <summary>Copies into the output.</summary>
internal static unsafe class Copy
{
    /// <summary>Copies without a call where it is short: most keys and blittable values are.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static void To(byte* to, ReadOnlySpan<byte> from)
    {
        int length = from.Length;
        ref byte source = ref MemoryMarshal.GetReference(from);
        if ((uint)(length - 8) <= 8)
        {
            // 8 to 16 bytes: two words that may overlap.
            Unsafe.WriteUnaligned(to, Unsafe.ReadUnaligned<ulong>(ref source));
            ref byte last = ref Unsafe.Add(ref source, length - 8);
            Unsafe.WriteUnaligned(to + length - 8, Unsafe.ReadUnaligned<ulong>(ref last));
        }
        else if (length != 0)
        {
            Unsafe.CopyBlockUnaligned(ref *to, ref source, (uint)length);
        }
    }
}
