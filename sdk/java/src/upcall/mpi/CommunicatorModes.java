package upcall.mpi;

import java.lang.ref.Reference;
import java.nio.Buffer;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiMode;

/** Messages that go on, in each of MPI's modes, and those that are made ready once and started again and again. */
abstract class CommunicatorModes extends CommunicatorMessages {
    CommunicatorModes(UpcallMpiCommunicator comm) {
        super(comm);
    }

    /** Begins to send a value: a copy of it, or a direct buffer in place, which is not to be changed until it has ended. */
    @Override
    public Request startSend(Object value, int to, int tag) {
        return startSend(value, to, tag, UpcallMpiMode.STANDARD);
    }

    /** As {@link #startSend(Object, int, int)}; it ends when the receiver has begun to receive. */
    public Request startSendSynchronous(Object value, int to, int tag) {
        return startSend(value, to, tag, UpcallMpiMode.SYNCHRONOUS);
    }

    /** As {@link #startSend(Object, int, int)}, where the receiver is known to wait already: otherwise the message may be lost. */
    public Request startSendReady(Object value, int to, int tag) {
        return startSend(value, to, tag, UpcallMpiMode.READY);
    }

    /**
     * As {@link #sendBuffered}, with a request that has ended when it is begun.
     *
     * @throws MpiException as there
     */
    public Request startSendBuffered(Object value, int to, int tag) {
        return startSend(value, to, tag, UpcallMpiMode.BUFFERED);
    }

    private Request startSend(Object value, int to, int tag, int mode) {
        Object values = Values.written(value, serializer());
        if (Elements.isDirect(values) && values instanceof Buffer buffer) {
            MemorySegment data = Elements.segment(buffer);
            return new MpiRequest(
                    MpiException.of(() -> comm.startSendLent(
                            data, data.byteSize(), to, tag, mode, () -> Reference.reachabilityFence(buffer))),
                    null);
        }
        try (Room room = Room.from(values)) {
            return new MpiRequest(MpiException.of(() -> comm.startSend(room.segment(), to, tag, mode)), null);
        }
    }

    /** Makes a send of an array of numbers or a buffer ready. */
    public PersistentRequest sendInit(Object values, int to, int tag) {
        return sendInit(values, to, tag, UpcallMpiMode.STANDARD);
    }

    /** As {@link #sendInit(Object, int, int)}; a round ends when the receiver has begun to receive. */
    public PersistentRequest sendSynchronousInit(Object values, int to, int tag) {
        return sendInit(values, to, tag, UpcallMpiMode.SYNCHRONOUS);
    }

    /** As {@link #sendInit(Object, int, int)}, where the receiver is known to wait already when a round is started. */
    public PersistentRequest sendReadyInit(Object values, int to, int tag) {
        return sendInit(values, to, tag, UpcallMpiMode.READY);
    }

    /**
     * As {@link #sendInit(Object, int, int)}; each round copies the values into the {@link Environment#attachBuffer buffer of sends}
     * and has ended then. That there is no room for them ({@link MpiError#BUFFER}) is thrown by {@link PersistentRequest#start}.
     */
    public PersistentRequest sendBufferedInit(Object values, int to, int tag) {
        return sendInit(values, to, tag, UpcallMpiMode.BUFFERED);
    }

    private PersistentRequest sendInit(Object values, int to, int tag, int mode) {
        Lent data = Lent.from(values);
        MemorySegment memory = data.segment();
        return new PersistentRequest(
                MpiException.of(() -> comm.sendInitLent(memory, data.bytes(), to, tag, mode, data.keep()::run)),
                data, Lent.NOTHING, false, null);
    }

    /** Makes a receive into an array of numbers or a buffer ready, which may have room for more: the status counts. */
    public PersistentRequest receiveInit(Object values, int from, int tag) {
        Lent into = Lent.into(values);
        MemorySegment memory = into.segment();
        return new PersistentRequest(
                MpiException.of(() -> comm.receiveInitLent(memory, into.bytes(), from, tag, into.keep()::run)),
                Lent.NOTHING, into, true, null);
    }
}
