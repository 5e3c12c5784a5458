package upcall.mpi;

import upcall.bindings.UpcallMpiCommunicator;

/** A communicator whose ranks have the neighbors that were said. */
public final class Graph extends Neighborhood {
    Graph(UpcallMpiCommunicator comm, Serializer serializer) {
        super(comm, serializer);
    }

    /** The same graph, whose messages never meet those of this one. Collective. */
    @Override
    public Graph duplicate() {
        return new Graph(MpiException.of(comm::duplicate), serializer());
    }
}
