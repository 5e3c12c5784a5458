using System.Runtime.InteropServices;

namespace Upcall.Abi;

/// <summary>One object that reaches a handler.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Item
{
    internal Rel Key;
    internal Rel Value;
    internal ulong Version;
    internal ulong Time;
    internal uint Pool;
    internal uint Sender;
    internal ulong Tag;
}

/// <summary>The flow engine's batch, or its FLUSH.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct FlowFrame
{
    internal FrameHead Head;
    internal Rel Items;
    internal Rel Values;
    internal ulong Stride;
    internal Output Out;
    internal uint Done;
    internal uint Reserved;
}

/// <summary>Where emissions go: the current chunk of a chain.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Output
{
    internal ulong At;
    internal ulong End;
    internal uint Chunk;
    internal uint Reserved;
    internal delegate* unmanaged[Cdecl]<FrameHead*, ulong, int> Grow;
}

/// <summary>The head of one emission; the value, the key and padding to 8 follow.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Record
{
    internal const uint NoItem = uint.MaxValue;

    internal uint Pool;
    internal uint Item;
    internal uint ValueLen;
    internal uint KeyLen;
}
