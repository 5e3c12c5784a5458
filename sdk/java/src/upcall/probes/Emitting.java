package upcall.probes;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Looks at key and value, and emits the key with 16 bytes. */
public final class Emitting implements ObjectHandler {
    private long seen;

    /** Makes one. */
    public Emitting() {}

    @Override
    public void onObject(FlowObject object, Emitter out) {
        seen += Look.at(object);
        out.put(object.key(), object.value().slice(0, 16));
    }
}
