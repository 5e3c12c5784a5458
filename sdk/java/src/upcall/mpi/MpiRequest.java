package upcall.mpi;

import java.nio.ByteBuffer;
import java.util.Optional;
import upcall.bindings.NativeBuffer;
import upcall.bindings.UpcallMpiRequest;
import upcall.bindings.UpcallMpiStatus;

/** A request of MPI's. */
final class MpiRequest extends Request {
    private final UpcallMpiRequest request;
    /** What is filled when it has ended; null where MPI fills it itself. */
    private final Object into;
    private Status ended;

    MpiRequest(UpcallMpiRequest request, Object into) {
        this.request = request;
        this.into = into;
    }

    @Override
    public Status waitFor() {
        if (ended == null) {
            try (Room told = Room.of(UpcallMpiStatus.SIZE)) {
                UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
                MpiException.of(() -> request.wait_(status));
                end(Status.of(status));
            }
        }
        return ended;
    }

    @Override
    public Optional<Status> test() {
        if (ended == null) {
            try (Room told = Room.of(UpcallMpiStatus.SIZE)) {
                UpcallMpiStatus status = new UpcallMpiStatus(told.segment());
                boolean has = MpiException.of(() -> request.test(status));
                if (!has) {
                    return Optional.empty();
                }
                end(Status.of(status));
            }
        }
        return Optional.of(ended);
    }

    private void end(Status status) {
        if (into != null && !status.cancelled()) {
            try (NativeBuffer bytes = MpiException.of(request::take)) {
                ByteBuffer came = Room.view(bytes.elements());
                Room.fill(came, into, came.remaining());
            }
        }
        ended = status;
    }

    @Override
    public void cancel() {
        MpiException.of(request::cancel);
    }

    @Override
    public void close() {
        request.close();
    }
}
