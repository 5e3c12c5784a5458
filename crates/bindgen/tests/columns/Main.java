import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Locale;
import swarm.Bodies;
import swarm.BodySpans;
import swarm.Place;

final class Main {
    private Main() {}

    public static void main(String[] arguments) {
        try (Arena arena = Arena.ofConfined(); Bodies bodies = new Bodies(1000)) {
            BodySpans columns = bodies.columns(arena);
            MemorySegment speed = columns.speed().elements();
            if (speed.byteSize() != 4000 || speed.address() % 64 != 0) {
                throw new IllegalStateException("the speeds are not there");
            }
            MemorySegment id = columns.id().elements();
            if (id.getAtIndex(ValueLayout.JAVA_LONG, 999) != 999L << 33) {
                throw new IllegalStateException("the ids are not there");
            }
            float sum = 0;
            for (int at = 0; at < 1000; at++) {
                sum += speed.getAtIndex(ValueLayout.JAVA_FLOAT, at);
            }
            System.out.printf(Locale.ROOT, "%.0f %.0f%n", sum, bodies.total());
            for (int at = 0; at < 1000; at++) {
                speed.setAtIndex(ValueLayout.JAVA_FLOAT, at, 2 * speed.getAtIndex(ValueLayout.JAVA_FLOAT, at));
            }
            MemorySegment thrust = columns.engine().thrust().elements();
            for (int at = 0; at < 1000; at++) {
                thrust.setAtIndex(ValueLayout.JAVA_DOUBLE, at, 1.5);
            }
            new Place(columns.place().elements()).get(7).column(41);
            System.out.printf(Locale.ROOT, "%.0f%n", bodies.total());
        }
    }
}
