import ffm.Ffm;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Arrays;
import java.util.function.IntUnaryOperator;
import jni.Jni;

/** Times each function through the generated bindings, of both mechanisms, and through those of a hand. */
final class Bench {
    private static final String OURS = "ours, FFM";
    private static final String OURS_JNI = "ours, JNI";
    private static final String FFM = "FFM by hand";
    private static final String JNI = "JNI by hand";

    private static int kept;

    private Bench() {}

    private static Rounds.Variant variant(String name, Rounds.Calls calls) {
        return new Rounds.Variant(name, calls);
    }

    public static void main(String[] arguments) throws Throwable {
        String text = "as many letters as a name has";
        float[] numbers = new float[16];
        Arrays.fill(numbers, 0.5f);
        if (Ffm.length(text) != text.length() || ByJni.length(text) != text.length() || Jni.sum(numbers) != 8) {
            throw new IllegalStateException("the bindings do not work");
        }
        Rounds.measure(
                "add",
                variant(OURS, n -> { for (int i = 0; i < n; i++) { kept = Ffm.add(kept, i); } }),
                variant(FFM, n -> { for (int i = 0; i < n; i++) { kept = ByFfm.add(kept, i); } }),
                variant(OURS_JNI, n -> { for (int i = 0; i < n; i++) { kept = Jni.add(kept, i); } }),
                variant(JNI, n -> { for (int i = 0; i < n; i++) { kept = ByJni.add(kept, i); } }));
        struct();
        Rounds.measure(
                "str",
                variant(OURS, n -> { for (int i = 0; i < n; i++) { kept = Ffm.length(text); } }),
                variant(FFM, n -> { for (int i = 0; i < n; i++) { kept = ByFfm.length(text); } }),
                variant(OURS_JNI, n -> { for (int i = 0; i < n; i++) { kept = Jni.length(text); } }),
                variant(JNI, n -> { for (int i = 0; i < n; i++) { kept = ByJni.length(text); } }));
        Rounds.measure(
                "slice",
                variant(OURS, n -> { for (int i = 0; i < n; i++) { kept = (int) Ffm.sum(numbers); } }),
                variant(FFM, n -> { for (int i = 0; i < n; i++) { kept = (int) ByFfm.sum(numbers); } }),
                variant(OURS_JNI, n -> { for (int i = 0; i < n; i++) { kept = (int) Jni.sum(numbers); } }),
                variant(JNI, n -> { for (int i = 0; i < n; i++) { kept = (int) ByJni.sum(numbers); } }));
        callback();
        Rounds.measure(
                "result",
                variant(OURS, n -> { for (int i = 0; i < n; i++) { kept = Ffm.checked(i); } }),
                variant(FFM, n -> { for (int i = 0; i < n; i++) { kept = ByFfm.checked(i); } }),
                variant(OURS_JNI, n -> { for (int i = 0; i < n; i++) { kept = Jni.checked(i); } }),
                variant(JNI, n -> { for (int i = 0; i < n; i++) { kept = ByJni.checked(i); } }));
    }

    /** The result goes where the one before it lay. */
    private static void struct() throws Throwable {
        MemorySegment memory = Arena.global().allocate(ByFfm.BODY);
        ffm.Body ours = ffm.Body.allocate(Arena.global());
        jni.Body oursJni = jni.Body.allocate(jni.Arena.global());
        SegmentAllocator again = SegmentAllocator.prefixAllocator(Arena.global().allocate(ByFfm.BODY));
        jni.SegmentAllocator againJni =
                jni.SegmentAllocator.prefixAllocator(jni.Arena.global().allocate(jni.Body.LAYOUT));
        double[] from = new double[6];
        double[] to = new double[6];
        Rounds.measure(
                "struct",
                variant(OURS, n -> { for (int i = 0; i < n; i++) { kept = (int) Ffm.moved(again, ours).x(); } }),
                variant(FFM, n -> { for (int i = 0; i < n; i++) { kept = (int) ByFfm.moved(again, memory).get(java.lang.foreign.ValueLayout.JAVA_DOUBLE, 0); } }),
                variant(OURS_JNI, n -> { for (int i = 0; i < n; i++) { kept = (int) Jni.moved(againJni, oursJni).x(); } }),
                variant(JNI, n -> { for (int i = 0; i < n; i++) { ByJni.moved(from, to); kept = (int) to[0]; } }));
    }

    private static void callback() throws Throwable {
        IntUnaryOperator same = value -> value;
        ffm.ApplyCallback ours = value -> value;
        jni.ApplyCallback oursJni = value -> value;
        ffm.RepeatCallback repeated = value -> value;
        jni.RepeatCallback repeatedJni = value -> value;
        MemorySegment stub = ByFfm.stub(same);
        Rounds.measure(
                "callback",
                variant(OURS, n -> { for (int i = 0; i < n; i++) { kept = Ffm.apply(i, ours); } }),
                variant(FFM, n -> { for (int i = 0; i < n; i++) { kept = ByFfm.apply(i, stub); } }),
                variant(OURS_JNI, n -> { for (int i = 0; i < n; i++) { kept = Jni.apply(i, oursJni); } }),
                variant(JNI, n -> { for (int i = 0; i < n; i++) { kept = ByJni.apply(i, same); } }));
        Rounds.measure(
                "upcall",
                variant(OURS, n -> { for (int i = 0; i < n; i += 100) { kept = Ffm.repeat(100, repeated); } }),
                variant(FFM, n -> { for (int i = 0; i < n; i += 100) { kept = ByFfm.repeat(100, stub); } }),
                variant(OURS_JNI, n -> { for (int i = 0; i < n; i += 100) { kept = Jni.repeat(100, repeatedJni); } }),
                variant(JNI, n -> { for (int i = 0; i < n; i += 100) { kept = ByJni.repeat(100, same); } }));
    }
}
