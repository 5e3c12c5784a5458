using System;
using System.IO;
using System.Text;
using System.Threading;

namespace Upcall;

/// <summary>One object of a handler that answers later, until its method has ended. It may be used on any thread.</summary>
/// <remarks>
/// Key and value are copies, so that nothing of the engine's memory is seen across an await. When the object is over, each member
/// throws one of three exceptions: <see cref="ItemTimedOutException"/>, <see cref="ItemCanceledException"/>,
/// <see cref="ItemClosedException"/>.
/// </remarks>
public readonly struct AsyncObject
{
    private readonly AsyncCall call;

    // The call is used again for other objects, each with a stamp of its own.
    private readonly long stamp;

    internal AsyncObject(AsyncCall call)
    {
        this.call = call;
        stamp = call.Stamp;
    }

    /// <summary>The key: UTF-8 bytes, until the method ends.</summary>
    public ReadOnlySpan<byte> Key
    {
        get
        {
            ReadOnlySpan<byte> key = call.Bytes.Key;
            call.Check(stamp);
            return key;
        }
    }

    /// <summary>The value, until the method ends.</summary>
    public ReadOnlySpan<byte> Value
    {
        get
        {
            ReadOnlySpan<byte> value = call.Bytes.Value;
            call.Check(stamp);
            return value;
        }
    }

    /// <summary>The key as what other asynchronous methods take. Its span throws when the object is over; it allocates.</summary>
    public ReadOnlyMemory<byte> KeyMemory => call.Lend(stamp).Key;

    /// <summary>The value as what other asynchronous methods take. Its span throws when the object is over; it allocates.</summary>
    public ReadOnlyMemory<byte> ValueMemory => call.Lend(stamp).Value;

    /// <summary>The key as a new string; comparing <see cref="Key"/> with <c>"..."u8</c> costs nothing.</summary>
    public string KeyText
    {
        get
        {
            lock (call)
            {
                return Encoding.UTF8.GetString(Key);
            }
        }
    }

    /// <summary>The value as a new string, read as UTF-8.</summary>
    public string ValueText
    {
        get
        {
            lock (call)
            {
                return Encoding.UTF8.GetString(Value);
            }
        }
    }

    /// <summary>Strictly increasing per key, unique per pool; 0 for the sample of a flow file's <c>warm</c>.</summary>
    public ulong Version => call.About(stamp).Version;

    /// <summary>Nanoseconds since the Unix epoch, never backward within a pool.</summary>
    public ulong Time => call.About(stamp).Time;

    /// <summary>The pool it was put into.</summary>
    public PoolId Pool => new(call.About(stamp).Pool);

    /// <summary>The path of <see cref="Pool"/>.</summary>
    public string PoolPath => call.Session.PathOf(Pool.Value);

    /// <summary>Who put it: an index into <see cref="OpenContext.Senders"/>.</summary>
    public uint Sender => call.About(stamp).Sender;

    /// <summary>The name of <see cref="Sender"/>.</summary>
    public string SenderName => call.Session.NameOf(Sender);

    /// <summary>
    /// Cancelled when the object is no longer waited for: it has taken longer than its deadline, or the flow is stopped.
    /// <see cref="ThrowIfOver"/> says which. It ends with the object.
    /// </summary>
    /// <exception cref="ItemClosedException">The method has ended.</exception>
    public CancellationToken Cancellation => call.Token(stamp);

    /// <summary>The value as a <typeparamref name="T"/>, which may be what a <see cref="FlowHandler{TIn, TOut}"/> takes.</summary>
    /// <exception cref="InvalidDataException">The bytes are not a value of that type.</exception>
    public T ValueAs<T>()
        where T : notnull
    {
        if (!Form<T>.Unpacks)
        {
            lock (call)
            {
                return Form<T>.Read(Key, Value);
            }
        }
        // As where pools are read: nobody's code runs under the lock.
        BytesCopy key;
        BytesCopy value;
        lock (call)
        {
            key = new BytesCopy(Key);
            value = new BytesCopy(Value);
        }
        using (key)
        using (value)
        {
            return Form<T>.Read(key.Bytes, value.Bytes);
        }
    }

    /// <summary>Does nothing as long as somebody waits for the object.</summary>
    /// <exception cref="ItemTimedOutException">It has taken longer than its deadline.</exception>
    /// <exception cref="ItemCanceledException">The flow is being stopped.</exception>
    /// <exception cref="ItemClosedException">Its method has ended, or the handler was closed.</exception>
    public void ThrowIfOver() => call.Check(stamp);
}
