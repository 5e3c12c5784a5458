package upcall;

import java.lang.reflect.Array;

/** Numbers of a type in native memory, for a test harness: as bits, whatever the type. */
record TestCells(NumberType type, long at) {
    /** So many of them, which are 0; none without a type. */
    static TestCells of(Blocks blocks, NumberType type, long count) {
        return new TestCells(type, blocks.of(count * NumberType.bytesOf(type)));
    }

    long bits(long index) {
        return type == null ? 0
                : type.shift == 2 ? Integer.toUnsignedLong(Memory.getInt(at + 4 * index))
                : Memory.getLong(at + 8 * index);
    }

    void put(long index, long bits) {
        if (type != null && type.shift == 2) {
            Memory.putInt(at + 4 * index, (int) bits);
        } else if (type != null) {
            Memory.putLong(at + 8 * index, bits);
        }
    }

    /** As numbers are summed. */
    double number(long index) {
        long bits = bits(index);
        return switch (type) {
            case F32 -> Float.intBitsToFloat((int) bits);
            case F64 -> Double.longBitsToDouble(bits);
            case I32 -> (int) bits;
            case I64 -> bits;
            case U32 -> bits;
            // By half, whose last bit stands for those that do not count in the rounding but for whether there are any.
            case U64 -> bits >= 0 ? bits : (bits >>> 1 | bits & 1) * 2.0;
        };
    }

    /** The bits of a number of a type. */
    static long bitsOf(NumberType type, Number number) {
        return switch (type) {
            case F32 -> Integer.toUnsignedLong(Float.floatToRawIntBits(number.floatValue()));
            case F64 -> Double.doubleToRawLongBits(number.doubleValue());
            case I32, U32 -> Integer.toUnsignedLong((int) number.longValue());
            case I64, U64 -> number.longValue();
        };
    }

    /** Compares two numbers by their bits. */
    static int compare(NumberType type, long one, long other) {
        return switch (type) {
            case F32 -> Float.compare(Float.intBitsToFloat((int) one), Float.intBitsToFloat((int) other));
            case F64 -> Double.compare(Double.longBitsToDouble(one), Double.longBitsToDouble(other));
            case I32 -> Integer.compare((int) one, (int) other);
            case I64 -> Long.compare(one, other);
            case U32, U64 -> Long.compareUnsigned(one, other);
        };
    }

    /** The largest number of a type, or the least. */
    static long end(NumberType type, boolean largest) {
        return switch (type) {
            case F32 -> bitsOf(type, largest ? Float.POSITIVE_INFINITY : Float.NEGATIVE_INFINITY);
            case F64 -> bitsOf(type, largest ? Double.POSITIVE_INFINITY : Double.NEGATIVE_INFINITY);
            case I32 -> bitsOf(type, largest ? Integer.MAX_VALUE : Integer.MIN_VALUE);
            case I64 -> largest ? Long.MAX_VALUE : Long.MIN_VALUE;
            case U32 -> largest ? 0xFFFF_FFFFL : 0;
            case U64 -> largest ? -1 : 0;
        };
    }

    /** All of them, as an array of the type's own in Java. */
    Object array(int count) {
        if (type == null) {
            throw new IllegalStateException("the program has no such value");
        }
        Object array = Array.newInstance(NumberArrays.element(type.kind), count);
        NumberArrays.read(type.kind, at, array, count);
        return array;
    }
}
