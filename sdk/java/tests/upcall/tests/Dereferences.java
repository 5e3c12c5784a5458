package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Dereferences null, where the compiler leaves the check to the processor. */
public final class Dereferences implements ObjectHandler {
    @Override
    public void onObject(FlowObject object, Emitter out) {
        out.putInt(object.key(), length(object.key().length() < 100 ? null : new Held()));
    }

    private static int length(Held held) {
        return held.field;
    }

    private static final class Held {
        private int field = 1;
    }
}
