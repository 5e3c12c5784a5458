using System;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>What goes on when a process has died, where the MPI has that: Open MPI from 5 on, started with
/// <c>mpirun --with-ft ulfm</c>. Elsewhere these are <see cref="MpiError.Unsupported"/>.</remarks>
public unsafe partial class Communicator
{
    /// <summary>Whether it was revoked, as far as this rank knows by now.</summary>
    /// <exception cref="MpiException">The MPI does not have it (<see cref="MpiError.Unsupported"/>), or refuses.</exception>
    public bool IsRevoked
    {
        get
        {
            Native.Failure* failed = null;
            byte revoked = upcall_mpi_communicator_is_revoked(Handle, &failed);
            GC.KeepAlive(this);
            MpiException.Check(failed);
            return revoked != 0;
        }
    }

    /// <summary>The ranks whose failure was <see cref="AcknowledgeFailures">acknowledged</see>.</summary>
    /// <inheritdoc cref="IsRevoked"/>
    public int[] FailedRanks
    {
        get
        {
            Native.Failure* failed = null;
            Buffer_i32 ranks = upcall_mpi_communicator_failed_ranks(Handle, &failed);
            GC.KeepAlive(this);
            MpiException.Check(failed);
            return Taken(ranks);
        }
    }

    /// <summary>The processes whose failure was <see cref="AcknowledgeFailures">acknowledged</see>.</summary>
    /// <inheritdoc cref="IsRevoked"/>
    public Group AcknowledgedFailures
    {
        get
        {
            Native.Failure* failed = null;
            UpcallMpiGroup* group = upcall_mpi_communicator_acknowledged_failures(Handle, &failed);
            GC.KeepAlive(this);
            MpiException.Check(failed);
            return new Group(group);
        }
    }

    /// <summary>
    /// Ends what is under way on this communicator, on all ranks, with <see cref="MpiError.Revoked"/>: nothing more can be done
    /// with it but <see cref="Shrink"/> and <see cref="Agree"/>. One rank calls it, and no other has to.
    /// </summary>
    /// <inheritdoc cref="IsRevoked"/>
    public void Revoke()
    {
        Native.Failure* failed = null;
        upcall_mpi_communicator_revoke(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }

    /// <summary>The ranks that live, in the order that they have here. Collective over these, also where this communicator was
    /// revoked.</summary>
    /// <inheritdoc cref="IsRevoked"/>
    public Communicator Shrink()
    {
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made = upcall_mpi_communicator_shrink(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Communicator(made, Serializer);
    }

    /// <summary>The bits that are set in what all ranks that live give. Collective over these, also where this communicator was
    /// revoked.</summary>
    /// <inheritdoc cref="IsRevoked"/>
    public int Agree(int flags)
    {
        Native.Failure* failed = null;
        int agreed = upcall_mpi_communicator_agree(Handle, flags, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return agreed;
    }

    /// <summary>Takes note of the ranks that are known to have died: what receives from any rank waits for the others again.</summary>
    /// <inheritdoc cref="IsRevoked"/>
    public void AcknowledgeFailures()
    {
        Native.Failure* failed = null;
        upcall_mpi_communicator_acknowledge_failures(Handle, &failed);
        GC.KeepAlive(this);
        MpiException.Check(failed);
    }
}
