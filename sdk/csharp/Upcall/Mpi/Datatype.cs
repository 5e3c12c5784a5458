using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// An unmanaged struct as MPI knows it: its fields, each a number at its place. What C programs make with
/// <c>MPI_Type_create_struct</c> matches it where their numbers do, in the order of the fields, wherever these lie. Padding does
/// not travel.
/// </summary>
/// <remarks>
/// Between ranks that have the same struct nothing needs it, and <c>Send</c> is faster. It is freed when it is disposed or
/// forgotten.
/// <code>
/// using var reading = Datatype&lt;Reading&gt;.OfFields(world);
/// world.SendTyped&lt;Reading&gt;(readings, reading, 1, 0);
/// </code>
/// </remarks>
public sealed unsafe class Datatype<T> : IDisposable
    where T : unmanaged
{
    private UpcallMpiDatatype* native;

    private Datatype(UpcallMpiDatatype* native) => this.native = native;

    /// <summary>Releases it; on a thread that may not call MPI, that is freed at the next call of one that may.</summary>
    ~Datatype() => Release();

    internal UpcallMpiDatatype* Handle => native != null ? native : throw new ObjectDisposedException(nameof(Datatype<T>));

    /// <summary>That of the type's own fields, as they lie in memory; fields of structs inside, fixed buffers and inline arrays are
    /// among them, <c>bool</c> is a byte, <c>char</c> a <c>u16</c>, and an enum its number.</summary>
    /// <exception cref="MpiException">A field is no number that MPI knows, fields overlap, or MPI refuses.</exception>
    public static Datatype<T> OfFields(Communicator communicator)
    {
        ArgumentNullException.ThrowIfNull(communicator);
        var of = (UpcallMpiElementType*)NativeType<T>.Flat.Value;
        Native.Failure* failed = null;
        UpcallMpiDatatype* made = upcall_mpi_datatype_new(communicator.Handle, of, &failed);
        GC.KeepAlive(communicator);
        MpiException.Check(failed);
        return new Datatype<T>(made);
    }

    /// <summary>Releases it.</summary>
    public void Dispose()
    {
        Release();
        GC.SuppressFinalize(this);
    }

    private void Release()
    {
        if (native != null)
        {
            upcall_mpi_datatype_release(native);
            native = null;
        }
    }
}
