// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/** Says which number is meant: for JDK 17 what java.lang.foreign.ValueLayout is from JDK 22 on. Any address will do. */
public abstract class ValueLayout {
    public static final OfBoolean JAVA_BOOLEAN = new OfBoolean();
    public static final OfByte JAVA_BYTE = new OfByte();
    public static final OfShort JAVA_SHORT = new OfShort();
    public static final OfInt JAVA_INT = new OfInt();
    public static final OfLong JAVA_LONG = new OfLong();
    public static final OfFloat JAVA_FLOAT = new OfFloat();
    public static final OfDouble JAVA_DOUBLE = new OfDouble();
    public static final AddressLayout ADDRESS = new AddressLayout();

    private final long byteSize;

    ValueLayout(long byteSize) {
        this.byteSize = byteSize;
    }

    /** Bytes. */
    public final long byteSize() {
        return byteSize;
    }

    /** One byte, zero for false. */
    public static final class OfBoolean extends ValueLayout {
        private OfBoolean() {
            super(1L);
        }
    }

    /** 8 bits. */
    public static final class OfByte extends ValueLayout {
        private OfByte() {
            super(1L);
        }
    }

    /** 16 bits. */
    public static final class OfShort extends ValueLayout {
        private OfShort() {
            super(2L);
        }
    }

    /** 32 bits. */
    public static final class OfInt extends ValueLayout {
        private OfInt() {
            super(4L);
        }
    }

    /** 64 bits. */
    public static final class OfLong extends ValueLayout {
        private OfLong() {
            super(8L);
        }
    }

    /** 32 bits with a point. */
    public static final class OfFloat extends ValueLayout {
        private OfFloat() {
            super(4L);
        }
    }

    /** 64 bits with a point. */
    public static final class OfDouble extends ValueLayout {
        private OfDouble() {
            super(8L);
        }
    }
}
