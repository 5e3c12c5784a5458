package upcall;

/** Which driver a handler has: the kinds of handlers that there are. */
final class Drivers {
    /** What a class has to do to be a handler. */
    static final String ADVICE = "implement ObjectHandler or BatchHandler";

    private Drivers() {}

    /** Whether instances of the class are handlers. */
    static boolean drives(Class<?> type) {
        return FlowHandler.class.isAssignableFrom(type);
    }

    static Driver of(Object handler) {
        if (handler instanceof BatchHandler batch) {
            return new BatchDriver(batch);
        }
        if (handler instanceof ObjectHandler single) {
            return new ObjectDriver(single);
        }
        throw new IllegalArgumentException(handler.getClass().getName() + " is not a handler: " + ADVICE);
    }
}
