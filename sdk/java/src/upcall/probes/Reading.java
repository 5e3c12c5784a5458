package upcall.probes;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Looks at key and value. */
public final class Reading implements ObjectHandler {
    private long seen;

    /** Makes one. */
    public Reading() {}

    @Override
    public void onObject(FlowObject object, Emitter out) {
        seen += Look.at(object);
    }
}
