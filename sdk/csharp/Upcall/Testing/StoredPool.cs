using System;
using System.Collections.Generic;
using System.Linq;
using System.Text;

namespace Upcall.Testing;

/// <summary>What is in a pool that a handler reads: every version, counted from 1. A version is also its time.</summary>
internal sealed class StoredPool
{
    private readonly List<(byte[] Key, byte[] Value)> versions = [];

    /// <summary>The oldest version of which it is known what the keys were.</summary>
    internal ulong Oldest { get; set; }

    internal void Add(byte[] key, byte[] value) => versions.Add((key, value));

    /// <summary>Throws when a value cannot be of the type that the pool declares.</summary>
    internal void Check(Pool pool)
    {
        foreach ((byte[] key, byte[] value) in versions)
        {
            if (pool.ValueSize != 0 && value.Length != pool.ValueSize)
            {
                throw new ArgumentException(
                    $"pool {pool.Path}, key {Encoding.UTF8.GetString(key)}: the value has {value.Length} bytes, and the type "
                        + $"{pool.ValueType} of the pool {pool.ValueSize}: give values of that type with ReadsValues");
            }
        }
    }

    /// <summary>The newest value of a key up to a version, with its own.</summary>
    internal (byte[] Value, ulong Version)? Find(ReadOnlySpan<byte> key, ulong until)
    {
        for (int index = (int)Math.Min(until, (ulong)versions.Count) - 1; index >= 0; index--)
        {
            if (key.SequenceEqual(versions[index].Key))
            {
                return (versions[index].Value, (ulong)index + 1);
            }
        }
        return null;
    }

    /// <summary>The keys that begin with a prefix, sorted by their bytes.</summary>
    internal byte[][] Keys(ReadOnlySpan<byte> prefix)
    {
        var keys = new SortedSet<byte[]>(Comparer<byte[]>.Create((one, other) => one.AsSpan().SequenceCompareTo(other)));
        foreach ((byte[] key, _) in versions)
        {
            if (key.AsSpan().StartsWith(prefix))
            {
                keys.Add(key);
            }
        }
        return keys.ToArray();
    }
}
