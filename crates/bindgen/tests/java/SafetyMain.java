import hostile.*;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** What a program can do wrong, run against the hostile library. */
public final class SafetyMain {
    private static final boolean JNI = System.getProperty("jni") != null;

    private static final class Ours extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Ours() {
            super("ours");
        }
    }

    private interface Action {
        void run() throws Exception;
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new AssertionError(what);
        }
    }

    private static void fails(Class<? extends Throwable> kind, Action action, String what) {
        try {
            action.run();
        } catch (Throwable thrown) {
            check(kind.isInstance(thrown), what + ": " + thrown);
            return;
        }
        throw new AssertionError(what + ": nothing was thrown");
    }

    private static Thread started(Runnable work) {
        Thread thread = new Thread(work);
        thread.start();
        return thread;
    }

    private static int fail(int value) {
        throw new Ours();
    }

    private static void aHandleIsReleasedOnce() throws Exception {
        long before = Hostile.live();
        for (int round = 0; round < 200; round++) {
            Counter counter = new Counter(1);
            List<Thread> threads = new ArrayList<>();
            for (int index = 0; index < 4; index++) {
                threads.add(started(counter::close));
            }
            for (Thread thread : threads) {
                thread.join();
            }
            fails(IllegalStateException.class, counter::get, "used after its release");
        }
        check(Hostile.live() == before, "each was released once");
    }

    private static void threadsUseAHandleWhileAnotherClosesIt() throws Exception {
        long before = Hostile.live();
        for (int round = 0; round < 300; round++) {
            Counter counter = new Counter(5);
            Counter other = new Counter(1);
            AtomicReference<Throwable> wrong = new AtomicReference<>();
            List<Thread> threads = new ArrayList<>();
            for (int index = 0; index < 3; index++) {
                boolean merges = index == 0;
                threads.add(started(() -> {
                    try {
                        while (true) {
                            if (merges) {
                                other.merge(counter);
                            } else {
                                check(counter.slow(0) == 5, "its value");
                            }
                        }
                    } catch (IllegalStateException closed) {
                        return;
                    } catch (Throwable thrown) {
                        wrong.set(thrown);
                    }
                }));
            }
            counter.close();
            for (Thread thread : threads) {
                thread.join();
            }
            other.close();
            check(wrong.get() == null, "threads: " + wrong.get());
        }
        check(Hostile.live() == before, "all were released");
    }

    private static void aCallbackClosesTheHandleThatCallsIt() {
        long before = Hostile.live();
        Counter counter = new Counter(1);
        check(counter.each(3, value -> {
            counter.close();
            return 1;
        }) == 4, "the call goes on");
        check(Hostile.live() == before, "it was released");
    }

    private static void whatACallGaveIsReleasedWhenItsCallbackThrew() {
        long before = Hostile.live();
        try (Counter counter = new Counter(1)) {
            for (int index = 0; index < 10; index++) {
                fails(Ours.class, () -> counter.child(SafetyMain::fail), "child");
            }
            check(Hostile.live() == before + 1, "no handle is left");
        }
        long memory = Hostile.resident();
        for (int index = 0; index < 1000; index++) {
            fails(Ours.class, () -> Hostile.textOf(SafetyMain::fail), "text");
            fails(Ours.class, () -> Hostile.floatsOf(SafetyMain::fail), "floats");
            fails(Ours.class, () -> Hostile.failsAfter(SafetyMain::fail), "fails");
        }
        check(Hostile.resident() < memory + 150_000_000, "no memory is left");
        check(Hostile.echoI8((byte) 3) == 3, "nothing is pending");
    }

    private static void slicesOfClosedMemoryAreRefused() throws Exception {
        MemorySegment closed;
        try (Arena arena = Arena.ofConfined()) {
            closed = arena.allocate(ValueLayout.JAVA_FLOAT, 4);
            check(Hostile.sum(closed) == 0, "open");
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            MemorySegment ours = closed;
            started(() -> {
                try {
                    Hostile.sum(ours);
                } catch (Throwable wrong) {
                    thrown.set(wrong);
                }
            }).join();
            // JNI's arenas may be used on any thread.
            Throwable wrong = thrown.get();
            check(JNI == (wrong == null), "another thread's: " + wrong);
            check(JNI || wrong.getClass().getName().endsWith("WrongThreadException"), "another thread's: " + wrong);
        }
        fails(IllegalStateException.class, () -> Hostile.sum(closed), "closed");
        MemorySegment elements;
        try (NativeBuffer buffer = Hostile.makeFloats(10)) {
            elements = buffer.elements();
            check(Hostile.sum(elements) == 45, "a buffer's");
        }
        fails(IllegalStateException.class, () -> Hostile.sum(elements), "a closed buffer's");
        fails(IllegalArgumentException.class, () -> Hostile.sum(MemorySegment.ofArray(new byte[7])), "no floats");
        check(Hostile.sum(new float[0]) == 0 && Hostile.sum(MemorySegment.NULL) == 0, "nothing");
    }

    @SuppressWarnings("restricted")
    private static void partsOfArraysStayOnTheHeap() {
        MemorySegment part = MemorySegment.ofArray(new byte[16]).asSlice(4L, 8L);
        check(Hostile.sum(part) == 0, "a part");
        fails(UnsupportedOperationException.class, () -> part.reinterpret(16L), "a longer part");
        MemorySegment numbers = MemorySegment.ofArray(new int[2]).asReadOnly();
        fails(IllegalArgumentException.class, () -> Hostile.fill(numbers, 1), "read-only");
    }

    private static void memoryIsHeldByTheCallThatItIsPassedTo() {
        Arena arena = Arena.ofShared();
        MemorySegment memory = arena.allocate(8L);
        Step closes = (context, value) -> {
            arena.close();
            return value;
        };
        fails(IllegalStateException.class, () -> Hostile.contextBefore(memory, closes, 1), "closed in the call");
        memory.set(ValueLayout.JAVA_BYTE, 0, (byte) 1);
        arena.close();
    }

    private static void aLentSliceEndsWithTheCallback() {
        AtomicReference<MemorySegment> kept = new AtomicReference<>();
        check(Hostile.showSlice(view -> {
            kept.set(view);
            return (int) view.getAtIndex(ValueLayout.JAVA_FLOAT, 0);
        }) == 2, "lent");
        fails(IllegalStateException.class, () -> kept.get().get(ValueLayout.JAVA_FLOAT, 0), "kept");
    }

    private static void manyExceptionsOnNativeThreadsAreNotKept() throws Exception {
        AtomicReference<Integer> uncaught = new AtomicReference<>(0);
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> uncaught.updateAndGet(count -> count + 1));
        Heard.Kept heard = Heard.keep(SafetyMain::fail);
        Hostile.keep(heard);
        Hostile.start(4, 0);
        while (uncaught.get() < 100) {
            Thread.sleep(1);
        }
        check(Hostile.stop() == 4, "four threads");
        Thread.setDefaultUncaughtExceptionHandler(null);
        fails(Ours.class, heard::close, "its own");
        fails(IllegalStateException.class, () -> Hostile.callKept(1), "late");
        Hostile.forget();
    }

    /** What is found out behind the callback's back ends the virtual machine. */
    private static void whatACallbackReturnsIsLookedAt() throws Exception {
        Arena arena = Arena.ofConfined();
        Point point = new Point(arena.allocate(Point.LAYOUT)).y(4);
        check(Hostile.askPoint(() -> point) == 4, "a struct");
        arena.close();
        fails(IllegalStateException.class, () -> Hostile.askPoint(() -> point), "a closed struct");
        fails(NullPointerException.class, () -> Hostile.askPoint(() -> null), "no struct");
        check(Hostile.askAddress(() -> MemorySegment.NULL), "an address");
        fails(NullPointerException.class, () -> Hostile.askAddress(() -> null), "no address");
        MemorySegment heap = MemorySegment.ofArray(new byte[1]);
        fails(IllegalArgumentException.class, () -> Hostile.askAddress(() -> heap), "memory on the heap");
        Point onHeap = new Point(MemorySegment.ofArray(new byte[(int) Point.SIZE]));
        fails(IllegalArgumentException.class, () -> Hostile.bump(onHeap), "memory on the heap as an argument");
        fails(Ours.class, () -> Hostile.apply(value -> fail(value), 1), "an exception");
    }

    private static void aContextIsFoundWhereverItStands() {
        List<Long> seen = new ArrayList<>();
        check(Hostile.contextBehind(value -> value + 1, 1) == 2, "behind");
        Step step = (context, value) -> {
            seen.add(context.address());
            return value + 1;
        };
        check(Hostile.contextBefore(MemorySegment.ofAddress(77L), step, 1) == 2, "before");
        try (Step.Kept kept = Step.keep(step)) {
            check(Hostile.contextBefore(MemorySegment.ofAddress(78L), kept, 1) == 2, "before, kept");
        }
        check(seen.equals(List.of(77L, 78L)), "contexts: " + seen);
    }

    private static void aStructHoldsCallbacks() {
        List<Double> done = new ArrayList<>();
        OperationsDone.Kept tell = OperationsDone.keep(done::add);
        Step.Kept step = Step.keep((context, value) -> (int) context.address() + value);
        try (Arena arena = Arena.ofConfined()) {
            Operations operations = new Operations(arena.allocate(Operations.LAYOUT));
            operations.context(MemorySegment.ofAddress(40L)).step(step.address()).done(1, tell.address());
            Hostile.keepOperations(operations);
        }
        check(Hostile.operate(2) == 42 && Hostile.operateElsewhere(3) == 43, "called");
        check(done.equals(List.of(42.0, 43.0)), "done: " + done);
        step.close();
        fails(IllegalStateException.class, () -> Hostile.operate(1), "late");
        fails(IllegalStateException.class, step::address, "closed");
        Hostile.keepOperations(null);
        tell.close();
    }

    private static void textsOfAllKinds() {
        check(Hostile.textLen("a\0b") == 3 && Hostile.textLen("") == 0, "zero characters");
        check(Hostile.textLen("é".repeat(1_000_000)) == 2_000_000, "a long text");
        fails(NullPointerException.class, () -> Hostile.textLen(null), "null");
        fails(IllegalArgumentException.class, () -> Hostile.nextColor((byte) 77), "no color");
    }

    public static void main(String[] given) throws Exception {
        if (given.length > 0) {
            Hostile.keep(Heard.keep(value -> value));
            Hostile.start(4, 0);
            Thread.sleep(50);
            return;
        }
        aHandleIsReleasedOnce();
        threadsUseAHandleWhileAnotherClosesIt();
        aCallbackClosesTheHandleThatCallsIt();
        whatACallGaveIsReleasedWhenItsCallbackThrew();
        slicesOfClosedMemoryAreRefused();
        partsOfArraysStayOnTheHeap();
        if (!JNI) {
            // The collector owns what JNI's arenas give.
            memoryIsHeldByTheCallThatItIsPassedTo();
        }
        aLentSliceEndsWithTheCallback();
        manyExceptionsOnNativeThreadsAreNotKept();
        whatACallbackReturnsIsLookedAt();
        aContextIsFoundWhereverItStands();
        aStructHoldsCallbacks();
        textsOfAllKinds();
        System.out.println("done");
    }
}
