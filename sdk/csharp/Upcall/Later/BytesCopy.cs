using System;
using System.Buffers;

namespace Upcall;

/// <summary>A copy of bytes, in memory that is used again, for as long as an <c>Unpack</c> reads it.</summary>
internal readonly ref struct BytesCopy
{
    private readonly byte[] bytes;
    private readonly int length;

    internal BytesCopy(ReadOnlySpan<byte> from)
    {
        length = from.Length;
        bytes = ArrayPool<byte>.Shared.Rent(length);
        from.CopyTo(bytes);
    }

    internal ReadOnlySpan<byte> Bytes => bytes.AsSpan(0, length);

    public void Dispose() => ArrayPool<byte>.Shared.Return(bytes);
}
