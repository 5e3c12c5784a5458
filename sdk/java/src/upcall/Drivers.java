package upcall;

import java.util.List;
import java.util.stream.Collectors;

/** Which driver a handler has: the kinds of handlers that there are. */
final class Drivers {
    /** What a class has to do to be a handler. */
    static final String ADVICE = "implement ObjectHandler, BatchHandler or TypedHandler<I, O>, one that answers later "
            + "AsyncObjectHandler or AsyncTypedHandler<I, O>, one that combines arrays Combine<T>, a vertex program VertexHandler, GatherHandler or IntervalHandler";

    /** A class is called in one of these ways; of the first two, in the second. */
    private static final List<Class<?>> KINDS = List.of(
            ObjectHandler.class,
            BatchHandler.class,
            TypedHandler.class,
            AsyncObjectHandler.class,
            AsyncTypedHandler.class,
            Combine.class,
            VertexHandler.class,
            GatherHandler.class,
            IntervalHandler.class);

    private Drivers() {}

    /** Whether instances of the class are handlers. */
    static boolean drives(Class<?> type) {
        return KINDS.stream().anyMatch(kind -> kind.isAssignableFrom(type));
    }

    /** Why a class whose instances are handlers of some kind cannot be one; null when it can. */
    static String wrong(Class<?> type) {
        List<Class<?>> kinds = KINDS.stream().filter(kind -> kind.isAssignableFrom(type)).toList();
        if (kinds.size() > 1 && !kinds.equals(KINDS.subList(0, 2))) {
            String names = kinds.stream().map(Class::getSimpleName).collect(Collectors.joining(" and "));
            return "it is " + names + ", which are called in different ways; make a class for each";
        }
        Class<?> kind = kinds.get(0);
        if (kind == TypedHandler.class || kind == AsyncTypedHandler.class) {
            return Typing.wrong(type, kind);
        }
        return kind != Combine.class || Elements.of(type) != null
                ? null
                : "what it combines are no arrays of numbers; implement Combine<double[]>, or of float[], long[], int[], short[] "
                        + "or byte[]";
    }

    /** Why instances of a class cannot be handlers, with its name; null when they can. */
    static String refused(Class<?> type) {
        String wrong = drives(type) ? wrong(type) : ADVICE;
        return wrong == null ? null : type.getName() + " cannot be a handler: " + wrong;
    }

    /**
     * A handler's driver.
     *
     * @throws IllegalArgumentException it is none, or cannot be one
     */
    static Driver of(Object handler) {
        String refused = refused(handler.getClass());
        if (refused != null) {
            throw new IllegalArgumentException(refused);
        }
        if (handler instanceof BatchHandler batch) {
            return new BatchDriver(batch);
        }
        if (handler instanceof ObjectHandler single) {
            return new ObjectDriver(single);
        }
        if (handler instanceof TypedHandler<?, ?> typed) {
            return new ObjectDriver(new TypedDriver<>(typed));
        }
        if (handler instanceof AsyncObjectHandler later) {
            return new AsyncDriver(later);
        }
        if (handler instanceof AsyncTypedHandler<?, ?> typed) {
            return new AsyncDriver(new AsyncTypedDriver<>(typed));
        }
        if (handler instanceof VertexProgram program) {
            return new VertexDriver(program);
        }
        return new CombineDriver((Combine<?>) handler, Elements.of(handler.getClass()));
    }
}
