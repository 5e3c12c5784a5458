package upcall.mpi;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import upcall.bindings.UpcallMpiCommunicator;
import upcall.bindings.UpcallMpiKey;

/**
 * What a value is kept under with communicators, as MPI's own attributes: a library in C that duplicates or frees a communicator
 * has its values copied and let go of as well. Made once, as a constant; it may be used by several threads.
 *
 * @param <T> the values' class
 */
public final class Key<T> {
    /** The values that communicators keep, by their numbers. */
    private static final Map<Long, Object> VALUES = new ConcurrentHashMap<>();
    private static final AtomicLong LAST = new AtomicLong();

    private final boolean copied;
    private UpcallMpiKey key;

    private Key(boolean copied) {
        this.copied = copied;
    }

    /** One whose values stay behind: a duplicate of a communicator has none. */
    public static <T> Key<T> create() {
        return new Key<>(false);
    }

    /** One whose values a duplicate of a communicator has too: the same objects, not copies of them. */
    public static <T> Key<T> copied() {
        return new Key<>(true);
    }

    /** It is made when it is first used, as MPI's library is loaded then. */
    private synchronized UpcallMpiKey key() {
        if (key == null) {
            key = new UpcallMpiKey(copied);
        }
        return key;
    }

    void set(UpcallMpiCommunicator comm, T value) {
        long number = LAST.incrementAndGet();
        VALUES.put(number, Objects.requireNonNull(value, "value"));
        MpiException.of(() -> comm.setValue(key(), number, () -> VALUES.remove(number)));
    }

    @SuppressWarnings("unchecked")
    Optional<T> get(UpcallMpiCommunicator comm) {
        long number = MpiException.of(() -> comm.value(key()));
        return Optional.ofNullable((T) VALUES.get(number));
    }

    boolean remove(UpcallMpiCommunicator comm) {
        return MpiException.of(() -> comm.removeValue(key()));
    }
}
