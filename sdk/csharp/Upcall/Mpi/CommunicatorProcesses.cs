using System;
using System.Collections.Generic;
using System.Text;
using Upcall.Native;
using static Upcall.Native.NativeMethods;

namespace Upcall.Mpi;

/// <remarks>Other processes: another group, what is started, and what finds this program by a port.</remarks>
public unsafe partial class Communicator
{
    /// <summary>
    /// Joins these ranks with those of another communicator: each side calls it, with a leader of its own. The two leaders are
    /// ranks of one <paramref name="bridge"/>, in which <paramref name="remoteLeader"/> is the other side's, and exchange messages
    /// there with this tag. Collective over both sides, which have no process in common.
    /// </summary>
    /// <exception cref="MpiException">There is no such rank or tag, on any rank of this side; or MPI refuses.</exception>
    public Intercommunicator Intercommunicator(int leader, Communicator bridge, int remoteLeader, int tag)
    {
        ArgumentNullException.ThrowIfNull(bridge);
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made = upcall_mpi_communicator_intercommunicator(
            Handle, leader, bridge.Handle, remoteLeader, tag, &failed);
        GC.KeepAlive(bridge);
        return Between(made, failed);
    }

    /// <summary>
    /// Starts processes of a program: they see these ranks as their <see cref="Environment.Parent"/>. What the program is counts
    /// at the root. Collective; it returns when they have started MPI, which a program has to do.
    /// </summary>
    /// <exception cref="MpiException">There is no such rank; or, on all ranks, the processes could not be started
    /// (<see cref="MpiError.Spawn"/>): the job goes on. The MPICH of Debian 12 cannot start any.</exception>
    public Intercommunicator Spawn(SpawnedProgram program, int root) => Spawn([program.NotNull()], root);

    /// <summary>As the other, of a program by its path or name, with arguments.</summary>
    /// <inheritdoc cref="Spawn(SpawnedProgram, int)"/>
    public Intercommunicator Spawn(string path, string[] arguments, int processes, int root) =>
        Spawn(new SpawnedProgram(path.NotNull(), processes) { Arguments = arguments.NotNull() }, root);

    /// <summary>As <see cref="Spawn(SpawnedProgram, int)"/>, of several programs, whose processes are one group in their order. All
    /// ranks give as many programs.</summary>
    /// <inheritdoc cref="Spawn(SpawnedProgram, int)"/>
    public Intercommunicator Spawn(IEnumerable<SpawnedProgram> programs, int root)
    {
        ArgumentNullException.ThrowIfNull(programs);
        UpcallMpiPrograms* described = upcall_mpi_programs_new(null);
        try
        {
            foreach (SpawnedProgram program in programs)
            {
                Describe(described, program);
            }
            Native.Failure* failed = null;
            UpcallMpiCommunicator* made = upcall_mpi_communicator_spawn(Handle, described, root, &failed);
            return Between(made, failed);
        }
        finally
        {
            upcall_mpi_programs_release(described);
        }
    }

    /// <summary>Waits until another program's ranks <see cref="Connect">connect</see> to a port of this one. The port's name counts
    /// at the root. Collective.</summary>
    /// <exception cref="MpiException">There is no such rank; it is no port of this program's, or the MPI has none.</exception>
    public Intercommunicator Accept(string port, int root)
    {
        ArgumentNullException.ThrowIfNull(port);
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made;
        byte[] name = Encoding.UTF8.GetBytes(port);
        fixed (byte* at = name)
        {
            made = upcall_mpi_communicator_accept(Handle, Given.Text(at, name.Length), root, &failed);
        }
        return Between(made, failed);
    }

    /// <summary>Joins the ranks of another program that <see cref="Accept">wait</see> at a port. The port's name counts at the root.
    /// Collective.</summary>
    /// <exception cref="MpiException">There is no such rank; there is no such port (<see cref="MpiError.Port"/>), or the MPI has
    /// none.</exception>
    public Intercommunicator Connect(string port, int root)
    {
        ArgumentNullException.ThrowIfNull(port);
        Native.Failure* failed = null;
        UpcallMpiCommunicator* made;
        byte[] name = Encoding.UTF8.GetBytes(port);
        fixed (byte* at = name)
        {
            made = upcall_mpi_communicator_connect(Handle, Given.Text(at, name.Length), root, &failed);
        }
        return Between(made, failed);
    }

    private Intercommunicator Between(UpcallMpiCommunicator* made, Native.Failure* failed)
    {
        GC.KeepAlive(this);
        MpiException.Check(failed);
        return new Intercommunicator(made, Serializer);
    }

    private static void Describe(UpcallMpiPrograms* described, SpawnedProgram program)
    {
        byte[] path = Encoding.UTF8.GetBytes(program.Path);
        fixed (byte* at = path)
        {
            upcall_mpi_programs_add(described, Given.Text(at, path.Length), program.Processes, null);
        }
        foreach (string argument in program.Arguments)
        {
            Say(argument, text => { Native.Failure* failed = null; upcall_mpi_programs_argument(described, text, &failed); MpiException.Check(failed); });
        }
        if (program.Directory is { } directory)
        {
            Say(directory, text => { Native.Failure* failed = null; upcall_mpi_programs_directory(described, text, &failed); MpiException.Check(failed); });
        }
        foreach (string host in program.Hosts)
        {
            Say(host, text => { Native.Failure* failed = null; upcall_mpi_programs_host(described, text, &failed); MpiException.Check(failed); });
        }
        foreach ((string name, string value) in program.Info)
        {
            byte[] what = Encoding.UTF8.GetBytes(name), with = Encoding.UTF8.GetBytes(value);
            Native.Failure* failed = null;
            fixed (byte* first = what, second = with)
            {
                upcall_mpi_programs_info(described, Given.Text(first, what.Length), Given.Text(second, with.Length), &failed);
            }
            MpiException.Check(failed);
        }
    }

    private delegate void Told(Native.Str text);

    private static void Say(string text, Told told)
    {
        byte[] bytes = Encoding.UTF8.GetBytes(text);
        fixed (byte* at = bytes)
        {
            told(Given.Text(at, bytes.Length));
        }
    }
}
