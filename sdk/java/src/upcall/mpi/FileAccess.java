package upcall.mpi;

import java.lang.ref.Reference;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiFile;
import upcall.bindings.UpcallMpiPlace;
import upcall.bindings.UpcallMpiRequest;

/**
 * Reading and writing of a {@link File}. What is read into or written is an array of numbers, or a {@link ByteBuffer} between its
 * position and its limit: a direct one in place, all else by a copy. Offsets count the elements of the view.
 *
 * <p>A read returns as many elements (of a buffer: bytes) as there are before the file's end, which may be none; an array is
 * as long
 * then. A write that is not done in full is an error. What was not opened so is an {@link MpiError#ACCESS}, what is no whole
 * number of
 * the view's elements an {@link MpiError#TYPE}, and a full disk {@link MpiError#NO_SPACE}.
 */
abstract class FileAccess {
    final UpcallMpiFile file;

    FileAccess(UpcallMpiFile file) {
        this.file = file;
    }

    /**
     * Reads so many elements from an offset on.
     *
     * @param array the class of the array, as {@code double[].class}
     */
    public final <A> A readAt(Class<A> array, long offset, int count) {
        return read(array, count, UpcallMpiPlace.AT, offset);
    }

    /** The same into an array or buffer: how many there were. */
    public final int readAtInto(Object into, long offset) {
        return readInto(into, UpcallMpiPlace.AT, offset);
    }

    /** Writes elements at an offset. */
    public final void writeAt(Object values, long offset) {
        write(values, UpcallMpiPlace.AT, offset);
    }

    /**
     * Reads so many elements from an offset of each rank's own, all ranks together. Collective.
     *
     * @param array the class of the array, as {@code double[].class}
     */
    public final <A> A readAtAll(Class<A> array, long offset, int count) {
        return read(array, count, UpcallMpiPlace.AT_ALL, offset);
    }

    /** The same into an array or buffer: how many there were. */
    public final int readAtAllInto(Object into, long offset) {
        return readInto(into, UpcallMpiPlace.AT_ALL, offset);
    }

    /** Writes elements to an offset of each rank's own, all ranks together. Collective. */
    public final void writeAtAll(Object values, long offset) {
        write(values, UpcallMpiPlace.AT_ALL, offset);
    }

    /**
     * Reads so many elements from this rank's pointer on, and moves that behind them.
     *
     * @param array the class of the array, as {@code double[].class}
     */
    public final <A> A read(Class<A> array, int count) {
        return read(array, count, UpcallMpiPlace.POINTER, 0);
    }

    /** The same into an array or buffer: how many there were. */
    public final int readInto(Object into) {
        return readInto(into, UpcallMpiPlace.POINTER, 0);
    }

    /** Writes elements from this rank's pointer on, and moves that behind them. */
    public final void write(Object values) {
        write(values, UpcallMpiPlace.POINTER, 0);
    }

    /**
     * Reads so many elements from this rank's pointer on, all ranks together. Collective.
     *
     * @param array the class of the array, as {@code double[].class}
     */
    public final <A> A readAll(Class<A> array, int count) {
        return read(array, count, UpcallMpiPlace.POINTER_ALL, 0);
    }

    /** The same into an array or buffer: how many there were. */
    public final int readAllInto(Object into) {
        return readInto(into, UpcallMpiPlace.POINTER_ALL, 0);
    }

    /** Writes elements from this rank's pointer on, all ranks together. Collective. */
    public final void writeAll(Object values) {
        write(values, UpcallMpiPlace.POINTER_ALL, 0);
    }

    /**
     * Reads so many elements from the pointer on that all ranks have, in no order: no two ranks read the same. All ranks have
     * the same view.
     *
     * @param array the class of the array, as {@code double[].class}
     */
    public final <A> A readShared(Class<A> array, int count) {
        return read(array, count, UpcallMpiPlace.SHARED, 0);
    }

    /** The same into an array or buffer: how many there were. */
    public final int readSharedInto(Object into) {
        return readInto(into, UpcallMpiPlace.SHARED, 0);
    }

    /**
     * Writes elements from the pointer on that all ranks have, in no order: no two ranks write to the same place. All ranks
     * have the same view.
     */
    public final void writeShared(Object values) {
        write(values, UpcallMpiPlace.SHARED, 0);
    }

    /**
     * Reads so many elements from the pointer on that all ranks have, in the order of the ranks. Collective.
     *
     * @param array the class of the array, as {@code double[].class}
     */
    public final <A> A readOrdered(Class<A> array, int count) {
        return read(array, count, UpcallMpiPlace.ORDERED, 0);
    }

    /** The same into an array or buffer: how many there were. */
    public final int readOrderedInto(Object into) {
        return readInto(into, UpcallMpiPlace.ORDERED, 0);
    }

    /** Writes elements from the pointer on that all ranks have, in the order of the ranks. Collective. */
    public final void writeOrdered(Object values) {
        write(values, UpcallMpiPlace.ORDERED, 0);
    }

    /**
     * Begins to read into an array or buffer from an offset on. It goes on in the background where all threads may call MPI ({@link
     * Threads#MULTIPLE}), else it is done when this returns. A direct buffer is filled in place, others when {@link
     * Request#waitFor}
     * or {@link Request#test} says that it has ended; its status says how many bytes there were. Closing the file waits for it.
     */
    public final Request startReadAtInto(Object into, long offset) {
        long element = element(into);
        if (Elements.isDirect(into) && into instanceof Buffer buffer && !buffer.isReadOnly()) {
            MemorySegment room = Elements.segment(buffer);
            return request(
                    MpiException.of(() -> file.startReadAtLent(
                            room, room.byteSize(), element, offset, () -> Reference.reachabilityFence(buffer))),
                    null);
        }
        Room.into(into).close();
        return request(MpiException.of(() -> file.startReadAt(Room.bytes(into), element, offset)), into);
    }

    /**
     * Begins to write an array or buffer at an offset, as {@link #startReadAtInto} reads: a copy of it, or a direct buffer in
     * place,
     * which is not to be changed until it has ended.
     */
    public final Request startWriteAt(Object values, long offset) {
        if (Elements.isDirect(values) && values instanceof Buffer buffer) {
            MemorySegment data = Elements.segment(buffer);
            return request(
                    MpiException.of(() -> file.startWriteAtLent(
                            data, data.byteSize(), offset, () -> Reference.reachabilityFence(buffer))),
                    null);
        }
        try (Room room = Room.from(values)) {
            return request(MpiException.of(() -> file.startWriteAt(room.segment(), offset)), null);
        }
    }

    private static Request request(UpcallMpiRequest request, Object into) {
        return new MpiRequest(request, into);
    }

    private <A> A read(Class<A> array, int count, int place, long offset) {
        Elements elements = elements(array);
        if (!array.isArray()) {
            throw new IllegalArgumentException(array.getName() + " is no array of numbers, as double[].class is");
        }
        Object values = elements.make(count);
        int read = readInto(values, place, offset);
        return array.cast(read == count ? values : elements.first(values, read));
    }

    private int readInto(Object into, int place, long offset) {
        long element = element(into);
        try (Room room = Room.into(into)) {
            long bytes = MpiException.of(() -> file.read(room.segment(), element, place, offset));
            room.back(bytes);
            return (int) (bytes / element);
        } finally {
            Reference.reachabilityFence(into);
        }
    }

    private void write(Object values, int place, long offset) {
        try (Room room = Room.from(values)) {
            MpiException.of(() -> file.write(room.segment(), place, offset));
        } finally {
            Reference.reachabilityFence(values);
        }
    }

    /** The bytes of an element of an array or buffer. */
    private static long element(Object values) {
        Room.bytes(values);
        return values instanceof ByteBuffer ? 1 : elements(values.getClass()).size();
    }

    static Elements elements(Class<?> type) {
        Elements elements = Elements.of(type);
        if (elements == null) {
            throw new IllegalArgumentException(type.getName() + " is no array of numbers, as double[].class is");
        }
        return elements;
    }
}
