using System;
using System.Collections.Generic;
using System.Runtime.CompilerServices;
using System.Text;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall;

/// <summary>
/// A pool of a running flow, for any thread. Keys are UTF-8. What waits for credit is not for handlers of the same flow: they
/// emit, or use <see cref="TryPut(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>.
/// </summary>
public sealed unsafe partial class FlowPool
{
    // Released by the finalizer alone, when nobody can call any more.
    private readonly UpcallPool* pool;

    // Held: a program that keeps only a pool still means its flow to run.
    private readonly Flow flow;

    // Asked for once.
    private string? valueType;

    internal FlowPool(UpcallPool* pool, string path, Flow flow)
    {
        this.pool = pool;
        this.flow = flow;
        Path = path;
    }

    /// <summary>Gives the handle back; the pool stays.</summary>
    ~FlowPool() => upcall_pool_release(pool);

    /// <summary>Its path.</summary>
    public string Path { get; }

    /// <summary>
    /// What its values are: a word of a flow's file (<c>bytes</c>, <c>text</c>, <c>u64</c>), <c>blittable Reading 16</c> or
    /// <c>packed Order</c>.
    /// </summary>
    public string ValueType => valueType ??= AskType();

    /// <summary>Puts an object. Waits for credit.</summary>
    /// <exception cref="FlowException">The pool does not take it, or the flow has stopped.</exception>
    public void Put(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        CheckOutside();
        Native.Failure* failed = null;
        fixed (byte* keyAt = key, valueAt = value)
        {
            upcall_pool_put(pool, Given.Slice(keyAt, key.Length), Given.Slice(valueAt, value.Length), &failed);
        }
        GC.KeepAlive(this);
        Given.Check(failed);
    }

    /// <summary>Puts an object of text. Waits for credit.</summary>
    /// <exception cref="FlowException">The values of the pool are not text; as for bytes otherwise.</exception>
    public void Put(string key, string value) => Put(WellFormed.Bytes(key), TextOf(key, value));

    /// <summary>Puts an object if there is credit. Returns whether there was.</summary>
    /// <exception cref="FlowException">The pool does not take it, or the flow has stopped.</exception>
    public bool TryPut(ReadOnlySpan<byte> key, ReadOnlySpan<byte> value)
    {
        Native.Failure* failed = null;
        bool put;
        fixed (byte* keyAt = key, valueAt = value)
        {
            put = upcall_pool_try_put(pool, Given.Slice(keyAt, key.Length), Given.Slice(valueAt, value.Length), &failed) != 0;
        }
        GC.KeepAlive(this);
        Given.Check(failed);
        return put;
    }

    /// <summary>As <see cref="TryPut(ReadOnlySpan{byte}, ReadOnlySpan{byte})"/>, of text.</summary>
    /// <exception cref="FlowException">The values of the pool are not text; as for bytes otherwise.</exception>
    public bool TryPut(string key, string value) => TryPut(WellFormed.Bytes(key), TextOf(key, value));

    /// <summary>Puts many objects in one call, which costs each a fraction of a call's price. Waits for credit.</summary>
    /// <exception cref="FlowException">
    /// The pool does not take one. Those before it, <see cref="FlowException.ObjectsPut"/> of them, are put, and none behind it.
    /// Where some are text, and the values of the pool are not, none is put.
    /// </exception>
    public void PutMany(PutBatch objects)
    {
        ArgumentNullException.ThrowIfNull(objects);
        CheckOutside();
        if (objects.KeyOfText is string key)
        {
            CheckText(key);
        }
        ReadOnlySpan<byte> rest = objects.Bytes;
        Native.Failure* failed = null;
        // A call ends before an object that is refused, and the next one says why.
        while (failed == null && !rest.IsEmpty)
        {
            fixed (byte* data = rest)
            {
                rest = rest[(int)upcall_pool_put_many(pool, Given.Slice(data, rest.Length), 1, &failed)..];
            }
        }
        GC.KeepAlive(this);
        if (failed != null)
        {
            (int code, string message) = Library.Read(failed);
            int put = objects.Count - PutBatch.CountIn(rest);
            throw FlowException.Of(code, $"put {objects.Count} objects: {put} are put; the next: {message}", put);
        }
    }

    /// <summary>The newest version of a key; null where there is none.</summary>
    /// <exception cref="FlowException">The pool stores nothing.</exception>
    public Stored? Get(ReadOnlySpan<byte> key) => Get(key, UpcallAsOf.Now, 0);

    /// <inheritdoc cref="Get(ReadOnlySpan{byte})"/>
    public Stored? Get(string key) => Get(WellFormed.Bytes(key));

    /// <summary>A key as it was at a version of the pool; null where it was not there then.</summary>
    /// <exception cref="FlowException">What it was then is no longer kept.</exception>
    public Stored? GetAt(ReadOnlySpan<byte> key, ulong version) => Get(key, UpcallAsOf.Version, version);

    /// <inheritdoc cref="GetAt(ReadOnlySpan{byte}, ulong)"/>
    public Stored? GetAt(string key, ulong version) => GetAt(WellFormed.Bytes(key), version);

    /// <summary>A key as it was at a time, in nanoseconds since the Unix epoch; null where it was not there then.</summary>
    /// <exception cref="FlowException">What it was then is no longer kept.</exception>
    public Stored? GetByTime(ReadOnlySpan<byte> key, ulong time) => Get(key, UpcallAsOf.Time, time);

    /// <inheritdoc cref="GetByTime(ReadOnlySpan{byte}, ulong)"/>
    public Stored? GetByTime(string key, ulong time) => GetByTime(WellFormed.Bytes(key), time);

    /// <summary>
    /// Copies the newest value of a key into <paramref name="to"/>. Returns false, and how large the value is, where it does not
    /// fit; a version of 0 where there is none.
    /// </summary>
    public bool TryGet(ReadOnlySpan<byte> key, Span<byte> to, out int length, out ulong version)
    {
        bool copied = Read(key, UpcallAsOf.Now, 0, to, out UpcallFound found);
        (length, version) = (checked((int)found.Len), found.Version);
        return copied;
    }

    /// <summary>The versions of a key that are kept, oldest first.</summary>
    public IReadOnlyList<SeenVersion> Versions(ReadOnlySpan<byte> key)
    {
        Native.Failure* failed = null;
        Buffer_UpcallSeen seen;
        fixed (byte* keyAt = key)
        {
            seen = upcall_pool_versions(pool, Given.Slice(keyAt, key.Length), &failed);
        }
        GC.KeepAlive(this);
        Given.Check(failed);
        var versions = new SeenVersion[(int)seen.len];
        for (int index = 0; index < versions.Length; index++)
        {
            UpcallSeen one = seen.data[index];
            versions[index] = new SeenVersion(one.Version, one.Time, one.Removed != 0);
        }
        if (seen.release != null)
        {
            seen.release(seen.data, seen.len, seen.capacity);
        }
        return versions;
    }

    /// <inheritdoc cref="Versions(ReadOnlySpan{byte})"/>
    public IReadOnlyList<SeenVersion> Versions(string key) => Versions(WellFormed.Bytes(key));

    /// <summary>The keys that begin with <paramref name="prefix"/>, sorted. Walks the whole pool.</summary>
    public IReadOnlyList<string> List(string prefix = "")
    {
        Native.Failure* failed = null;
        Buffer_u8 keys;
        ReadOnlySpan<byte> utf8 = WellFormed.Bytes(prefix);
        fixed (byte* data = utf8)
        {
            keys = upcall_pool_list(pool, Given.Slice(data, utf8.Length), &failed);
        }
        GC.KeepAlive(this);
        Given.Check(failed);
        var found = new List<string>();
        ReadOnlySpan<byte> rest = Given.Take(keys);
        while (rest.Length > 0)
        {
            int length = (int)BitConverter.ToUInt32(rest);
            found.Add(Encoding.UTF8.GetString(rest.Slice(sizeof(uint), length)));
            rest = rest[(sizeof(uint) + length)..];
        }
        return found;
    }

    private string AskType()
    {
        Native.Failure* failed = null;
        Text type = upcall_pool_value_type(pool, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
        return Given.Take(type);
    }

    /// <summary>The bytes of text as a value. In a pool of another type they would pass where they happen to have its length.</summary>
    private byte[] TextOf(string key, string value)
    {
        CheckText(key);
        return WellFormed.Bytes(value);
    }

    private void CheckText(string key)
    {
        if (ValueType is not ("bytes" or "text"))
        {
            throw new FlowException(
                FlowError.BadValue,
                $"put {key} into pool {Path}: the value is text, and the pool's type is {ValueType}; put a value of that type "
                    + "through Pool<T>, or its bytes");
        }
    }

    /// <summary>Throws inside a handler of the same flow, also where nothing would have to be waited for now.</summary>
    private void MayWait()
    {
        CheckOutside();
        Native.Failure* failed = null;
        upcall_pool_may_wait(pool, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
    }

    /// <summary>The same of a handler that answers later; the engine sees to the others itself.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CheckOutside()
    {
        if (flow.Inside.IsHere)
        {
            Refuse();
        }
    }

    private void Refuse() => flow.Inside.MayWait($"put into pool {Path}", "emit instead, or use what does not wait");

    private FlowTask Send(UpcallSend what, ReadOnlySpan<byte> key, ReadOnlySpan<byte> value, ulong previous)
    {
        Native.Failure* failed = null;
        UpcallTask* task;
        fixed (byte* keyAt = key, valueAt = value)
        {
            Slice_u8 keyBytes = Given.Slice(keyAt, key.Length), valueBytes = Given.Slice(valueAt, value.Length);
            task = upcall_pool_send(pool, what, keyBytes, valueBytes, previous, &failed);
        }
        GC.KeepAlive(this);
        Given.Check(failed);
        return new FlowTask(task, flow);
    }

    private Stored? Get(ReadOnlySpan<byte> key, UpcallAsOf of, ulong at)
    {
        Span<byte> room = stackalloc byte[256];
        if (Read(key, of, at, room, out UpcallFound found))
        {
            return found.Version == 0
                ? null
                : new Stored(room[..(int)found.Len].ToArray(), found.Version, found.Time);
        }
        // It may be a larger one meanwhile.
        while (true)
        {
            byte[] value = new byte[checked((int)found.Len)];
            if (Read(key, of, at, value, out found))
            {
                return found.Version == 0
                    ? null
                    : new Stored(value.AsSpan(0, (int)found.Len).ToArray(), found.Version, found.Time);
            }
        }
    }

    private bool Read(ReadOnlySpan<byte> key, UpcallAsOf of, ulong at, Span<byte> to, out UpcallFound found)
    {
        Native.Failure* failed = null;
        bool copied;
        UpcallFound seen = default;
        fixed (byte* keyAt = key, room = to)
        {
            Slice_u8 keyBytes = Given.Slice(keyAt, key.Length);
            copied = upcall_pool_get(pool, keyBytes, of, at, Given.Room(room, to.Length), &seen, &failed) != 0;
        }
        GC.KeepAlive(this);
        Given.Check(failed);
        found = seen;
        return copied;
    }
}
