using System;
using System.Collections.Generic;
using System.IO;
using System.Runtime.CompilerServices;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall;

/// <summary>What a <see cref="FlowWatch"/> has seen.</summary>
/// <param name="Pool">The pool's path.</param>
public abstract record FlowEvent(string Pool)
{
    /// <summary>An object was put, emitted or triggered.</summary>
    /// <param name="Pool">The pool's path.</param>
    /// <param name="Key">Its key.</param>
    /// <param name="Value">Its value, copied.</param>
    /// <param name="Version">Its version.</param>
    /// <param name="Time">Nanoseconds since the Unix epoch.</param>
    public sealed record Put(string Pool, string Key, byte[] Value, ulong Version, ulong Time) : FlowEvent(Pool)
    {
        /// <summary>With the value as text where it is text, else its bytes in hexadecimal; the beginning of a long one.</summary>
        public override string ToString() =>
            $"Put {{ Pool = {Pool}, Key = {Key}, Value = {Shown.Value(Value)}, Version = {Version}, Time = {Time} }}";

        /// <summary>The value as text.</summary>
        public string ValueText => Encoding.UTF8.GetString(Value);

        /// <summary>The value as a <typeparamref name="T"/>.</summary>
        /// <exception cref="InvalidDataException">The bytes are not a value of that type.</exception>
        public T ValueAs<T>()
            where T : notnull => Form<T>.Read(Encoding.UTF8.GetBytes(Key), Value);
    }

    /// <summary>A key was removed.</summary>
    /// <param name="Pool">The pool's path.</param>
    /// <param name="Key">The key.</param>
    /// <param name="Version">The version that removed it.</param>
    public sealed record Removed(string Pool, string Key, ulong Version) : FlowEvent(Pool);

    /// <summary>The watch was too slow, and some events of the pool were dropped.</summary>
    /// <param name="Pool">The pool's path.</param>
    /// <param name="Count">How many.</param>
    /// <param name="First">The smallest version among them.</param>
    /// <param name="Last">The largest.</param>
    public sealed record Missed(string Pool, ulong Count, ulong First, ulong Last) : FlowEvent(Pool);
}

/// <summary>
/// The events of some pools, from the moment when it was made. It is walked by one at a time, ends with the flow, and is
/// disposed when nobody walks it.
/// </summary>
public sealed class FlowWatch : IAsyncEnumerable<FlowEvent>, IDisposable
{
    private readonly object walking = new();

    // Held: a program that keeps only a watch still means its flow to run.
    private readonly Flow flow;
    private unsafe UpcallWatch* watch;

    internal unsafe FlowWatch(UpcallWatch* watch, Flow flow)
    {
        this.watch = watch;
        this.flow = flow;
    }

    /// <summary>Ends it.</summary>
    ~FlowWatch() => Dispose();

    /// <summary>Ends it: the flow tells it no more.</summary>
    public unsafe void Dispose()
    {
        lock (walking)
        {
            UpcallWatch* released = watch;
            watch = null;
            if (released != null)
            {
                upcall_watch_release(released);
            }
        }
        GC.SuppressFinalize(this);
    }

    /// <summary>Walks the events as they come. Cancelled, it throws; the watch goes on, and can be walked again.</summary>
    public async IAsyncEnumerator<FlowEvent> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            var more = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            byte[] events = Next(more, out bool ended);
            foreach (FlowEvent seen in Read(events))
            {
                yield return seen;
            }
            if (ended)
            {
                yield break;
            }
            if (events.Length == 0)
            {
                await more.Task.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
        }
    }

    /// <summary>The events that are there, or waits so long for the first; none where there was none, or the flow has stopped.</summary>
    public IReadOnlyList<FlowEvent> Next(TimeSpan timeout)
    {
        var more = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        byte[] events = Next(more, out bool ended);
        if (events.Length == 0 && !ended && more.Task.Wait(timeout))
        {
            events = Next(more, out _);
        }
        return [.. Read(events)];
    }

    /// <summary>The events that are there; if there are none, completes <paramref name="more"/> when there may be.</summary>
    private unsafe byte[] Next(TaskCompletionSource more, out bool ended)
    {
        lock (walking)
        {
            Native.Failure* failed = null;
            // Asked first: what comes before the end is there then.
            ended = upcall_watch_has_ended(Open(), &failed) != 0;
            Given.Check(failed);
            Buffer_u8 events = upcall_watch_poll(watch, &Waker.Wake, Waker.Of(more), &Waker.Release, &failed);
            Given.Check(failed);
            byte[] bytes = Given.Take(events);
            ended &= bytes.Length == 0;
            return bytes;
        }
    }

    private unsafe UpcallWatch* Open()
    {
        ObjectDisposedException.ThrowIf(watch == null, this);
        return watch;
    }

    private static IEnumerable<FlowEvent> Read(byte[] bytes)
    {
        for (int at = 0; at < bytes.Length;)
        {
            yield return Read(bytes, ref at);
        }
    }

    private static unsafe FlowEvent Read(byte[] bytes, ref int at)
    {
        UpcallEvent head = Unsafe.ReadUnaligned<UpcallEvent>(ref bytes[at]);
        int start = at + sizeof(UpcallEvent);
        string pool = Encoding.UTF8.GetString(bytes, start, (int)head.Pool);
        string key = Encoding.UTF8.GetString(bytes, start += (int)head.Pool, (int)head.Key);
        Span<byte> value = bytes.AsSpan(start += (int)head.Key, (int)head.Value);
        at = (start + (int)head.Value + 7) & ~7;
        return head.What switch
        {
            UpcallEventPut => new FlowEvent.Put(pool, key, value.ToArray(), head.Version, head.Time),
            UpcallEventRemoved => new FlowEvent.Removed(pool, key, head.Version),
            _ => new FlowEvent.Missed(pool, head.Missed, head.Version, head.Time),
        };
    }
}
