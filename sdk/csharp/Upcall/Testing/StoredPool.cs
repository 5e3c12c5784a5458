using System;
using System.Collections.Generic;
using System.Linq;

namespace Upcall.Testing;

/// <summary>What is in a pool that a handler reads: every version, counted from 1. A version is also its time.</summary>
internal sealed class StoredPool
{
    private readonly List<(byte[] Key, byte[] Value)> versions = [];

    /// <summary>The oldest version of which it is known what the keys were.</summary>
    internal ulong Oldest { get; set; }

    internal void Add(byte[] key, byte[] value) => versions.Add((key, value));

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
