using System;
using System.Collections.Generic;
using System.Text.Json;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall;

/// <summary>A running flow of this program's own. Every member may be called from any thread.</summary>
/// <remarks>
/// Disposed, it stops, and what is in flight is lost: <see cref="DrainAsync"/> first keeps it. One that is collected stops too,
/// on a thread of the engine's, and so does one whose program ends. Its pools, its watches and whoever waits for it keep it.
/// </remarks>
/// <example><code>
/// await using Flow flow = await Flow.Describe()
///     .Pool("/lines", PoolKind.Trigger)
///     .Pool&lt;ulong&gt;("/lengths")
///     .On&lt;string, ulong&gt;("/lines", "/lengths", (in string line, FlowObject obj, Emitter&lt;ulong&gt; emit) =&gt;
///         emit.Put(obj.Key, (ulong)line.Length))
///     .StartAsync();
/// await flow.Pool&lt;string&gt;("/lines").PutAsync("1", "In the beginning");
/// await flow.DrainAsync();
/// </code></example>
public sealed unsafe partial class Flow : IAsyncDisposable, IDisposable
{
    // Released by the finalizer alone, when nobody can call any more.
    private readonly UpcallFlow* flow;

    internal Flow(UpcallFlow* flow, InsideFlow inside)
    {
        this.flow = flow;
        Inside = inside;
    }

    /// <summary>Stops it if it runs.</summary>
    ~Flow() => upcall_flow_release(flow);

    /// <summary>The paths of its pools.</summary>
    public IReadOnlyList<string> Pools
    {
        get
        {
            Native.Failure* failed = null;
            Text paths = upcall_flow_pools(flow, &failed);
            GC.KeepAlive(this);
            Given.Check(failed);
            string text = Given.Take(paths);
            return text.Length == 0 ? [] : text.Split('\n');
        }
    }

    /// <summary>Objects in flight: put or emitted, and not yet handled.</summary>
    public ulong InFlight
    {
        get
        {
            Native.Failure* failed = null;
            ulong items = upcall_flow_in_flight(flow, &failed);
            GC.KeepAlive(this);
            Given.Check(failed);
            return items;
        }
    }

    /// <summary>Whether a caller is inside one of its handlers, on whatever thread.</summary>
    internal InsideFlow Inside { get; }

    /// <summary>A flow that is described by code.</summary>
    public static FlowBuilder Describe() => new();

    /// <summary>A flow that is described by a file, as <c>upcall run</c> takes it; handlers that name no code are given.</summary>
    /// <exception cref="System.IO.IOException">The file cannot be read.</exception>
    public static FlowBuilder FromFile(string path) => new(System.IO.File.ReadAllText(path), path);

    /// <summary>A flow that is described by the text of such a file.</summary>
    /// <param name="text">The text.</param>
    /// <param name="path">Where it would be, for messages and for the paths in it; nowhere if it is left out.</param>
    public static FlowBuilder FromToml(string text, string path = "") => new(text, path);

    /// <summary>The pool with this path, whose keys and values are bytes. Find it once and keep it.</summary>
    /// <exception cref="FlowException">There is no such pool.</exception>
    public FlowPool Pool(string path)
    {
        Native.Failure* failed = null;
        UpcallPool* pool;
        ReadOnlySpan<byte> utf8 = WellFormed.Bytes(path);
        fixed (byte* data = utf8)
        {
            pool = upcall_flow_pool(flow, Given.Text(data, utf8.Length), &failed);
        }
        GC.KeepAlive(this);
        Given.Check(failed);
        return new FlowPool(pool, path, this);
    }

    /// <summary>The same through values of one type, as <see cref="FlowHandler{TIn, TOut}"/> takes them.</summary>
    /// <exception cref="FlowException">There is no such pool, or it declares another type.</exception>
    public FlowPool<T> Pool<T>(string path)
        where T : notnull => new(Pool(path));

    /// <summary>
    /// Watches the pool of this path and all below it, from now on. A watch that is <paramref name="buffer"/> events behind is
    /// told how many it missed, and never holds up the flow. It ends with the flow.
    /// </summary>
    /// <exception cref="FlowException">No pool is there or below.</exception>
    public FlowWatch Watch(string prefix, int buffer = 4096)
    {
        ArgumentOutOfRangeException.ThrowIfNegative(buffer);
        Native.Failure* failed = null;
        UpcallWatch* watch;
        ReadOnlySpan<byte> utf8 = WellFormed.Bytes(prefix);
        fixed (byte* data = utf8)
        {
            watch = upcall_flow_watch(flow, Given.Text(data, utf8.Length), (ulong)buffer, &failed);
        }
        GC.KeepAlive(this);
        Given.Check(failed);
        return new FlowWatch(watch, this);
    }

    /// <summary>Lets nothing wait for a retry any more, and no call for longer than five seconds: before a drain that must not
    /// take long.</summary>
    public void Hurry()
    {
        Native.Failure* failed = null;
        upcall_flow_hurry(flow, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
    }

    /// <summary>What it has done so far; docs/report.md has the fields.</summary>
    public JsonElement Report()
    {
        Native.Failure* failed = null;
        Text report = upcall_flow_report(flow, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
        return JsonDocument.Parse(Given.Take(report)).RootElement;
    }

    /// <summary>The dead letters about objects of a pool that are kept, oldest first.</summary>
    /// <exception cref="FlowException">There is no such pool.</exception>
    public IReadOnlyList<DeadLetter> DeadLetters(string pool)
    {
        Native.Failure* failed = null;
        Text letters;
        ReadOnlySpan<byte> utf8 = WellFormed.Bytes(pool);
        fixed (byte* data = utf8)
        {
            letters = upcall_flow_dead_letters(flow, Given.Text(data, utf8.Length), &failed);
        }
        GC.KeepAlive(this);
        Given.Check(failed);
        return DeadLetter.All(Given.Take(letters));
    }

    /// <summary>Throws what has stopped the flow, if anything has.</summary>
    /// <exception cref="FlowException">It has stopped.</exception>
    public void ThrowIfStopped()
    {
        Native.Failure* failed = null;
        upcall_flow_check(flow, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
    }

    private FlowTask BeginDrain()
    {
        Native.Failure* failed = null;
        UpcallTask* task = upcall_flow_drain(flow, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
        return new FlowTask(task, this);
    }

    private FlowTask BeginSettle()
    {
        Native.Failure* failed = null;
        UpcallTask* task = upcall_flow_settle(flow, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
        return new FlowTask(task, this);
    }

    private FlowTask BeginStop()
    {
        Native.Failure* failed = null;
        UpcallTask* task = upcall_flow_stop(flow, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
        return new FlowTask(task, this);
    }
}
