package upcall;

import java.lang.reflect.Type;

/**
 * What the types of a handler mean for what it says of itself and for its pools.
 *
 * @param takes how it takes values
 * @param gives how it emits them
 */
record Typing(Form takes, Form gives) {
    /** What is wrong with the types of a handler; null when nothing is. */
    static String wrong(Class<?> handler, Class<?> wanted) {
        Type[] given = TypeArguments.of(handler, wanted);
        if (given.length != 2 || TypeArguments.raw(given[0]) == null || TypeArguments.raw(given[1]) == null) {
            return "its types are not known; implement " + wanted.getSimpleName() + "<I, O> with a class for each";
        }
        try {
            return of(handler, wanted).gives.unwritable("emitted");
        } catch (PoolTypeException exception) {
            return exception.getMessage();
        }
    }

    /**
     * Those of a class that says them.
     *
     * @throws PoolTypeException one of them cannot be used for values
     */
    static Typing of(Class<?> handler, Class<?> wanted) {
        Type[] given = TypeArguments.of(handler, wanted);
        return new Typing(Form.of(TypeArguments.raw(given[0])), Form.of(TypeArguments.raw(given[1])));
    }

    void describe(Description about) {
        say(about, Abi.About.TAKES, takes);
        say(about, Abi.About.GIVES, gives);
    }

    private static void say(Description about, int what, Form form) {
        if (!form.names.isEmpty()) {
            about.say(what, form.name(), form.size == 0 ? "" : Integer.toString(form.size));
        }
    }

    /** Throws when the types are not those of the pools. */
    void check(Session session) {
        for (Pool pool : session.pools) {
            String wrong = pool.access().contains(PoolAccess.WATCH) ? takes.disagrees(pool, "takes") : null;
            if (wrong != null) {
                throw new PoolTypeException(wrong);
            }
        }
        session.agreeFirst(gives);
    }
}
