package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Throws what its object says. */
public final class Throws implements ObjectHandler {
    @Override
    public void onObject(FlowObject object, Emitter out) throws Exception {
        out.put(object.key(), "before");
        switch (object.valueText()) {
            case "checked" -> throw new Exception("checked", new RuntimeException("its cause"));
            case "mute" -> Mute.raise();
            case "error" -> throw new AssertionError("an error");
            case "long" -> throw new RuntimeException("ä".repeat(10_000));
            case "null" -> throw new RuntimeException((String) null);
            case "key" -> out.put((String) null, "value");
            default -> {}
        }
    }
}
