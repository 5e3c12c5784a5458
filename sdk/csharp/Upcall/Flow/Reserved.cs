using System;

namespace Upcall;

/// <summary>Room in the output for one object. It holds any bytes until it is written.</summary>
public readonly ref struct Reserved
{
    internal Reserved(Span<byte> key, Span<byte> value)
    {
        Key = key;
        Value = value;
    }

    /// <summary>Room for the key: UTF-8 bytes.</summary>
    public Span<byte> Key { get; }

    /// <summary>Room for the value.</summary>
    public Span<byte> Value { get; }
}
