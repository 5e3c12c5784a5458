package upcall.mpi;

import java.util.Optional;

/**
 * A receive of a value whose size is known when it arrives: the message is matched, and then received.
 *
 * @param <T> the value's class
 */
public final class ReceiveRequest<T> extends Request {
    private final CommunicatorMessages comm;
    private final Class<T> type;
    private final int from;
    private final int tag;
    private Status ended;
    private MpiException failed;
    private T value;

    ReceiveRequest(CommunicatorMessages comm, Class<T> type, int from, int tag) {
        this.comm = comm;
        this.type = type;
        this.from = from;
        this.tag = tag;
    }

    /**
     * What was received.
     *
     * @throws MpiException it has not ended, or was cancelled
     */
    public T value() {
        if (ended == null || ended.cancelled()) {
            throw new MpiException(MpiError.USAGE,
                    "take the " + type.getSimpleName() + " of a request: it has not ended, or was cancelled; wait for it");
        }
        return value;
    }

    @Override
    public Status waitFor() {
        if (!hasEnded()) {
            take(comm.matched(from, tag));
        }
        return ended;
    }

    @Override
    public Optional<Status> test() {
        if (!hasEnded()) {
            comm.tryMatched(from, tag).ifPresent(this::take);
        }
        return Optional.ofNullable(ended);
    }

    private boolean hasEnded() {
        if (failed != null) {
            throw failed;
        }
        return ended != null;
    }

    private void take(Message message) {
        try (message) {
            value = message.receive(type);
            ended = message.status();
        } catch (MpiException exception) {
            failed = exception;
            throw exception;
        }
    }

    @Override
    public void cancel() {
        if (ended == null && failed == null) {
            ended = Status.ofCancelled();
        }
    }

    @Override
    public void close() {
        cancel();
    }
}
