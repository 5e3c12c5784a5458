using System;
using System.Buffers;
using System.Numerics;
using System.Threading;
using Upcall.Abi;

namespace Upcall;

/// <summary>Copies of an object's key and value, side by side, in memory that is used again for the next one.</summary>
internal sealed unsafe class ItemBytes
{
    /// <summary>What is kept from one object to the next; what is larger goes back to where everybody takes from.</summary>
    private const int Kept = 16 * 1024;

    private byte[] own = [];
    private byte[] bytes = [];
    private int keyLength;
    private int valueLength;
    private bool pinned;

    internal ReadOnlySpan<byte> Key => Part(0, Volatile.Read(ref keyLength));

    internal ReadOnlySpan<byte> Value => Part(Volatile.Read(ref keyLength), Volatile.Read(ref valueLength));

    internal byte[] Array => bytes;

    internal (int Key, int Value) Lengths => (keyLength, valueLength);

    internal void Copy(Item* item, ulong origin)
    {
        ReadOnlySpan<byte> key = item->Key.Bytes(origin);
        ReadOnlySpan<byte> value = item->Value.Bytes(origin);
        int need = checked(key.Length + value.Length);
        if (own.Length < need && need <= Kept)
        {
            // A power of two, so that it does not grow a little each time.
            own = new byte[Math.Max(64, (int)BitOperations.RoundUpToPowerOf2((uint)need))];
        }
        byte[] into = need <= Kept ? own : ArrayPool<byte>.Shared.Rent(need);
        key.CopyTo(into);
        value.CopyTo(into.AsSpan(key.Length));
        bytes = into;
        (keyLength, valueLength) = (key.Length, value.Length);
    }

    /// <summary>Somebody has the address: the memory is left to them.</summary>
    internal void Pin() => pinned = true;

    /// <summary>No object any more; only after its method has ended.</summary>
    internal void Clear()
    {
        if (pinned)
        {
            pinned = false;
            own = [];
        }
        else if (bytes.Length > Kept)
        {
            ArrayPool<byte>.Shared.Return(bytes);
        }
        bytes = [];
        (keyLength, valueLength) = (0, 0);
    }

    /// <summary>Nothing where another object's bytes come in just now, which whoever asks finds out after this.</summary>
    private ReadOnlySpan<byte> Part(int start, int length)
    {
        byte[] bytes = Volatile.Read(ref this.bytes);
        return (ulong)(uint)start + (uint)length <= (ulong)bytes.Length ? bytes.AsSpan(start, length) : default;
    }
}

/// <summary>An object's bytes as memory, which looks each time whether the object is over.</summary>
internal sealed class ItemMemory(AsyncCall call, long stamp) : MemoryManager<byte>
{
    internal ReadOnlyMemory<byte> Key => CreateMemory(0, call.Bytes.Lengths.Key);

    internal ReadOnlyMemory<byte> Value => CreateMemory(call.Bytes.Lengths.Key, call.Bytes.Lengths.Value);

    public override Span<byte> GetSpan()
    {
        Span<byte> bytes = call.Bytes.Array;
        call.Check(stamp);
        return bytes;
    }

    public override MemoryHandle Pin(int elementIndex = 0)
    {
        lock (call)
        {
            call.Check(stamp);
            call.Bytes.Pin();
            return call.Bytes.Array.AsMemory(elementIndex).Pin();
        }
    }

    public override void Unpin()
    {
        // The handle does it.
    }

    protected override void Dispose(bool disposing)
    {
    }
}
