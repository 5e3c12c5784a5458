package upcall;

/** One object: a view that ends with the call. To keep its bytes, copy them. */
public final class FlowObject {
    private final Session session;
    private final long call;
    private final long item;

    FlowObject(Session session, long item) {
        this.session = session;
        this.call = session.call;
        this.item = item;
    }

    /** The key: UTF-8 bytes. */
    public View key() {
        return view(Abi.Item.KEY);
    }

    /** The value. */
    public View value() {
        return view(Abi.Item.VALUE);
    }

    /** The key as a new string. */
    public String keyText() {
        return key().text();
    }

    /** The value as a new string, read as UTF-8. */
    public String valueText() {
        return value().text();
    }

    /** A copy of the key. */
    public byte[] keyBytes() {
        return key().toArray();
    }

    /** A copy of the value. */
    public byte[] valueBytes() {
        return value().toArray();
    }

    /**
     * The value as one of this type, which may be what a {@link TypedHandler} takes.
     *
     * @throws IllegalArgumentException the bytes are no value of the type
     */
    @SuppressWarnings("unchecked")
    public <T> T valueAs(Class<T> type) {
        return (T) read(Form.of(type));
    }

    /** Strictly increasing per key, unique per pool; 0 for the sample of a flow file's {@code warm}. */
    public long version() {
        return Memory.getLong(place() + Abi.Item.VERSION);
    }

    /** Nanoseconds since the Unix epoch, never backward within a pool. */
    public long time() {
        return Memory.getLong(place() + Abi.Item.TIME);
    }

    /** The pool it was put into. */
    public PoolId pool() {
        return session.idOf(Memory.getInt(place() + Abi.Item.POOL));
    }

    /** The path of {@link #pool}. */
    public String poolPath() {
        return session.pathOf(Memory.getInt(place() + Abi.Item.POOL));
    }

    /** Who put it: an index into {@link OpenContext#senders}. */
    public int sender() {
        return Memory.getInt(place() + Abi.Item.SENDER);
    }

    /** The name of {@link #sender}. */
    public String senderName() {
        return session.nameOf(sender());
    }

    /** The value as one of this form. */
    Object read(Form form) {
        long place = place() + Abi.Item.VALUE;
        return form.read(key(), session.origin + Memory.getLong(place), Memory.length(place));
    }

    private View view(int slice) {
        long place = place() + slice;
        return new View(session, session.origin + Memory.getLong(place), Memory.length(place));
    }

    private long place() {
        session.check(call);
        return item;
    }
}
