import java.util.Locale;
import java.util.function.Supplier;
import upcall.Batch;
import upcall.BatchHandler;
import upcall.Embedded;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/**
 * What a handler of a Java program costs that has loaded us, beside a callback by the crate jni.
 *
 * <p>{@code Embed LIBRARY PEER} prints one JSON object per line, as the peers do.
 */
public final class Embed {
    private static final int ROUNDS = 12;

    private static long seen;

    private Embed() {}

    private static native double given(long table, long module, int batch);

    private static native double byJni(Object callback);

    /** What is called by the crate jni. */
    public static final class Callback {
        /** With an object. */
        public void call(String key, byte[] value) {
            seen += key.length() + key.charAt(0) + value.length + value[0];
        }
    }

    private static final class Batches implements BatchHandler {
        @Override
        public void onBatch(Batch batch, Emitter out) {
            long sum = 0;
            for (FlowObject object : batch) {
                sum += look(object);
            }
            seen += sum;
        }
    }

    private static long look(FlowObject object) {
        return (long) object.key().length() + object.key().get(0) + object.value().length() + object.value().get(0);
    }

    /** The program. */
    public static void main(String[] arguments) {
        System.load(arguments[0]);
        System.load(arguments[1]);
        ObjectHandler handler = (object, out) -> seen += look(object);
        // The JIT compiler takes its time: what counts is the last round.
        for (int round = 1; round <= ROUNDS; round++) {
            row(round, "the crate jni", 1, byJni(new Callback()));
            row(round, "Upcall", 1, ours(() -> handler, 1));
            row(round, "Upcall", 1024, ours(() -> handler, 1024));
            row(round, "Upcall, batch handler", 1024, ours(Batches::new, 1024));
        }
        if (seen == 0) {
            throw new IllegalStateException("nothing was called");
        }
    }

    private static double ours(Supplier<?> make, int batch) {
        return given(Embedded.table(), Embedded.give(make), batch);
    }

    private static void row(int round, String who, int batch, double nanos) {
        if (round == ROUNDS) {
            String line = "{\"language\": \"Java\", \"who\": \"%s\", \"batch\": %d, \"nanos\": %f}";
            System.out.println(String.format(Locale.ROOT, line, who, batch, nanos));
        }
    }
}
