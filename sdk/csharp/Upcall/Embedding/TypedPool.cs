using System;
using System.Buffers;
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

    /// <summary>The newest version of a key; null where there is none.</summary>
    /// <exception cref="System.IO.InvalidDataException">Its bytes are no value of the type.</exception>
    public Found<T>? Get(string key)
    {
        byte[] utf8 = WellFormed.Bytes(key);
        return Bytes.Get(utf8) is Stored stored
            ? new Found<T>(Form<T>.Read(utf8, stored.Value), stored.Version, stored.Time)
            : null;
    }

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
