package upcall;

import java.util.Iterator;
import java.util.NoSuchElementException;

/** The objects of one call: a view that ends with it. */
public final class Batch implements Iterable<FlowObject> {
    private final Session session;
    private final long call;
    private final long frame;
    private final long items;
    private final int count;

    Batch(Session session, long frame) {
        this.session = session;
        this.call = session.call;
        this.frame = frame;
        items = session.origin + Memory.getLong(frame + Abi.FlowFrame.ITEMS);
        count = Memory.length(frame + Abi.FlowFrame.ITEMS);
    }

    /** How many objects there are. */
    public int count() {
        return count;
    }

    /**
     * The object at an index.
     *
     * @throws IndexOutOfBoundsException there is no such object
     */
    public FlowObject get(int index) {
        session.check(call);
        if (index < 0 || index >= count) {
            throw outside(index);
        }
        return new FlowObject(session, items + (long) index * Abi.Item.BYTES);
    }

    /** Reports that the first {@code count} objects are done: what was emitted so far is kept, whatever follows. */
    public void done(int count) {
        session.check(call);
        if (count < 0 || count > this.count) {
            throw outside(count);
        }
        session.mark(frame);
        FlowDriver.report(frame, count);
    }

    /** The objects, in order. */
    @Override
    public Iterator<FlowObject> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < count;
            }

            @Override
            public FlowObject next() {
                if (next >= count) {
                    throw new NoSuchElementException();
                }
                return get(next++);
            }
        };
    }

    private IndexOutOfBoundsException outside(int index) {
        return new IndexOutOfBoundsException("object " + index + " of a batch of " + count + ": there is no such object");
    }
}
