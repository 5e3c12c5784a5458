package upcall;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Describes what was thrown, in an error slot or a refusal. */
final class Failure {
    /** So many frames of a stack are told: an endless recursion has thousands. */
    private static final int FRAMES = 100;

    private Failure() {}

    static void write(long frame, int item, Throwable thrown) {
        write(frame, item, thrown.getClass().getName(), message(thrown), stack(thrown));
    }

    /** Writes type, message and stack, cutting what does not fit at a character's boundary. */
    static void write(long frame, int item, String type, String message, String stack) {
        long slot = frame + Abi.FrameHead.ERROR;
        long text = slot + Abi.ErrorSlot.TEXT;
        long room = Memory.getLong(frame + Abi.FrameHead.BASE_OUTPUT) + Memory.getLong(text + Abi.Rel.OFFSET);
        long left = Memory.getLong(text + Abi.Rel.LEN);
        int typeLength = append(room, left, type);
        int messageLength = append(room + typeLength, left - typeLength, message);
        int used = typeLength + messageLength;
        int stackLength = append(room + used, left - used, stack);
        Memory.putInt(slot + Abi.ErrorSlot.TYPE_LEN, typeLength);
        Memory.putInt(slot + Abi.ErrorSlot.MESSAGE_LEN, messageLength);
        Memory.putInt(slot + Abi.ErrorSlot.STACK_LEN, stackLength);
        Memory.putInt(slot + Abi.ErrorSlot.ITEM, item);
    }

    /** Writes as much of a text as there is room for; returns its bytes. */
    static int append(long at, long room, String text) {
        byte[] bytes = new byte[(int) Math.min(Math.max(room, 0), 3L * text.length())];
        // Stops before a character that does not fit, and replaces half surrogates.
        var encoder = StandardCharsets.UTF_8.newEncoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE);
        ByteBuffer to = ByteBuffer.wrap(bytes);
        encoder.encode(CharBuffer.wrap(text), to, true);
        Memory.copy(bytes, 0, at, to.position());
        return to.position();
    }

    /** What it says; it may be of a class that throws when it is asked. */
    static String message(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            return message == null ? "" : message;
        } catch (Throwable second) {
            return "its message cannot be read: " + second.getClass().getName();
        }
    }

    /** Where it was thrown, then each cause with where that was thrown; nothing where they throw when asked. */
    static String stack(Throwable thrown) {
        try {
            StringBuilder text = new StringBuilder();
            frames(text, thrown);
            Throwable cause = thrown.getCause();
            for (int depth = 0; cause != null && depth < 16; depth++, cause = cause.getCause()) {
                text.append("\ncaused by ").append(cause.getClass().getName()).append(": ").append(message(cause)).append('\n');
                frames(text, cause);
            }
            return text.toString();
        } catch (Throwable second) {
            return "";
        }
    }

    private static void frames(StringBuilder text, Throwable thrown) {
        StackTraceElement[] frames = thrown.getStackTrace();
        int end = 0;
        // What lies below the driver is not the handler's.
        while (end < frames.length && !isDriver(frames[end].getClassName())) {
            end++;
        }
        for (int index = 0; index < Math.min(end, FRAMES); index++) {
            text.append(index == 0 ? "at " : "\nat ").append(frame(frames[index]));
        }
        if (end > FRAMES) {
            text.append("\n… and ").append(end - FRAMES).append(" more");
        }
    }

    private static boolean isDriver(String name) {
        return name.startsWith("upcall.") && name.endsWith("Driver");
    }

    /** Without the names of class loaders and modules. */
    private static String frame(StackTraceElement frame) {
        String place = frame.isNativeMethod() ? "native"
                : frame.getFileName() == null ? "unknown"
                : frame.getLineNumber() < 0 ? frame.getFileName()
                : frame.getFileName() + ":" + frame.getLineNumber();
        return frame.getClassName() + "." + frame.getMethodName() + "(" + place + ")";
    }
}
