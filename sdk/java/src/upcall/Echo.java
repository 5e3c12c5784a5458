package upcall;

/** Emits each object as it is, where it may emit: what a self-test of the host runs. */
public final class Echo implements ObjectHandler {
    /** Makes one. */
    public Echo() {}

    @Override
    public void onObject(FlowObject object, Emitter out) {
        out.put(object.key(), object.value());
    }
}
