package upcall;

import java.util.Locale;

/** A type of the numbers that a vertex program has. Java's accessors for a type end with the name of the Java type. */
public enum NumberType {
    /** A {@code float}. */
    F32(Kind.FLOAT, 2),
    /** A {@code double}. */
    F64(Kind.DOUBLE, 3),
    /** An {@code int}. */
    I32(Kind.INT, 2),
    /** A {@code long}. */
    I64(Kind.LONG, 3),
    /** An {@code int} without a sign: see {@link Integer#toUnsignedLong}. */
    U32(Kind.INT, 2),
    /** A {@code long} without a sign: see {@link Long#compareUnsigned}. */
    U64(Kind.LONG, 3);

    /** One of {@link Kind}. */
    final int kind;

    /** The logarithm of the number of its bytes. */
    final int shift;

    NumberType(int kind, int shift) {
        this.kind = kind;
        this.shift = shift;
    }

    /** What engines call it. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Which it is of a type; {@link Kind#NONE} of null. */
    static int kindOf(NumberType type) {
        return type == null ? Kind.NONE : type.kind;
    }

    /** Bytes of a number of a type; 0 of null. */
    static long bytesOf(NumberType type) {
        return type == null ? 0 : 1L << type.shift;
    }

    /** The type that a number has in Java: an accessor compares one number. */
    static final class Kind {
        static final int NONE = 0;
        static final int FLOAT = 1;
        static final int DOUBLE = 2;
        static final int INT = 3;
        static final int LONG = 4;

        private Kind() {}

        /** What the names of its accessors end with. */
        static String name(int kind) {
            return switch (kind) {
                case FLOAT -> "Float";
                case DOUBLE -> "Double";
                case INT -> "Int";
                default -> "Long";
            };
        }
    }
}
