package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Calls itself without end where the key says so. */
public final class Overflows implements ObjectHandler {
    @Override
    public void onObject(FlowObject object, Emitter out) {
        if (object.key().contentEquals("deep")) {
            deeper(0);
        }
        out.put(object.key(), object.value());
    }

    private static long deeper(long depth) {
        return deeper(depth + 1) + 1;
    }
}
