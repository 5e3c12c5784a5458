import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Locale;

/** Rounds of calls, the variants in turns. */
final class Rounds {
    private static final int COUNT = 25;
    private static final double NANOS = 20e6;
    private static final ThreadMXBean CLOCK = ManagementFactory.getThreadMXBean();

    private Rounds() {}

    interface Calls {
        void run(int count) throws Throwable;
    }

    /** One way to call. */
    record Variant(String name, Calls calls) {}

    /** Prints a line for each variant: case, variant, and nanoseconds a call in each round. */
    static void measure(String name, Variant... variants) throws Throwable {
        int[] counts = new int[variants.length];
        double[][] rounds = new double[variants.length][COUNT];
        for (int index = 0; index < variants.length; index++) {
            counts[index] = enough(variants[index].calls());
        }
        for (int round = 0; round < COUNT; round++) {
            for (int index = 0; index < variants.length; index++) {
                rounds[index][round] = time(variants[index].calls(), counts[index]) / counts[index];
            }
        }
        for (int index = 0; index < variants.length; index++) {
            StringBuilder line = new StringBuilder(name).append('\t').append(variants[index].name());
            for (int round = 0; round < COUNT; round++) {
                line.append(round == 0 ? '\t' : ' ').append(String.format(Locale.ROOT, "%.3f", rounds[index][round]));
            }
            System.out.println(line);
        }
    }

    /** How many calls make a round, once the compiler has seen the code often enough to compile it for good. */
    private static int enough(Calls calls) throws Throwable {
        for (int run = 0; run < 20_000; run++) {
            calls.run(20);
        }
        Thread.sleep(200);
        int count = 10_000;
        while (true) {
            double taken = time(calls, count);
            if (taken > NANOS / 4) {
                return (int) (count * NANOS / taken);
            }
            count *= 2;
        }
    }

    /** CPU time of this thread, in nanoseconds. */
    private static double time(Calls calls, int count) throws Throwable {
        long start = CLOCK.getCurrentThreadCpuTime();
        calls.run(count);
        return CLOCK.getCurrentThreadCpuTime() - start;
    }
}
