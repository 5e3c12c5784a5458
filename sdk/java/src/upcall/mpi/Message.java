package upcall.mpi;

import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiMessage;
import upcall.bindings.UpcallMpiStatus;

/** A message that has arrived and is this process's to receive, once, by whichever thread. One that is closed is thrown away. */
public final class Message implements AutoCloseable {
    private final Serializer serializer;
    private final UpcallMpiMessage message;
    private final Status status;

    Message(UpcallMpiMessage message, Serializer serializer) {
        this.message = message;
        this.serializer = serializer;
        try (Room room = Room.of(UpcallMpiStatus.SIZE)) {
            UpcallMpiStatus told = new UpcallMpiStatus(room.segment());
            MpiException.of(() -> message.status(told));
            status = Status.of(told);
        }
    }

    /** Who has sent it, with which tag, and how large it is. */
    public Status status() {
        return status;
    }

    /**
     * Receives it as a value of a class, as {@link Communicator#receive}.
     *
     * @throws MpiException it is no such value, or was received
     */
    public <T> T receive(Class<T> type) {
        return Values.take(MpiException.of(message::receive), type, serializer);
    }

    /**
     * Receives it into an array of numbers or a buffer, as {@link Communicator#receiveInto}.
     *
     * @throws MpiException it is larger ({@link MpiError#TRUNCATED}; it is thrown away), or was received
     */
    public Status receiveInto(Object values) {
        try (Room room = Room.into(values)) {
            MemorySegment into = room.segment();
            MpiException.of(() -> message.receiveInto(into));
            room.back(status.bytes());
        }
        return status;
    }

    @Override
    public void close() {
        message.close();
    }
}
