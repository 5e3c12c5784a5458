package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;
import upcall.OpenContext;

/** Emits, and then does what the value says, where the compiled code leaves the check to the processor. */
public final class Faults implements ObjectHandler {
    private static final Held HELD = new Held();

    /** Lets the compiler see these methods often, and neither null nor a zero. */
    @Override
    public void onOpen(OpenContext open) {
        for (int time = 0; time < 20_000; time++) {
            HELD.field = field(HELD) + divided(time, 7) & 1;
        }
    }

    @Override
    public void onObject(FlowObject object, Emitter out) {
        out.put(object.key(), object.value());
        switch (object.valueText()) {
            case "fail" -> HELD.field = field(null);
            case "divide" -> HELD.field = divided(1, 0);
            case "overflow" -> HELD.field = deeper(0);
            default -> {}
        }
    }

    private static int field(Held held) {
        return held.field;
    }

    private static int divided(int one, int other) {
        return one / other;
    }

    private static int deeper(int depth) {
        return deeper(depth + 1) + 1;
    }

    private static final class Held {
        private int field = 1;
    }
}
