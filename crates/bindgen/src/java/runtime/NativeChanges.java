// Made by upcall bindgen; do not edit.
package @PACKAGE@;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.charset.StandardCharsets;

/** Whether the library is still the one that these classes were made from. */
@SuppressWarnings("restricted")
final class NativeChanges {
    /** What each of its functions takes and gives, in short. */
    private static final String[] EXPECTED = {
@EXPECTED@    };

    private NativeChanges() {}

    /** Throws an error that says what has changed. */
    static void check(SymbolLookup library) {
        MemorySegment changes = library.find("upcall_changes").orElse(null);
        if (changes == null) {
            // It was built with an Upcall that did not know yet.
            return;
        }
        MethodHandle ask = Linker.nativeLinker().downcallHandle(changes, FunctionDescriptor.of(
                ValueLayout.JAVA_LONG,
                ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS, ValueLayout.JAVA_LONG));
        byte[] message;
        try (Arena arena = Arena.ofConfined()) {
            byte[] lines = String.join("", EXPECTED).getBytes(StandardCharsets.UTF_8);
            MemorySegment expected = arena.allocateFrom(ValueLayout.JAVA_BYTE, lines);
            long length = (long) ask.invokeExact(expected, expected.byteSize(), MemorySegment.NULL, 0L);
            if (length == 0L) {
                return;
            }
            MemorySegment to = arena.allocate(length);
            length = (long) ask.invokeExact(expected, expected.byteSize(), to, length);
            message = to.toArray(ValueLayout.JAVA_BYTE);
        } catch (Throwable thrown) {
            throw Native.thrown(thrown);
        }
        throw new UnsatisfiedLinkError(new String(message, StandardCharsets.UTF_8));
    }
}
