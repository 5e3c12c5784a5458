using System;
using Upcall.Native;

namespace Upcall.Mpi;

public partial class Communicator
{
    /// <summary>
    /// As <see cref="Send{T}(T, int, int)"/>, of a copy in the <see cref="Environment.AttachBuffer">buffer of sends</see>: it
    /// returns whether or not anybody receives it.
    /// </summary>
    /// <exception cref="MpiException">
    /// There is no such rank or tag, the value has no form, or the buffer has no room for it, or none is attached
    /// (<see cref="MpiError.Buffer"/>): then nothing was sent.
    /// </exception>
    public void SendBuffered<T>(T value, int dest, int tag)
    {
        if (Plain<T>.Is)
        {
            Send(new ReadOnlySpan<T>(ref value), dest, tag, UpcallMpiMode.Buffered);
        }
        else
        {
            Send<byte>(Written(value).WrittenSpan, dest, tag, UpcallMpiMode.Buffered);
        }
    }

    /// <summary>The same of elements.</summary>
    /// <inheritdoc cref="SendBuffered{T}(T, int, int)"/>
    public void SendBuffered<T>(ReadOnlySpan<T> values, int dest, int tag)
        where T : unmanaged => Send(values, dest, tag, UpcallMpiMode.Buffered);
}
