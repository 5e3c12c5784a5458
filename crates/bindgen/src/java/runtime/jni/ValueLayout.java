// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/** Says which number is meant: for JDK 17 what java.lang.foreign.ValueLayout is from JDK 22 on. Any address will do. */
public final class ValueLayout {
    public static final OfBoolean JAVA_BOOLEAN = new OfBoolean();
    public static final OfByte JAVA_BYTE = new OfByte();
    public static final OfShort JAVA_SHORT = new OfShort();
    public static final OfInt JAVA_INT = new OfInt();
    public static final OfLong JAVA_LONG = new OfLong();
    public static final OfFloat JAVA_FLOAT = new OfFloat();
    public static final OfDouble JAVA_DOUBLE = new OfDouble();
    public static final AddressLayout ADDRESS = AddressLayout.ADDRESS;

    private ValueLayout() {}

    /** One byte, zero for false. */
    public static final class OfBoolean {
        private OfBoolean() {}
    }

    /** 8 bits. */
    public static final class OfByte {
        private OfByte() {}
    }

    /** 16 bits. */
    public static final class OfShort {
        private OfShort() {}
    }

    /** 32 bits. */
    public static final class OfInt {
        private OfInt() {}
    }

    /** 64 bits. */
    public static final class OfLong {
        private OfLong() {}
    }

    /** 32 bits with a point. */
    public static final class OfFloat {
        private OfFloat() {}
    }

    /** 64 bits with a point. */
    public static final class OfDouble {
        private OfDouble() {}
    }
}
