using System;
using System.Buffers;
using System.Collections.Generic;

namespace Upcall;

/// <summary>
/// Where a value is packed that is emitted by a handler that answers later: in managed memory, before the call's lock is taken. So
/// a <c>Pack</c> may take its time, throw, or emit itself, which comes out before what it packs.
/// </summary>
/// <remarks>
/// It is handed to a packer, which may keep it: it is of use on the thread that emits only, until the packer returns.
/// </remarks>
internal sealed class PackBuffer : IBufferWriter<byte>
{
    /// <summary>What is kept from one value to the next; what is larger goes back to where everybody takes from.</summary>
    private const int Kept = 16 * 1024;

    [ThreadStatic]
    private static PackBuffer? free;

    private readonly int thread = Environment.CurrentManagedThreadId;
    private readonly byte[] own = new byte[Kept];

    // What was outgrown: a packer may still hold spans of it.
    private readonly List<byte[]> outgrown = [];
    private byte[] bytes = [];
    private int at;
    private bool open;

    /// <summary>What was packed, until <see cref="Return"/>.</summary>
    internal ReadOnlySpan<byte> Written => bytes.AsSpan(0, at);

    /// <summary>One that no value is packed into just now: a <c>Pack</c> may emit another value.</summary>
    internal static PackBuffer Take()
    {
        PackBuffer buffer = free ?? new PackBuffer();
        free = null;
        return buffer;
    }

    /// <summary>Packs a value; on the thread that has taken it.</summary>
    internal void Pack<T>(in T value)
    {
        (bytes, at, open) = (own, 0, true);
        try
        {
            Form<T>.Write(value, this);
        }
        finally
        {
            open = false;
        }
    }

    /// <summary>Its bytes are of no use any more.</summary>
    internal void Return()
    {
        Release(bytes);
        foreach (byte[] array in outgrown)
        {
            Release(array);
        }
        outgrown.Clear();
        (bytes, at) = ([], 0);
        free = this;
    }

    public void Advance(int count)
    {
        Check();
        if (count < 0 || count > bytes.Length - at)
        {
            throw new ArgumentOutOfRangeException(nameof(count), $"advance by {count} bytes: the span has {bytes.Length - at}");
        }
        at += count;
    }

    public Span<byte> GetSpan(int sizeHint = 0)
    {
        Check();
        ArgumentOutOfRangeException.ThrowIfNegative(sizeHint);
        if (bytes.Length - at < Math.Max(sizeHint, 1))
        {
            Grow(Math.Max(sizeHint, 1));
        }
        return bytes.AsSpan(at);
    }

    public Memory<byte> GetMemory(int sizeHint = 0) => throw new NotSupportedException(
        "the output of a flow is native memory, of which there is no Memory<byte>: use GetSpan");

    private void Check()
    {
        if (Environment.CurrentManagedThreadId != thread)
        {
            throw new InvalidOperationException(
                "write a value from another thread than the one that emits it: Pack must not hand its writer to another thread");
        }
        if (!open)
        {
            throw new InvalidOperationException("write a value: its Pack has returned, and must not keep the writer");
        }
    }

    private void Grow(int need)
    {
        int least = checked(at + need);
        byte[] larger = ArrayPool<byte>.Shared.Rent((int)Math.Max(least, Math.Min(2L * bytes.Length, Array.MaxLength)));
        Written.CopyTo(larger);
        outgrown.Add(bytes);
        bytes = larger;
    }

    private void Release(byte[] array)
    {
        if (array.Length > Kept)
        {
            ArrayPool<byte>.Shared.Return(array);
        }
    }
}
