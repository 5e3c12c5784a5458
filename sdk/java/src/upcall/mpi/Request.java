package upcall.mpi;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A send, a receive or a call of all ranks that goes on while the program does something else. It keeps the memory that it reads or fills until it
 * has ended. For one thread at a time.
 *
 * <p>One that is closed, or forgotten, before it has ended is given up: a receive is cancelled, and all else goes on by itself.
 */
public abstract class Request implements AutoCloseable {
    Request() {}

    /**
     * Waits until it has ended. Once it has, this says the same again.
     *
     * @throws MpiException what was begun has failed
     */
    public abstract Status waitFor();

    /**
     * What {@link #waitFor} returns, where it has ended.
     *
     * @throws MpiException what was begun has failed
     */
    public abstract Optional<Status> test();

    /**
     * Gives up a receive that nothing has arrived for: it has still to be waited for, and its status says whether it was
     * cancelled. A send goes on.
     */
    public abstract void cancel();

    /** Gives it up, where it has not ended. */
    @Override
    public abstract void close();

    /**
     * Waits until all have ended.
     *
     * @throws MpiException the first failure; the others have ended too
     */
    public static List<Status> waitAll(List<? extends Request> requests) {
        List<Status> ended = new ArrayList<>();
        MpiException failure = null;
        for (Request request : requests) {
            try {
                ended.add(request.waitFor());
            } catch (MpiException failed) {
                if (failure == null) {
                    failure = failed;
                } else {
                    failure.addSuppressed(failed);
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return ended;
    }

    /**
     * Waits until one has ended, well or not, and returns its index: {@link #waitFor} says how. One that has ended is to be
     * taken out of the list before the next.
     *
     * @throws IllegalArgumentException there is none
     */
    public static int waitAny(List<? extends Request> requests) {
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("wait for one of no requests");
        }
        while (true) {
            int index = testAny(requests);
            if (index >= 0) {
                return index;
            }
            Thread.yield();
        }
    }

    /** As {@link #waitAny}, without waiting: -1 where none has ended. */
    public static int testAny(List<? extends Request> requests) {
        for (int index = 0; index < requests.size(); index++) {
            try {
                if (requests.get(index).test().isPresent()) {
                    return index;
                }
            } catch (MpiException failed) {
                // It says so again.
                return index;
            }
        }
        return -1;
    }

    /**
     * What {@link #waitAll} returns, where all have ended.
     *
     * @throws MpiException the first failure, where all have ended
     */
    public static Optional<List<Status>> testAll(List<? extends Request> requests) {
        // All are looked at, as one may end only when another is.
        return testSome(requests).size() == requests.size() ? Optional.of(waitAll(requests)) : Optional.empty();
    }

    /**
     * Waits until at least one has ended, well or not, and returns the indices of all that have: {@link #waitFor} says how. Those
     * that have ended are to be taken out of the list before the next.
     *
     * @throws IllegalArgumentException there is none
     */
    public static List<Integer> waitSome(List<? extends Request> requests) {
        if (requests.isEmpty()) {
            throw new IllegalArgumentException("wait for some of no requests");
        }
        while (true) {
            List<Integer> ended = testSome(requests);
            if (!ended.isEmpty()) {
                return ended;
            }
            Thread.yield();
        }
    }

    /** As {@link #waitSome}, without waiting: it may be none. */
    public static List<Integer> testSome(List<? extends Request> requests) {
        List<Integer> ended = new ArrayList<>();
        for (int index = 0; index < requests.size(); index++) {
            if (testAny(requests.subList(index, index + 1)) >= 0) {
                ended.add(index);
            }
        }
        return ended;
    }
}
