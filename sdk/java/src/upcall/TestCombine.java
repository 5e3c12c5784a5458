package upcall;

import java.lang.reflect.Array;

/** Has a handler combine arrays, as {@link TestEngine} is an engine. */
public abstract class TestCombine extends TestEngine {
    private final Elements elements;
    private final String name;
    private final int size;

    /** The arrays have the handler's own elements; others where a name is given. */
    protected TestCombine(Combine<?> handler, String name, int size) {
        super(handler, Abi.Kind.COMBINE);
        elements = Elements.of(handler.getClass());
        this.name = name == null ? elements.name() : name;
        this.size = name == null ? elements.size() : size;
    }

    /** Has the handler combine the first array into the second, which is as long. */
    public final void run(Object from, Object into) {
        open();
        int count = Array.getLength(into);
        Blocks call = new Blocks();
        long frame = frame(call, Abi.Kind.COMBINE, Abi.CombineFrame.BYTES);
        Memory.putLong(frame + Abi.CombineFrame.COUNT, count);
        place(call, frame + Abi.CombineFrame.FROM, from, count);
        place(call, frame + Abi.CombineFrame.INTO, into, count);
        check(call(frame), frame, 0);
        elements.read(Memory.getLong(frame + Abi.CombineFrame.INTO), into, count);
        call.end();
    }

    private void place(Blocks call, long slice, Object array, int count) {
        long bytes = (long) count * elements.size();
        long at = call.of(bytes);
        elements.write(array, at, count);
        Blocks.slice(slice, at, bytes);
    }

    @Override
    final void add(Blocks call, Blocks lent, long slice) {
        long added = call.of(Abi.CombineOpen.BYTES);
        Blocks.slice(slice, added, Abi.CombineOpen.BYTES);
        Memory.putInt(added, Abi.CombineOpen.BYTES);
        Memory.putInt(added + Abi.CombineOpen.ELEMENT_SIZE, size);
        call.slice(added + Abi.CombineOpen.ELEMENT, name);
    }

    @Override
    final int ask(boolean list, long query, long found) {
        return Abi.Status.FAILED;
    }
}
