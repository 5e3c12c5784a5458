using System;
using System.Buffers;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using Upcall.Abi;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Objects of handlers that answer later when they are over: timed out, cancelled, closed, answered.</summary>
public sealed class LaterOverTests
{
    [Test]
    public async Task An_object_that_takes_too_long_has_timed_out()
    {
        using var harness = new Harness<Waits>().Emits("/out").Deadline(TimeSpan.FromMilliseconds(20));
        await Over<ItemTimedOutException>(harness, harness.PutAsync("a", "patient"), "a");
        Expect.Equal(0, harness.Emitted.Count);
    }

    [Test]
    public async Task An_object_may_be_cancelled_from_outside()
    {
        using var harness = new Harness<Waits>().Emits("/out");
        Task open = harness.PutAsync("a", "patient");
        harness.Cancel();
        await Over<ItemCanceledException>(harness, open, "a");
        Expect.Equal(0, harness.Emitted.Count);
    }

    [Test]
    public async Task An_object_is_closed_with_its_handler()
    {
        var harness = new Harness<Waits>().Emits("/out");
        Task open = harness.PutAsync("a", "patient");
        harness.Dispose();
        Expect.Equal(true, open.IsFaulted, "answered before CLOSE has returned");
        await Over<ItemClosedException>(harness, open, "a");
        Expect.Throws<InvalidOperationException>(() => harness.Handler.Log.Info("too late"));
    }

    [Test]
    public async Task What_was_answered_is_closed_also_when_the_next_object_is_there()
    {
        using var harness = new Harness<Waits>().Emits("/out");
        await harness.PutAsync("a", "at once");
        Task open = harness.PutAsync("b", "deaf");
        (AsyncObject first, AsyncEmitter emit) = harness.Handler.Kept["a"];
        IsOver<ItemClosedException>(first, emit);
        Expect.Throws<ItemClosedException>(() => first.Cancellation.ThrowIfCancellationRequested());
        Expect.Equal("b", harness.Handler.Kept["b"].Obj.KeyText);
        harness.Handler.Gate.SetResult();
        await open;
        IsOver<ItemClosedException>(harness.Handler.Kept["b"].Obj, harness.Handler.Kept["b"].Emit);
        Expect.Equal(4, harness.Emitted.Count);
    }

    [Test]
    public async Task A_handler_that_does_not_listen_is_not_waited_for()
    {
        using var harness = new Harness<Waits>().Emits("/out").Deadline(TimeSpan.FromMilliseconds(100));
        Task one = harness.PutAsync("a", "deaf");
        Task two = harness.PutAsync("b", "deaf and throws");
        await Expect.Throws<ItemTimedOutException>(one);
        await Expect.Throws<ItemTimedOutException>(two);
        Expect.Equal(false, harness.Handler.End("a").IsCompleted);
        // Others come meanwhile.
        await harness.PutAsync("c", "at once");
        harness.Handler.Gate.SetResult();
        Expect.Equal(typeof(ItemTimedOutException), (await harness.Handler.End("a"))!.GetType(), "it emits afterwards");
        Expect.Equal("nobody hears it", (await harness.Handler.End("b"))!.Message);
        IsOver<ItemTimedOutException>(harness.Handler.Kept["a"].Obj, harness.Handler.Kept["a"].Emit);
        await harness.PutAsync("d", "later");
        Expect.Equal(4, harness.Emitted.Count);
    }

    [Test]
    public async Task A_method_whose_token_was_cancelled_may_ask_why()
    {
        var harness = new Harness<Waits>().Emits("/out").Deadline(TimeSpan.FromMilliseconds(20));
        await Expect.Throws<ItemTimedOutException>(harness.PutAsync("a", "asks why"));
        Expect.Equal(typeof(ItemTimedOutException), (await harness.Handler.End("a"))!.GetType());
        harness.Deadline(Timeout.InfiniteTimeSpan);
        Task open = harness.PutAsync("b", "asks why");
        harness.Cancel();
        await Expect.Throws<ItemCanceledException>(open);
        Expect.Equal(typeof(ItemCanceledException), (await harness.Handler.End("b"))!.GetType());
        open = harness.PutAsync("c", "asks why");
        harness.Dispose();
        await Expect.Throws<ItemClosedException>(open);
        Expect.Equal(typeof(ItemClosedException), (await harness.Handler.End("c"))!.GetType());
    }

    [Test]
    public async Task A_callback_that_throws_when_it_is_cancelled_harms_nobody()
    {
        using var harness = new Harness<Listens>();
        Task open = harness.PutAsync("a", "");
        harness.Cancel();
        await Expect.Throws<ItemCanceledException>(open);
        await harness.Handler.Heard.Task;
        await harness.PutAsync("at once", "");
    }

    [Test]
    public async Task A_source_that_calls_twice_ends_no_other_object()
    {
        await CallsAgain(new CallsTwice());
    }

    [Test]
    public async Task A_source_that_does_not_say_that_it_has_ended_ends_its_object()
    {
        await CallsAgain(new CallsTwice { Lies = true });
    }

    private static async Task CallsAgain(CallsTwice handler)
    {
        using var harness = new Harness<CallsTwice>(handler).Emits("/out");
        for (int time = 0; time < 3; time++)
        {
            await Ended(handler, harness.PutAsync("a", ""));
            Action again = handler.Next!;
            // The same call awaits the next object by now.
            Task open = harness.PutAsync("b", "");
            again();
            Expect.Equal(false, open.IsCompleted);
            handler.Emit.Put("b"u8, "still open"u8);
            await Ended(handler, open);
            again();
        }
        Expect.Equal(3, harness.Emitted.Count);
    }

    private static async Task Ended(CallsTwice handler, Task open)
    {
        Action end = handler.Next!;
        handler.Status = handler.Lies ? ValueTaskSourceStatus.Pending : ValueTaskSourceStatus.Succeeded;
        end();
        end();
        await open;
    }

    [Test]
    public async Task Memory_of_an_object_ends_with_it()
    {
        using var harness = new Harness<Lends>();
        await harness.PutAsync("key", "value");
        await harness.PutAsync("KEY", "VALUE");
        foreach (ReadOnlyMemory<byte> kept in harness.Handler.Kept)
        {
            Expect.Throws<ItemClosedException>(() => kept.Span.ToString());
            Expect.Throws<ItemClosedException>(() => kept.Pin());
        }
        // Its address was taken: no other object came there.
        Expect.Equal("key", harness.Handler.Pinned());
    }

    [Test]
    public void A_frame_that_is_not_open_is_not_cancelled()
    {
        using var later = new FlowEngine(Drivers.Of(new Waits()));
        Cancels(later);
        using var now = new FlowEngine(Drivers.Of(new Shout()));
        Cancels(now);
    }

    private static unsafe void Cancels(FlowEngine engine)
    {
        engine.Open();
        using var call = new Memory();
        CancelFrame* frame = call.New<CancelFrame>();
        Engine.Head(call, &frame->Head, Kind.Cancel, sizeof(CancelFrame));
        frame->Call = &frame->Head;
        frame->Why = Cancelled.TimedOut;
        Expect.Equal(Status.Ok, engine.Call(&frame->Head));
        frame->Head.Size--;
        Expect.Equal(Status.Failed, engine.Call(&frame->Head));
        Expect.Holds("the CANCEL frame has 95 bytes", Engine.Failed(&frame->Head, 0).Message);
    }

    /// <summary>The task fails so, the method ends by its token, and what it was given throws the same.</summary>
    private static async Task Over<TException>(Harness<Waits> harness, Task open, string key)
        where TException : Exception
    {
        await Expect.Throws<TException>(open);
        (AsyncObject obj, AsyncEmitter emit) = harness.Handler.Kept[key];
        var ended = (TaskCanceledException)(await harness.Handler.End(key))!;
        Expect.Equal(obj.Cancellation, ended.CancellationToken);
        Expect.Equal(true, obj.Cancellation.IsCancellationRequested);
        IsOver<TException>(obj, emit);
    }

    private static void IsOver<TException>(AsyncObject obj, AsyncEmitter emit)
        where TException : Exception
    {
        Action[] uses =
        [
            obj.ThrowIfOver, () => obj.Key.ToString(), () => obj.Value.ToString(), () => _ = obj.KeyText, () => _ = obj.ValueText,
            () => _ = obj.KeyMemory, () => _ = obj.Version, () => _ = obj.Time, () => _ = obj.PoolPath, () => _ = obj.SenderName,
            () => obj.ValueAs<string>(), () => emit.Put("k"u8, "v"u8), () => emit.Put("/out", "k"u8, 7),
            () => emit.PutIf("k"u8, "v"u8, 0), () => emit.Of<string>().Put("k"u8, "v"),
            () => emit.TryRead(default, "k"u8, out Found<string> _), () => emit.List(default, "k"u8),
        ];
        foreach (Action use in uses)
        {
            Exception thrown = Expect.Throws<TException>(use);
            Expect.Equal(typeof(TException), thrown.GetType());
        }
    }

    /// <summary>Its objects end when a test says so.</summary>
    private sealed class CallsTwice : IAsyncObjectHandler, IValueTaskSource
    {
        internal Action? Next { get; private set; }

        /// <summary>Whether its status is that of a task that has not ended, as ever.</summary>
        internal bool Lies { get; init; }

        internal ValueTaskSourceStatus Status { get; set; }

        internal AsyncEmitter Emit { get; private set; }

        public ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            (Emit, Status) = (emit, ValueTaskSourceStatus.Pending);
            return new ValueTask(this, 0);
        }

        public void GetResult(short token)
        {
        }

        public ValueTaskSourceStatus GetStatus(short token) => Status;

        public void OnCompleted(Action<object?> next, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            Next = () => next(state);
    }

    private sealed class Listens : IAsyncObjectHandler
    {
        internal TaskCompletionSource Heard { get; } = new();

        public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            if (obj.KeyText == "at once")
            {
                return;
            }
            obj.Cancellation.Register(() =>
            {
                Heard.TrySetResult();
                throw new FormatException("from a callback");
            });
            await Task.Delay(Timeout.Infinite);
        }
    }

    private sealed class Lends : IAsyncObjectHandler
    {
        private MemoryHandle pinned;

        internal ReadOnlyMemory<byte>[] Kept { get; private set; } = [];

        public async ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            ReadOnlyMemory<byte> key = obj.KeyMemory;
            ReadOnlyMemory<byte> value = obj.ValueMemory;
            await Task.Yield();
            Expect.Equal(true, key.Span.SequenceEqual(obj.Key) && value.Span.SequenceEqual(obj.Value));
            if (Kept.Length == 0)
            {
                Kept = [key, value];
                pinned = key.Pin();
            }
        }

        internal unsafe string Pinned() => new((sbyte*)pinned.Pointer, 0, 3);
    }
}
