using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall;

/// <summary>Something of the engine's that takes a while. A thread waits for it, or a task is completed when it has ended.</summary>
internal sealed class FlowTask : IDisposable
{
    // Held, so that it is not collected, and stopped, while somebody waits; none while it starts.
    private readonly Flow? flow;
    private unsafe UpcallTask* task;

    internal unsafe FlowTask(UpcallTask* task, Flow? flow)
    {
        this.task = task;
        this.flow = flow;
    }

    ~FlowTask() => Dispose();

    public unsafe void Dispose()
    {
        UpcallTask* released = task;
        task = null;
        if (released != null)
        {
            upcall_task_release(released);
        }
        GC.SuppressFinalize(this);
    }

    /// <summary>Waits until it has ended; for ever without a limit.</summary>
    /// <exception cref="TimeoutException">It takes longer.</exception>
    internal void Wait(TimeSpan? timeout, string what)
    {
        if (!Ends(timeout ?? Timeout.InfiniteTimeSpan))
        {
            throw new TimeoutException($"{what}: it has not ended after {timeout}; it goes on");
        }
    }

    /// <summary>Whether it has ended, after so long at most. Throws where it has not, and the caller is not to wait for it.</summary>
    internal unsafe bool Ends(TimeSpan timeout)
    {
        Native.Failure* failed = null;
        long milliseconds = timeout == Timeout.InfiniteTimeSpan ? -1 : (long)Math.Ceiling(timeout.TotalMilliseconds);
        if (timeout < TimeSpan.Zero && milliseconds != -1)
        {
            throw new ArgumentOutOfRangeException(nameof(timeout), timeout, "a time to wait is not negative");
        }
        bool ended = upcall_task_wait(task, milliseconds, &failed) != 0;
        GC.KeepAlive(this);
        Given.Check(failed);
        return ended;
    }

    /// <summary>Completes when it has ended. Cancelled, it goes on, and nobody waits for it.</summary>
    internal async Task WaitAsync(CancellationToken cancellation)
    {
        while (Next() is Task next)
        {
            await next.WaitAsync(cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Throws what it failed with.</summary>
    internal unsafe void Check()
    {
        Native.Failure* failed = null;
        upcall_task_check(task, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
    }

    /// <summary>The version that a put has become.</summary>
    internal unsafe ulong Version()
    {
        Native.Failure* failed = null;
        ulong version = upcall_task_version(task, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
        return version;
    }

    /// <summary>The flow that has started.</summary>
    internal unsafe UpcallFlow* Flow()
    {
        Native.Failure* failed = null;
        UpcallFlow* flow = upcall_task_flow(task, &failed);
        GC.KeepAlive(this);
        Given.Check(failed);
        return flow;
    }

    /// <summary>What completes when it may have ended; null when it has.</summary>
    private unsafe Task? Next()
    {
        var source = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Native.Failure* failed = null;
        bool ended = upcall_task_poll(task, &Waker.Wake, Waker.Of(source), &Waker.Release, &failed) != 0;
        GC.KeepAlive(this);
        Given.Check(failed);
        return ended ? null : source.Task;
    }
}

/// <summary>A source of a task as what the engine wakes, once or not at all.</summary>
internal static unsafe class Waker
{
    internal static void* Of(TaskCompletionSource source) => (void*)GCHandle.ToIntPtr(GCHandle.Alloc(source));

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void Wake(void* source) =>
        ((TaskCompletionSource)GCHandle.FromIntPtr((nint)source).Target!).TrySetResult();

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    internal static void Release(void* source) => GCHandle.FromIntPtr((nint)source).Free();
}
