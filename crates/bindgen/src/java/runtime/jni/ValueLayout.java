// Made by upcall bindgen; do not edit.
package @PACKAGE@;

/** Says which number is meant: for JDK 17 what java.lang.foreign.ValueLayout is from JDK 22 on. Any address will do. */
public abstract class ValueLayout {
$each constant class: BOOLEAN Boolean, BYTE Byte, SHORT Short, INT Int, LONG Long, FLOAT Float, DOUBLE Double
    public static final Of$class JAVA_$constant = new Of$class();
$end
    public static final AddressLayout ADDRESS = new AddressLayout();

    private final long byteSize;

    ValueLayout(long byteSize) {
        this.byteSize = byteSize;
    }

    /** Bytes. */
    public final long byteSize() {
        return byteSize;
    }
$each type class size: boolean Boolean 1, byte Byte 1, short Short 2, int Int 4, long Long 8, float Float 4, double Double 8

    /** A {@code $type}. */
    public static final class Of$class extends ValueLayout {
        private Of$class() {
            super($sizeL);
        }
    }
$end
}
