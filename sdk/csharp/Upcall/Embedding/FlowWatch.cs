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
/// The events of some pools, from the moment when it was made. It is walked by one at a time, and ends with the flow, or when
/// it is disposed.
/// </summary>
public sealed class FlowWatch : IAsyncEnumerable<FlowEvent>, IDisposable
{
    private readonly object walking = new();

    // Held: a program that keeps only a watch still means its flow to run.
    private readonly Flow flow;
    private unsafe UpcallWatch* watch;

    // What a poll has brought, and how far it has been seen: a walk that is left leaves the rest to the next.
    private byte[] unread = [];
    private int next;

    // What whoever waits for the next event waits for.
    private TaskCompletionSource? awaited;

    internal unsafe FlowWatch(UpcallWatch* watch, Flow flow)
    {
        this.watch = watch;
        this.flow = flow;
    }

    /// <summary>Ends it.</summary>
    ~FlowWatch() => Release();

    /// <summary>Ends it: the flow tells it no more, and whoever walks it, or waits for an event, sees the end.</summary>
    public void Dispose()
    {
        lock (walking)
        {
            Release();
            (unread, next) = ([], 0);
            awaited?.TrySetResult();
        }
        GC.SuppressFinalize(this);
    }

    /// <summary>
    /// Walks the events as they come. Cancelled, it throws. A walk that is cancelled or left loses none: the next one goes on
    /// behind the last event that was seen.
    /// </summary>
    public async IAsyncEnumerator<FlowEvent> GetAsyncEnumerator(CancellationToken cancellationToken = default)
    {
        while (true)
        {
            cancellationToken.ThrowIfCancellationRequested();
            if (Take(out Task? more) is FlowEvent seen)
            {
                yield return seen;
            }
            else if (more != null)
            {
                await more.WaitAsync(cancellationToken).ConfigureAwait(false);
            }
            else
            {
                yield break;
            }
        }
    }

    /// <summary>The events that are there, or waits so long for the first; none where there was none, or it has ended.</summary>
    public IReadOnlyList<FlowEvent> Next(TimeSpan timeout)
    {
        List<FlowEvent> seen = TakeAll(out Task? more);
        return seen.Count == 0 && more?.Wait(timeout) == true ? TakeAll(out _) : seen;
    }

    /// <summary>The next event. Where there is none, <paramref name="more"/> completes when there may be; null if none will come.</summary>
    private FlowEvent? Take(out Task? more)
    {
        lock (walking)
        {
            more = Fill();
            return next < unread.Length ? Read() : null;
        }
    }

    /// <summary>The events that one poll has brought, as <see cref="Take"/> does.</summary>
    private List<FlowEvent> TakeAll(out Task? more)
    {
        var seen = new List<FlowEvent>();
        lock (walking)
        {
            more = Fill();
            while (next < unread.Length)
            {
                seen.Add(Read());
            }
        }
        return seen;
    }

    /// <summary>Polls where all has been seen. What completes when there may be more; null where some is there, or none will come.</summary>
    private unsafe Task? Fill()
    {
        if (watch == null || next < unread.Length)
        {
            return null;
        }
        var more = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Native.Failure* failed = null;
        // Asked first: what comes before the end is there then.
        bool ended = upcall_watch_has_ended(watch, &failed) != 0;
        Given.Check(failed);
        Buffer_u8 events = upcall_watch_poll(watch, &Waker.Wake, Waker.Of(more), &Waker.Release, &failed);
        Given.Check(failed);
        (unread, next) = (Given.Take(events), 0);
        awaited = more;
        return unread.Length > 0 || ended ? null : more.Task;
    }

    private unsafe void Release()
    {
        UpcallWatch* released = watch;
        watch = null;
        if (released != null)
        {
            upcall_watch_release(released);
        }
    }

    private FlowEvent Read()
    {
        FlowEvent seen = Read(unread, ref next);
        if (next == unread.Length)
        {
            // It may have been large.
            (unread, next) = ([], 0);
        }
        return seen;
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
