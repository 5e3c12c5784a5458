using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Upcall.Abi;
using Upcall.Testing;

namespace Upcall.Tests;

/// <summary>Which frames a driver reads, and what it says of the others. The host's tests have those of a flow.</summary>
public sealed unsafe class FrameTests
{
    [Test]
    public void A_frame_of_another_kind_is_refused_by_name()
    {
        using var combine = new CombineEngine(Drivers.Of(new Probes.Combining()), "f64", 8);
        Expect.Equal(
            "a FLOW frame reached a handler that takes COMBINE: give the engine another handler",
            Answer(combine, Kind.Flow, sizeof(FlowFrame)));
        using var flow = new FlowEngine(Drivers.Of(new Shout()));
        Expect.Equal(
            "a COMBINE frame reached a handler that takes FLOW: give the engine another handler",
            Answer(flow, Kind.Combine, sizeof(FlowFrame)));
        Expect.Equal(
            "unknown frame kind 99: the engine is newer than this Upcall.dll; build it again",
            Answer(flow, 99, sizeof(FlowFrame)));
    }

    [Test]
    public void A_frame_that_is_shorter_than_its_fields_is_refused_by_name_and_a_longer_one_is_taken()
    {
        using var engine = new CombineEngine(Drivers.Of(new Probes.Combining()), "f64", 8);
        (ushort, string, int)[] kinds =
        [
            (Kind.Describe, "DESCRIBE", sizeof(DescribeFrame)), (Kind.Open, "OPEN", sizeof(OpenFrame)),
            (Kind.Combine, "COMBINE", sizeof(CombineFrame)), (Kind.Flush, "FLUSH", sizeof(CombineFrame)),
            (Kind.Ping, "PING", sizeof(FrameHead)), (Kind.Close, "CLOSE", sizeof(FrameHead)),
        ];
        foreach ((ushort kind, string name, int size) in kinds)
        {
            Expect.Equal(
                $"the {name} frame has {size - 1} bytes, and ABI 2 has at least {size}: build engine and handler with the "
                    + "same version",
                Answer(engine, kind, size - 1));
            string why = kind switch
            {
                Kind.Describe => "the engine gives no room for the description",
                // Of zeroes, so that it names no kind.
                Kind.Open => "it takes COMBINE frames, and the engine calls with other frames: give it another handler",
                Kind.Combine => "the handler was called before OPEN, which agrees on the elements' type",
                _ => "",
            };
            Expect.Equal(why, Answer(engine, kind, size + 8));
        }
    }

    [Test]
    public void After_close_nothing_reaches_a_handler()
    {
        using var engine = new FlowEngine(Drivers.Of(new Shout()));
        engine.Open();
        engine.Close();
        foreach (ushort kind in (ushort[])[Kind.Open, Kind.Flow, Kind.Flush])
        {
            Expect.Equal("the handler was called after CLOSE, which ends it", Answer(engine, kind, sizeof(FlowFrame)));
        }
        Expect.Equal("", Answer(engine, Kind.Ping, sizeof(FrameHead)));
        Expect.Equal("FLOW", engine.Describe().Kind);
    }

    [Test]
    public void A_handler_that_is_opened_for_another_kind_refuses_it_by_both_names()
    {
        using var engine = new FlowEngine(Drivers.Of(new Asks()));
        using var call = new Memory();
        OpenFrame* open = call.New<OpenFrame>();
        Engine.Head(call, &open->Head, Kind.Open, sizeof(OpenFrame));
        open->Batch = Kind.Combine;
        Status status = engine.Call(&open->Head);
        string refused = Expect.Throws<HandlerFailedException>(() => Engine.Check(status, &open->Head, 0)).Message;
        Expect.Holds("it takes FLOW frames, and the engine calls with COMBINE frames", refused);
    }

    [Test]
    public void What_is_read_is_relative_to_the_base_of_the_current_frame()
    {
        using var engine = new FlowEngine(Drivers.Of(new Asks()));
        using var call = new Memory();
        PoolServices* services = call.New<PoolServices>();
        *services = new PoolServices { Size = (uint)sizeof(PoolServices), Context = call.Block(64), Read = &Read, List = &List };
        FlowOpen* added = call.New<FlowOpen>();
        *added = new FlowOpen { Size = (uint)sizeof(FlowOpen), PoolServices = services };
        OpenFrame* open = call.New<OpenFrame>();
        Engine.Head(call, &open->Head, Kind.Open, sizeof(OpenFrame));
        open->Batch = Kind.Flow;
        open->Added = new Rel { Offset = (ulong)added, Len = (ulong)sizeof(FlowOpen) };
        Engine.Check(engine.Call(&open->Head), &open->Head, 0);

        FlowFrame* frame = call.New<FlowFrame>();
        Engine.Head(call, &frame->Head, Kind.Flow, sizeof(FlowFrame));
        // The item and what is found in the context, whose address is the base.
        frame->Head.Base[Base.Batch] = (ulong)services->Context;
        Item* item = call.New<Item>();
        frame->Items = new RelItem { Offset = (ulong)item - (ulong)services->Context, Len = 1 };
        Engine.Check(engine.Call(&frame->Head), &frame->Head, 0);
        Expect.Equal(1u, frame->Done);
    }

    /// <summary>Finds the two bytes that are eight bytes behind the base.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status Read(void* context, Query* query, Item* found)
    {
        "ok"u8.CopyTo(new Span<byte>((byte*)context + 8, 2));
        *found = new Item { Value = new Rel { Offset = 8, Len = 2 }, Version = 7, Time = query->At };
        return Status.Ok;
    }

    /// <summary>Finds a list of one key, both of which are behind the base.</summary>
    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static Status List(void* context, Query* query, RelRel* keys)
    {
        ((Rel*)context)[2] = new Rel { Offset = 8, Len = 2 };
        *keys = new RelRel { Offset = 32, Len = 1 };
        return Status.Ok;
    }

    private sealed class Asks : IObjectHandler
    {
        public void OnObject(FlowObject obj, Emitter emit)
        {
            Expect.Equal(true, emit.TryReadByTime(default, "k"u8, 5, out Found found));
            Expect.Equal((true, 7ul, 5ul), (found.Value.SequenceEqual("ok"u8), found.Version, found.Time));
            KeyList keys = emit.List(default, "o"u8);
            Expect.Equal((1, true), (keys.Count, keys[0].SequenceEqual("ok"u8)));
        }
    }

    /// <summary>Why a frame of zeroes is refused; nothing when it is taken.</summary>
    private static string Answer(Engine engine, ushort kind, int size)
    {
        using var call = new Memory();
        var frame = (FrameHead*)call.Block(256);
        Engine.Head(call, frame, kind, size);
        try
        {
            Engine.Check(engine.Call(frame), frame, 0);
            return "";
        }
        catch (HandlerFailedException failure)
        {
            return failure.Message;
        }
    }
}
