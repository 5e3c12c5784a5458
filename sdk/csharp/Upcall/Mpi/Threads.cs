namespace Upcall.Mpi;

/// <summary>Which threads may call MPI.</summary>
public enum Threads
{
    /// <summary>The process has one.</summary>
    Single,

    /// <summary>The one that has started it.</summary>
    Funneled,

    /// <summary>One at a time.</summary>
    Serialized,

    /// <summary>All, as they like.</summary>
    Multiple,
}
