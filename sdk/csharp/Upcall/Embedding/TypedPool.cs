using System;
using System.Buffers;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall;

/// <summary>A pool through values of one type, which may be what a <see cref="FlowHandler{TIn, TOut}"/> takes.</summary>
/// <typeparam name="T">The type.</typeparam>
public sealed class FlowPool<T>
    where T : notnull
{
    internal FlowPool(FlowPool bytes)
    {
        Bytes = bytes;
        string? wrong = Form<T>.Unreadable ?? Form<T>.Unwritable;
        string declared = bytes.ValueType;
        wrong ??= Agrees(declared) ? null : $"it declares {declared}, and the program asks for {FormName.Of(typeof(T))}";
        if (wrong != null)
        {
            throw new FlowException(FlowError.BadValue, $"open pool {bytes.Path}: {wrong}");
        }
    }

    /// <summary>The same pool through bytes.</summary>
    public FlowPool Bytes { get; }

    /// <summary>Puts an object. Waits for credit; not inside a handler of the same flow.</summary>
    /// <exception cref="FlowException">The pool does not take it, or the flow has stopped.</exception>
    public void Put(string key, T value) => Bytes.Put(WellFormed.Bytes(key), Written(value).WrittenSpan);

    /// <summary>Puts an object if there is credit. Returns whether there was.</summary>
    /// <exception cref="FlowException">The pool does not take it, or the flow has stopped.</exception>
    public bool TryPut(string key, T value) => Bytes.TryPut(WellFormed.Bytes(key), Written(value).WrittenSpan);

    /// <summary>Puts an object without holding up a thread, and returns its version.</summary>
    /// <exception cref="FlowException">The pool does not take it, or the flow has stopped.</exception>
    public Task<ulong> PutAsync(string key, T value, CancellationToken cancellation = default) =>
        Bytes.PutAsync(WellFormed.Bytes(key), Written(value).WrittenMemory, cancellation);

    /// <summary>As <see cref="FlowPool.PutIfAsync(ReadOnlyMemory{byte}, ReadOnlyMemory{byte}, ulong, CancellationToken)"/>.</summary>
    public Task<ulong> PutIfAsync(string key, T value, ulong previous, CancellationToken cancellation = default) =>
        Bytes.PutIfAsync(WellFormed.Bytes(key), Written(value).WrittenMemory, previous, cancellation);

    /// <summary>As <see cref="FlowPool.PutIf(ReadOnlySpan{byte}, ReadOnlySpan{byte}, ulong)"/>.</summary>
    public ulong PutIf(string key, T value, ulong previous) =>
        Bytes.PutIf(WellFormed.Bytes(key), Written(value).WrittenSpan, previous);

    /// <summary>Puts many objects in one call, which costs each a fraction of a call's price. Waits for credit.</summary>
    /// <exception cref="FlowException">
    /// The pool does not take one. Those before it, <see cref="FlowException.ObjectsPut"/> of them, are put, and none behind it.
    /// </exception>
    public void PutMany(IEnumerable<(string Key, T Value)> objects)
    {
        ArgumentNullException.ThrowIfNull(objects);
        var batch = new PutBatch();
        var bytes = new ArrayBufferWriter<byte>(32);
        foreach ((string key, T value) in objects)
        {
            bytes.ResetWrittenCount();
            Form<T>.Write(value, bytes);
            batch.Add(WellFormed.Bytes(key), bytes.WrittenSpan);
        }
        Bytes.PutMany(batch);
    }

    /// <summary>Runs the handlers and stores nothing. Waits for credit; not inside a handler of the same flow.</summary>
    public void Trigger(string key, T value) => Bytes.Trigger(WellFormed.Bytes(key), Written(value).WrittenSpan);

    /// <summary>Runs the handlers and stores nothing.</summary>
    public Task TriggerAsync(string key, T value, CancellationToken cancellation = default) =>
        Bytes.TriggerAsync(WellFormed.Bytes(key), Written(value).WrittenMemory, cancellation);

    /// <inheritdoc cref="FlowPool.Remove(string)"/>
    public ulong Remove(string key) => Bytes.Remove(key);

    /// <inheritdoc cref="FlowPool.RemoveAsync(string, CancellationToken)"/>
    public Task<ulong> RemoveAsync(string key, CancellationToken cancellation = default) => Bytes.RemoveAsync(key, cancellation);

    /// <summary>The newest version of a key; null where there is none.</summary>
    /// <exception cref="System.IO.InvalidDataException">Its bytes are no value of the type.</exception>
    public Found<T>? Get(string key)
    {
        byte[] utf8 = WellFormed.Bytes(key);
        return Read(utf8, Bytes.Get(utf8));
    }

    /// <summary>A key as it was at a version of the pool; null where it was not there then.</summary>
    /// <exception cref="FlowException">What it was then is no longer kept.</exception>
    /// <exception cref="System.IO.InvalidDataException">Its bytes are no value of the type.</exception>
    public Found<T>? GetAt(string key, ulong version)
    {
        byte[] utf8 = WellFormed.Bytes(key);
        return Read(utf8, Bytes.GetAt(utf8, version));
    }

    /// <summary>A key as it was at a time, in nanoseconds since the Unix epoch; null where it was not there then.</summary>
    /// <exception cref="FlowException">What it was then is no longer kept.</exception>
    /// <exception cref="System.IO.InvalidDataException">Its bytes are no value of the type.</exception>
    public Found<T>? GetByTime(string key, ulong time)
    {
        byte[] utf8 = WellFormed.Bytes(key);
        return Read(utf8, Bytes.GetByTime(utf8, time));
    }

    /// <inheritdoc cref="FlowPool.Versions(string)"/>
    public IReadOnlyList<SeenVersion> Versions(string key) => Bytes.Versions(key);

    /// <inheritdoc cref="FlowPool.List"/>
    public IReadOnlyList<string> List(string prefix = "") => Bytes.List(prefix);

    private static Found<T>? Read(byte[] key, Stored? stored) => stored is Stored seen
        ? new Found<T>(Form<T>.Read(key, seen.Value), seen.Version, seen.Time)
        : null;

    private static ArrayBufferWriter<byte> Written(T value)
    {
        var bytes = new ArrayBufferWriter<byte>(32);
        Form<T>.Write(value, bytes);
        return bytes;
    }

    private static bool Agrees(string declared)
    {
        if (declared == "bytes" || Form<T>.Said is not (string name, int size))
        {
            return true;
        }
        string[] words = declared.Split(' ');
        return words switch
        {
            ["blittable", var of, var bytes] => of == name && bytes == $"{size}",
            ["packed", var of] => of == name,
            _ => declared == name,
        };
    }
}
