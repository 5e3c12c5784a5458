package upcall.mpi;

import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import upcall.bindings.UpcallMpiCommunicator;

/** Communicators that are made of one: of a group, of a machine's processes, on a grid or a graph. */
abstract class CommunicatorTopologies extends CommunicatorPersistent {
    CommunicatorTopologies(UpcallMpiCommunicator comm) {
        super(comm);
    }

    final UpcallMpiCommunicator handle() {
        return comm;
    }

    /** Its processes. */
    public final Group group() {
        return new Group(MpiException.of(comm::group));
    }

    /**
     * The processes of a group, in its order; empty for those that are not in it. Collective over all ranks of this communicator,
     * which all give the same group.
     *
     * @throws MpiException a process of the group is not in this communicator
     */
    public final Optional<Communicator> create(Group group) {
        UpcallMpiCommunicator made = MpiException.of(() -> comm.create(group.handle()));
        return isMade(made) ? Optional.of(new Communicator(made, serializer())) : Optional.empty();
    }

    /** As {@link #create}, collective over the processes of the group only. The tag tells apart what threads make at once. */
    public final Communicator createGroup(Group group, int tag) {
        return new Communicator(MpiException.of(() -> comm.createGroup(group.handle(), tag)), serializer());
    }

    /** The processes that share memory with this one (those of its machine), ranked by the key and then as here. Collective. */
    public final Communicator splitSharedMemory(int key) {
        return new Communicator(MpiException.of(() -> comm.splitSharedMemory(key)), serializer());
    }

    /** How alike this one and another are: a duplicate is {@link Comparison#CONGRUENT}. */
    public final Comparison compare(Communicator other) {
        CommunicatorTopologies to = other;
        return Comparison.of(MpiException.of(() -> comm.compare(to.comm)));
    }

    /** Its name, as debuggers and profilers show it; empty where it has none. */
    public final String name() {
        return MpiException.of(comm::name);
    }

    /** Names it, on this process. */
    public final void setName(String name) {
        MpiException.of(() -> comm.setName(name));
    }

    /**
     * How many ranks to put along each dimension, so that all are as many as here and the dimensions are as equal as can be.
     *
     * @param sizes one that is not 0 stays as it is
     * @throws MpiException the ranks are no multiple of the dimensions that are given
     */
    public final int[] dimensions(int... sizes) {
        int[] shared = sizes.clone();
        MpiException.of(() -> comm.dimensions(shared));
        return shared;
    }

    /** As {@link #cartesian(int[], boolean[], boolean)}, where each rank keeps its number if it can. */
    public final Optional<Cartesian> cartesian(int[] sizes, boolean... periodic) {
        return cartesian(sizes, periodic, false);
    }

    /**
     * Puts the ranks on a grid, in the order of rows: the last coordinate changes first. Empty for ranks that have no place.
     * Collective.
     *
     * @param sizes how many lie along each dimension
     * @param periodic of each, whether the last rank's neighbor is the first
     * @param reorder whether MPI may give a rank another number there
     * @throws MpiException the grid has more places than there are ranks, or not all dimensions are said to be periodic or not
     */
    public final Optional<Cartesian> cartesian(int[] sizes, boolean[] periodic, boolean reorder) {
        UpcallMpiCommunicator made = MpiException.of(() -> comm.cartesian(sizes, bytes(periodic), reorder));
        return isMade(made) ? Optional.of(new Cartesian(made, serializer())) : Optional.empty();
    }

    /** As {@link #graphAdjacent(int[], int[], int[], int[], boolean)}, where all edges are as heavy. */
    public final Graph graphAdjacent(int[] sources, int[] targets) {
        return graphAdjacent(sources, new int[0], targets, new int[0], false);
    }

    /**
     * Gives each rank neighbors: each says whom it receives from and whom it sends to, and what the two of an edge say is the same.
     * Collective.
     *
     * @param sourceWeights how much comes from each, compared with others; none where nothing is known
     * @param targetWeights how much goes to each
     * @param reorder whether MPI may give a rank another number there
     * @throws MpiException there is no such rank, on any of the ranks
     */
    public final Graph graphAdjacent(int[] sources, int[] sourceWeights, int[] targets, int[] targetWeights, boolean reorder) {
        UpcallMpiCommunicator made =
                MpiException.of(() -> comm.graphAdjacent(sources, sourceWeights, targets, targetWeights, reorder));
        return new Graph(made, serializer());
    }

    /**
     * Gives each rank neighbors: each says some of the edges, of whichever ranks, and together they are the graph. Collective.
     *
     * @param edges whom each rank that is a key sends to
     * @param reorder whether MPI may give a rank another number there
     * @throws MpiException there is no such rank, on any of the ranks
     */
    public final Graph graph(Map<Integer, int[]> edges, boolean reorder) {
        int[] sources = edges.keySet().stream().mapToInt(Integer::intValue).toArray();
        int[] degrees = Arrays.stream(sources).map(source -> edges.get(source).length).toArray();
        int[] targets = Arrays.stream(sources).flatMap(source -> Arrays.stream(edges.get(source))).toArray();
        return new Graph(MpiException.of(() -> comm.graph(sources, degrees, targets, new int[0], reorder)), serializer());
    }

    static byte[] bytes(boolean[] flags) {
        byte[] bytes = new byte[flags.length];
        for (int index = 0; index < bytes.length; index++) {
            bytes[index] = (byte) (flags[index] ? 1 : 0);
        }
        return bytes;
    }

    /** Whether there is one for this process. */
    private static boolean isMade(UpcallMpiCommunicator made) {
        if (made.isNone()) {
            made.close();
            return false;
        }
        return true;
    }
}
