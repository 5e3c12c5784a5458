namespace Upcall.Abi;

/// <summary>The number of the boundary that this assembly speaks.</summary>
internal static class Boundary
{
    internal const ushort Abi = 1;

    /// <summary><see cref="Abi"/> for the assembly's version, which must be a constant string.</summary>
    internal const string AbiText = "1";
}

/// <summary>What a frame is.</summary>
internal static class Kind
{
    internal const ushort Open = 1;
    internal const ushort Flow = 2;
    internal const ushort Flush = 3;
    internal const ushort Close = 4;
    internal const ushort Ping = 5;
}

/// <summary>Which base an offset is relative to.</summary>
internal static class Base
{
    internal const int Batch = 0;
    internal const int Output = 3;
}

/// <summary>What an upcall returns.</summary>
internal static class Status
{
    internal const int Ok = 0;
    internal const int Failed = 1;
}
