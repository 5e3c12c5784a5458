package upcall;

import java.util.List;

/**
 * How pools are read that the handler may read.
 *
 * @param <F> what a read finds
 * @param <K> a key that is listed
 */
abstract class Reads<F, K> {
    Reads() {}

    abstract F read(PoolId pool, byte[] key, int asOf, long at);

    /** The pool with this path, which is to be read or emitted to. */
    abstract PoolId find(String path, PoolAccess use);

    abstract List<K> keys(PoolId pool, byte[] prefix);

    /** The newest version of a key in a pool that the handler may read; null when there is none. */
    public final F get(PoolId pool, String key) {
        return get(pool, Emits.utf8(key));
    }

    /** The newest version of a key in a pool that the handler may read; null when there is none. */
    public final F get(PoolId pool, byte[] key) {
        return read(pool, key, Abi.AsOf.NOW, 0);
    }

    /** As {@link #get(PoolId, String)}, by the path of the pool; slower than by its id. */
    public final F get(String path, String key) {
        return get(find(path, PoolAccess.READ), key);
    }

    /** As {@link #get(PoolId, byte[])}, by the path of the pool; slower than by its id. */
    public final F get(String path, byte[] key) {
        return get(find(path, PoolAccess.READ), key);
    }

    /**
     * A key of such a pool as it was at a version of the pool: its newest version that is not after it.
     *
     * @throws VersionNotKeptException what the key was then is no longer kept
     */
    public final F getAt(PoolId pool, String key, long version) {
        return getAt(pool, Emits.utf8(key), version);
    }

    /** As {@link #getAt(PoolId, String, long)}. */
    public final F getAt(PoolId pool, byte[] key, long version) {
        return read(pool, key, Abi.AsOf.VERSION, version);
    }

    /** As {@link #getAt(PoolId, String, long)}, by the path of the pool; slower than by its id. */
    public final F getAt(String path, String key, long version) {
        return getAt(find(path, PoolAccess.READ), key, version);
    }

    /** As {@link #getAt(PoolId, byte[], long)}, by the path of the pool; slower than by its id. */
    public final F getAt(String path, byte[] key, long version) {
        return getAt(find(path, PoolAccess.READ), key, version);
    }

    /**
     * A key of such a pool as it was at a time, in nanoseconds since the Unix epoch.
     *
     * @throws VersionNotKeptException what the key was then is no longer kept
     */
    public final F getByTime(PoolId pool, String key, long time) {
        return getByTime(pool, Emits.utf8(key), time);
    }

    /** As {@link #getByTime(PoolId, String, long)}. */
    public final F getByTime(PoolId pool, byte[] key, long time) {
        return read(pool, key, Abi.AsOf.TIME, time);
    }

    /** As {@link #getByTime(PoolId, String, long)}, by the path of the pool; slower than by its id. */
    public final F getByTime(String path, String key, long time) {
        return getByTime(find(path, PoolAccess.READ), key, time);
    }

    /** As {@link #getByTime(PoolId, byte[], long)}, by the path of the pool; slower than by its id. */
    public final F getByTime(String path, byte[] key, long time) {
        return getByTime(find(path, PoolAccess.READ), key, time);
    }

    /** The keys of such a pool that begin with a prefix, sorted, as they are now. Walks the whole pool. */
    public final List<K> list(PoolId pool, String prefix) {
        return keys(pool, Emits.utf8(prefix));
    }

    /** As {@link #list(PoolId, String)}, by the path of the pool; slower than by its id. */
    public final List<K> list(String path, String prefix) {
        return list(find(path, PoolAccess.READ), prefix);
    }
}
