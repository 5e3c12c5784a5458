using System;
using System.Collections.Concurrent;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// What a value is kept under with communicators, as MPI's own attributes: a library in C that duplicates or frees a communicator
/// has its values copied and let go of as well. Made once, as a static; it may be used by several threads.
/// </summary>
/// <param name="copied">Whether a duplicate of a communicator has its value too: the same object, not a copy of it.</param>
public sealed class Key<T>(bool copied = false) : Key(copied);

/// <summary>A <see cref="Key{T}"/> of any type.</summary>
public abstract unsafe class Key
{
    /// <summary>The values that communicators keep, by their numbers.</summary>
    private static readonly ConcurrentDictionary<ulong, object?> Values = new();
    private static ulong last;
    private readonly UpcallMpiKey* native;

    private protected Key(bool copied)
    {
        Library.Find();
        IsCopied = copied;
        native = upcall_mpi_key_new(copied ? (byte)1 : (byte)0, null);
    }

    /// <summary>Releases it; its values stay for as long as their communicators.</summary>
    ~Key() => upcall_mpi_key_release(native);

    /// <summary>Whether a duplicate of a communicator has its value too.</summary>
    public bool IsCopied { get; }

    internal void Set(UpcallMpiCommunicator* communicator, object? value)
    {
        ulong number = Interlocked.Increment(ref last);
        Values[number] = value;
        Native.Failure* failed = null;
        upcall_mpi_communicator_set_value(communicator, native, number, &Forget, (void*)number, null, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    internal bool TryGet(UpcallMpiCommunicator* communicator, out object? value)
    {
        Native.Failure* failed = null;
        ulong number = upcall_mpi_communicator_value(communicator, native, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        value = null;
        // Another thread may have replaced it meanwhile.
        return number != 0 && Values.TryGetValue(number, out value);
    }

    internal bool Remove(UpcallMpiCommunicator* communicator)
    {
        Native.Failure* failed = null;
        byte removed = upcall_mpi_communicator_remove_value(communicator, native, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return removed != 0;
    }

    [UnmanagedCallersOnly(CallConvs = [typeof(CallConvCdecl)])]
    private static void Forget(void* number) => Values.TryRemove((ulong)number, out _);
}
