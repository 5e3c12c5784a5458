using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using System.Threading.Tasks;
using System.Threading.Tasks.Sources;
using Upcall.Abi;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>A handler that answers later allocates nothing for an object, unless its own method does.</summary>
public sealed class LaterAllocationTests
{
    private const int Objects = 10_000;

    [Test]
    public void An_object_that_is_answered_at_once_allocates_nothing()
    {
        using var frames = new Frames(new AtOnce(), 1);
        Expect.Equal(0L, Allocated(() => frames.AtOnce(Objects), GC.GetAllocatedBytesForCurrentThread));
    }

    [Test]
    public void A_value_that_is_packed_allocates_nothing()
    {
        // One that is large, too, for which memory is borrowed.
        using var frames = new Frames(new Packs(), 1);
        Expect.Equal(0L, Allocated(() => frames.AtOnce(Objects), GC.GetAllocatedBytesForCurrentThread));
    }

    [Test]
    public void An_object_that_is_answered_later_allocates_nothing()
    {
        var handler = new Later();
        using var frames = new Frames(handler, 8);
        // All threads, of which others may have something to do meanwhile.
        long allocated = Allocated(() => frames.Later(Objects, handler), () => GC.GetTotalAllocatedBytes(true));
        Expect.Equal(true, allocated < Objects, $"{allocated} bytes for {Objects} objects");
    }

    [Test]
    public void An_object_of_a_flow_of_this_program_allocates_nothing()
    {
        using var frames = new Frames(new AtOnce(), 1, new InsideFlow());
        Expect.Equal(0L, Allocated(() => frames.AtOnce(Objects), GC.GetAllocatedBytesForCurrentThread));
    }

    private static long Allocated(Action run, Func<long> bytes)
    {
        // What is used again is made.
        run();
        long before = bytes();
        run();
        return bytes() - before;
    }

    /// <summary>Looks at everything, and emits.</summary>
    private sealed class AtOnce : IAsyncObjectHandler
    {
        public ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            emit.Put(obj.Key, obj.Value);
            return obj.Cancellation.IsCancellationRequested ? throw new InvalidOperationException() : default;
        }
    }

    /// <summary>Emits values that are packed.</summary>
    private sealed class Packs : IAsyncObjectHandler
    {
        private readonly string large = new('x', 40_000);

        public ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            emit.Of<string>().Put(obj.Key, "text");
            emit.Of<string>().Put(obj.Key, large);
            return default;
        }
    }

    /// <summary>The same when somebody opens the gate, without a method of its own that would be kept meanwhile.</summary>
    internal sealed class Later : IAsyncObjectHandler, IValueTaskSource
    {
        private ManualResetValueTaskSourceCore<bool> gate;
        private AsyncObject obj;
        private AsyncEmitter emit;

        public ValueTask OnObject(AsyncObject obj, AsyncEmitter emit)
        {
            (this.obj, this.emit) = (obj, emit);
            emit.Put(obj.Key, obj.Value);
            return new ValueTask(this, gate.Version);
        }

        public void Open()
        {
            obj.Cancellation.ThrowIfCancellationRequested();
            emit.Put(obj.Key, obj.Value);
            gate.SetResult(true);
        }

        public void GetResult(short token)
        {
            gate.GetResult(token);
            gate.Reset();
        }

        public ValueTaskSourceStatus GetStatus(short token) => gate.GetStatus(token);

        public void OnCompleted(Action<object?> next, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            gate.OnCompleted(next, state, token, flags);
    }
}

/// <summary>Frames with one object each, made once, and a handler that they are handed to.</summary>
internal sealed unsafe class Frames : IDisposable
{
    /// <summary>Bytes of a frame's output.</summary>
    private const int Room = 64 * 1024;

    private static int answered;

    private readonly FlowEngine engine;
    private readonly Memory memory = new();
    private readonly FlowFrame*[] frames;

    internal Frames(object handler, int count, InsideFlow? inside = null)
    {
        Driver driver = Drivers.Of(handler);
        ((AsyncDriver)driver).Inside = inside;
        engine = new FlowEngine(driver);
        engine.Declare("/out", PoolAccess.Emit);
        engine.Open();
        frames = new FlowFrame*[count];
        for (int index = 0; index < count; index++)
        {
            FlowFrame* frame = memory.New<FlowFrame>();
            Engine.Head(memory, &frame->Head, Kind.Flow, sizeof(FlowFrame));
            frame->Head.Complete = &Complete;
            Item* item = memory.New<Item>();
            *item = new Item { Key = memory.Text($"key {index}"), Value = memory.Text("16 bytes of text"), Version = 1 };
            frame->Items = new RelItem { Offset = (ulong)item, Len = 1 };
            ulong begin = (ulong)memory.Block(Room);
            frame->Out.At = begin;
            frame->Out.End = begin + Room;
            frames[index] = frame;
        }
    }

    /// <summary>Objects that are answered in the call.</summary>
    internal void AtOnce(int objects)
    {
        for (int count = 0; count < objects; count++)
        {
            Expect(Status.Ok, Call(frames[0]));
        }
    }

    /// <summary>Objects that another thread lets go on, one after the other.</summary>
    internal void Later(int objects, LaterAllocationTests.Later handler)
    {
        answered = 0;
        int asked = 0;
        var thread = new Thread(() =>
        {
            for (int count = 0; count < objects; count++)
            {
                while (Volatile.Read(ref asked) <= count)
                {
                    Thread.Yield();
                }
                handler.Open();
            }
        });
        thread.Start();
        for (int count = 0; count < objects; count++)
        {
            Expect(Status.Pending, Call(frames[count % frames.Length]));
            Volatile.Write(ref asked, count + 1);
            while (Volatile.Read(ref answered) <= count)
            {
                Thread.Yield();
            }
        }
        thread.Join();
    }

    public void Dispose()
    {
        engine.Dispose();
        memory.Dispose();
    }

    private static void Expect(Status expected, Status found)
    {
        if (expected != found)
        {
            throw new InvalidOperationException($"{found}");
        }
    }

    private Status Call(FlowFrame* frame)
    {
        frame->Out.At = frame->Out.End - Room;
        frame->Done = 0;
        return engine.Call(&frame->Head);
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Complete(FrameHead* frame, Status status)
    {
        Expect(Status.Ok, status);
        Interlocked.Increment(ref answered);
    }
}
