package upcall;

/** Which driver a handler has: the kinds of handlers that there are. */
final class Drivers {
    /** What a class has to do to be a handler. */
    static final String ADVICE = "implement ObjectHandler or BatchHandler; one that combines arrays implements Combine<T>";

    private Drivers() {}

    /** Whether instances of the class are handlers. */
    static boolean drives(Class<?> type) {
        return flow(type) || Combine.class.isAssignableFrom(type);
    }

    /** Why a class whose instances are handlers of some kind cannot be one; null when it can. */
    static String wrong(Class<?> type) {
        if (!Combine.class.isAssignableFrom(type)) {
            return null;
        }
        return flow(type)
                ? "it handles objects of a flow and combines arrays; make a class for each"
                : Elements.of(type) == null
                        ? "what it combines are no arrays of numbers; implement Combine<double[]>, or of float[], long[], int[], "
                                + "short[] or byte[]"
                        : null;
    }

    static Driver of(Object handler) {
        String wrong = drives(handler.getClass()) ? wrong(handler.getClass()) : ADVICE;
        if (wrong != null) {
            throw new IllegalArgumentException(handler.getClass().getName() + " is not a handler: " + wrong);
        }
        if (handler instanceof BatchHandler batch) {
            return new BatchDriver(batch);
        }
        if (handler instanceof ObjectHandler single) {
            return new ObjectDriver(single);
        }
        return new CombineDriver((Combine<?>) handler, Elements.of(handler.getClass()));
    }

    private static boolean flow(Class<?> type) {
        return ObjectHandler.class.isAssignableFrom(type) || BatchHandler.class.isAssignableFrom(type);
    }
}
