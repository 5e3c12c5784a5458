package upcall;

import java.util.List;

/**
 * Writes what a handler that answers later emits for one object, and reads pools, until the object is answered. It may be used
 * on any thread; what is emitted on one comes out in that order.
 *
 * <p>When the object is over, each method throws one of three exceptions: {@link ItemTimedOutException}, {@link
 * ItemCancelledException}, {@link ItemClosedException}.
 */
public final class AsyncEmitter extends Emits<FoundCopy, byte[]> {
    private final AsyncCall call;

    AsyncEmitter(AsyncCall call) {
        this.call = call;
    }

    /** The same emitter for values of one type: see {@link TypedHandler}. */
    public <T> AsyncTypedEmitter<T> of(Class<T> type) {
        call.check();
        return new AsyncTypedEmitter<>(this, Form.of(type));
    }

    @Override
    FoundCopy read(PoolId pool, byte[] key, int asOf, long at) {
        synchronized (call) {
            Found found = call.emitter().read(pool, key, asOf, at);
            return found == null ? null : new FoundCopy(call.session, pool, key, found);
        }
    }

    @Override
    List<byte[]> keys(PoolId pool, byte[] prefix) {
        synchronized (call) {
            return call.emitter().keys(pool, prefix).stream().map(View::toArray).toList();
        }
    }

    @Override
    Session session() {
        return call.session;
    }

    @Override
    int first() {
        call.check();
        return call.session.first();
    }

    @Override
    int checked(PoolId pool) {
        call.check();
        return call.session.checked(pool);
    }

    @Override
    PoolId find(String path, PoolAccess use) {
        call.check();
        return call.session.find(path, use);
    }

    @Override
    void agree(Form form, int pool) {
        synchronized (call) {
            call.session.agree(form, pool);
        }
    }

    @Override
    void write(int pool, byte[] key, byte[] value) {
        synchronized (call) {
            call.emitter().write(pool, key, value);
        }
    }

    @Override
    void write(int pool, View key, byte[] value) {
        write(pool, key.toArray(), value);
    }

    @Override
    void write(int pool, byte[] key, View value) {
        write(pool, key, value.toArray());
    }

    @Override
    void write(int pool, View key, View value) {
        write(pool, key.toArray(), value.toArray());
    }

    @Override
    void write(int pool, byte[] key, long value, int bytes) {
        synchronized (call) {
            call.emitter().write(pool, key, value, bytes);
        }
    }

    @Override
    void write(int pool, View key, long value, int bytes) {
        write(pool, key.toArray(), value, bytes);
    }

    @Override
    void conditionally(long previous, Runnable write) {
        synchronized (call) {
            call.emitter().conditionally(previous, write);
        }
    }
}
