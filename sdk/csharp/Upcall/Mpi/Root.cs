using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// Whose elements an <see cref="Intercommunicator"/> gives to the other group, or who gets those of the other group. The ranks of
/// one call say different things, so that one is root and everyone knows where.
/// </summary>
public readonly struct Root : System.IEquatable<Root>
{
    private Root(int number) => Number = number;

    /// <summary>This process: what the root itself says.</summary>
    public static Root Here => new(UpcallMpiRootHere);

    /// <summary>Another of this group: what the others of the root's group say. They take no part, and what they give does not
    /// count.</summary>
    public static Root Beside => new(UpcallMpiRootBeside);

    /// <summary>What MPI is told.</summary>
    internal int Number { get; }

    internal bool IsHere => Number == UpcallMpiRootHere;

    internal bool IsRemote => !IsHere && Number != UpcallMpiRootBeside;

    /// <summary>This rank of the other group: what all ranks of the other group say.</summary>
    public static Root Remote(int rank) =>
        rank >= 0 ? new(rank) : throw new MpiException(MpiError.Rank, $"there is no root {rank} in the other group; its ranks count from 0 on");

    /// <summary>Whether two are the same.</summary>
    public static bool operator ==(Root one, Root other) => one.Equals(other);

    /// <summary>Whether two are not the same.</summary>
    public static bool operator !=(Root one, Root other) => !one.Equals(other);

    /// <inheritdoc/>
    public bool Equals(Root other) => Number == other.Number;

    /// <inheritdoc/>
    public override bool Equals(object? other) => other is Root root && Equals(root);

    /// <inheritdoc/>
    public override int GetHashCode() => Number;

    /// <inheritdoc/>
    public override string ToString() => IsHere ? "here" : IsRemote ? $"rank {Number} of the other group" : "beside";
}
