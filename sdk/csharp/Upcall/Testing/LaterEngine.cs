using System;
using System.Collections.Concurrent;
using System.Linq;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using Upcall.Abi;

namespace Upcall.Testing;

// Calls that are answered later, each with one object.
internal sealed unsafe partial class FlowEngine
{
    // By their frame: an answer comes with that, on any thread.
    private static readonly ConcurrentDictionary<nint, OpenCall> Calls = [];

    // What a thread was given, until it asks again.
    [ThreadStatic]
    private static Memory? given;

    /// <summary>Whether the handler answers later.</summary>
    internal bool AnswersLater { get; } = driver is AsyncDriver;

    /// <summary>How long an answer may take; null for as long as it likes.</summary>
    internal TimeSpan? Deadline { get; set; }

    /// <summary>Hands an object over, and comes to the handler's answer.</summary>
    internal Task Begin(byte[] key, byte[] value)
    {
        var call = new OpenCall(this);
        lock (Gate)
        {
            Open();
            FlowFrame* frame = call.Frame;
            Fill(call.Memory, frame, [(key, value)], 0);
            frame->Head.Complete = &Complete;
            Calls[(nint)frame] = call;
            // Before the call, which may last.
            call.Due(Deadline);
            Status status = Call(&frame->Head);
            if (status != Status.Pending)
            {
                Calls.TryRemove((nint)frame, out _);
                call.Answered(status);
            }
        }
        return call.Task;
    }

    /// <summary>Hands over the sample of a flow's <c>warm</c>, which is answered in the call and emits nothing.</summary>
    internal void Warm(byte[] key, byte[] value)
    {
        Open();
        using var memory = new Memory();
        FlowFrame* frame = memory.New<FlowFrame>();
        Head(memory, &frame->Head, Kind.Flow, sizeof(FlowFrame));
        Fill(memory, frame, [(key, value)], 0);
        ((Item*)frame->Items.Offset)->Version = 0;
        using var chunks = new Chunks(&frame->Head, &frame->Out);
        Check(Call(&frame->Head), &frame->Head, (int)frame->Done);
    }

    /// <summary>Cancels what is open, as a flow does that is being stopped.</summary>
    internal void Cancel()
    {
        foreach (OpenCall call in Calls.Values.Where(call => call.Engine == this))
        {
            Cancel(call, Over.FromOutside);
        }
    }

    protected override void Closing()
    {
        foreach (OpenCall call in Calls.Values.Where(call => call.Engine == this))
        {
            call.Ends(Over.Closed);
        }
    }

    private void Cancel(OpenCall call, Over why)
    {
        lock (Gate)
        {
            // No other call gets its frame as long as the gate is held.
            if (!Calls.ContainsKey((nint)call.Frame))
            {
                return;
            }
            call.Ends(why);
            using var memory = new Memory();
            CancelFrame* frame = memory.New<CancelFrame>();
            Head(memory, &frame->Head, Kind.Cancel, sizeof(CancelFrame));
            frame->Call = &call.Frame->Head;
            frame->Why = (uint)why;
            Check(Call(&frame->Head), &frame->Head, 0);
        }
    }

    /// <summary>Where what a handler reads is put.</summary>
    private Memory Lends()
    {
        if (!AnswersLater)
        {
            return call;
        }
        given?.Dispose();
        return given = new Memory();
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Complete(FrameHead* frame, Status status)
    {
        if (!Calls.TryRemove((nint)frame, out OpenCall? call))
        {
            Environment.FailFast("a frame was answered twice");
        }
        call.Answered(status);
    }

    /// <summary>A frame with one object until it is answered.</summary>
    private sealed class OpenCall
    {
        private readonly TaskCompletionSource answered = new(TaskCreationOptions.RunContinuationsAsynchronously);
        private readonly Chunks chunks;
        private Timer? timer;

        internal OpenCall(FlowEngine engine)
        {
            Engine = engine;
            Frame = Memory.New<FlowFrame>();
            Head(Memory, &Frame->Head, Kind.Flow, sizeof(FlowFrame));
            chunks = new Chunks(&Frame->Head, &Frame->Out);
        }

        internal FlowEngine Engine { get; }

        internal Memory Memory { get; } = new();

        internal FlowFrame* Frame { get; }

        internal Task Task => answered.Task;

        /// <summary>Why it was cancelled first, if it was: as the handler is told, which may still have it in hand.</summary>
        private Over Why { get; set; }

        internal void Ends(Over why) => Why = Why == Over.Answered ? why : Why;

        internal void Due(TimeSpan? deadline)
        {
            if (deadline is TimeSpan time)
            {
                timer = new Timer(_ => Engine.Cancel(this, Over.TimedOut), null, time, Timeout.InfiniteTimeSpan);
            }
        }

        internal void Answered(Status status)
        {
            timer?.Dispose();
            Exception? failure = null;
            if (status == Status.Ok)
            {
                Engine.Collect(chunks);
            }
            else
            {
                failure = Named(Failed(&Frame->Head, (int)Frame->Done));
            }
            chunks.Dispose();
            Memory.Dispose();
            if (failure == null)
            {
                answered.SetResult();
            }
            else
            {
                answered.SetException(failure);
            }
        }

        /// <summary>The cause as the engine names it, where it has one of its own and the handler answers with it.</summary>
        private Exception Named(HandlerFailedException failed) =>
            Why != Over.Answered && Why.Exception() is Exception own && failed.TypeName == own.GetType().FullName
                ? own
                : failed;
    }
}
