package upcall.mpi;

import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import upcall.bindings.UpcallMpiChecked;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiStatus;

/**
 * A communicator whose messages say which type their elements have: where the receiver's is another, it is an error that names
 * both, in place of numbers that mean nothing.
 *
 * <p>It is on where all of its ranks want it, which they tell each other when it is made; otherwise it costs nothing. Where it is
 * on, messages have a head of 64 bytes, so nothing else is sent on it. Values are arrays of numbers and single ones, and, with
 * their {@link ElementType}, buffers of structs.
 *
 * <p>It is freed when it is closed or forgotten, as a {@link Communicator} is.
 */
public final class Checked implements AutoCloseable {
    private final UpcallMpiChecked checked;
    private final Communicator of;
    private final boolean isOn;

    Checked(UpcallMpiChecked checked, Communicator of) {
        this.checked = checked;
        this.of = of;
        isOn = checked.isOn();
    }

    /** This process's rank, from 0 on. */
    public int rank() {
        return of.rank();
    }

    /** How many processes there are. */
    public int size() {
        return of.size();
    }

    /** Whether types are checked. */
    public boolean isOn() {
        return isOn;
    }

    /**
     * Sends a number or an array of numbers.
     *
     * @throws MpiException there is no such rank or tag, or MPI refuses
     */
    public void send(Object value, int to, int tag) {
        Elements elements = numbers(value);
        send(elements.asArray(value), ElementType.of(value.getClass()), to, tag);
    }

    /** Sends elements of a type: an array of numbers, or a buffer between its position and its limit. */
    public void send(Object values, ElementType type, int to, int tag) {
        try (Room room = Room.from(values)) {
            MpiException.of(() -> checked.send(room.segment(), type.handle(), to, tag));
        } finally {
            Reference.reachabilityFence(values);
        }
    }

    /**
     * Receives a value of a class, of any size: of an array of numbers, or of a number.
     *
     * @throws MpiException the sender's type is another ({@link MpiError#TYPE}), and the message is gone; there is no such rank or
     *     tag; or MPI refuses
     */
    public <T> T receive(Class<T> type, int from, int tag) {
        ElementType elements = ElementType.of(type);
        return Values.take(MpiException.of(() -> checked.receive(elements.handle(), from, tag, null)), type, null);
    }

    /** Receives elements of a type that is described, however many there are. */
    public ByteBuffer receive(ElementType type, int from, int tag) {
        return Values.take(MpiException.of(() -> checked.receive(type.handle(), from, tag, null)), ByteBuffer.class, null);
    }

    /** Receives elements into an array of numbers, which may have room for more. */
    public Status receiveInto(Object values, int from, int tag) {
        return receiveInto(values, ElementType.of(values.getClass()), from, tag);
    }

    /** Receives elements of a type into an array or a buffer, which may have room for more. */
    public Status receiveInto(Object values, ElementType type, int from, int tag) {
        try (Room room = Room.into(values); Room told = Room.of(UpcallMpiStatus.SIZE)) {
            UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
            MpiException.of(() -> checked.receiveInto(room.segment(), type.handle(), from, tag, status));
            room.back(status.bytes());
            return Status.of(status);
        } finally {
            Reference.reachabilityFence(values);
        }
    }

    /** Sends an array of numbers to one rank and receives one of another class from another, which cannot block each other. */
    public Status sendReceiveInto(Object values, int to, int sendTag, Object into, int from, int receiveTag) {
        ElementType type = ElementType.of(values.getClass());
        ElementType intoType = ElementType.of(into.getClass());
        try (Room sent = Room.from(values); Room received = Room.into(into); Room told = Room.of(UpcallMpiStatus.SIZE)) {
            UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
            MpiException.of(() -> checked.sendReceive(
                    sent.segment(), type.handle(), to, sendTag, received.segment(), intoType.handle(), from, receiveTag, status));
            received.back(status.bytes());
            return Status.of(status);
        }
    }

    /**
     * The communicator for what all ranks do together with elements of a class, which they compare: one small exchange, where types
     * are checked. What is sent from rank to rank on it is not checked.
     *
     * @throws MpiException a rank has another type: on all of them, each with its own; or MPI refuses
     */
    public Communicator together(Class<?> type) {
        return together(ElementType.of(type));
    }

    /** The same with elements of a type. */
    public Communicator together(ElementType type) {
        UpcallMpiCommunicator together = MpiException.of(() -> checked.together(type.handle()));
        return new Communicator(together, of.serializer());
    }

    private static Elements numbers(Object value) {
        Elements elements = value == null ? null : Elements.of(value.getClass());
        if (elements == null) {
            throw new IllegalArgumentException((value == null ? "null" : value.getClass().getName())
                    + " is no number and no array of them; send a buffer with its ElementType");
        }
        return elements;
    }

    @Override
    public void close() {
        checked.close();
    }
}
