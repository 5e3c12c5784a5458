using System.Collections.Generic;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>How a <see cref="MpiFile"/> is opened: all ranks say the same.</summary>
public sealed class MpiFileOptions
{
    /// <summary>It is to be read.</summary>
    public bool Read { get; init; }

    /// <summary>It is to be written.</summary>
    public bool Write { get; init; }

    /// <summary>It is to be written, and all pointers are at its end at first. What is written elsewhere is written there.</summary>
    public bool Append { get; init; }

    /// <summary>It is made where there is none.</summary>
    public bool Create { get; init; }

    /// <summary>It is made, and must not be there (<see cref="MpiError.Exists"/>).</summary>
    public bool CreateNew { get; init; }

    /// <summary>What is in it is thrown away.</summary>
    public bool Truncate { get; init; }

    /// <summary>It is deleted when it is closed.</summary>
    public bool DeleteOnClose { get; init; }

    /// <summary>What may make it faster, as MPI's manual says: <c>["striping_factor"] = "8"</c>. What MPI does not know it
    /// ignores.</summary>
    public IDictionary<string, string> Hints { get; } = new Dictionary<string, string>();

    internal uint How =>
        (Read ? UpcallMpiFileRead : 0) | (Write ? UpcallMpiFileWrite : 0) | (Append ? UpcallMpiFileAppend : 0) |
        (Create ? UpcallMpiFileCreate : 0) | (CreateNew ? UpcallMpiFileCreateNew : 0) |
        (Truncate ? UpcallMpiFileTruncate : 0) | (DeleteOnClose ? UpcallMpiFileDeleteOnClose : 0);
}
