using System.Runtime.CompilerServices;

namespace Upcall.Abi;

/// <summary>The batches that a driver can read: their kind, and the least bytes of their frames.</summary>
/// <param name="Kind">One of <see cref="Abi.Kind"/>.</param>
/// <param name="Least">
/// Bytes of the frame that ABI 2 began with. Fields that are appended do not raise it: a driver that reads such a field
/// compares the frame's size with its end first.
/// </param>
internal readonly record struct BatchFrame(ushort Kind, uint Least)
{
    /// <summary>Of <see cref="FlowFrame"/>s.</summary>
    internal static BatchFrame Flow => new(Abi.Kind.Flow, 160);

    /// <summary>Of <see cref="CombineFrame"/>s.</summary>
    internal static BatchFrame Combine => new(Abi.Kind.Combine, 120);

    /// <summary>No batch at all.</summary>
    internal static BatchFrame None => new(0, uint.MaxValue);

    /// <summary>Whether the frame is such a batch, of this ABI and long enough.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe bool Is(FrameHead* frame) =>
        frame->Kind == Kind && frame->Abi == Boundary.Abi && frame->Size >= Least;

    /// <summary>The name of a kind of batch, for messages.</summary>
    internal static string? Name(ushort kind) => kind switch
    {
        Abi.Kind.Flow => "FLOW",
        Abi.Kind.Combine => "COMBINE",
        _ => null,
    };
}
