import java.lang.foreign.Arena;
import statistics.EmptyException;
import statistics.Statistics;
import statistics.Sum;
import statistics.Summary;

final class Main {
    public static void main(String[] arguments) {
        double[] values = {1, 2, 3, 6};
        System.out.println("version " + Statistics.statisticsVersion());
        System.out.printf("mean %.0f%n", Statistics.mean(values));
        try (Arena arena = Arena.ofConfined()) {
            Summary summary = Statistics.summarize(arena, values);
            System.out.printf("%d values from %.0f to %.0f%n", summary.count(), summary.min(), summary.max());
        }
        System.out.println(Statistics.countIf(values, value -> value > 1.5) + " are above 1.5");
        System.out.println(Statistics.greet("Java"));
        try (Sum sum = new Sum(10)) {
            sum.add(1);
            System.out.printf("sum %.0f%n", sum.add(2));
        }
        try {
            Statistics.mean(new double[0]);
        } catch (EmptyException error) {
            System.out.println("error " + error.code() + ": " + error.getMessage());
        }
    }
}
