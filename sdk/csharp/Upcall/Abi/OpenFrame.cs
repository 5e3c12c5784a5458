using System.Runtime.InteropServices;

namespace Upcall.Abi;

/// <summary>The first frame that a handler sees.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct OpenFrame
{
    internal FrameHead Head;
    internal Rel Name;
    internal Rel Settings;
    internal Rel Pools;
    internal Rel Senders;
    internal Services* Services;
    internal uint Worker;
    internal uint Workers;
}

/// <summary>One setting of a handler.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct Setting
{
    internal Rel Name;
    internal Rel Value;
}

/// <summary>One pool that a handler has to do with.</summary>
[StructLayout(LayoutKind.Sequential)]
internal struct PoolEntry
{
    internal Rel Path;
    internal Rel ValueType;
    internal uint ValueSize;
    internal uint Id;
    internal uint Access;
    internal uint Reserved;
}

/// <summary>What the engine does for a handler.</summary>
[StructLayout(LayoutKind.Sequential)]
internal unsafe struct Services
{
    internal nint Context;
    internal delegate* unmanaged[Cdecl]<nint, uint, byte*, ulong, void> Log;
    internal delegate* unmanaged[Cdecl]<nint, uint, byte*, ulong, Item*, int> Read;
}
