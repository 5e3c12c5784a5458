package upcall.mpi;

import static upcall.Check.equal;
import static upcall.Check.thrown;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Random;

/** What runs on ranks: all tests of the classes below, in the same order on all of them, with one random stream. */
public final class Ranks {
    private static final Class<?>[] TESTS = {RankBuffers.class, RankMessages.class, RankRequests.class, RankCollectives.class, RankReductions.class,
            RankOperations.class, RankBegun.class, RankWindows.class, RankTopologies.class, RankFiles.class, RankProcesses.class, RankValues.class};

    /** MPI of this rank. */
    static Environment mpi;

    /** What it calls itself. */
    static String library;

    private Ranks() {}

    /** One rank's program; it says that it is well at the end. */
    public static void main(String[] arguments) {
        mpi = Environment.start(arguments.length > 0 ? Threads.valueOf(arguments[0]) : Threads.FUNNELED);
        library = mpi.library();
        Communicator world = mpi.world();
        Window<int[]> window = null;
        try {
            for (Class<?> tests : TESTS) {
                if (tests == RankWindows.class && world.size() > 3) {
                    // More show nothing new, and MPICH's spin while they wait for each other.
                    continue;
                }
                Method[] methods = tests.getDeclaredMethods();
                java.util.Arrays.sort(methods, java.util.Comparator.comparing(Method::getName));
                for (Method test : methods) {
                    if (Modifier.isPrivate(test.getModifiers()) || test.getParameterCount() != 2
                            || test.getParameterTypes()[1] != Random.class || test.isSynthetic()) {
                        continue;
                    }
                    // A communicator of its own: what one test leaves behind is no other's.
                    try (Communicator own = world.duplicate()) {
                        test.invoke(null, own, new Random(test.getName().hashCode()));
                        own.barrier();
                    } catch (java.lang.reflect.InvocationTargetException failed) {
                        throw new AssertionError(test.getName(), failed.getCause());
                    }
                }
            }
            life(mpi);
            // MPI is not finalized within an epoch.
            window = Window.allocate(world, int[].class, 1);
            PassiveEpoch<int[]> open = window.lockAll();
            equal(MpiError.SYNCHRONIZATION, thrown(MpiException.class, mpi::close).error(), "within an epoch");
            open.close();
        } catch (Throwable failed) {
            System.err.println("rank " + world.rank() + " of " + world.size() + ":");
            failed.printStackTrace();
            world.abort(1);
        }
        // One that is left open is closed with MPI.
        File left = File.open(world, java.nio.file.Path.of("/dev/null"));
        mpi.close();
        mpi.close();
        equal(MpiError.LIFECYCLE, thrown(MpiException.class, left::size).error(), "a file after the end");
        equal(MpiError.LIFECYCLE, thrown(MpiException.class, left::close).error(), "closing it then");
        equal(MpiError.LIFECYCLE, thrown(MpiException.class, () -> world.send(new int[1], 0, 0)).error(), "after the end");
        equal(MpiError.LIFECYCLE, thrown(MpiException.class, Environment::start).error(), "a second start");
        equal(MpiError.LIFECYCLE, thrown(MpiException.class, window::lockAll).error(), "a window after the end");
        equal(MpiError.LIFECYCLE, thrown(MpiException.class, window::close).error(), "its close");
        window.close();
        equal(0.0, mpi.time(), "the time then");
        equal(List.of(false, true), List.of(Environment.isInitialized(), Environment.isFinalized()), "the life then");
        System.out.println("well");
    }

    /** A call on what is closed: the error says so, in words of the user's. */
    static void closed(upcall.Check.Call call) {
        MpiException closed = thrown(MpiException.class, call);
        equal(MpiError.LIFECYCLE, closed.error(), closed.getMessage());
        equal(true, closed.getMessage().matches("use an? [\\w ]+: it is closed"), closed.getMessage());
        equal(false, closed.getMessage().toLowerCase(java.util.Locale.ROOT).contains("upcall"), closed.getMessage());
    }

    private static void life(Environment mpi) throws Exception {
        equal(1, mpi.self().size(), "this process alone");
        equal(true, mpi.library().contains("MPI"), mpi.library());
        equal('3', mpi.standard().charAt(0) == '4' ? '3' : mpi.standard().charAt(0), "the standard");
        equal(false, mpi.processor().isEmpty(), "the machine");
        equal(true, mpi.time() <= mpi.time(), "the clock");
        equal(true, mpi.timeResolution() > 0 && mpi.timeResolution() < 1, "its ticks");
        mpi.timeIsGlobal();
        equal(List.of(true, false, true),
                List.of(Environment.isInitialized(), Environment.isFinalized(), mpi.isMainThread()), "the life");
        equal(true, mpi.threadsWanted().compareTo(mpi.threads()) <= 0, "the threads");
        equal(true, mpi.universeSize().orElse(1) >= 1 && mpi.programNumber().orElse(0) == 0, "the job");
        equal(List.of(Communicator.ANY_SOURCE, false), List.of(mpi.ioRank().orElseThrow(), mpi.hostRank().isPresent()), "known ranks");
        equal(mpi.standard().charAt(0) >= '4', mpi.has(OptionalPart.PARTITIONED), "partitioned messages");
        equal(false, mpi.has(OptionalPart.FAULT_TOLERANCE), "fault tolerance");
        equal(MpiError.LIFECYCLE, thrown(MpiException.class, Environment::start).error(), "started twice");
        if (mpi.threads() == Threads.FUNNELED) {
            Throwable[] refused = new Throwable[1];
            Thread other = new Thread(() -> refused[0] = thrown(MpiException.class, () -> mpi.world().barrier()));
            other.start();
            other.join();
            equal(MpiError.USAGE, ((MpiException) refused[0]).error(), "a call of another thread");
        }
        // Null pointers are Java's own signals, beside MPI's.
        Object none = mpi.time() < 0 ? "" : null;
        thrown(NullPointerException.class, () -> none.hashCode());
        // The environment's own stay.
        mpi.world().close();
        mpi.self().close();
        equal(mpi.world().size(), mpi.world().allReduce(1, Operation.SUM), "the world, closed");
        Communicator closed = mpi.world().duplicate();
        closed.close();
        Ranks.closed(closed::barrier);
        equal("use MPI: it is closed", thrown(MpiException.class, () -> MpiException.of((Runnable) () -> {
            throw new IllegalStateException("world: this is a closed UpcallMpi");
        })).getMessage(), "MPI, closed");
        for (String other : new String[] {"the memory is closed", "free: this is a UpcallMpiWindow that another call is using", null}) {
            IllegalStateException own = new IllegalStateException(other);
            equal(own, thrown(IllegalStateException.class, () -> MpiException.of((Runnable) () -> {
                throw own;
            })), "what names no closed handle");
        }
        Communicator parts = mpi.world().split(mpi.world().rank() % 2, -mpi.world().rank()).orElseThrow();
        int size = mpi.world().size();
        equal(mpi.world().rank() % 2 == 0 ? (size + 1) / 2 : size / 2, parts.size(), "a half");
        equal((parts.size() - 1) - mpi.world().rank() / 2, parts.rank(), "ranked by key");
        parts.close();
        int last = size - 1;
        equal(mpi.world().rank() == last, mpi.world().split(mpi.world().rank() == last ? -1 : 0, 0).isEmpty(), "no color");
        equal(true, mpi.world().largestTag() >= 32767, "the largest tag");
        try (Communicator own = mpi.world().duplicate()) {
            RankBegun.bufferedSendsReturnWhetherOrNotAnybodyReceives(mpi, own);
            RankBegun.readyAndSynchronousSendsGoToWhoWaits(own);
            RankBegun.partitionsAreSentWhenTheyAreReady(mpi, own);
        }
    }

    /** An array of a random class and length, of small numbers that a sum of any order has exactly. */
    static Object array(Random stream, int kind, int length) {
        Elements elements = Elements.values()[kind];
        Object array = elements.make(length);
        for (int index = 0; index < length; index++) {
            byte number = (byte) (stream.nextInt(5) - 2);
            switch (elements) {
                case BYTES -> ((byte[]) array)[index] = number;
                case SHORTS -> ((short[]) array)[index] = number;
                case INTS -> ((int[]) array)[index] = number;
                case LONGS -> ((long[]) array)[index] = number;
                case FLOATS -> ((float[]) array)[index] = number;
                default -> ((double[]) array)[index] = number;
            }
        }
        return array;
    }

    /** One per rank, as all of them know. */
    static Object[] arrays(Random stream, int kind, int ranks, int length) {
        Object[] arrays = new Object[ranks];
        for (int rank = 0; rank < ranks; rank++) {
            arrays[rank] = array(stream, kind, length < 0 ? stream.nextInt(-length) : length);
        }
        return arrays;
    }

    /** What an array shows. */
    static java.util.List<Double> shown(Object array) {
        java.util.List<Double> numbers = new java.util.ArrayList<>();
        for (int index = 0; index < java.lang.reflect.Array.getLength(array); index++) {
            numbers.add(((Number) java.lang.reflect.Array.get(array, index)).doubleValue());
        }
        return numbers;
    }

    /** Two arrays of one class with the same elements. */
    static void same(Object expected, Object found, String what) {
        equal(expected.getClass(), found.getClass(), what);
        equal(shown(expected), shown(found), what);
    }

    /** A text, at times null, empty, or long. */
    static String text(Random stream) {
        int letters = stream.nextInt(8) == 0 ? 70_000 : stream.nextInt(10);
        return stream.nextInt(10) == 0 ? null : stream.ints(letters, 'a', 0x2000).collect(
                StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
