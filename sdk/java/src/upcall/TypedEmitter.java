package upcall;

/**
 * Writes values of one type into the engine's memory, and reads pools. Ends with the call.
 *
 * @param <T> what is emitted; see {@link TypedHandler}
 */
public final class TypedEmitter<T> extends TypedEmits<T, Found, View> {
    private final Emitter emitter;

    TypedEmitter(Emitter emitter, Form form) {
        super(emitter, form);
        this.emitter = emitter;
    }

    /** The same emitter for bytes. */
    public Emitter bytes() {
        return emitter;
    }

    /** The same emitter for values of another type. */
    public <V> TypedEmitter<V> of(Class<V> type) {
        return emitter.of(type);
    }
}
