using System;
using System.IO;
using System.Text;
using System.Threading;
using System.Threading.Tasks;
using Upcall;

/// <summary>Waits as its value says and emits it; ends with how many it was at, at a time.</summary>
public sealed class AnswersLater : IAsyncObjectHandler, IOpen, IAsyncOpen, IFlush, IAsyncFlush
{
    private static int open;
    private static int most;
    private Log? log;

    /// <inheritdoc/>
    public void OnOpen(OpenContext open) => log = open.Log;

    async ValueTask IAsyncOpen.OnOpen(OpenContext open) => await Task.Delay(1);

    /// <inheritdoc/>
    public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
    {
        int now = Interlocked.Increment(ref open);
        for (int seen = most; now > seen; seen = most)
        {
            Interlocked.CompareExchange(ref most, now, seen);
        }
        try
        {
            await Answer(obj, emit, obj.ValueText);
        }
        finally
        {
            Interlocked.Decrement(ref open);
        }
    }

    /// <inheritdoc/>
    public void OnFlush(Emitter emit) => emit.Put("most"u8, Encoding.UTF8.GetBytes($"{most}"));

    /// <inheritdoc/>
    public async ValueTask OnFlush(AsyncEmitter emit)
    {
        await Task.Delay(1);
        emit.Put("flushed"u8, "after an await"u8);
    }

    private async Task Answer(AsyncObject obj, AsyncEmitter emit, string what)
    {
        emit.Put(obj.Key, "taken back where it fails"u8);
        switch (what)
        {
            case "at once":
                break;
            case "never":
                await Task.Delay(Timeout.Infinite, obj.Cancellation);
                break;
            case "deaf":
                await Task.Delay(100);
                break;
            case "fail":
                await Task.Yield();
                log!.Warn($"about to fail {obj.KeyText}");
                throw new InvalidOperationException($"will not answer {obj.KeyText}");
            case "fail deep":
                await Task.Yield();
                await Deep(100);
                break;
            case "own":
                await Task.Delay(Timeout.Infinite, new CancellationTokenSource(1).Token);
                break;
            default:
                await Task.Delay(10, obj.Cancellation);
                break;
        }
        emit.Put(obj.Key, obj.Value);
    }

    /// <summary>Throws with a stack that is longer than an engine has room for.</summary>
    private static async Task Deep(int more)
    {
        await Task.Yield();
        if (more == 0)
        {
            throw new InvalidOperationException("deep down");
        }
        await Deep(more - 1);
    }
}

/// <summary>Adds a value to what its pool holds of a key, after waiting between the read and the emission.</summary>
public sealed class AddsLater : AsyncFlowHandler<string, string>, IOpen
{
    private PoolId sums;

    /// <inheritdoc/>
    public void OnOpen(OpenContext open) => sums = open.Pool("/sums");

    /// <inheritdoc/>
    public override async ValueTask OnObject(string value, AsyncObject obj, AsyncEmitter<string> emit)
    {
        byte[] key = Encoding.UTF8.GetBytes(value);
        await Task.Yield();
        emit.TryRead(sums, key, out Found<string> found);
        await Task.Yield();
        emit.PutIf(sums, key, $"{int.Parse(found.Value ?? "0") + 1}", found.Version);
    }
}

/// <summary>Waits until it is cancelled, and writes what that was into the file that its setting names.</summary>
public sealed class SaysHowItEnds : IAsyncObjectHandler, IOpen
{
    private string file = "";

    /// <inheritdoc/>
    public void OnOpen(OpenContext open) => file = open.Setting("file")!;

    /// <inheritdoc/>
    public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
    {
        File.WriteAllText($"{file}.begun", "");
        try
        {
            await Task.Delay(Timeout.Infinite, obj.Cancellation);
        }
        catch (OperationCanceledException)
        {
            Write(obj);
        }
    }

    private void Write(AsyncObject obj)
    {
        try
        {
            obj.ThrowIfOver();
        }
        catch (Exception exception)
        {
            File.WriteAllText($"{file}.new", exception.GetType().FullName);
            File.Move($"{file}.new", file);
        }
    }
}
