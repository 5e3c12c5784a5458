using System;
using System.Buffers;
using System.Collections.Generic;
using System.Linq;
using System.Threading.Tasks;
using Upcall.Abi;

namespace Upcall.Testing;

/// <summary>
/// Runs a handler without an engine, for its tests: the real entry, the real frames, one worker.
/// </summary>
/// <example><code>
/// using var harness = new Harness&lt;Shout&gt;().Emits("/loud");
/// harness.Put("greeting", "hello");
/// Check(harness.Emitted[0].ValueText == "HELLO");
/// </code></example>
public sealed class Harness<T> : IDisposable
    where T : class, new()
{
    private readonly FlowEngine engine;

    /// <summary>A harness for a new handler.</summary>
    public Harness()
        : this(Drivers.Make<T>())
    {
    }

    /// <summary>A harness for a handler that the test has made, to look into it afterwards.</summary>
    public Harness(T handler)
    {
        Handler = handler;
        engine = new FlowEngine(Drivers.Of(handler));
    }

    /// <summary>The handler.</summary>
    public T Handler { get; }

    /// <summary>What was emitted so far.</summary>
    public IReadOnlyList<Emitted> Emitted => engine.Emitted;

    /// <summary>What was logged so far.</summary>
    public IReadOnlyList<Logged> Logged => engine.Logged;

    /// <summary>Pools that the handler may emit to. Before the first object.</summary>
    public Harness<T> Emits(params string[] paths)
    {
        foreach (string path in paths)
        {
            engine.Declare(path, PoolAccess.Emit);
        }
        return this;
    }

    /// <summary>
    /// A pool that the handler may read, with what was put there, in this order: versions 1, 2 and so on, at as many
    /// nanoseconds since the Unix epoch. The values are text; <see cref="ReadsValues"/> takes numbers, other types and bytes.
    /// Before the first object.
    /// </summary>
    public Harness<T> Reads(string path, params (string Key, string Value)[] objects)
    {
        engine.Declare(path, PoolAccess.Read);
        StoredPool pool = engine.Stored(path);
        foreach ((string key, string value) in objects)
        {
            pool.Add(WellFormed.Bytes(key), WellFormed.Bytes(value));
        }
        return this;
    }

    /// <summary>
    /// The same with values that a typed handler takes or emits: <c>ReadsValues("/accounts", ("ada", 50L))</c>, or bytes as
    /// <c>byte[]</c>. The pool declares their type unless <see cref="Declares"/> has declared one before.
    /// </summary>
    /// <exception cref="ArgumentException">The pool declares another type.</exception>
    /// <exception cref="PoolTypeException">The type cannot be used for values.</exception>
    public Harness<T> ReadsValues<TValue>(string path, params (string Key, TValue Value)[] objects)
        where TValue : notnull
    {
        engine.Declare(path, PoolAccess.Read);
        StoredPool pool = engine.Stored<TValue>(path);
        foreach ((string key, TValue value) in objects)
        {
            if (value is null)
            {
                throw new ArgumentNullException(
                    nameof(objects), $"pool {path}, key {key}: the value is null, which no handler takes: leave the key out");
            }
            pool.Add(WellFormed.Bytes(key), Packed(value));
        }
        return this;
    }

    /// <summary>
    /// What keys of a pool were before this version or time is no longer kept, as when a flow's <c>keep</c> is too small.
    /// </summary>
    public Harness<T> Forgets(string path, ulong before)
    {
        engine.Stored(path).Oldest = before;
        return this;
    }

    /// <summary>
    /// Declares the type of a pool's values, and the bytes of one where it is blittable. The watched pool is
    /// <c>/in</c>. Before the first object.
    /// </summary>
    public Harness<T> Declares(string path, string type, int size = 0)
    {
        engine.Declare(path, type, size);
        return this;
    }

    /// <summary>A setting. Before the first object.</summary>
    public Harness<T> Setting(string name, string value)
    {
        engine.Settings[name] = value;
        return this;
    }

    /// <summary>
    /// How long a handler that answers later may take for an object: then it is cancelled, and <see cref="PutAsync(string, string)"/> throws an
    /// <see cref="ItemTimedOutException"/>. Before the first object.
    /// </summary>
    public Harness<T> Deadline(TimeSpan deadline)
    {
        engine.Deadline = deadline;
        return this;
    }

    /// <summary>What the handler says of itself.</summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public Described Describe() => engine.Describe();

    /// <summary>Gives the handler one object.</summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public void Put(string key, string value) => Batch((key, value));

    /// <summary>Gives the handler one object.</summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public void Put(byte[] key, byte[] value) => Run([(key, value)], 0);

    /// <summary>
    /// Gives a handler that answers later one object; completes when it has answered. Several may be open at once.
    /// </summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    /// <exception cref="ItemTimedOutException">It has taken longer than <see cref="Deadline"/>.</exception>
    /// <exception cref="ItemCanceledException">It was cancelled by <see cref="Cancel"/>.</exception>
    /// <exception cref="ItemClosedException">The harness was disposed before.</exception>
    public Task PutAsync(string key, string value) => PutAsync(WellFormed.Bytes(key), WellFormed.Bytes(value));

    /// <inheritdoc cref="PutAsync(string, string)"/>
    public Task PutAsync(byte[] key, byte[] value)
    {
        if (engine.AnswersLater)
        {
            return engine.Begin(key, value);
        }
        Put(key, value);
        return Task.CompletedTask;
    }

    /// <summary>The same with a value that a typed handler takes.</summary>
    /// <inheritdoc cref="PutAsync(string, string)" path="/exception"/>
    public Task PutValueAsync<TValue>(string key, TValue value)
        where TValue : notnull => PutAsync(WellFormed.Bytes(key), Packed(value));

    /// <summary>Cancels what a handler that answers later has open, as a flow does that is being stopped.</summary>
    public void Cancel() => engine.Cancel();

    /// <summary>
    /// Gives the handler the sample of a flow's <c>warm</c>: it has to answer before this returns, and what it emits is forgotten.
    /// </summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public void Warm(string key, string value) => engine.Warm(WellFormed.Bytes(key), WellFormed.Bytes(value));

    /// <summary>Gives the handler one object with a value that a typed handler takes.</summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public void PutValue<TValue>(string key, TValue value)
        where TValue : notnull => Put(WellFormed.Bytes(key), Packed(value));

    /// <summary>Gives the handler several objects in one batch; one that answers later, all at once.</summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public void Batch(params (string Key, string Value)[] objects) =>
        Run([.. objects.Select(o => (WellFormed.Bytes(o.Key), WellFormed.Bytes(o.Value)))], 0);

    /// <summary>
    /// Gives the handler a batch as it comes from a pool of blittable values; the keys are 0, 1 and so on.
    /// </summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public unsafe void Values<TValue>(params TValue[] values)
        where TValue : unmanaged
    {
        var objects = new (byte[], byte[])[values.Length];
        for (int index = 0; index < values.Length; index++)
        {
            fixed (TValue* value = &values[index])
            {
                objects[index] = (WellFormed.Bytes($"{index}"), new Span<byte>(value, sizeof(TValue)).ToArray());
            }
        }
        Run(objects, (ulong)sizeof(TValue));
    }

    /// <summary>Tells the handler that the input has ended.</summary>
    /// <exception cref="HandlerFailedException">The handler failed.</exception>
    public void Flush() => engine.Run(Kind.Flush, [], 0);

    /// <summary>Closes the handler.</summary>
    public void Dispose() => engine.Dispose();

    private void Run((byte[] Key, byte[] Value)[] objects, ulong stride)
    {
        if (engine.AnswersLater)
        {
            Task.WhenAll(objects.Select(o => engine.Begin(o.Key, o.Value)).ToArray()).GetAwaiter().GetResult();
        }
        else
        {
            engine.Run(Kind.Flow, objects, stride);
        }
    }

    private static byte[] Packed<TValue>(TValue value)
    {
        var bytes = new ArrayBufferWriter<byte>();
        Form<TValue>.Write(value, bytes);
        return bytes.WrittenSpan.ToArray();
    }
}
