package upcall.mpi;

import java.util.List;
import java.util.Optional;
import upcall.bindings.NativeException;
import upcall.bindings.UpcallMpiRequest;
import upcall.bindings.UpcallMpiStatus;

/**
 * A message, or a call of all ranks, that is made ready once and started again and again. Its memory is its caller's: what it
 * sends is read when a round is started, and what comes is there when {@link #waitFor} or {@link #test} says that it has ended; in
 * between nobody uses either.
 *
 * <p>A round is waited for as any request. One that is closed, or forgotten, while a round is under way does no harm: a receive is
 * cancelled, and all else goes on by itself.
 */
public final class PersistentRequest extends Request {
    private final UpcallMpiRequest request;
    private final Lent data;
    private final Lent into;
    private final boolean receives;
    private final Operation.Running running;
    private boolean isTaken = true;

    PersistentRequest(UpcallMpiRequest request, Lent data, Lent into, boolean receives, Operation.Running running) {
        this.request = request;
        this.data = data;
        this.into = into;
        this.receives = receives;
        this.running = running;
    }

    /** Whether a round is under way. */
    public boolean isActive() {
        return MpiException.of(request::isActive);
    }

    /**
     * Starts a round of each.
     *
     * @throws MpiException one of them is under way, and none is started; or MPI refuses
     */
    public static void startAll(List<PersistentRequest> requests) {
        // One that is under way says what is wrong.
        requests.stream().filter(PersistentRequest::isActive).findFirst().ifPresent(PersistentRequest::start);
        requests.forEach(PersistentRequest::start);
    }

    /**
     * Starts a round. All ranks start those of calls of all in the same order.
     *
     * @throws MpiException one is under way, or MPI refuses
     */
    public void start() {
        if (!isActive()) {
            data.out();
        }
        MpiException.of(request::start);
        isTaken = false;
    }

    /**
     * Waits until the round has ended. Once it has, this says the same again, until the next is started.
     *
     * @throws MpiException none was started, or it has failed
     */
    @Override
    public Status waitFor() {
        return look(true).orElseThrow();
    }

    /**
     * What {@link #waitFor} returns, where the round has ended.
     *
     * @throws MpiException none was started, or it has failed
     */
    @Override
    public Optional<Status> test() {
        return look(false);
    }

    private Optional<Status> look(boolean wait) {
        try (Room told = Room.of(UpcallMpiStatus.SIZE)) {
            UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
            if (wait) {
                request.wait_(status);
            } else if (!request.test(status)) {
                return Optional.empty();
            }
            Status ended = Status.of(status);
            if (!isTaken) {
                isTaken = true;
                into.back(receives ? ended.bytes() : into.bytes());
            }
            return Optional.of(ended);
        } catch (NativeException failed) {
            throw MpiException.of(failed, running == null ? null : running.thrown());
        } catch (IllegalStateException closed) {
            throw MpiException.closed(closed);
        }
    }

    /** A round goes on; a receive is given up when this is closed. */
    @Override
    public void cancel() {}

    @Override
    public void close() {
        request.close();
    }
}
