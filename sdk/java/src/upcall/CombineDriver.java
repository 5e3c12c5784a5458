package upcall;

import java.lang.reflect.Array;

/** Calls a handler with two arrays. */
final class CombineDriver extends Driver {
    private final Combine<Object> handler;
    private final Elements elements;
    private Object from;
    private Object into;

    // Whether OPEN has agreed on the elements' type.
    private boolean agreed;

    @SuppressWarnings("unchecked")
    CombineDriver(Combine<?> handler, Elements elements) {
        super(handler, BatchFrame.COMBINE);
        this.handler = (Combine<Object>) handler;
        this.elements = elements;
        from = elements.array(0);
        into = elements.array(0);
    }

    @Override
    int run(long frame) throws Exception {
        int count = count(frame);
        if (Array.getLength(from) < count) {
            from = elements.array(count);
            into = elements.array(count);
        }
        long origin = Memory.getLong(frame + Abi.FrameHead.BASE_BATCH);
        long target = Memory.getLong(frame + Abi.FrameHead.BASE_OUTPUT) + Memory.getLong(frame + Abi.CombineFrame.INTO);
        elements.read(origin + Memory.getLong(frame + Abi.CombineFrame.FROM), from, count);
        elements.read(target, into, count);
        handler.combine(from, into, count);
        elements.write(into, target, count);
        return Abi.Status.OK;
    }

    /** How many elements each array has; throws where they have not. */
    private int count(long frame) {
        if (!agreed) {
            throw new IllegalStateException("the handler was called before OPEN, which agrees on the elements' type");
        }
        long count = Memory.getLong(frame + Abi.CombineFrame.COUNT);
        if (count < 0 || count > Integer.MAX_VALUE) {
            throw new IllegalStateException("combine " + Long.toUnsignedString(count) + " elements: an array holds at most "
                    + Integer.MAX_VALUE + "; combine them in parts");
        }
        long bytes = count * elements.size();
        if (Memory.getLong(frame + Abi.CombineFrame.FROM + Abi.Rel.LEN) != bytes
                || Memory.getLong(frame + Abi.CombineFrame.INTO + Abi.Rel.LEN) != bytes) {
            throw new IllegalStateException("the frame's arrays are not " + count + " elements of " + elements.name()
                    + " each: the engine breaks the rules");
        }
        return (int) count;
    }

    @Override
    void about(Description about) {
        about.say(Abi.About.TAKES, elements.name(), Integer.toString(elements.size()));
        if (handler.commutative()) {
            about.say(Abi.About.COMMUTATIVE, "", "");
        }
    }

    @Override
    void open(long frame) throws Exception {
        long origin = Memory.getLong(frame + Abi.FrameHead.BASE_BATCH);
        if (Memory.getLong(frame + Abi.OpenFrame.ADDED + Abi.Rel.LEN) < Abi.CombineOpen.BYTES) {
            throw new IllegalStateException("OPEN names no elements: build engine and handler with the same version");
        }
        long added = origin + Memory.getLong(frame + Abi.OpenFrame.ADDED);
        String name = Memory.text(added + Abi.CombineOpen.ELEMENT, origin);
        int size = Memory.getInt(added + Abi.CombineOpen.ELEMENT_SIZE);
        if (!elements.are(name, size)) {
            throw new IllegalStateException("the engine combines " + name + " of " + size + " bytes, and the handler "
                    + elements.name() + " of " + elements.size() + ": change one of them");
        }
        handler.onOpen(new Context(frame, log));
        agreed = true;
    }

    @Override
    void flush(long frame) {}
}
