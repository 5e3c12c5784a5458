using System;
using System.Buffers;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// Processes that pass messages to one another, each with a rank from 0 on.
/// </summary>
/// <remarks>
/// Values of unmanaged types, and arrays and spans of them, travel as they lie in memory, with their padding zeroed. Text and
/// arrays of it, and what <c>upcall bindgen</c> has written, have a form of their own; for all other objects there is
/// <see cref="Serializer"/>. An array that is null is an <see cref="ArgumentNullException"/>, and no empty message. What all ranks
/// do together is called on all of them, in the same order.
/// <para>
/// Which threads may call it is <see cref="Environment.Threading"/>. One that was made by <see cref="Split"/> or
/// <see cref="Duplicate"/> is freed when it is disposed or, some time after it was last used, by the garbage collector.
/// </para>
/// </remarks>
public unsafe partial class Communicator : IDisposable
{
    /// <summary>Any rank, where a message is received.</summary>
    public const int AnySource = UpcallMpiAny;

    /// <summary>Any tag, where a message is received.</summary>
    public const int AnyTag = UpcallMpiAny;

    private readonly bool isGiven;
    private UpcallMpiCommunicator* native;

    /// <summary>The same, when it was disposed.</summary>
    private UpcallMpiCommunicator* ended;

    internal Communicator(UpcallMpiCommunicator* native, Serializer? serializer, bool isGiven = false)
    {
        this.native = native;
        this.isGiven = isGiven;
        Serializer = serializer;
        Native.Failure* failed = null;
        Rank = upcall_mpi_communicator_rank(native, &failed);
        MpiException.Check(failed);
        Size = upcall_mpi_communicator_size(native, &failed);
        MpiException.Check(failed);
    }

    /// <summary>Releases it; on a thread that may not call MPI, that is freed at the next call of one that may.</summary>
    ~Communicator() => Release();

    /// <summary>All processes of the job.</summary>
    /// <exception cref="MpiException">MPI has not been started.</exception>
    public static Communicator World => Environment.Current.World;

    /// <summary>This process alone.</summary>
    /// <exception cref="MpiException">MPI has not been started.</exception>
    public static Communicator Self => Environment.Current.Self;

    /// <summary>This process's rank, from 0 on.</summary>
    public int Rank { get; }

    /// <summary>How many processes there are.</summary>
    public int Size { get; }

    /// <summary>What writes and reads objects that have no form of their own: the same on all ranks. Communicators that are
    /// made of this one have it too.</summary>
    public Serializer? Serializer { get; set; }

    /// <summary>The largest tag that messages may have.</summary>
    internal int LargestTag
    {
        get
        {
            Native.Failure* failed = null;
            int largest = upcall_mpi_communicator_largest_tag(Handle, &failed);
            MpiException.Check(failed);
            return largest;
        }
    }

    internal UpcallMpiCommunicator* Handle => native != null ? native : throw new ObjectDisposedException(nameof(Communicator));

    /// <summary>The same processes, whose messages never meet those of this communicator. Collective.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public virtual Communicator Duplicate() => new(Twin(), Serializer);

    private protected UpcallMpiCommunicator* Twin()
    {
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made = upcall_mpi_communicator_duplicate(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return made;
    }

    /// <summary>
    /// The processes that give the same color, ranked by <paramref name="key"/> and then as here; null for those whose color is
    /// negative. Collective.
    /// </summary>
    /// <exception cref="MpiException">The color of a rank is more than 2,147,483,647, which all are told; or MPI refuses.</exception>
    public Communicator? Split(long color, int key)
    {
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made = upcall_mpi_communicator_split(Handle, color, key, &failed);
        MpiException.Check(failed);
        GC.KeepAlive(this);
        if (upcall_mpi_communicator_is_none(made, null) == 0)
        {
            return new Communicator(made, Serializer);
        }
        upcall_mpi_communicator_release(made);
        return null;
    }

    /// <summary>Ends all processes of the job at once, with this exit code. It does not return.</summary>
    public void Abort(int exitCode)
    {
        Native.Failure* failed = null;
        upcall_mpi_communicator_abort(Handle, exitCode, &failed);
        MpiException.Check(failed);
    }

    /// <summary>
    /// Frees it, which the ranks do in the same order. The world stays. Where several threads may call MPI, one may be in a call
    /// on it: the garbage collector frees it then, some time after that call.
    /// </summary>
    public void Dispose()
    {
        UpcallMpiCommunicator* closed = native;
        if (isGiven || closed == null)
        {
            return;
        }
        // A thread that is in a call on it keeps this object, and so what lies behind the pointer: the finalizer releases that.
        ended = closed;
        native = null;
        if (Environment.IsOfOneThread)
        {
            Native.Failure* failed = null;
            upcall_mpi_communicator_close(closed, &failed);
            // On another thread than MPI's, the finalizer leaves it to that one.
            Library.Forget(failed);
        }
        else
        {
            Disposed.One();
        }
    }

    private void Release()
    {
        UpcallMpiCommunicator* last = native != null ? native : ended;
        native = null;
        ended = null;
        if (last != null)
        {
            upcall_mpi_communicator_release(last);
        }
    }

    /// <summary>An object's bytes.</summary>
    private protected ArrayBufferWriter<byte> Written<T>(T value)
    {
        var to = new ArrayBufferWriter<byte>();
        MpiForm<T>.It.Write(value, to, Serializer);
        return to;
    }

    /// <summary>An object's bytes, and an error in place of them: others wait for this rank, whatever has happened.</summary>
    private protected ReadOnlySpan<byte> WrittenOr<T>(T value, out Exception? failure)
    {
        try
        {
            failure = null;
            return Written(value).WrittenSpan;
        }
        catch (Exception exception)
        {
            failure = exception;
            return default;
        }
    }

    /// <summary>An object of the library's bytes, which are given back.</summary>
    private protected T Taken<T>(Buffer_u8 buffer)
    {
        try
        {
            return MpiForm<T>.It.Read(Bytes(buffer), Serializer);
        }
        finally
        {
            Release(buffer);
        }
    }

    private static ReadOnlySpan<byte> Bytes(Buffer_u8 buffer) => new(buffer.data, checked((int)buffer.len));

    internal static void Release(Buffer_u8 buffer)
    {
        // Null where there is nothing to release.
        if (buffer.release != null)
        {
            buffer.release(buffer.data, buffer.len, buffer.capacity);
        }
    }

    internal static Slice_u8 From(byte* at, nuint bytes) => new() { data = at, len = bytes };

    internal static SliceMut_u8 Into(byte* at, nuint bytes) => new() { data = at, len = bytes };

    /// <summary>The bytes of some values that are memory.</summary>
    internal static nuint BytesOf<T>(int values) => (nuint)values * (nuint)Plain<T>.Size;
}
