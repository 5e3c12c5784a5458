import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import kept.*;

/** Keeps callbacks, as a program in Java does. */
public final class Main {
    private Main() {}

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new AssertionError(message);
        }
    }

    private static void until(BooleanSupplier holds, String message) throws InterruptedException {
        for (int wait = 0; wait < 20000 && !holds.getAsBoolean(); wait++) {
            Thread.sleep(1);
        }
        check(holds.getAsBoolean(), message);
    }

    private static final AtomicLong SUM = new AtomicLong();
    private static final AtomicLong CALLS = new AtomicLong();

    private static void listen() {
        AtomicLong own = new AtomicLong();
        Kept_.hear(value -> {
            own.addAndGet(value);
            SUM.addAndGet(value);
            CALLS.incrementAndGet();
        });
    }

    private interface Pass {
        void to(HearListener listener);
    }

    /** Passes a listener that nothing else knows. */
    private static WeakReference<Object> watched(Pass pass) {
        Object alive = new Object();
        pass.to(value -> check(alive != null, "it is alive"));
        return new WeakReference<>(alive);
    }

    private static void gone(List<WeakReference<Object>> references) throws InterruptedException {
        until(() -> {
            System.gc();
            return references.stream().allMatch(reference -> reference.get() == null);
        }, "what is forgotten is collected");
    }

    private static CompletableFuture<Void> after(int milliseconds) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Kept_.wakeAfter(milliseconds, () -> done.complete(null));
        return done;
    }

    public static void main(String[] given) throws Exception {
        // Called on threads of the library's, after everything that could be collected was.
        listen();
        System.gc();
        Kept_.fire(5);
        check(SUM.get() == 5, "on the caller's thread");
        Kept_.fireAndWait(4);
        check(SUM.get() == 11, "on a thread of the library's");
        Kept_.fireFromThreads(4, 1000);
        until(() -> CALLS.get() == 5 + 4000, "on several threads");
        check(Kept_.alive() == 1, "it is kept");
        Kept_.forgetOnAThread();
        check(Kept_.alive() == 0, "it is forgotten");

        // Nobody catches what it throws.
        Queue<String> thrown = new ConcurrentLinkedQueue<>();
        Thread.setDefaultUncaughtExceptionHandler((thread, error) -> thrown.add(error.getMessage()));
        Kept_.hear(value -> {
            throw new IllegalStateException("no " + value);
        });
        Kept_.fire(7);
        Kept_.fireAndWait(1);
        check(List.copyOf(thrown).equals(List.of("no 7", "no 0")), "each exception is told: " + thrown);
        Kept_.rankWith((text, numbers) -> {
            if (text.isEmpty()) {
                throw new IllegalStateException("empty");
            }
            return text.length() * numbers.get(ValueLayout.JAVA_DOUBLE, 0L);
        });
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment numbers = arena.allocate(8L, 8L);
            numbers.set(ValueLayout.JAVA_DOUBLE, 0L, 2.5);
            check(Kept_.ranked("four", numbers) == 10.0, "it is given text and numbers");
            check(Kept_.ranked("", numbers) == 0.0 && thrown.contains("empty"), "zero where it throws");
        }
        Kept_.forgetRank();
        Kept_.paintWith((pixel, bright) -> bright && pixel.x() == 3 && pixel.y() == -4 ? Color.GREEN : Color.RED);
        check(Kept_.painted(3, -4, true) == 9, "it is given a struct and answers with an enum");
        Kept_.paintWith((pixel, bright) -> 7);
        check(Kept_.painted(3, -4, true) == 4, "what is no color is one of them");
        check(thrown.stream().anyMatch(message -> message.contains("Color")), "and is told: " + thrown);
        Thread.setDefaultUncaughtExceptionHandler(null);

        // It may call the library, replace itself, and be the last to be called.
        AtomicLong seen = new AtomicLong();
        Kept_.hear(value -> {
            check(Kept_.alive() == 1, "a callback calls the library");
            Kept_.hear(again -> seen.set(100 + again));
            Kept_.fire(value);
        });
        Kept_.fire(3);
        check(seen.get() == 103 && Kept_.alive() == 1, "it replaces itself");
        Kept_.hear(value -> Kept_.forget());
        Kept_.fireAndWait(1);
        check(Kept_.alive() == 0, "it forgets itself");

        // A call that fails has released it.
        List<WeakReference<Object>> refused = new ArrayList<>();
        for (int round = 0; round < 100; round++) {
            refused.add(watched(listener -> {
                try {
                    Kept_.hearAs(listener::call, "");
                } catch (NativeException failure) {
                    check(failure.getMessage().equals("a listener needs a name"), failure.getMessage());
                    return;
                }
                throw new AssertionError("it fails");
            }));
            refused.add(watched(listener -> {
                try {
                    Kept_.hearAs(listener::call, null);
                } catch (NullPointerException missing) {
                    return;
                }
                throw new AssertionError("null is no name");
            }));
        }
        gone(refused);
        check(Kept_.alive() == 0, "a refused one is forgotten");
        try {
            Kept_.hear(null);
            throw new AssertionError("null is no listener");
        } catch (NullPointerException missing) {
            check(missing.getMessage().contains("listener"), missing.getMessage());
        }

        List<WeakReference<Object>> rounds = new ArrayList<>();
        for (int round = 0; round < 10000; round++) {
            rounds.add(watched(Kept_::hear));
        }
        Kept_.forget();
        gone(rounds);

        // A handle keeps them until it is closed.
        StringBuffer told = new StringBuffer();
        try (Topic topic = new Topic()) {
            topic.subscribe(text -> told.append(text));
            topic.subscribe(text -> told.append(text).append(text));
            topic.publish("four");
        }
        check(told.toString().equals("fourfourfour") && Kept_.alive() == 0, "a handle keeps and forgets: " + told);

        // A waker completes a future.
        List<CompletableFuture<Void>> wakers = new ArrayList<>();
        for (int milliseconds = 0; milliseconds < 1000; milliseconds++) {
            wakers.add(after(milliseconds % 10));
        }
        CompletableFuture.allOf(wakers.toArray(new CompletableFuture<?>[0])).get();
        until(() -> Kept_.alive() == 0, "wakers are forgotten");

        // The library goes on calling while the program ends.
        CALLS.set(0);
        Kept_.hear(value -> CALLS.incrementAndGet());
        Kept_.fireForEver();
        until(() -> CALLS.get() > 10000, "it is called");
        System.out.println("done");
    }
}
