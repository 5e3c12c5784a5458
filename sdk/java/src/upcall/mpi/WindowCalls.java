package upcall.mpi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;
import java.util.function.Supplier;
import upcall.bindings.UpcallMpiEpoch;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallMpiLock;
import upcall.bindings.UpcallMpiMemory;
import upcall.bindings.UpcallMpiWindow;

/** What {@link Window} and {@link SharedWindow} have in common. */
abstract class WindowCalls<A> implements AutoCloseable {
    final UpcallMpiWindow window;
    final Elements elements;
    /** The program's buffer that it was made over; null of all others. */
    private final ByteBuffer over;
    private boolean closed;

    WindowCalls(UpcallMpiWindow window, Elements elements, ByteBuffer over) {
        this.window = window;
        this.elements = elements;
        this.over = over;
    }

    /** Memory of a rank's: where it is the program's buffer, a part of that, which keeps it. */
    final ByteBuffer view(UpcallMpiMemory memory) {
        long bytes = memory.bytes();
        if (over != null && bytes > 0) {
            long at = memory.address() - MemorySegment.ofBuffer(over).address();
            if (at >= 0 && at + bytes <= over.capacity()) {
                return over.slice((int) at, (int) bytes).order(ByteOrder.nativeOrder());
            }
        }
        return MpiBuffer.view(memory);
    }

    /** What the elements are; an error where they are none. */
    static Elements elements(Class<?> array) {
        Elements elements = Elements.of(array);
        if (elements == null || !array.isArray()) {
            throw new IllegalArgumentException(array.getName() + " is no array of numbers, as double[].class is");
        }
        return elements;
    }

    /** Makes one of so many elements. All ranks are told of a negative number, which is too large a one to the library. */
    static UpcallMpiWindow made(long count, Supplier<UpcallMpiWindow> make) {
        try {
            return MpiException.of(make);
        } catch (MpiException refused) {
            throw count < 0 ? new IllegalArgumentException("a window has no " + count + " elements", refused) : refused;
        }
    }

    /** This process's rank, as the window numbers them. */
    public final int rank() {
        return window.rank();
    }

    /** How many ranks there are. */
    public final int size() {
        return window.size();
    }

    /**
     * How many elements a rank has.
     *
     * @throws MpiException there is no such rank
     */
    public final long length(int rank) {
        return call(() -> window.length(rank));
    }

    /** Whether what is written here and what others write is one memory, in MPI's words: its unified model. */
    public final boolean isUnified() {
        return call(window::isUnified);
    }

    /**
     * An epoch with one rank, which need not call anything. Several ranks may be locked at once, each once.
     *
     * @throws MpiException there is no such rank, it is locked by this rank already, another epoch is open, or MPI refuses
     */
    public final PassiveEpoch<A> lock(Lock lock, int rank) {
        int number = Objects.requireNonNull(lock, "lock") == Lock.EXCLUSIVE ? UpcallMpiLock.EXCLUSIVE : UpcallMpiLock.SHARED;
        return new PassiveEpoch<>(this, call(() -> window.lock(number, rank)));
    }

    /**
     * An epoch with all ranks, which others may have at the same time: for {@link PassiveEpoch#fetchAndOp} and the like, and
     * whatever does not overlap.
     *
     * @throws MpiException another epoch is open, or MPI refuses
     */
    public final PassiveEpoch<A> lockAll() {
        return new PassiveEpoch<>(this, call(window::lockAll));
    }

    /**
     * This rank's own memory, in place, when no other rank has locked it: it is locked until it is closed.
     *
     * @throws MpiException it is locked by this rank already, or exposed; an epoch with several ranks is open; or MPI refuses
     */
    public final LocalMemory local() {
        return inPlace(rank());
    }

    final LocalMemory inPlace(int rank) {
        UpcallMpiEpoch epoch = call(() -> window.memoryOf(rank));
        return new LocalMemory(this, epoch, rank);
    }

    /** Calls it, where it was not closed. */
    final <T> T call(Supplier<T> call) {
        if (closed) {
            throw new MpiException(MpiError.LIFECYCLE, "use a window: it is closed");
        }
        return MpiException.of(call);
    }

    /**
     * Ends it, when all ranks do. Collective. A second call does nothing.
     *
     * @throws MpiException an epoch is open, or this thread may not call MPI: the window is as it was; or MPI refuses, or has been
     *     finalized
     */
    @Override
    public final void close() {
        if (closed) {
            return;
        }
        try {
            MpiException.of(window::free);
            closed = true;
        } catch (MpiException failed) {
            closed = failed.error() != MpiError.SYNCHRONIZATION && failed.error() != MpiError.USAGE;
            throw failed;
        }
    }
}
