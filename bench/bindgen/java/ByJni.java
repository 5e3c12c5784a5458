import java.nio.charset.StandardCharsets;
import java.util.function.IntUnaryOperator;

/** What one writes without a generator, over JNI. */
final class ByJni {
    static {
        System.load(System.getProperty("bench.jni"));
        prepare();
    }

    private ByJni() {}

    private static native void prepare();

    static native int add(int a, int b);

    static native void moved(double[] from, double[] to);

    private static native int length(byte[] text);

    static native float sum(float[] values);

    static native int apply(int value, IntUnaryOperator callback);

    static native int repeat(int times, IntUnaryOperator callback);

    static native int checked(int value);

    static int length(String text) {
        return length(text.getBytes(StandardCharsets.UTF_8));
    }
}
