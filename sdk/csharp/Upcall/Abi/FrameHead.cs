using System.Runtime.InteropServices;

namespace Upcall.Abi;

/// <summary>A slice whose place is an offset from one of the frame's bases.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Rel
{
    internal ulong Offset;

    /// <summary>Elements, not bytes.</summary>
    internal ulong Len;
}

/// <summary>Where a failure is described: type, message and stack one after the other, UTF-8.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct ErrorSlot
{
    internal const uint NoItem = uint.MaxValue;

    internal Rel Text;
    internal uint TypeLen;
    internal uint MessageLen;
    internal uint StackLen;
    internal uint Item;
}

/// <summary>The first field of every frame.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct FrameHead
{
    internal ushort Abi;
    internal ushort Kind;
    internal uint Size;
    internal fixed ulong Base[4];
    internal ErrorSlot Error;
    internal delegate* unmanaged[Cdecl]<FrameHead*, int, void> Complete;
}

/// <summary>All that an engine knows of a handler.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Entry
{
    internal delegate* unmanaged[Cdecl]<nint, FrameHead*, int> Call;
    internal nint State;
    internal delegate* unmanaged[Cdecl]<nint, void> Release;
}
