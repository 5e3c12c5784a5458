using System;
using Upcall.Abi;

namespace Upcall;

/// <summary>What <see cref="Emitter.TryRead(PoolId, ReadOnlySpan{byte}, out Found)"/> and its like found.</summary>
public readonly ref struct Found
{
    internal Found(ReadOnlySpan<byte> value, ulong version, ulong time)
    {
        Value = value;
        Version = version;
        Time = time;
    }

    /// <summary>The value.</summary>
    public ReadOnlySpan<byte> Value { get; }

    /// <summary>Its version.</summary>
    public ulong Version { get; }

    /// <summary>Nanoseconds since the Unix epoch.</summary>
    public ulong Time { get; }
}

/// <summary>What a typed read found, such as <see cref="Emitter.TryRead{TValue}"/>: a value that may be kept.</summary>
/// <typeparam name="T">Its type.</typeparam>
/// <param name="Value">The value.</param>
/// <param name="Version">Its version.</param>
/// <param name="Time">Nanoseconds since the Unix epoch.</param>
public readonly record struct Found<T>(T Value, ulong Version, ulong Time)
    where T : notnull;

/// <summary>The keys that <see cref="Emitter.List"/> found: a view that ends with the call.</summary>
public readonly ref struct KeyList
{
    private readonly ReadOnlySpan<Rel> keys;
    private readonly ulong origin;

    internal KeyList(ReadOnlySpan<Rel> keys, ulong origin)
    {
        this.keys = keys;
        this.origin = origin;
    }

    /// <summary>How many there are.</summary>
    public int Count => keys.Length;

    /// <summary>The key at <paramref name="index"/>: UTF-8 bytes.</summary>
    public ReadOnlySpan<byte> this[int index] => keys[index].Bytes(origin);

    /// <summary>The keys, in order.</summary>
    public Enumerator GetEnumerator() => new(this);

    /// <summary>Walks the keys.</summary>
    public ref struct Enumerator
    {
        private readonly KeyList keys;
        private int index;

        internal Enumerator(KeyList keys)
        {
            this.keys = keys;
            index = -1;
        }

        /// <summary>The current key.</summary>
        public readonly ReadOnlySpan<byte> Current => keys[index];

        /// <summary>Goes to the next key, if there is one.</summary>
        public bool MoveNext() => ++index < keys.Count;
    }
}
