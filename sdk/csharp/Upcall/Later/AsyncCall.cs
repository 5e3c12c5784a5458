using System;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// One object that may be answered later, and then the next: what belongs to it is made once. Its lock guards the frame, which
/// nobody touches once the object is over.
/// </summary>
internal sealed unsafe class AsyncCall
{
    /// <summary>Stamps of one call, so that one is never another's.</summary>
    private const int StampBits = 40;

    private static long made;

    private readonly AsyncDriver driver;

    private readonly Action resumed;

    // Its address; 0 once the object is over.
    private nint frame;

    // The object's, and then the next one's; minus the reason where it was cancelled: such a call is not used again.
    private long stamp = Interlocked.Increment(ref made) << StampBits;

    // The object's that was cancelled.
    private long cancelled;
    private Item about;
    private CancellationTokenSource? source;
    private bool lentToken;
    private ItemMemory? lentMemory;
    private ConfiguredValueTaskAwaitable.ConfiguredValueTaskAwaiter awaiter;

    // The stamp of the object whose task is awaited; 0 once somebody has taken its end.
    private long awaited;

    // Whether it has awaited the task of an object before, whose source may call again.
    private bool used;

    internal AsyncCall(AsyncDriver driver, Session session)
    {
        this.driver = driver;
        Session = new Session(session);
        resumed = Resumed;
    }

    internal Session Session { get; }

    internal ItemBytes Bytes { get; } = new();

    internal long Stamp => stamp;

    private FlowFrame* Frame => (FlowFrame*)frame;

    /// <summary>Beside it in the list of those that are open, or behind it in that of those that are free.</summary>
    internal AsyncCall? Next { get; set; }

    internal AsyncCall? Previous { get; set; }

    /// <summary>Takes an object of a frame.</summary>
    internal void Begin(FlowFrame* frame, uint index)
    {
        ulong origin = frame->Head.Base[Base.Batch];
        Item* item = (Item*)(origin + frame->Items.Offset) + index;
        // First: where the rest throws, the failure goes into the frame.
        Begin(frame, origin, index);
        about = *item;
        Bytes.Copy(item, origin);
    }

    /// <summary>Takes a frame without objects.</summary>
    internal void BeginFlush(FlowFrame* frame) => Begin(frame, frame->Head.Base[Base.Batch], Record.NoItem);

    private void Begin(FlowFrame* frame, ulong origin, uint index)
    {
        Session.Origin = origin;
        Session.Item = index;
        Session.Mark(frame);
        Volatile.Write(ref this.frame, (nint)frame);
    }

    /// <summary>Throws when the object is over.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal void Check(long stamp)
    {
        if (Volatile.Read(ref this.stamp) != stamp)
        {
            Throw(stamp);
        }
    }

    /// <summary>What the engine says about the object; its slices are not to be used.</summary>
    internal Item About(long stamp)
    {
        lock (this)
        {
            Check(stamp);
            return about;
        }
    }

    /// <summary>
    /// An emitter for as long as the caller holds the lock. It is not for values that are packed: no code of the handler's runs
    /// under the lock, as that could come back in here, and CANCEL and CLOSE wait for it.
    /// </summary>
    internal Emitter Emit(long stamp)
    {
        Check(stamp);
        return new Emitter(Frame, Session);
    }

    /// <summary>What reads pools, for as long as the caller holds the lock.</summary>
    internal PoolReader Reader(long stamp)
    {
        Check(stamp);
        return Session.Reader;
    }

    internal CancellationToken Token(long stamp)
    {
        lock (this)
        {
            if (this.stamp == stamp)
            {
                lentToken = true;
                return (source ??= new CancellationTokenSource()).Token;
            }
            return IsCancelled(stamp) ? source?.Token ?? new CancellationToken(true) : throw Reason(stamp);
        }
    }

    internal ItemMemory Lend(long stamp)
    {
        lock (this)
        {
            Check(stamp);
            return lentMemory ??= new ItemMemory(this, stamp);
        }
    }

    /// <summary>Ends it in the engine's call, which is answered with the status.</summary>
    internal Status End(Exception? failure)
    {
        FailureText? failed = failure == null ? null : new FailureText(failure);
        Status status;
        lock (this)
        {
            status = Settle(failed);
        }
        Recycle();
        return status;
    }

    /// <summary>Ends it without a word, in a call that is answered otherwise.</summary>
    internal void Drop()
    {
        lock (this)
        {
            Detach();
        }
        Recycle();
    }

    /// <summary>Answers the engine when the task has completed. Nothing is allocated for it.</summary>
    internal void Await(in ValueTask task)
    {
        awaiter = task.ConfigureAwait(false).GetAwaiter();
        Volatile.Write(ref awaited, stamp);
        try
        {
            awaiter.UnsafeOnCompleted(resumed);
        }
        catch (Exception exception)
        {
            // A source of the handler's own that breaks the rules, and may still complete.
            if (Cancel(Over.Closed, exception, answer: true))
            {
                driver.Forget(this);
            }
        }
    }

    /// <summary>
    /// Answers the frame as failed, since nobody waits for it any more, and cancels what the handler does. False when it was
    /// answered already. The call is not used again, since its method still runs.
    /// </summary>
    internal bool Cancel(Over why, Exception exception, bool answer)
    {
        var failed = new FailureText(exception);
        CancellationTokenSource? source;
        lock (this)
        {
            FlowFrame* frame = Frame;
            if (frame == null)
            {
                return false;
            }
            cancelled = stamp;
            if (answer)
            {
                Settle(failed);
            }
            else
            {
                Detach();
            }
            Volatile.Write(ref stamp, -(long)why);
            source = this.source;
            if (answer)
            {
                frame->Head.Complete(&frame->Head, Status.Failed);
            }
        }
        if (source != null)
        {
            // Elsewhere: what was registered runs inside, and may be anything.
            ThreadPool.UnsafeQueueUserWorkItem(Signal, source, preferLocal: false);
        }
        return true;
    }

    /// <summary>Whether it is the object of this frame; it may be over by now.</summary>
    internal bool IsOf(FrameHead* head) => Volatile.Read(ref frame) == (nint)head;

    private static void Signal(CancellationTokenSource source)
    {
        try
        {
            source.Cancel();
        }
        catch (Exception)
        {
            // What the handler has registered threw; the object has failed already.
        }
    }

    /// <summary>The task has completed, on whatever thread.</summary>
    private void Resumed()
    {
        if (!TakeEnd())
        {
            return;
        }
        Exception? failure = null;
        try
        {
            awaiter.GetResult();
        }
        catch (Exception exception)
        {
            failure = exception;
        }
        try
        {
            EndLater(failure);
        }
        catch (Exception)
        {
            // Nobody is above this.
        }
    }

    /// <summary>
    /// Whether the task that is awaited has ended, and nobody has seen to it yet. A source of the handler's own may call twice,
    /// and this call await another object's task by then: what counts is not who calls, but whether the source says that it has
    /// ended.
    /// </summary>
    private bool TakeEnd()
    {
        long awaited = Volatile.Read(ref this.awaited);
        return awaited != 0 && HasEnded() && Interlocked.CompareExchange(ref this.awaited, 0, awaited) == awaited;
    }

    private bool HasEnded()
    {
        try
        {
            if (awaiter.IsCompleted)
            {
                return true;
            }
        }
        catch (Exception)
        {
            // A source that breaks the rules; its result says how.
            return true;
        }
        // Either it is the source of an object before, or this one's, which does not say that it has ended. From now on no call is
        // used again, so that it is always clear.
        driver.Distrust();
        return !used;
    }

    private void EndLater(Exception? failure)
    {
        FailureText? failed = failure == null ? null : new FailureText(failure);
        lock (this)
        {
            FlowFrame* frame = Frame;
            if (frame == null)
            {
                // Cancelled meanwhile.
                return;
            }
            Status status = Settle(failed);
            // Under the lock: a CLOSE that finds it over has the answer behind it.
            frame->Head.Complete(&frame->Head, status);
        }
        Recycle();
        used = true;
        driver.Ended(this);
    }

    /// <summary>Writes the outcome into the frame, and leaves it.</summary>
    private Status Settle(FailureText? failed)
    {
        FlowFrame* frame = Frame;
        if (failed == null)
        {
            FlowFrame.Finish(frame, Session.Item + 1);
        }
        else
        {
            Session.Truncate(frame);
            failed.Write(&frame->Head, Session.Item);
        }
        Detach();
        return failed == null ? Status.Ok : Status.Failed;
    }

    private void Detach()
    {
        // Before the engine is told: the next call may have the same frame.
        Volatile.Write(ref frame, 0);
        Volatile.Write(ref stamp, stamp + 1);
    }

    /// <summary>Makes it ready for the next object.</summary>
    private void Recycle()
    {
        awaiter = default;
        lentMemory = null;
        Bytes.Clear();
        if (lentToken)
        {
            lentToken = false;
            source = source!.TryReset() ? source : null;
        }
    }

    private bool IsCancelled(long stamp) => this.stamp < 0 && cancelled == stamp;

    private Exception Reason(long stamp) => (IsCancelled(stamp) ? (Over)(-this.stamp) : Over.Answered).Exception();

    private void Throw(long stamp)
    {
        lock (this)
        {
            throw Reason(stamp);
        }
    }
}
