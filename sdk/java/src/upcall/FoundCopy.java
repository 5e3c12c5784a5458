package upcall;

import java.nio.charset.StandardCharsets;

/** What a read of a pool found for a handler that answers later: a copy, which may be kept. */
public final class FoundCopy {
    private final Session session;
    private final PoolId pool;
    private final byte[] key;
    private final byte[] value;
    private final long version;
    private final long time;

    FoundCopy(Session session, PoolId pool, byte[] key, Found found) {
        this.session = session;
        this.pool = pool;
        this.key = key;
        value = found.value().toArray();
        version = found.version();
        time = found.time();
    }

    /** The value. */
    public byte[] value() {
        return value;
    }

    /** The value as text, read as UTF-8. */
    public String text() {
        return new String(value, StandardCharsets.UTF_8);
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
        return (T) form.read(new String(key, StandardCharsets.UTF_8), value);
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
