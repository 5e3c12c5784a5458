package upcall;

/** What a read of a pool found: a view that ends with the call. */
public final class Found {
    private final View value;
    private final long version;
    private final long time;

    Found(View value, long version, long time) {
        this.value = value;
        this.version = version;
        this.time = time;
    }

    /** The value. */
    public View value() {
        return value;
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
