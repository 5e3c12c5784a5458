using System;
using System.Collections.Concurrent;
using System.Text;
using System.Threading;
using System.Threading.Tasks;

namespace Upcall.Tests;

/// <summary>
/// Does what the value says before and after it has waited: a test looks at what it kept, and lets it go on.
/// </summary>
internal sealed class Waits : IAsyncObjectHandler, IOpen
{
    private OpenContext? context;

    /// <summary>Lets the objects go on that wait for it.</summary>
    internal TaskCompletionSource Gate { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>What the objects were given, by key.</summary>
    internal ConcurrentDictionary<string, (AsyncObject Obj, AsyncEmitter Emit)> Kept { get; } = [];

    /// <summary>How the methods ended, by key.</summary>
    internal ConcurrentDictionary<string, TaskCompletionSource<Exception?>> Ends { get; } = [];

    internal Log Log => context!.Log;

    public void OnOpen(OpenContext open) => context = open;

    /// <summary>What the method of a key ended with; null where it returned.</summary>
    internal Task<Exception?> End(string key) => Ends.GetOrAdd(key, _ => new()).Task;

    public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
    {
        string key = obj.KeyText;
        Kept[key] = (obj, emit);
        try
        {
            await Do(obj, emit, obj.ValueText);
            Ends.GetOrAdd(key, _ => new()).TrySetResult(null);
        }
        catch (Exception exception)
        {
            Ends.GetOrAdd(key, _ => new()).TrySetResult(exception);
            throw;
        }
    }

    private async Task Do(AsyncObject obj, AsyncEmitter emit, string what)
    {
        emit.Put(obj.Key, "before"u8);
        switch (what)
        {
            case "at once":
                break;
            case "throw at once":
                throw new FormatException("at once");
            case "later":
                await Task.Delay(5, obj.Cancellation);
                break;
            case "throw later":
                await Task.Yield();
                Throws();
                break;
            case "patient":
                await Task.Delay(Timeout.Infinite, obj.Cancellation);
                break;
            case "asks why":
                try
                {
                    await Task.Delay(Timeout.Infinite, obj.Cancellation);
                }
                catch (OperationCanceledException)
                {
                    obj.ThrowIfOver();
                    throw;
                }
                break;
            case "deaf":
                await Gate.Task;
                break;
            case "deaf and throws":
                await Gate.Task;
                throw new FormatException("nobody hears it");
            case "own token":
                using (var own = new CancellationTokenSource(1))
                {
                    await Task.Delay(Timeout.Infinite, own.Token);
                }
                break;
            case "own exception":
                await Task.Yield();
                throw new OperationCanceledException("by itself");
            default:
                throw new ArgumentException(what);
        }
        emit.Put(obj.Key, "after"u8);
    }

    private static void Throws() => throw new FormatException("later");
}

/// <summary>Emits its key after 10 ms, and counts how many do so at a time.</summary>
internal sealed class Sleeps : IAsyncObjectHandler
{
    private int open;
    private int most;

    internal int Most => most;

    public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
    {
        int now = Interlocked.Increment(ref open);
        for (int seen = most; now > seen; seen = most)
        {
            Interlocked.CompareExchange(ref most, now, seen);
        }
        await Task.Delay(10, obj.Cancellation);
        Interlocked.Decrement(ref open);
        emit.Put(obj.Key, obj.Value);
    }
}

/// <summary>Reads, lists, logs and emits on condition, all after it has waited.</summary>
internal sealed class ReadsLater : IAsyncObjectHandler, IOpen
{
    private PoolId pool;
    private Log? log;

    public void OnOpen(OpenContext open)
    {
        pool = open.Pool("/accounts");
        log = open.Log;
    }

    public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
    {
        int thread = Environment.CurrentManagedThreadId;
        await Task.Run(() => { });
        bool there = emit.TryRead(pool, obj.Key, out Found<string> found);
        emit.TryReadAt(pool, obj.Key, 1, out Found<byte[]> first);
        emit.TryReadByTime(pool, obj.Key, 1, out Found<byte[]> then);
        byte[][] keys = emit.List(pool, ""u8);
        await Task.Yield();
        string listed = string.Join(' ', Array.ConvertAll(keys, Encoding.UTF8.GetString));
        log!.Info($"{there} {found.Value} {Encoding.UTF8.GetString(first.Value ?? [])} {then.Version} [{listed}]");
        emit.PutIf(pool, obj.Key, obj.Value, found.Version);
        if (obj.Value.SequenceEqual("twice"u8))
        {
            emit.PutIf(pool, obj.Key, obj.Value, found.Version);
        }
    }
}

/// <summary>Halves numbers.</summary>
internal sealed class Halves : AsyncFlowHandler<long, string>
{
    public override async ValueTask OnObject(long value, AsyncObject obj, AsyncEmitter<string> emit)
    {
        await Task.Yield();
        emit.Put(obj.Key, $"{value / 2}");
        emit.Bytes.Put(obj.Key, obj.Value);
        emit.PutIf("/out", obj.Key, $"{obj.ValueAs<long>()}", 3);
    }

    public override async ValueTask OnFlush(AsyncEmitter<string> emit)
    {
        await Task.Yield();
        emit.Put("end"u8, "flushed");
    }
}

/// <summary>Tells in which order it is opened, flushed and closed, each of which takes its time.</summary>
internal sealed class Lives : IAsyncObjectHandler, IOpen, IAsyncOpen, IFlush, IAsyncFlush, IAsyncDisposable
{
    internal string Said { get; private set; } = "";

    public void OnOpen(OpenContext open) => Said += "open ";

    async ValueTask IAsyncOpen.OnOpen(OpenContext open)
    {
        await Task.Delay(2);
        Said += $"{open.Pool("/out") != default} ";
    }

    public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
    {
        await Task.Delay(2);
        Said += $"{obj.KeyText} ";
        emit.Put(obj.Key, obj.Value);
    }

    public void OnFlush(Emitter emit) => emit.Put("flush"u8, "1"u8);

    public async ValueTask OnFlush(AsyncEmitter emit)
    {
        await Task.Delay(2);
        emit.Put("flush"u8, "2"u8);
        if (Said.Contains("fail"))
        {
            throw new FormatException("not flushed");
        }
    }

    public async ValueTask DisposeAsync()
    {
        await Task.Delay(2);
        Said += "closed";
    }
}
