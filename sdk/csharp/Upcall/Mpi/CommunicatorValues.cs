using System;

namespace Upcall.Mpi;

/// <remarks>Values that are kept with it.</remarks>
public unsafe partial class Communicator
{
    /// <summary>
    /// What is kept with this communicator, on this process, under a key; null where nothing is. Setting it replaces what was
    /// there, and null removes it. A value is let go of when it is replaced or removed, or the communicator is freed.
    /// </summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public object? this[Key key]
    {
        get
        {
            _ = key.TryGet(Handle, out object? value);
            GC.KeepAlive(this);
            return value;
        }

        set
        {
            if (value == null)
            {
                _ = key.Remove(Handle);
            }
            else
            {
                key.Set(Handle, value);
            }
            GC.KeepAlive(this);
        }
    }

    /// <summary>Keeps a value with this communicator, on this process, instead of what was there under this key.</summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public void Set<T>(Key<T> key, T value)
    {
        key.Set(Handle, value);
        GC.KeepAlive(this);
    }

    /// <summary>Whether anything is kept with this communicator under a key, and what.</summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public bool TryGet<T>(Key<T> key, out T? value)
    {
        bool found = key.TryGet(Handle, out object? kept);
        GC.KeepAlive(this);
        value = found ? (T?)kept : default;
        return found;
    }

    /// <summary>Takes away what is kept with this communicator under a key. Returns whether there was anything.</summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public bool Remove(Key key)
    {
        bool removed = key.Remove(Handle);
        GC.KeepAlive(this);
        return removed;
    }
}
