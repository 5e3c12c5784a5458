package upcall.mpi;

import java.util.Optional;
import upcall.bindings.NativeException;
import upcall.bindings.UpcallMpiRequest;
import upcall.bindings.UpcallMpiStatus;

/** A call of all ranks that goes on. Its status says nothing. */
final class CollectiveRequest extends Request {
    private final UpcallMpiRequest request;
    private final Lent into;
    /** What the function of a reduction throws; null of all others. */
    private final Operation.Running running;
    private Status ended;
    private MpiException failed;

    CollectiveRequest(UpcallMpiRequest request, Lent into, Operation.Running running) {
        this.request = request;
        this.into = into;
        this.running = running;
    }

    @Override
    public Status waitFor() {
        look(true);
        return ended;
    }

    @Override
    public Optional<Status> test() {
        look(false);
        return Optional.ofNullable(ended);
    }

    private void look(boolean wait) {
        if (failed != null) {
            throw failed;
        }
        if (ended != null) {
            return;
        }
        try (Room told = Room.of(UpcallMpiStatus.SIZE)) {
            UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
            boolean has = wait;
            if (wait) {
                request.wait_(status);
            } else {
                has = request.test(status);
            }
            if (has) {
                into.back(into.bytes());
                ended = Status.of(status);
            }
        } catch (NativeException exception) {
            MpiException thrown = MpiException.of(exception, running == null ? null : running.thrown());
            if (thrown.error() == MpiError.OPERATION) {
                failed = thrown;
            }
            throw thrown;
        } catch (IllegalStateException closed) {
            throw MpiException.closed(closed);
        }
    }

    /** It goes on: others have a part in it. */
    @Override
    public void cancel() {}

    @Override
    public void close() {
        request.close();
    }
}
