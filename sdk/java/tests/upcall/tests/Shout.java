package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Emits keys in capitals; fails where the value says so. */
public final class Shout implements ObjectHandler {
    @Override
    public void onObject(FlowObject object, Emitter out) {
        if (object.value().contentEquals("fail")) {
            explode(object);
        }
        out.put(object.keyText().toUpperCase(java.util.Locale.ROOT), object.value());
    }

    private static void explode(FlowObject object) {
        throw new IllegalStateException("will not shout " + object.keyText());
    }
}
