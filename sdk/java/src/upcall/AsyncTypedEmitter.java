package upcall;

/**
 * Writes values of one type for an object of a handler that answers later, and reads pools; as {@link AsyncEmitter}.
 *
 * @param <T> what is emitted; see {@link TypedHandler}
 */
public final class AsyncTypedEmitter<T> extends TypedEmits<T, FoundCopy, byte[]> {
    private final AsyncEmitter emitter;

    AsyncTypedEmitter(AsyncEmitter emitter, Form form) {
        super(emitter, form);
        this.emitter = emitter;
    }

    /** The same emitter for bytes. */
    public AsyncEmitter bytes() {
        return emitter;
    }

    /** The same emitter for values of another type. */
    public <V> AsyncTypedEmitter<V> of(Class<V> type) {
        return emitter.of(type);
    }
}
