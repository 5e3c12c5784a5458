package upcall.mpi;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiMessage;
import upcall.bindings.UpcallMpiMode;
import upcall.bindings.UpcallMpiRequest;
import upcall.bindings.UpcallMpiStatus;

/** What a communicator has for two ranks. */
abstract class CommunicatorMessages {
    /** Any rank. */
    public static final int ANY_SOURCE = -1;

    /** Any tag. */
    public static final int ANY_TAG = -1;

    final UpcallMpiCommunicator comm;
    private volatile Serializer serializer = Serializer.JAVA;

    CommunicatorMessages(UpcallMpiCommunicator comm) {
        this.comm = comm;
    }

    /** How objects become bytes: {@link Serializer#JAVA} where nothing else was said. */
    public final Serializer serializer() {
        return serializer;
    }

    /** Says how objects become bytes; communicators that are made of this one do the same. All ranks say the same. */
    public final void serializer(Serializer serializer) {
        this.serializer = Objects.requireNonNull(serializer, "serializer");
    }

    /**
     * Keeps a value with this communicator, on this process, instead of what was there under this key. It is let go of when it is
     * replaced or removed, or the communicator is freed.
     *
     * @param value anything but null
     */
    public final <T> void set(Key<T> key, T value) {
        key.set(comm, value);
    }

    /** What is kept with this communicator under a key. */
    public final <T> Optional<T> get(Key<T> key) {
        return key.get(comm);
    }

    /** Takes away what is kept with this communicator under a key. Returns whether there was anything. */
    public final boolean remove(Key<?> key) {
        return key.remove(comm);
    }

    /**
     * Sends a value, and returns when it may be changed again, which may be before or after it is received.
     *
     * @param value an array of {@code byte}, {@code short}, {@code int}, {@code long}, {@code float} or {@code double}, one such
     *     number, a {@link ByteBuffer} or a buffer of such numbers, as a {@link java.nio.DoubleBuffer} (what is between its
     *     position and its limit, which stay; a direct one in this machine's order is not copied), or
     *     an object, which the {@link #serializer} writes
     * @param to the rank that receives it
     * @throws MpiException there is no such rank or tag, the value has no form, or MPI refuses
     */
    public void send(Object value, int to, int tag) {
        send(value, to, tag, UpcallMpiMode.STANDARD);
    }

    /** As {@link #send(Object, int, int)}, and returns when the receiver has begun to receive. */
    public void sendSynchronous(Object value, int to, int tag) {
        send(value, to, tag, UpcallMpiMode.SYNCHRONOUS);
    }

    /** As {@link #send(Object, int, int)}, where the receiver is known to wait already: otherwise the message may be lost. */
    public void sendReady(Object value, int to, int tag) {
        send(value, to, tag, UpcallMpiMode.READY);
    }

    /**
     * As {@link #send(Object, int, int)}, of a copy in the {@link Environment#attachBuffer buffer of sends}: it returns whether or
     * not anybody receives it.
     *
     * @throws MpiException as there; or the buffer has no room for it, or none is attached ({@link MpiError#BUFFER}): then nothing
     *     was sent
     */
    public void sendBuffered(Object value, int to, int tag) {
        send(value, to, tag, UpcallMpiMode.BUFFERED);
    }

    private void send(Object value, int to, int tag, int mode) {
        Object values = Values.written(value, serializer);
        try (Room room = Room.from(values)) {
            MemorySegment data = room.segment();
            MpiException.of(() -> comm.send(data, to, tag, mode));
        } finally {
            Reference.reachabilityFence(values);
        }
    }

    /**
     * Receives a value of a class, of any size.
     *
     * @param type what was sent: the class of an array of numbers or of a number, {@code ByteBuffer}, or an object's class or
     *     one above it
     * @param from the rank that sends it, or {@link #ANY_SOURCE}
     * @param tag its tag, or {@link #ANY_TAG}
     * @throws MpiException there is no such rank or tag, what arrives is no such value ({@link MpiError#TYPE}), or MPI refuses
     */
    public <T> T receive(Class<T> type, int from, int tag) {
        return Values.take(MpiException.of(() -> comm.receive(from, tag, null)), type, serializer);
    }

    /**
     * Receives elements into an array of numbers or a buffer of them or of bytes (between its position and its limit, which stay; a
     * direct one in place), which may have room for more.
     *
     * @throws MpiException as {@link #receive}; a message that is larger is {@link MpiError#TRUNCATED}
     */
    public Status receiveInto(Object values, int from, int tag) {
        try (Room room = Room.into(values); Room told = Room.of(UpcallMpiStatus.SIZE)) {
            MemorySegment into = room.segment();
            UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
            MpiException.of(() -> comm.receiveInto(into, from, tag, status));
            room.back(status.bytes());
            return Status.of(status);
        } finally {
            Reference.reachabilityFence(values);
        }
    }

    /** Sends a value to one rank and receives one from another, which cannot block each other. */
    public <T> T sendReceive(Object value, int to, int sendTag, Class<T> type, int from, int receiveTag) {
        try (Request sending = startSend(value, to, sendTag)) {
            T received = receive(type, from, receiveTag);
            sending.waitFor();
            return received;
        }
    }

    /** The same with arrays or buffers, in one call of MPI's. */
    public Status sendReceiveInto(Object values, int to, int sendTag, Object into, int from, int receiveTag) {
        try (Room sent = Room.from(values); Room received = Room.into(into); Room told = Room.of(UpcallMpiStatus.SIZE)) {
            UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
            MpiException.of(() ->
                    comm.sendReceive(sent.segment(), to, sendTag, received.segment(), from, receiveTag, status));
            received.back(status.bytes());
            return Status.of(status);
        } finally {
            Reference.reachabilityFence(values);
            Reference.reachabilityFence(into);
        }
    }

    /**
     * Waits for a message and says what is known of it. Whoever receives next may have it: where several threads receive, use
     * {@link #matched}.
     */
    public Status probe(int from, int tag) {
        return seen(from, tag, true).orElseThrow();
    }

    /** As {@link #probe}, of a message that has arrived already. */
    public Optional<Status> tryProbe(int from, int tag) {
        return seen(from, tag, false);
    }

    private Optional<Status> seen(int from, int tag, boolean wait) {
        try (Room told = Room.of(UpcallMpiStatus.SIZE)) {
            UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
            boolean found = MpiException.of(() -> comm.probe(from, tag, wait, status));
            return found ? Optional.of(Status.of(status)) : Optional.empty();
        }
    }

    /** Waits for a message and takes it, to be received later, by whichever thread. */
    public Message matched(int from, int tag) {
        return match(from, tag, true).orElseThrow();
    }

    /** Takes a message that has arrived already. */
    public Optional<Message> tryMatched(int from, int tag) {
        return match(from, tag, false);
    }

    private Optional<Message> match(int from, int tag, boolean wait) {
        UpcallMpiMessage message = new UpcallMpiMessage();
        boolean found = false;
        try {
            found = MpiException.of(() -> comm.matched(from, tag, wait, message));
        } finally {
            if (!found) {
                message.close();
            }
        }
        return found ? Optional.of(new Message(message, serializer)) : Optional.empty();
    }

    abstract Request startSend(Object value, int to, int tag);

    /**
     * Begins to receive elements into an array of numbers or a buffer, which may have room for more: a direct buffer in place;
     * others are filled when {@link Request#waitFor} or {@link Request#test} says that it has ended.
     */
    public Request startReceiveInto(Object values, int from, int tag) {
        if (Elements.isDirect(values) && values instanceof Buffer buffer && !buffer.isReadOnly()) {
            MemorySegment into = Elements.segment(buffer);
            return request(
                    MpiException.of(() -> comm.startReceiveLent(
                            into, into.byteSize(), from, tag, () -> Reference.reachabilityFence(buffer))),
                    null);
        }
        Room.into(values).close();
        return request(MpiException.of(() -> comm.startReceive(Room.bytes(values), from, tag)), values);
    }

    private static Request request(UpcallMpiRequest request, Object into) {
        return new MpiRequest(request, into);
    }

    /** Begins to receive a value of a class, of any size, which is there when it has ended. */
    public <T> ReceiveRequest<T> startReceive(Class<T> type, int from, int tag) {
        return new ReceiveRequest<>(this, type, from, tag);
    }
}
