package upcall;

/** Native memory for what a call needs, used again by the next. */
final class Room {
    private long address;
    private long size;

    /** At least so many bytes, which hold anything. */
    long of(long bytes) {
        if (bytes > size || address == 0) {
            size = Math.max(Math.max(bytes, 2 * size), 256);
            address = Memory.allocate(this, size);
        }
        return address;
    }
}
