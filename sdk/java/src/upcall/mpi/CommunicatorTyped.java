package upcall.mpi;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiStatus;

/** Messages of structs that MPI knows field by field. */
abstract class CommunicatorTyped extends CommunicatorReproducible {
    CommunicatorTyped(UpcallMpiCommunicator comm) {
        super(comm);
    }

    /**
     * Sends elements field by field: those that lie in a buffer between its position and its limit.
     *
     * @throws MpiException there is no such rank or tag, they are no whole elements, or MPI refuses
     */
    public void sendTyped(ByteBuffer values, Datatype of, int to, int tag) {
        try (Room room = Room.from(values)) {
            MpiException.of(() -> comm.sendTyped(room.segment(), of.handle(), to, tag));
        } finally {
            Reference.reachabilityFence(values);
        }
    }

    /** Receives elements field by field, however many there are. Padding is zero. */
    public ByteBuffer receiveTyped(Datatype of, int from, int tag) {
        return Values.take(MpiException.of(() -> comm.receiveTyped(of.handle(), from, tag, null)), ByteBuffer.class, null);
    }

    /**
     * Receives elements field by field into a direct buffer, which may have room for more, and returns how many there were. Padding
     * stays as it was.
     */
    public int receiveTypedInto(ByteBuffer into, Datatype of, int from, int tag) {
        if (!into.isDirect()) {
            throw new MpiException(MpiError.USAGE, "receive fields into a buffer: it is not direct; give ByteBuffer.allocateDirect");
        }
        try (Room room = Room.into(into); Room told = Room.of(UpcallMpiStatus.SIZE)) {
            UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
            return Math.toIntExact(
                    MpiException.of(() -> comm.receiveTypedInto(room.segment(), of.handle(), from, tag, status)));
        } finally {
            Reference.reachabilityFence(into);
        }
    }

    /** Gives all ranks the elements of one, of which all have as many, field by field. */
    public void broadcastTyped(ByteBuffer values, Datatype of, int root) {
        if (values.isReadOnly()) {
            throw new java.nio.ReadOnlyBufferException();
        }
        try (Room room = Room.from(values)) {
            MpiException.of(() -> comm.broadcastTyped(room.segment(), of.handle(), root));
            room.back(room.segment().byteSize());
        } finally {
            Reference.reachabilityFence(values);
        }
    }
}
