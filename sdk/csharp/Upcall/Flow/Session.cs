using System;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// What one instance knows from OPEN until CLOSE, and where it stands in its current frame. Views carry a
/// reference to it, so that they are two words.
/// </summary>
internal sealed unsafe class Session
{
    private const uint NoPool = uint.MaxValue;
    private const ulong Conditional = 1;

    private uint first = NoPool;

    // By pool id: the type that its emissions were last found to agree with.
    private Type?[] agreed = [];

    // The values of a batch side by side; in words, so that they are aligned.
    private ulong[] column = [];

    // Positions are multiples of 8. The lowest bit says that the object being handled has emitted on condition: each object
    // has a mark of its own, so nothing else has to be set back for the next one.
    private ulong markAt;
    private uint markChunk;

    /// <summary>What the batch's offsets are relative to.</summary>
    internal ulong Origin;

    /// <summary>The object being handled, or <see cref="Record.NoItem"/>; set before a handler is called.</summary>
    internal uint Item = Record.NoItem;

    /// <summary>The output as a buffer, for values that are packed.</summary>
    internal readonly OutputWriter Output;

    /// <summary>Reads pools.</summary>
    internal readonly PoolReader Reader;

    internal Session(Lent lent)
    {
        Output = new OutputWriter(this, lent);
        Reader = new PoolReader(this);
    }

    /// <summary>A session for one of several objects that are handled at once, with what another one knows since OPEN.</summary>
    internal Session(Session of)
    {
        // Values that are packed are not packed into its output: see PackBuffer.
        Output = of.Output;
        Reader = new PoolReader(this);
        (Pools, Senders, ColumnSize, first, agreed) = (of.Pools, of.Senders, of.ColumnSize, of.first, of.agreed);
        Reader.Open(of.Reader);
    }

    internal Pool[] Pools { get; private set; } = [];

    internal string[] Senders { get; private set; } = [];

    /// <summary>Bytes of a value where the handler watches one pool and its type is blittable, else 0.</summary>
    internal int ColumnSize { get; private set; }

    internal void Open(Pool[] pools, string[] senders)
    {
        Pools = pools;
        Senders = senders;
        uint ids = 0;
        foreach (Pool pool in pools)
        {
            ids = Math.Max(ids, pool.Id.Value + 1);
        }
        agreed = new Type?[ids];
        Pool[] watched = Array.FindAll(pools, pool => pool.Access.HasFlag(PoolAccess.Watch));
        ColumnSize = watched.Length == 1 ? watched[0].ValueSize : 0;
        Pool? emits = Array.Find(pools, pool => pool.Access.HasFlag(PoolAccess.Emit));
        first = emits?.Id.Value ?? NoPool;
    }

    /// <summary>Copies the values of a batch to one place.</summary>
    /// <exception cref="System.IO.InvalidDataException">One has another size.</exception>
    internal ReadOnlySpan<T> Gather<T>(Item* items, int count)
        where T : unmanaged
    {
        int words = checked((count * sizeof(T) + 7) / 8);
        if (column.Length < words)
        {
            column = GC.AllocateUninitializedArray<ulong>(words);
        }
        Span<T> values = MemoryMarshal.Cast<ulong, T>(column.AsSpan())[..count];
        for (int index = 0; index < count; index++)
        {
            byte* value = new FlowObject(items + index, this).Place(sizeof(T), typeof(T));
            values[index] = Unsafe.ReadUnaligned<T>(value);
        }
        return values;
    }

    /// <summary>Remembers where the output stands.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Mark(FlowFrame* frame)
    {
        markAt = frame->Out.At;
        markChunk = frame->Out.Chunk;
    }

    /// <summary>Forgets what was written since <see cref="Mark"/>; the last thing done with an output.</summary>
    internal void Truncate(FlowFrame* frame)
    {
        frame->Out.At = markAt & ~Conditional;
        frame->Out.Chunk = markChunk;
    }

    /// <summary>Whether the object being handled has emitted on condition.</summary>
    internal bool HasCondition => (markAt & Conditional) != 0;

    /// <summary>Remembers that the object being handled has emitted on condition, until the next <see cref="Mark"/>.</summary>
    internal void KeepCondition() => markAt |= Conditional;

    /// <summary>Throws when there is no object that could fail, or it has emitted on condition.</summary>
    internal void CheckCondition()
    {
        // The two messages are the same in the other SDKs.
        if (Item == Record.NoItem)
        {
            throw new InvalidOperationException(
                "emit on condition for no object in particular: there is none that could fail; "
                    + "emit on condition where one object is handled, not for a batch or at the flush");
        }
        if (HasCondition)
        {
            throw new InvalidOperationException(
                "emit on condition twice for one object: two conditions cannot be decided together; "
                    + "emit on condition once for each object");
        }
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint First()
    {
        if (first == NoPool)
        {
            ThrowNoPool();
        }
        return first;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal uint Checked(PoolId pool)
    {
        if (pool.Value != first)
        {
            Check(pool.Value);
        }
        return pool.Value;
    }

    /// <summary>Throws when values of this type are not emitted, or the pool declares another one.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Agree<T>(uint pool)
    {
        Type?[] agreed = this.agreed;
        if (pool >= (uint)agreed.Length || agreed[pool] != typeof(T))
        {
            Compare<T>(pool);
        }
    }

    internal PoolId Find(string path) =>
        Array.Find(Pools, pool => pool.Path == path)?.Id ?? throw NotDeclared(path, "`to` or `read`");

    internal string PathOf(uint id)
    {
        foreach (Pool pool in Pools)
        {
            if (pool.Id.Value == id)
            {
                return pool.Path;
            }
        }
        return $"pool {id}";
    }

    internal string NameOf(uint sender) => sender < Senders.Length ? Senders[sender] : $"sender {sender}";

    [MethodImpl(MethodImplOptions.NoInlining)]
    internal void Grow(FlowFrame* frame, ulong need)
    {
        if (!Records.Grow(&frame->Head, &frame->Out, need))
        {
            throw new OutOfMemoryException(
                $"emit {need} bytes: the engine has no more output memory; emit less for one object, or give the flow more `memory`");
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void Compare<T>(uint id)
    {
        string? wrong = Form<T>.Unwritable;
        foreach (Pool pool in Pools)
        {
            if (pool.Id.Value == id)
            {
                wrong ??= Form<T>.Disagrees(pool, "emits");
            }
        }
        if (wrong != null)
        {
            throw new PoolTypeException(wrong);
        }
        agreed[id] = typeof(T);
    }

    private void Check(uint id)
    {
        foreach (Pool pool in Pools)
        {
            if (pool.Id.Value == id && pool.Access.HasFlag(PoolAccess.Emit))
            {
                return;
            }
        }
        throw NotDeclared(PathOf(id), "`to`");
    }

    private static void ThrowNoPool() =>
        throw new PoolNotDeclaredException("emit: this handler has no output pool; add one to its `to`");

    private PoolNotDeclaredException NotDeclared(string path, string where)
    {
        string known = Pools.Length == 0 ? "none" : string.Join(", ", Pools.Select(Describe));
        return new PoolNotDeclaredException(
            $"pool {path} is not declared by this handler; it has {known}: add {path} to its {where}");
    }

    private static string Describe(Pool pool) => $"{pool.Path} ({pool.Access.ToString().ToLowerInvariant()})";
}
