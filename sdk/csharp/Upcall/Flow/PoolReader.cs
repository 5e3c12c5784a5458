using System;
using System.Linq;
using System.Text;
using Upcall.Abi;

namespace Upcall;

/// <summary>Asks the flow for what is in pools, during a call.</summary>
internal sealed unsafe class PoolReader(Session session)
{
    private PoolServices* services;

    // By pool id: the type that its values were last found to agree with.
    private Type?[] agreed = [];

    internal void Open(PoolServices* services)
    {
        this.services = services;
        agreed = new Type?[session.Pools.Max(pool => (int?)pool.Id.Value) + 1 ?? 0];
    }

    /// <summary>Asks for what another reader may ask for.</summary>
    internal void Open(PoolReader of)
    {
        services = of.services;
        agreed = of.agreed;
    }

    /// <summary>The flow no longer answers.</summary>
    internal void Close() => services = null;

    /// <summary>What a key is, or was; false when there is none.</summary>
    internal bool Read(PoolId pool, scoped ReadOnlySpan<byte> key, uint asOf, ulong at, out Found found)
    {
        Item item = default;
        Status status = Status.Failed;
        fixed (byte* pointer = key)
        {
            if (services != null)
            {
                Query query = Ask(pool, pointer, key.Length, asOf, at);
                status = services->Read(services->Context, &query, &item);
            }
        }
        if (status != Status.Ok)
        {
            throw item.Tag switch
            {
                Missing.NoRoom => NoRoom($"read {Encoding.UTF8.GetString(key)}", "it"),
                Missing.Compacted => new VersionNotKeptException(Encoding.UTF8.GetString(key)),
                Missing.UnknownAsOf => new NotSupportedException(
                    $"read {Encoding.UTF8.GetString(key)} as it was: this engine does not know how; run it with one as new as the handler"),
                _ => Unreadable(pool),
            };
        }
        found = new Found(item.Value.Bytes(session.Origin), item.Version, item.Time);
        return item.Version != 0;
    }

    /// <summary>The same, as a value.</summary>
    internal bool Read<T>(PoolId pool, scoped ReadOnlySpan<byte> key, uint asOf, ulong at, out Found<T> found)
        where T : notnull
    {
        found = default;
        if (!Read<T>(pool, key, asOf, at, out Found bytes))
        {
            return false;
        }
        found = new Found<T>(Form<T>.Read(key, bytes.Value), bytes.Version, bytes.Time);
        return true;
    }

    /// <summary>The bytes of such a value.</summary>
    internal bool Read<T>(PoolId pool, scoped ReadOnlySpan<byte> key, uint asOf, ulong at, out Found found)
        where T : notnull
    {
        Agree<T>(pool.Value);
        return Read(pool, key, asOf, at, out found);
    }

    /// <summary>Throws when values of this type are not read, or the pool declares another one.</summary>
    private void Agree<T>(uint id)
    {
        // One that the handler does not have is refused when it is read.
        if (id >= agreed.Length || agreed[id] == typeof(T))
        {
            return;
        }
        string? wrong = Form<T>.Unreadable;
        foreach (Pool pool in session.Pools)
        {
            if (pool.Id.Value == id)
            {
                wrong ??= Form<T>.Disagrees(pool, "reads");
            }
        }
        if (wrong != null)
        {
            throw new PoolTypeException(wrong);
        }
        agreed[id] = typeof(T);
    }

    /// <summary>The keys that begin with a prefix.</summary>
    internal KeyList List(PoolId pool, scoped ReadOnlySpan<byte> prefix)
    {
        RelRel keys = default;
        Status status = Status.Failed;
        fixed (byte* pointer = prefix)
        {
            if (services != null)
            {
                Query query = Ask(pool, pointer, prefix.Length, AsOf.Now, 0);
                status = services->List(services->Context, &query, &keys);
            }
        }
        if (status != Status.Ok)
        {
            throw keys.Offset == Missing.NoRoom ? NoRoom("list keys", "them") : Unreadable(pool);
        }
        return new KeyList(keys.Elements(session.Origin), session.Origin);
    }

    private static Query Ask(PoolId pool, byte* key, int length, uint asOf, ulong at) =>
        new() { Key = key, KeyLen = (ulong)length, Pool = pool.Value, AsOf = asOf, At = at };

    // The memory that the handler sees is full.
    private static InsufficientMemoryException NoRoom(string what, string of) =>
        new($"{what}: the handler's memory has no room for {of}; raise its `memory`, or read less in one call");

    private PoolNotDeclaredException Unreadable(PoolId pool)
    {
        string[] readable = session.Pools.Where(pool => pool.Access.HasFlag(PoolAccess.Read)).Select(pool => pool.Path).ToArray();
        string known = readable.Length == 0 ? "none" : string.Join(", ", readable);
        if (Array.Find(session.Pools, declared => declared.Id == pool) is not Pool given || given.Access.HasFlag(PoolAccess.Read))
        {
            return new PoolNotDeclaredException(
                $"read a pool that this handler does not declare; it has {known}: add the pool to its `read`, "
                    + "and take its id from Pool(path) in OnOpen");
        }
        return new PoolNotDeclaredException(
            $"pool {given.Path} is not declared by this handler; it has {known}: add {given.Path} to its `read`");
    }
}
