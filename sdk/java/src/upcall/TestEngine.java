package upcall;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The engine's side of the boundary, as small as it can be: what the harnesses of {@code upcall.testing} are made of, and of no
 * use elsewhere.
 */
public abstract class TestEngine implements AutoCloseable {
    private static final int ERROR_ROOM = 4096;

    final Driver driver;

    /** Calls come from one thread at a time. */
    final Object gate = new Object();

    /** The number by which callbacks find it. */
    final long context;

    private final int kind;
    private final Blocks lent = new Blocks();
    private final Map<String, String> settings = new TreeMap<>();
    private boolean opened;
    private boolean closed;

    TestEngine(Object handler, int kind) {
        driver = Drivers.of(handler);
        this.kind = kind;
        context = TestCalls.enter(this);
    }

    /** A line that the handler has logged. */
    protected abstract void logged(int level, String text);

    /** Something that the handler says of itself. */
    protected abstract void described(int what, String key, String value);

    /** What the handler has failed with; {@code item} is -1 where it is none in particular. */
    protected abstract RuntimeException failed(String type, String message, String stack, int done, int item);

    /** What is added to OPEN. What is lent until CLOSE is in {@code lent}. */
    abstract void add(Blocks call, Blocks lent, long slice);

    /** Reads or lists a pool. */
    abstract int ask(boolean list, long query, long found);

    /** CLOSE is about to come. */
    void closing() {}

    /** Sets a setting. */
    public final void set(String name, String value) {
        settings.put(name, value);
    }

    /** OPEN, if it has not been. */
    public final void open() {
        if (opened) {
            return;
        }
        Blocks call = new Blocks();
        long frame = frame(call, Abi.Kind.OPEN, Abi.OpenFrame.BYTES);
        call.slice(frame + Abi.OpenFrame.NAME, "handler");
        Memory.putShort(frame + Abi.OpenFrame.BATCH, (short) kind);
        Memory.putInt(frame + Abi.OpenFrame.WORKERS, 1);
        long setting = call.of((long) settings.size() * Abi.Setting.BYTES);
        Blocks.slice(frame + Abi.OpenFrame.SETTINGS, setting, settings.size());
        for (Map.Entry<String, String> each : settings.entrySet()) {
            call.slice(setting + Abi.Setting.NAME, each.getKey());
            call.slice(setting + Abi.Setting.VALUE, each.getValue());
            setting += Abi.Setting.BYTES;
        }
        long services = lent.of(Abi.Services.BYTES);
        Memory.putInt(services, Abi.Services.BYTES);
        Memory.putLong(services + Abi.Services.CONTEXT, context);
        Memory.putLong(services + Abi.Services.LOG, TestCalls.LOG);
        Memory.putLong(frame + Abi.OpenFrame.SERVICES, services);
        add(call, lent, frame + Abi.OpenFrame.ADDED);
        check(call(frame), frame, 0);
        call.end();
        opened = true;
    }

    /** DESCRIBE: has the handler say what it is. */
    public final void describe() {
        Blocks call = new Blocks();
        long frame = frame(call, Abi.Kind.DESCRIBE, Abi.DescribeFrame.BYTES);
        try (Chunks chunks = new Chunks(frame, frame + Abi.DescribeFrame.OUT)) {
            check(call(frame), frame, 0);
            chunks.collect((what, key, value) -> described(what, text(key), text(value)));
        }
        call.end();
    }

    /** CLOSE, if it has not been. */
    @Override
    public final void close() {
        if (closed) {
            return;
        }
        closed = true;
        closing();
        Blocks call = new Blocks();
        long frame = frame(call, Abi.Kind.CLOSE, Abi.FrameHead.BYTES);
        try {
            check(call(frame), frame, 0);
        } finally {
            call.end();
            lent.end();
            TestCalls.leave(context);
        }
    }

    /** The value in these bytes. */
    @SuppressWarnings("unchecked")
    public static <T> T value(byte[] bytes, Class<T> type) {
        return (T) Form.of(type).decode(bytes);
    }

    final void log(int level, byte[] bytes) {
        logged(level, text(bytes));
    }

    /** A frame with room for the text of an error. */
    static long frame(Blocks call, int kind, int size) {
        long frame = call.of(size);
        Memory.putShort(frame + Abi.FrameHead.ABI, (short) Abi.NUMBER);
        Memory.putShort(frame + Abi.FrameHead.KIND, (short) kind);
        Memory.putInt(frame + Abi.FrameHead.SIZE, size);
        long slot = frame + Abi.FrameHead.ERROR;
        Blocks.slice(slot + Abi.ErrorSlot.TEXT, call.of(ERROR_ROOM), ERROR_ROOM);
        Memory.putInt(slot + Abi.ErrorSlot.ITEM, Abi.ErrorSlot.NO_ITEM);
        return frame;
    }

    final int call(long frame) {
        synchronized (gate) {
            driver.moveHere();
            return driver.call(frame);
        }
    }

    /** Throws what the handler failed with, if it did. */
    final void check(int status, long frame, int done) {
        if (status != Abi.Status.OK) {
            throw failure(frame, done);
        }
    }

    final RuntimeException failure(long frame, int done) {
        String[] parts = error(frame);
        int item = Memory.getInt(frame + Abi.FrameHead.ERROR + Abi.ErrorSlot.ITEM);
        return failed(parts[0], parts[1], parts[2], done, item);
    }

    /** The class of what it failed with. */
    static String typeOf(long frame) {
        return error(frame)[0];
    }

    /** Type, message and stack. */
    private static String[] error(long frame) {
        long slot = frame + Abi.FrameHead.ERROR;
        long text = Memory.getLong(slot + Abi.ErrorSlot.TEXT);
        String[] parts = new String[3];
        int[] lengths = {Abi.ErrorSlot.TYPE_LEN, Abi.ErrorSlot.MESSAGE_LEN, Abi.ErrorSlot.STACK_LEN};
        for (int index = 0; index < parts.length; index++) {
            byte[] bytes = new byte[Memory.getInt(slot + lengths[index])];
            Memory.copy(text, bytes, bytes.length);
            parts[index] = text(bytes);
            text += bytes.length;
        }
        return parts;
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
