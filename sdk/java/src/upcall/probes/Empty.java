package upcall.probes;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Does nothing: what a call of {@link ObjectHandler#onObject} costs. */
public final class Empty implements ObjectHandler {
    /** Makes one. */
    public Empty() {}

    @Override
    public void onObject(FlowObject object, Emitter out) {}
}
