package upcall;

/** Gives a handler the whole batch. */
final class BatchDriver extends FlowDriver {
    private final BatchHandler handler;

    BatchDriver(BatchHandler handler) {
        super(handler);
        this.handler = handler;
    }

    @Override
    String form() {
        return "batch";
    }

    @Override
    int run(long frame) throws Exception {
        begin(frame);
        Batch batch = new Batch(session, frame);
        handler.onBatch(batch, new Emitter(session, frame));
        report(frame, batch.count());
        session.next();
        return Abi.Status.OK;
    }
}
