using System;
using System.Runtime.CompilerServices;

namespace Upcall.Abi;

/// <summary>Whether this driver can read a frame; <c>FrameHead::check</c> of the crate <c>abi</c> has the rule.</summary>
internal static unsafe class FrameCheck
{
    /// <summary>
    /// Bytes of the frames that ABI 1 began with, by kind. Fields that are appended do not raise them: a driver
    /// that reads such a field compares the frame's size with its end first.
    /// </summary>
    private static ReadOnlySpan<uint> Least => [uint.MaxValue, 160, 160, 160, 80, 80];

    /// <summary>What stays where it is in every ABI: the head up to the end of the error slot.</summary>
    private const uint UpToError = 72;

    /// <summary>Whether the frame has this ABI's number, a known kind, and at least the fields of that kind.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal static bool Passes(FrameHead* frame)
    {
        ReadOnlySpan<uint> least = Least;
        uint kind = frame->Kind;
        return frame->Abi == Boundary.Abi && kind < (uint)least.Length && frame->Size >= least[(int)kind];
    }

    /// <summary>Answers a frame that did not pass, with the reason in its error slot if it has one.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    internal static Status Refuse(FrameHead* frame)
    {
        if (frame->Size >= UpToError)
        {
            ulong output = frame->Base[Base.Output];
            Failure.Write(ref frame->Error, output, ErrorSlot.NoItem, "frame", Reason(frame), "");
        }
        return Status.Failed;
    }

    private static string Reason(FrameHead* frame)
    {
        (ushort abi, ushort kind, uint size) = (frame->Abi, frame->Kind, frame->Size);
        if (abi != Boundary.Abi)
        {
            return $"a frame of ABI {abi} reached a handler of ABI {Boundary.Abi}: build the handler again with the "
                + "engine's version";
        }
        string? name = kind switch
        {
            Kind.Open => "OPEN",
            Kind.Flow => "FLOW",
            Kind.Flush => "FLUSH",
            Kind.Close => "CLOSE",
            Kind.Ping => "PING",
            _ => null,
        };
        return name == null
            ? $"unknown frame kind {kind}: the engine is newer than this Upcall.dll; build it again"
            : $"the {name} frame has {size} bytes, and ABI {Boundary.Abi} has at least {Least[kind]}: build engine and "
                + "handler with the same version";
    }
}
