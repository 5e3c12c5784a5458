package upcall;

import java.util.Locale;

/** By what the engine puts together what the incoming neighbours of a vertex show, for a {@link GatherHandler}. */
public enum Gather {
    /** Their sum, a {@code double}; 0 where there are none. */
    SUM,
    /** The least, of the type of what is shown; the largest number there is where there are none. */
    MIN,
    /** The largest, of the type of what is shown; the least number there is where there are none. */
    MAX,
    /** How many there are, a {@code double}. */
    COUNT;

    /** What engines call it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The type of what they come to, where these are shown. */
    NumberType type(NumberType shown) {
        return this == SUM || this == COUNT ? NumberType.F64 : shown;
    }
}
