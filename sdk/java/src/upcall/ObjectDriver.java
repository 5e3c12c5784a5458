package upcall;

/** Calls a handler once per object. */
final class ObjectDriver extends FlowDriver {
    private final ObjectHandler handler;

    ObjectDriver(ObjectHandler handler) {
        super(handler);
        this.handler = handler;
    }

    @Override
    String form() {
        return "object";
    }

    @Override
    int run(long frame) throws Exception {
        Session session = this.session;
        ObjectHandler handler = this.handler;
        session.origin = Memory.getLong(frame + Abi.FrameHead.BASE_BATCH);
        long item = session.origin + Memory.getLong(frame + Abi.FlowFrame.ITEMS);
        int count = (int) Memory.getLong(frame + Abi.FlowFrame.ITEMS + Abi.Rel.LEN);
        for (int done = 0; done < count; item += Abi.Item.BYTES) {
            session.item = done;
            session.conditional = false;
            session.next();
            session.mark(frame);
            handler.onObject(new FlowObject(session, item), new Emitter(session, frame));
            // What the handler leaves to the thread is not for the next object.
            Thread.interrupted();
            finish(frame, ++done);
        }
        session.next();
        return Abi.Status.OK;
    }
}
