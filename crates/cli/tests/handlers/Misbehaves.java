import java.io.FileOutputStream;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Emits each value, unless it says what to do in its place. */
public final class Misbehaves implements ObjectHandler {
    /** An exception whose class a test takes away. */
    public static final class Absent extends RuntimeException {
        private static final long serialVersionUID = 1;

        // Were it thrown outside, the class would be needed when the handler is loaded.
        static void raise() {
            throw new Absent();
        }
    }

    @Override
    public void onObject(FlowObject object, Emitter out) throws Exception {
        out.put(object.key(), "taken back where it fails");
        switch (object.valueText()) {
            case "deep" -> deeper(0);
            case "absent" -> Absent.raise();
            case "null" -> System.out.println(((String) null).length());
            case "fork" -> new ProcessBuilder("sleep", "60").start();
            case "write" -> new FileOutputStream("written").close();
            case "loop" -> {
                System.out.println("looping");
                while (true) {
                    // It takes the interruption, and goes on.
                    Thread.interrupted();
                }
            }
            default -> {}
        }
        out.put(object.key(), object.value());
    }

    private static long deeper(long depth) {
        return deeper(depth + 1) + 1;
    }
}
