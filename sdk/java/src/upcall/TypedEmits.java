package upcall;

import java.util.List;

/**
 * What can be emitted as values of one type, and where to.
 *
 * @param <T> what is emitted
 * @param <F> what a read finds
 * @param <K> a key that is listed
 */
abstract class TypedEmits<T, F, K> extends Reads<F, K> {
    private final Emits<F, K> emits;
    private final Form form;

    TypedEmits(Emits<F, K> emits, Form form) {
        this.emits = emits;
        this.form = form;
    }

    /** Emits an object into the handler's first pool. */
    public final void put(byte[] key, T value) {
        put(emits.first(), key, value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(View key, T value) {
        put(emits.first(), key, value);
    }

    /** Emits an object into the handler's first pool. */
    public final void put(String key, T value) {
        put(emits.first(), Emits.utf8(key), value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, byte[] key, T value) {
        put(emits.checked(pool), key, value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, View key, T value) {
        put(emits.checked(pool), key, value);
    }

    /** Emits an object into a pool that the handler declares. */
    public final void put(PoolId pool, String key, T value) {
        put(emits.checked(pool), Emits.utf8(key), value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, byte[] key, T value) {
        put(emits.output(path), key, value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, View key, T value) {
        put(emits.output(path), key, value);
    }

    /** Emits an object into the pool with this path; slower than by its id. */
    public final void put(String path, String key, T value) {
        put(emits.output(path), Emits.utf8(key), value);
    }

    /**
     * Emits an object into the handler's first pool if the newest version of its key is {@code previous} when it arrives
     * there, 0 for none; see {@link Emitter#putIf(byte[], byte[], long)}.
     */
    public final void putIf(byte[] key, T value, long previous) {
        putIf(emits.first(), key, value, previous);
    }

    /** The same, into the handler's first pool. */
    public final void putIf(String key, T value, long previous) {
        putIf(Emits.utf8(key), value, previous);
    }

    /** The same, into a pool that the handler declares. */
    public final void putIf(PoolId pool, byte[] key, T value, long previous) {
        putIf(emits.checked(pool), key, value, previous);
    }

    /** The same, into a pool that the handler declares. */
    public final void putIf(PoolId pool, String key, T value, long previous) {
        putIf(pool, Emits.utf8(key), value, previous);
    }

    private void put(int pool, byte[] key, T value) {
        emits.agree(form, pool);
        emits.write(pool, key, form, form.checked(value));
    }

    private void put(int pool, View key, T value) {
        emits.agree(form, pool);
        emits.write(pool, key, form, form.checked(value));
    }

    private void putIf(int pool, byte[] key, T value, long previous) {
        emits.agree(form, pool);
        byte[] packed = form.pack(form.checked(value));
        emits.conditionally(previous, () -> emits.write(pool, key, packed));
    }

    @Override
    final F read(PoolId pool, byte[] key, int asOf, long at) {
        return emits.read(pool, key, asOf, at);
    }

    @Override
    final PoolId find(String path, PoolAccess use) {
        return emits.find(path, use);
    }

    @Override
    final List<K> keys(PoolId pool, byte[] prefix) {
        return emits.keys(pool, prefix);
    }
}
