package upcall;

import java.nio.charset.StandardCharsets;

/**
 * What a handler says of itself: shown by {@code upcall describe}; an engine compares the kind before it opens the handler.
 * Ends with the call.
 */
public final class Description {
    private final long frame;

    Description(long frame) {
        this.frame = frame;
    }

    /**
     * A setting that the handler understands.
     *
     * @param name its name
     * @param type the type of its values: {@code u64}, {@code text}
     * @param defaultValue what it is when nobody sets it, which may be empty; null when there is no such value
     * @param range which values it may have, in words of the type's own ({@code 1..=100}, {@code fast or exact}); null for any
     */
    public void parameter(String name, String type, String defaultValue, String range) {
        String otherwise = defaultValue == null ? "" : "=" + line(defaultValue);
        say(Abi.About.PARAMETER, name, line(type) + "\n" + otherwise + "\n" + line(range));
    }

    void say(int what, String keyText, String valueText) {
        byte[] key = keyText.getBytes(StandardCharsets.UTF_8);
        byte[] value = valueText.getBytes(StandardCharsets.UTF_8);
        long out = frame + Abi.DescribeFrame.OUT;
        long bytes = (Abi.Record.BYTES + (long) value.length + key.length + 7) & ~7L;
        if (Memory.getLong(out + Abi.Output.END) - Memory.getLong(out + Abi.Output.AT) < bytes) {
            long grow = Memory.getLong(out + Abi.Output.GROW);
            if (grow == 0 || Calls.to.grow(grow, frame, bytes) != Abi.Status.OK) {
                throw new OutOfMemoryError("the engine gives no room for the description");
            }
        }
        long at = Memory.getLong(out + Abi.Output.AT);
        long record = Memory.getLong(frame + Abi.FrameHead.BASE_OUTPUT) + at;
        Memory.putInt(record + Abi.Record.POOL, what);
        Memory.putInt(record + Abi.Record.ITEM, 0);
        Memory.putInt(record + Abi.Record.VALUE_LEN, value.length);
        Memory.putInt(record + Abi.Record.KEY_LEN, key.length);
        Memory.copy(value, 0, record + Abi.Record.BYTES, value.length);
        Memory.copy(key, 0, record + Abi.Record.BYTES + value.length, key.length);
        Memory.putLong(out + Abi.Output.AT, at + bytes);
    }

    private static String line(String text) {
        return text == null ? "" : text.replace('\n', ' ');
    }
}
