// Made by upcall bindgen; do not edit.
package @PACKAGE@;

//ffm
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
//end
import java.nio.charset.StandardCharsets;

/** What lies in native memory; and how text and bytes are read where only an address is known. */
@SuppressWarnings("restricted")
public interface NativeMemory {
    /** Where it is. */
    MemorySegment segment();

    /**
     * A copy of the UTF-8 up to the next zero.
     *
     * @param address where it begins; not null, but may be the null address
     * @return null for the null address
     */
    static @NULLABLE@String text(MemorySegment address) {
        if (Native.isNull(address)) {
            return null;
        }
        MemorySegment bytes = address.byteSize() == 0L ? address.reinterpret(Integer.MAX_VALUE) : address;
        long length = 0L;
        while (bytes.get(Native.BYTE, length) != 0) {
            length++;
        }
        return text(bytes, length);
    }

    /**
     * A copy of so many bytes of UTF-8.
     *
     * @param address where it begins; not null, but may be the null address if there are no bytes
     * @param length in bytes
     * @return not null
     */
    static String text(MemorySegment address, long length) {
        return new String(bytes(address, length), StandardCharsets.UTF_8);
    }

    /**
     * Copies of the text at so many addresses.
     *
     * @param addresses where they begin; not null
     * @param count how many
     * @return not null; null within it for the null address
     */
    static @NULLABLE@String[] texts(MemorySegment addresses, long count) {
        MemorySegment all = addresses.reinterpret(Math.multiplyExact(count, 8L));
        @NULLABLE@String[] texts = new @NULLABLE@String[Math.toIntExact(count)];
        for (int index = 0; index < texts.length; index++) {
            texts[index] = text(all.get(Native.ADDRESS, index * 8L));
        }
        return texts;
    }

    /**
     * A copy of so many bytes.
     *
     * @param address where they begin; not null, but may be the null address if there are none
     * @param length how many
     * @return not null
     */
    static byte[] bytes(MemorySegment address, long length) {
        if (length == 0L) {
            return new byte[0];
        }
        Native.presentAddress(address, "bytes", "address");
        MemorySegment bytes = address.byteSize() == 0L ? address.reinterpret(length) : address.asSlice(0L, length);
        return bytes.toArray(ValueLayout.JAVA_BYTE);
    }
}
