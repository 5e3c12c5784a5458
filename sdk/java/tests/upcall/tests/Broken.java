package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Classes that cannot be handlers as they are. */
public final class Broken {
    private Broken() {}

    /** Its constructor throws. */
    public static final class Constructor implements ObjectHandler {
        /** Throws. */
        public Constructor() {
            throw new IllegalStateException("no settings yet");
        }

        @Override
        public void onObject(FlowObject object, Emitter out) {}
    }

    /** Its constructor wants something. */
    public static final class Parameters implements ObjectHandler {
        /** Takes something. */
        public Parameters(int top) {
            assert top > 0;
        }

        @Override
        public void onObject(FlowObject object, Emitter out) {}
    }

    /** Its class does not initialise. */
    public static final class Static implements ObjectHandler {
        private static final int DIVIDED = 1 / Integer.parseInt("0");

        @Override
        public void onObject(FlowObject object, Emitter out) {
            out.putInt(object.key(), DIVIDED);
        }
    }

    /** Combines what are no numbers. */
    public static final class Strings implements upcall.Combine<String[]> {
        @Override
        public void combine(String[] from, String[] into, int count) {}
    }

    /** Is of two kinds. */
    public static final class Both implements ObjectHandler, upcall.Combine<long[]> {
        @Override
        public void onObject(FlowObject object, Emitter out) {}

        @Override
        public void combine(long[] from, long[] into, int count) {}

        @Override
        public void onOpen(upcall.Context open) {}
    }

    /** Is no handler. */
    public static final class Plain {}

    /** Cannot be made. */
    public abstract static class Abstract implements ObjectHandler {}
}
