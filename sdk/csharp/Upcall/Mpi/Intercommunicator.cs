using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <summary>
/// Two groups of processes that have none in common. Every rank that is sent to or received from, and every
/// <see cref="Root"/>, is one of the other group; what all do together goes from one group to the other, or both ways.
/// </summary>
/// <remarks>
/// It is made of two communicators (<see cref="Communicator.Intercommunicator(int, Communicator, int, int)"/>), by starting processes (<see cref="Communicator.Spawn(string, string[], int, int)"/>),
/// or by a <see cref="Port"/>. What a communicator's ranks do together and two groups do not, as a scan, is an
/// <see cref="MpiException"/> of <see cref="MpiError.Usage"/>.
/// </remarks>
public sealed unsafe partial class Intercommunicator : Communicator
{
    internal Intercommunicator(UpcallMpiCommunicator* native, Serializer? serializer)
        : base(native, serializer)
    {
        Native.Failure* failed = null;
        RemoteSize = upcall_mpi_communicator_remote_size(native, &failed);
        MpiException.Check(failed);
    }

    /// <summary>How many processes the other group has. <see cref="Communicator.Size"/> and <see cref="Communicator.Rank"/> are of
    /// this one.</summary>
    public int RemoteSize { get; }

    /// <summary>The processes of the other group.</summary>
    /// <exception cref="MpiException">MPI has been finalized.</exception>
    public Group RemoteGroup
    {
        get
        {
            Native.Failure* failed = null;
            UpcallMpiGroup* group = upcall_mpi_communicator_remote_group(Handle, &failed);
            GC.KeepAlive(this);
            MpiException.Check(failed);
            return new Group(group);
        }
    }

    /// <summary>The same groups, whose messages never meet those of this one. Collective over both.</summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public override Intercommunicator Duplicate() => new(Twin(), Serializer);

    /// <summary>
    /// All processes of both groups in one communicator: first those of the group that says that it is not
    /// <paramref name="high"/>. Where both say the same, MPI chooses. Collective over both.
    /// </summary>
    /// <exception cref="MpiException">MPI refuses.</exception>
    public Communicator Merge(bool high)
    {
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made = upcall_mpi_communicator_merge(Handle, high ? (byte)1 : (byte)0, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Communicator(made, Serializer);
    }

    /// <summary>
    /// Ends it when all messages have arrived, after which neither group waits for the other where it finalizes MPI. No other
    /// thread may be in a call on it. Collective over both.
    /// </summary>
    /// <exception cref="MpiException">It was disconnected before, or MPI refuses.</exception>
    public void Disconnect()
    {
        Native.Failure* failed = null;
        upcall_mpi_communicator_disconnect(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }
}
