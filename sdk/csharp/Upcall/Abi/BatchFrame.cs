using System.Runtime.CompilerServices;

namespace Upcall.Abi;

/// <summary>The batches that a driver can read: their kind, and the least bytes of their frames.</summary>
/// <param name="Start">The first four bytes of such a frame: the number of the ABI, and one of <see cref="Abi.Kind"/>.</param>
/// <param name="Least">
/// Bytes of the frame that ABI 2 began with. Fields that are appended do not raise it: a driver that reads such a field
/// compares the frame's size with its end first.
/// </param>
internal readonly record struct BatchFrame(uint Start, uint Least)
{
    /// <summary>Of <see cref="FlowFrame"/>s.</summary>
    internal static BatchFrame Flow => Of(Abi.Kind.Flow, 192);

    /// <summary>Of <see cref="CombineFrame"/>s.</summary>
    internal static BatchFrame Combine => Of(Abi.Kind.Combine, 120);

    /// <summary>Of <see cref="VertexFrame"/>s.</summary>
    internal static BatchFrame Vertex => Of(Abi.Kind.Vertex, 496);

    /// <summary>No batch at all.</summary>
    internal static BatchFrame None => new(0, uint.MaxValue);

    /// <summary>The kind, of <see cref="Abi.Kind"/>.</summary>
    internal ushort Kind => (ushort)(Start >> 16);

    /// <summary>Whether the frame is such a batch, of this ABI and long enough.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    internal unsafe bool Is(FrameHead* frame) => *(uint*)frame == Start && frame->Size >= Least;

    /// <summary>The name of a kind of batch, for messages.</summary>
    internal static string? Name(ushort kind) => kind switch
    {
        Abi.Kind.Flow => "FLOW",
        Abi.Kind.Combine => "COMBINE",
        Abi.Kind.Vertex => "VERTEX",
        _ => null,
    };

    // As they lie in memory; .NET's CoreCLR runs on little-endian machines only.
    private static BatchFrame Of(ushort kind, uint least) => new(Boundary.Abi | (uint)kind << 16, least);
}
