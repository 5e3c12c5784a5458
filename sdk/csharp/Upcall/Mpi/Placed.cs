using System.Runtime.InteropServices;

namespace Upcall.Mpi;

/// <summary>
/// A number and its place, which may be a rank or an index: what <see cref="Operation{T}.MinWithPlace"/> and
/// <see cref="Operation{T}.MaxWithPlace"/> combine. It is laid out as MPI's pairs are (<c>MPI_DOUBLE_INT</c>).
/// </summary>
/// <param name="Value">What is compared.</param>
/// <param name="Place">Where it is.</param>
[StructLayout(LayoutKind.Sequential)]
public readonly record struct Placed<T>(T Value, int Place)
    where T : unmanaged;
