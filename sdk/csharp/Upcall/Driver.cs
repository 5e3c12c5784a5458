using System;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Threading.Tasks;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// The life that handlers of all kinds have. What is of one kind is in the classes that derive from this one. A handler's
/// exception is caught here and, a batch's, in <see cref="Hosting.Entries"/>.
/// </summary>
// A base class and not the owner of a body: a batch is one virtual call away from the entry's state, with nothing between.
internal abstract unsafe class Driver
{
    private readonly object handler;
    private readonly BatchFrame batch;

    // What is run; nothing after CLOSE, so that no call has to ask whether it has been.
    private BatchFrame runs;
    private bool closed;

    protected Driver(object handler, BatchFrame batch)
    {
        this.handler = handler;
        this.batch = runs = batch;
        Log = new Log(Lent);
    }

    private delegate void RunMethod(FrameHead* frame);

    /// <summary>What the engine lends until CLOSE.</summary>
    protected Lent Lent { get; } = new();

    /// <summary>The engine's log.</summary>
    protected Log Log { get; }

    /// <summary>The flow, if the program has given it the handler itself: the one that may be waited for from inside.</summary>
    internal InsideFlow? Inside { get; set; }

    /// <summary>The handler's method for batches or for their parts.</summary>
    protected abstract Delegate Handle { get; }

    /// <summary>Whether the frame is a batch that <see cref="Run"/> takes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal bool Runs(FrameHead* frame)
    {
        // A copy, whose fields are read where they are compared.
        BatchFrame runs = this.runs;
        return runs.Is(frame);
    }

    /// <summary>One batch; what it throws is for <see cref="Failed"/>.</summary>
    internal abstract void Run(FrameHead* frame);

    /// <summary>Answers a batch that threw.</summary>
    internal Status Failed(FrameHead* frame, Exception exception) => Fail(frame, Undo(frame), exception);

    /// <summary>Everything but a batch.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal Status Other(FrameHead* frame) =>
        // An engine measures with it what a crossing costs.
        FrameCheck.IsPing(frame) ? Status.Ok : Step(frame);

    /// <summary>The next calls come on this thread: a test may go on on another one.</summary>
    internal void MoveHere() => Lent.Thread = Environment.CurrentManagedThreadId;

    /// <summary>Compiles what would hold up the first batch for a millisecond.</summary>
    internal void Prepare()
    {
        try
        {
            RuntimeHelpers.PrepareDelegate(new RunMethod(Run));
            RuntimeHelpers.PrepareDelegate(Handle);
        }
        catch (Exception)
        {
            // What does not compile fails when it is called, as an object's failure, with its stack.
        }
    }

    /// <summary>
    /// Ends the handler, if CLOSE has not done so. Without a CLOSE the engine's services may be gone already.
    /// </summary>
    internal void Close(bool serviced)
    {
        if (closed)
        {
            return;
        }
        closed = true;
        runs = BatchFrame.None;
        Leave(serviced);
        if (!serviced)
        {
            GiveBack();
        }
        try
        {
            Dispose();
        }
        finally
        {
            GiveBack();
            StandardOutput.Flush();
        }
    }

    /// <summary>What the handler says of itself, beside its kind and what <see cref="IDescribe"/> says.</summary>
    protected abstract void Describe(Description about);

    /// <summary>OPEN: takes what the engine adds for this kind, and opens the handler.</summary>
    protected abstract void Open(OpenFrame* frame);

    /// <summary>The input has ended. The frame is one of the kind's, without a batch.</summary>
    protected abstract void Flush(FrameHead* frame);

    /// <summary>Takes back what a failed batch or flush has done so far. Returns the item that it concerns.</summary>
    protected virtual uint Undo(FrameHead* frame) => ErrorSlot.NoItem;

    /// <summary>CANCEL: a call that was answered with PENDING, which most drivers never do, is no longer waited for.</summary>
    protected virtual void Cancel(CancelFrame* frame)
    {
    }

    /// <summary>The handler is about to be closed; nothing may be left open. The engine waits for answers if this is CLOSE.</summary>
    protected virtual void Leave(bool serviced)
    {
    }

    /// <summary>Waits for what a handler does later, on the engine's thread.</summary>
    protected static void Wait(ValueTask task)
    {
        if (task.IsCompleted)
        {
            task.GetAwaiter().GetResult();
        }
        else
        {
            task.AsTask().GetAwaiter().GetResult();
        }
    }

    /// <summary>Forgets what the engine has lent for this kind.</summary>
    protected virtual void Closed()
    {
    }

    /// <summary>What the engine adds to OPEN is of its own kind: another driver would misread it.</summary>
    private void CheckKind(ushort calls)
    {
        if (calls != batch.Kind)
        {
            string takes = BatchFrame.Name(batch.Kind) ?? "other";
            throw new InvalidOperationException(
                $"it takes {takes} frames, and the engine calls with {BatchFrame.Name(calls) ?? "other"} frames: give it another handler");
        }
    }

    /// <summary>Everything but a batch and PING.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private Status Step(FrameHead* frame)
    {
        if (!FrameCheck.Passes(frame, batch))
        {
            return FrameCheck.Refuse(frame, batch);
        }
        bool begun = false;
        try
        {
            switch (frame->Kind)
            {
                case Kind.Describe:
                    Describe((DescribeFrame*)frame);
                    break;
                case Kind.Close:
                    Close(serviced: true);
                    break;
                case Kind.Cancel:
                    Cancel((CancelFrame*)frame);
                    break;
                case var _ when closed:
                    throw new InvalidOperationException("the handler was called after CLOSE, which ends it");
                case Kind.Open:
                    CheckKind(((OpenFrame*)frame)->Batch);
                    Lent.Open(((OpenFrame*)frame)->Services);
                    Open((OpenFrame*)frame);
                    break;
                default:
                    // FLUSH; no other was let through.
                    begun = true;
                    Flush(frame);
                    break;
            }
            return Status.Ok;
        }
        catch (Exception exception)
        {
            return Fail(frame, begun ? Undo(frame) : ErrorSlot.NoItem, exception);
        }
    }

    private void Describe(DescribeFrame* frame)
    {
        var about = new Description(frame);
        about.Say(About.Kind, BatchFrame.Name(batch.Kind)!, batch.Kind.ToString(CultureInfo.InvariantCulture));
        Describe(about);
        if (!closed)
        {
            (handler as IDescribe)?.Describe(about);
        }
    }

    /// <summary>Tells the handler that it is closed.</summary>
    private void Dispose()
    {
        if (handler is IAsyncDisposable disposable)
        {
            using (Inside?.Enter())
            {
                Wait(disposable.DisposeAsync());
            }
        }
        else
        {
            (handler as IDisposable)?.Dispose();
        }
    }

    private void GiveBack()
    {
        Lent.Close();
        Closed();
    }

    private static Status Fail(FrameHead* frame, uint item, Exception exception)
    {
        Failure.Write(frame, item, exception);
        return Status.Failed;
    }
}
