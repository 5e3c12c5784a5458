package upcall.mpi;

import java.util.List;
import upcall.bindings.NativeBuffer;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiPrograms;

/** Other processes: another group, what is started, what finds this program by a port; and what goes on when one has died. */
abstract class CommunicatorProcesses extends CommunicatorTopologies {
    CommunicatorProcesses(UpcallMpiCommunicator comm) {
        super(comm);
    }

    /**
     * Joins these ranks with those of another communicator: each side calls it, with a leader of its own. The two leaders are
     * ranks of one {@code bridge}, in which {@code remoteLeader} is the other side's, and exchange messages there with this tag.
     * Collective over both sides, which have no process in common.
     *
     * @throws MpiException there is no such rank or tag, on any rank of this side; or MPI refuses
     */
    public Intercommunicator intercommunicator(int leader, Communicator bridge, int remoteLeader, int tag) {
        return between(MpiException.of(() -> comm.intercommunicator(leader, bridge.comm, remoteLeader, tag)));
    }

    /** As {@link #spawn(List, int)}, of one program. */
    public Intercommunicator spawn(SpawnedProgram program, int root) {
        return spawn(List.of(program), root);
    }

    /**
     * Starts the processes of programs, in one group in their order: they see these ranks as their {@link Environment#parent}.
     * What the programs are counts at the root, and all ranks give as many. Collective; it returns when they have started MPI,
     * which a program has to do.
     *
     * @throws MpiException there is no such rank; or, on all ranks, the processes could not be started ({@link MpiError#SPAWN}):
     *     the job goes on. The MPICH of Debian 12 cannot start any.
     */
    public Intercommunicator spawn(List<SpawnedProgram> programs, int root) {
        // The list is the program's own, and so is what it throws.
        List<SpawnedProgram> all = List.copyOf(programs);
        try (UpcallMpiPrograms described = new UpcallMpiPrograms()) {
            return between(MpiException.of(() -> {
                all.forEach(program -> program.describe(described));
                return comm.spawn(described, root);
            }));
        }
    }

    /**
     * Waits until another program's ranks {@link #connect} to a port of this one. The port's name counts at the root. Collective.
     *
     * @throws MpiException there is no such rank; it is no port of this program's, or the MPI has none
     */
    public Intercommunicator accept(String port, int root) {
        return between(MpiException.of(() -> comm.accept(port, root)));
    }

    /**
     * Joins the ranks of another program that wait at a port by {@link #accept}. The port's name counts at the root. Collective.
     *
     * @throws MpiException there is no such rank; there is no such port ({@link MpiError#PORT}), or the MPI has none
     */
    public Intercommunicator connect(String port, int root) {
        return between(MpiException.of(() -> comm.connect(port, root)));
    }

    private Intercommunicator between(UpcallMpiCommunicator made) {
        return new Intercommunicator(made, serializer());
    }

    /**
     * Ends what is under way on this communicator, on all ranks, with {@link MpiError#REVOKED}: nothing more can be done with it
     * but {@link #shrink} and {@link #agree}. One rank calls it, and no other has to.
     *
     * @throws MpiException the MPI does not have it ({@link MpiError#UNSUPPORTED}): Open MPI does from 5 on, started with {@code
     *     mpirun --with-ft ulfm}; or it refuses. So it is of the calls below.
     */
    public void revoke() {
        MpiException.of(comm::revoke);
    }

    /** Whether it was revoked, as far as this rank knows by now. */
    public boolean isRevoked() {
        return MpiException.of(comm::isRevoked);
    }

    /** The ranks that live, in the order that they have here. Collective over these, also where this one was revoked. */
    public Communicator shrink() {
        return new Communicator(MpiException.of(comm::shrink), serializer());
    }

    /** The bits that are set in what all ranks that live give. Collective over these, also where this one was revoked. */
    public int agree(int flags) {
        return MpiException.of(() -> comm.agree(flags));
    }

    /** Takes note of the ranks that are known to have died: what receives from any rank waits for the others again. */
    public void acknowledgeFailures() {
        MpiException.of(comm::acknowledgeFailures);
    }

    /** The processes whose failure was {@link #acknowledgeFailures acknowledged}. */
    public Group acknowledgedFailures() {
        return new Group(MpiException.of(comm::acknowledgedFailures));
    }

    /** The ranks whose failure was {@link #acknowledgeFailures acknowledged}. */
    public int[] failedRanks() {
        try (NativeBuffer ranks = MpiException.of(comm::failedRanks)) {
            return (int[]) Elements.INTS.read(Room.view(ranks.elements()), int[].class);
        }
    }
}
