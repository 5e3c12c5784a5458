using System;
using System.Collections.Generic;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Abi;

namespace Upcall.Testing;

/// <summary>A flow of one handler. Pool 0 is the watched one.</summary>
internal sealed unsafe partial class FlowEngine(Driver driver) : Engine(driver)
{
    private readonly List<Pool> pools = [new(default, "/in", "", 0, PoolAccess.Watch)];
    private readonly Dictionary<uint, StoredPool> stored = [];

    // The pools to emit to, in the order in which they were named: the first is the default.
    private readonly List<string> to = [];
    private Memory call = new();
    private ulong version;

    internal List<Emitted> Emitted { get; } = [];

    protected override ushort Batch => Kind.Flow;

    /// <summary>A pool is one, as in a flow, also when a handler both reads it and emits to it.</summary>
    internal void Declare(string path, PoolAccess access)
    {
        if (access.HasFlag(PoolAccess.Emit))
        {
            to.Add(path);
        }
        int index = pools.FindIndex(pool => pool.Path == path);
        if (index < 0)
        {
            pools.Add(new Pool(default, path, "", 0, access));
            return;
        }
        pools[index] = pools[index] with { Access = pools[index].Access | access };
    }

    internal void Declare(string path, string type, int size)
    {
        int index = Index(path);
        pools[index] = pools[index] with { ValueType = type, ValueSize = size };
    }

    /// <summary>What is in a pool that the handler may read, now of values of this type where nothing else was declared.</summary>
    internal StoredPool Stored<T>(string path)
    {
        Pool pool = pools.Find(pool => pool.Path == path)!;
        if (pool.ValueType.Length == 0 && Form<T>.Said is (string name, int size))
        {
            Declare(path, name, size);
        }
        else if (Form<T>.Disagrees(pool, "") != null)
        {
            throw new ArgumentException(
                $"pool {path} declares the type {pool.ValueType}, and is given values of {FormName.Of(typeof(T))}: "
                    + "give it values of its type, or declare theirs");
        }
        return Stored(path);
    }

    /// <summary>What is in a pool that the handler may read.</summary>
    internal StoredPool Stored(string path)
    {
        var id = (uint)Index(path);
        if (!stored.TryGetValue(id, out StoredPool? pool))
        {
            stored[id] = pool = new StoredPool();
        }
        return pool;
    }

    private int Index(string path)
    {
        int index = pools.FindIndex(pool => pool.Path == path);
        return index >= 0 ? index : throw new ArgumentException(
            $"the harness has no pool {path}; it has {string.Join(", ", pools.Select(pool => pool.Path))}: "
                + "declare it with Emits or Reads first", nameof(path));
    }

    internal void Run(ushort kind, (byte[] Key, byte[] Value)[] objects, ulong stride)
    {
        Open();
        using (call = new Memory())
        {
            FlowFrame* frame = call.New<FlowFrame>();
            Head(call, &frame->Head, kind, sizeof(FlowFrame));
            Fill(call, frame, objects, stride);
            using var chunks = new Chunks(&frame->Head, &frame->Out);
            Status status = Call(&frame->Head);
            Collect(chunks);
            Check(status, &frame->Head, (int)frame->Done);
        }
    }

    /// <summary>Takes what a call has emitted.</summary>
    private void Collect(Chunks chunks)
    {
        lock (Emitted)
        {
            ulong? previous = null;
            chunks.Collect((record, key, value) =>
            {
                if (record.Pool == Record.Condition)
                {
                    previous = BitConverter.ToUInt64(value);
                    return;
                }
                Emitted.Add(new Emitted(pools[(int)record.Pool].Path, key, value, previous));
                previous = null;
            });
        }
    }

    protected override Rel Add(Memory call, Memory lent)
    {
        FlowOpen* added = call.New<FlowOpen>();
        added->Size = (uint)sizeof(FlowOpen);
        PoolEntry* entries = call.New<PoolEntry>(pools.Count);
        added->Pools = new RelPoolEntry { Offset = (ulong)entries, Len = (ulong)pools.Count };
        foreach (int id in Enumerable.Range(0, pools.Count).OrderBy(id => to.IndexOf(pools[id].Path)))
        {
            Pool pool = pools[id];
            stored.GetValueOrDefault((uint)id)?.Check(pool);
            *entries++ = new PoolEntry
            {
                Path = call.Text(pool.Path),
                ValueType = call.Text(pool.ValueType),
                ValueSize = (uint)pool.ValueSize,
                Id = (uint)id,
                Access = (uint)pool.Access,
            };
        }
        Rel* senders = call.New<Rel>();
        *senders = call.Text("harness");
        added->Senders = new RelRel { Offset = (ulong)senders, Len = 1 };
        added->PoolServices = lent.New<PoolServices>();
        added->PoolServices->Size = (uint)sizeof(PoolServices);
        added->PoolServices->Context = Context;
        added->PoolServices->Read = &Read;
        added->PoolServices->List = &List;
        return new Rel { Offset = (ulong)added, Len = (ulong)sizeof(FlowOpen) };
    }

    private void Fill(Memory call, FlowFrame* frame, (byte[] Key, byte[] Value)[] objects, ulong stride)
    {
        Item* items = call.New<Item>(objects.Length);
        frame->Items = new RelItem { Offset = (ulong)items, Len = (ulong)objects.Length };
        frame->Stride = stride;
        byte* values = call.Block((nuint)stride * (nuint)objects.Length);
        if (stride > 0)
        {
            frame->Values = new Rel { Offset = (ulong)values, Len = stride * (ulong)objects.Length };
        }
        for (int index = 0; index < objects.Length; index++)
        {
            (byte[] key, byte[] value) = objects[index];
            items[index] = new Item { Key = call.Bytes(key), Value = call.Bytes(value), Version = ++version };
            if (stride > 0)
            {
                value.CopyTo(new Span<byte>(values + (index * (int)stride), value.Length));
            }
        }
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Read(void* context, Query* query, Item* found)
    {
        var engine = (FlowEngine)Of(context);
        if (!engine.stored.TryGetValue(query->Pool, out StoredPool? pool))
        {
            *found = new Item { Tag = Missing.NotDeclared };
            return Status.Failed;
        }
        if (query->AsOf != AsOf.Now && query->At < pool.Oldest)
        {
            *found = new Item { Tag = Missing.Compacted };
            return Status.Failed;
        }
        *found = default;
        ulong until = query->AsOf == AsOf.Now ? ulong.MaxValue : query->At;
        if (pool.Find(new ReadOnlySpan<byte>(query->Key, (int)query->KeyLen), until) is (byte[] value, ulong version))
        {
            *found = new Item { Value = engine.Lends().Bytes(value), Version = version, Time = version };
        }
        return Status.Ok;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status List(void* context, Query* query, RelRel* keys)
    {
        var engine = (FlowEngine)Of(context);
        if (!engine.stored.TryGetValue(query->Pool, out StoredPool? pool))
        {
            return Status.Failed;
        }
        byte[][] found = pool.Keys(new ReadOnlySpan<byte>(query->Key, (int)query->KeyLen));
        Memory lent = engine.Lends();
        Rel* list = lent.New<Rel>(found.Length);
        for (int index = 0; index < found.Length; index++)
        {
            list[index] = lent.Bytes(found[index]);
        }
        *keys = new RelRel { Offset = (ulong)list, Len = (ulong)found.Length };
        return Status.Ok;
    }
}
