package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Counts in a static field. */
public final class Counts implements ObjectHandler {
    private static int objects;

    @Override
    public void onObject(FlowObject object, Emitter out) {
        out.putInt(object.key(), ++objects);
    }
}
