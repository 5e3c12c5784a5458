package upcall;

import java.nio.charset.StandardCharsets;

/** What a read of a pool found: a view that ends with the call. */
public final class Found {
    private final View value;
    private final long version;
    private final long time;
    private final Session session;
    private final PoolId pool;
    private final byte[] key;

    Found(Session session, PoolId pool, byte[] key, View value, long version, long time) {
        this.session = session;
        this.pool = pool;
        this.key = key;
        this.value = value;
        this.version = version;
        this.time = time;
    }

    /** The value. */
    public View value() {
        return value;
    }

    /** The value as new text, read as UTF-8. */
    public String text() {
        return value.text();
    }

    /**
     * The value as one of this type, which may be what a {@link TypedHandler} takes.
     *
     * @throws PoolTypeException the pool declares another type
     * @throws IllegalArgumentException the bytes are no value of the type
     */
    @SuppressWarnings("unchecked")
    public <T> T valueAs(Class<T> type) {
        Form form = Form.of(type);
        session.agreeRead(form, pool);
        return (T) form.read(new String(key, StandardCharsets.UTF_8), value.address(), value.length());
    }

    /** Its version. */
    public long version() {
        return version;
    }

    /** Nanoseconds since the Unix epoch. */
    public long time() {
        return time;
    }
}
