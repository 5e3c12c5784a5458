using System;
using Upcall.Native;

namespace Upcall.Mpi;

/// <summary>A rank's memory, in place: no other rank reads or writes it until this is disposed.</summary>
public sealed unsafe class LocalMemory<T> : EpochOf
    where T : unmanaged
{
    private readonly int rank;

    internal LocalMemory(object window, int rank, UpcallMpiEpoch* native)
        : base(window, native) => this.rank = rank;

    /// <summary>The elements, which are not to be used when this has been disposed.</summary>
    /// <exception cref="MpiException">It was disposed.</exception>
    public Span<T> Span => Memory<T>(rank);

    private protected override void Ending()
    {
        // Others may read it from now on.
        if (Plain<T>.Padded)
        {
            Span<T> span = Span;
            fixed (T* first = span)
            {
                Plain<T>.Clean((byte*)first, (nuint)span.Length * (nuint)sizeof(T));
            }
        }
    }
}

/// <summary>The memory of all ranks of a <see cref="SharedWindow{T}"/>, while nobody writes it.</summary>
public sealed unsafe class Neighbors<T> : EpochOf
    where T : unmanaged
{
    internal Neighbors(SharedWindow<T> window, UpcallMpiEpoch* native)
        : base(window, native)
    {
    }

    /// <summary>A rank's elements, which are not to be used when this has been disposed.</summary>
    /// <exception cref="MpiException">There is no such rank, or it was disposed.</exception>
    public ReadOnlySpan<T> this[int rank] => Memory<T>(rank);
}
