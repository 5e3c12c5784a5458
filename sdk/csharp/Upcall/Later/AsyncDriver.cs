using System;
using System.Collections.Generic;
using System.Threading;
using System.Threading.Tasks;
using Upcall.Abi;

namespace Upcall;

/// <summary>
/// Calls a handler that answers later. It has no thread and no context of its own: a method goes on where what it awaits
/// completes, and its end answers the engine there.
/// </summary>
internal abstract unsafe class AsyncDriver : FlowDriver
{
    private readonly object handler;

    // Guards the two lists.
    private readonly object gate = new();
    private AsyncCall? open;
    private AsyncCall? free;

    // A source of the handler's own breaks the rules: calls are not used again, so that each knows whose end it is told.
    private volatile bool distrusts;

    // For the next object; the worker's alone, so that one that is answered at once takes no lock for it.
    private AsyncCall? next;

    // What objects are handled in where they are of a flow of this program.
    private ExecutionContext? inside;

    protected AsyncDriver(object handler)
        : base(handler)
    {
        this.handler = handler;
        Lent.AnyThread = true;
    }

    protected sealed override string Form => "object";

    internal sealed override void Run(FrameHead* head) => Answer(head);

    /// <summary>One frame; it throws nothing.</summary>
    internal Status Answer(FrameHead* head)
    {
        var frame = (FlowFrame*)head;
        if (head->Complete == null || frame->Items.Len != 1)
        {
            return Wait(frame);
        }
        AsyncCall call = next ??= Take();
        ValueTask task;
        try
        {
            call.Begin(frame, 0);
            task = Inside == null ? Hand(call) : HandInside(call, Inside);
            if (task.IsCompleted)
            {
                task.GetAwaiter().GetResult();
                return call.End(null);
            }
        }
        catch (Exception exception)
        {
            return call.End(exception);
        }
        Keep(call);
        call.Await(in task);
        return Status.Pending;
    }

    /// <summary>A call has been answered, and may be used again.</summary>
    internal void Ended(AsyncCall call)
    {
        lock (gate)
        {
            Unlink(call);
            if (!distrusts)
            {
                call.Next = free;
                free = call;
            }
        }
    }

    /// <summary>A source has called that does not say that it has ended.</summary>
    internal void Distrust()
    {
        lock (gate)
        {
            distrusts = true;
            free = null;
        }
    }

    /// <summary>A call was cancelled, and is left to its method.</summary>
    internal void Forget(AsyncCall call)
    {
        lock (gate)
        {
            Unlink(call);
        }
    }

    /// <summary>Hands the call's object to the handler.</summary>
    protected abstract ValueTask Hand(AsyncCall call);

    /// <summary>Tells the handler that the input has ended, beside <see cref="IFlush"/>.</summary>
    protected virtual ValueTask Flush(AsyncCall call) =>
        handler is IAsyncFlush flush ? flush.OnFlush(new AsyncEmitter(call)) : default;

    protected override void Describe(Description about)
    {
        base.Describe(about);
        about.Say(About.AnswersLater, "", "");
    }

    protected sealed override void Opened(OpenContext open)
    {
        // It knows the pools from now on.
        next = free = null;
        base.Opened(open);
        if (handler is IAsyncOpen opens)
        {
            Wait(opens.OnOpen(open));
        }
    }

    protected sealed override void Flush(FlowFrame* frame)
    {
        base.Flush(frame);
        var call = new AsyncCall(this, Session);
        call.BeginFlush(frame);
        try
        {
            using (Inside?.Enter())
            {
                Wait(Flush(call));
            }
        }
        finally
        {
            call.Drop();
        }
    }

    protected sealed override void Cancel(CancelFrame* frame)
    {
        Over why = frame->Why == Cancelled.TimedOut ? Over.TimedOut : Over.FromOutside;
        AsyncCall? call = Find(frame->Call);
        if (call != null && call.Cancel(why, why.Exception(), answer: true))
        {
            Forget(call);
        }
    }

    protected sealed override void Leave(bool serviced)
    {
        foreach (AsyncCall call in Open())
        {
            // Who has it in hand just now answers it, and has done so when this returns.
            if (call.Cancel(Over.Closed, Over.Closed.Exception(), serviced))
            {
                Forget(call);
            }
        }
    }

    /// <summary>Hands the object over so that the handler, wherever it goes on, is known to be inside the flow: 7 ns.</summary>
    private ValueTask HandInside(AsyncCall call, InsideFlow flow)
    {
        // Now, and not earlier: what the handler has set when it was opened flows too.
        inside ??= flow.OfObjects();
        ExecutionContext? outside = ExecutionContext.Capture();
        if (inside == null || outside == null)
        {
            return Hand(call);
        }
        ExecutionContext.Restore(inside);
        try
        {
            return Hand(call);
        }
        finally
        {
            ExecutionContext.Restore(outside);
        }
    }

    /// <summary>Objects that have to be answered in the call, one after the other.</summary>
    private Status Wait(FlowFrame* frame)
    {
        for (uint index = 0; index < frame->Items.Len; index++)
        {
            AsyncCall call = next ??= Take();
            Exception? failure = null;
            try
            {
                call.Begin(frame, index);
                Wait(Inside == null ? Hand(call) : HandInside(call, Inside));
            }
            catch (Exception exception)
            {
                failure = exception;
            }
            if (call.End(failure) != Status.Ok)
            {
                return Status.Failed;
            }
        }
        return Status.Ok;
    }

    private AsyncCall Take()
    {
        lock (gate)
        {
            return TakeFree() ?? new AsyncCall(this, Session);
        }
    }

    /// <summary>Keeps a call that is answered later, where CANCEL and CLOSE find it.</summary>
    private void Keep(AsyncCall call)
    {
        lock (gate)
        {
            call.Previous = null;
            call.Next = open;
            if (open != null)
            {
                open.Previous = call;
            }
            open = call;
            next = TakeFree();
        }
    }

    private AsyncCall? TakeFree()
    {
        AsyncCall? call = free;
        free = call?.Next;
        return call;
    }

    private void Unlink(AsyncCall call)
    {
        if (call.Previous != null)
        {
            call.Previous.Next = call.Next;
        }
        else
        {
            open = call.Next;
        }
        if (call.Next != null)
        {
            call.Next.Previous = call.Previous;
        }
        call.Next = call.Previous = null;
    }

    /// <summary>The open call of a frame; it may be over when this returns.</summary>
    private AsyncCall? Find(FrameHead* frame)
    {
        lock (gate)
        {
            AsyncCall? call = open;
            while (call != null && !call.IsOf(frame))
            {
                call = call.Next;
            }
            return call;
        }
    }

    private List<AsyncCall> Open()
    {
        var calls = new List<AsyncCall>();
        lock (gate)
        {
            for (AsyncCall? call = open; call != null; call = call.Next)
            {
                calls.Add(call);
            }
        }
        return calls;
    }
}
