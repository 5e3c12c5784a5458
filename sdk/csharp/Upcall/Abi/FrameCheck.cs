using System.Runtime.CompilerServices;

namespace Upcall.Abi;

/// <summary>
/// Whether a driver whose handler takes one kind of batch can read a frame; <c>FrameHead::check</c> of the crate
/// <c>abi</c> has the rule.
/// </summary>
internal static unsafe class FrameCheck
{
    /// <summary>What stays where it is in every ABI: the head up to the end of the error slot.</summary>
    private const uint UpToError = 72;

    /// <summary>Bytes of the head that ABI 2 began with; appended fields do not raise it, nor the numbers below.</summary>
    private const uint Head = 80;

    /// <summary>Whether the frame is a whole PING, of this ABI.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool IsPing(FrameHead* frame) =>
        frame->Kind == Kind.Ping && frame->Abi == Boundary.Abi && frame->Size >= Head;

    /// <summary>Whether the frame has this ABI's number, a known kind, and at least the fields of that kind.</summary>
    internal static bool Passes(FrameHead* frame, BatchFrame batch) =>
        frame->Abi == Boundary.Abi && frame->Size >= Least(frame->Kind, batch);

    /// <summary>Answers a frame that did not pass, with the reason in its error slot if it has one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static Status Refuse(FrameHead* frame, BatchFrame batch)
    {
        if (frame->Size >= UpToError)
        {
            ulong output = frame->Base[Base.Output];
            Failure.Write(ref frame->Error, output, ErrorSlot.NoItem, "frame", Reason(frame, batch), "");
        }
        return Status.Failed;
    }

    /// <summary>Least bytes of a kind of frame, for a handler that takes <paramref name="batch"/>.</summary>
    private static uint Least(ushort kind, BatchFrame batch) => kind switch
    {
        Kind.Open => 152,
        Kind.Flush => batch.Least,
        Kind.Close or Kind.Ping => Head,
        Kind.Cancel => 96,
        Kind.Describe => 112,
        _ => kind == batch.Kind ? batch.Least : uint.MaxValue,
    };

    /// <summary>The name of such a kind; null for one that the handler does not take.</summary>
    private static string? Name(ushort kind, BatchFrame batch) => kind switch
    {
        Kind.Open => "OPEN",
        Kind.Flush => "FLUSH",
        Kind.Close => "CLOSE",
        Kind.Ping => "PING",
        Kind.Cancel => "CANCEL",
        Kind.Describe => "DESCRIBE",
        _ => kind == batch.Kind ? BatchFrame.Name(kind) : null,
    };

    private static string Reason(FrameHead* frame, BatchFrame batch)
    {
        (ushort abi, ushort kind, uint size) = (frame->Abi, frame->Kind, frame->Size);
        if (abi != Boundary.Abi)
        {
            return $"a frame of ABI {abi} reached a handler of ABI {Boundary.Abi}: build the handler again with the "
                + "engine's version";
        }
        if (Name(kind, batch) is string name)
        {
            return $"the {name} frame has {size} bytes, and ABI {Boundary.Abi} has at least {Least(kind, batch)}: build engine and "
                + "handler with the same version";
        }
        return BatchFrame.Name(kind) is string other
            ? $"a {other} frame reached a handler that takes {BatchFrame.Name(batch.Kind)}: give the engine another handler"
            : $"unknown frame kind {kind}: the engine is newer than this Upcall.dll; build it again";
    }
}
