package upcall.tests;

import upcall.Batch;
import upcall.BatchHandler;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Emits on condition. */
public final class Conditions implements ObjectHandler {
    @Override
    public void onObject(FlowObject object, Emitter out) {
        switch (object.keyText()) {
            case "twice" -> {
                out.putIf("a", "1", 0);
                out.putIf("b", "2", 0);
            }
            case "taken back" -> {
                try {
                    out.putIf("a", (String) null, 0);
                } catch (NullPointerException expected) {
                    out.putIf("a", "once more", 7);
                }
            }
            default -> out.putLongIf(object.keyText(), 5, object.version());
        }
    }

    /** One that has no object that could fail. */
    public static final class InBatches implements BatchHandler {
        @Override
        public void onBatch(Batch batch, Emitter out) {
            out.putIf("a", "1", 0);
        }
    }
}
