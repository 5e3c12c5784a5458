package upcall;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** What handlers in a test harness call, by numbers that are no addresses; all else is the host's. */
final class TestCalls extends Calls {
    static final long GROW = 1;
    static final long READ = 2;
    static final long LIST = 3;
    static final long LOG = 4;
    static final long COMPLETE = 5;

    private static final Map<Long, TestEngine> ENGINES = new ConcurrentHashMap<>();
    private static final AtomicLong NEXT = new AtomicLong();

    private final Calls host;

    private TestCalls(Calls host) {
        this.host = host;
    }

    /** Gives an engine the number that is its context. */
    static synchronized long enter(TestEngine engine) {
        if (!(to instanceof TestCalls)) {
            to = new TestCalls(to);
        }
        long context = NEXT.incrementAndGet();
        ENGINES.put(context, engine);
        return context;
    }

    static void leave(long context) {
        ENGINES.remove(context);
    }

    @Override
    int grow(long function, long frame, long need) {
        return function == GROW ? Chunks.grow(frame, need) : host.grow(function, frame, need);
    }

    @Override
    int ask(long function, long context, long query, long found) {
        return function == READ || function == LIST
                ? ENGINES.get(context).ask(function == LIST, query, found)
                : host.ask(function, context, query, found);
    }

    @Override
    void log(long function, long context, int level, long text, long length) {
        if (function == LOG) {
            byte[] bytes = new byte[(int) length];
            Memory.copy(text, bytes, bytes.length);
            ENGINES.get(context).log(level, bytes);
        } else {
            host.log(function, context, level, text, length);
        }
    }

    @Override
    void complete(long function, long frame, int status) {
        if (function == COMPLETE) {
            TestCall.complete(frame, status);
        } else {
            host.complete(function, frame, status);
        }
    }
}
