package upcall.mpi;

import upcall.bindings.UpcallMpiStatus;

/**
 * What is known of a message that has arrived.
 *
 * @param source the rank that has sent it; -1 where the receive was cancelled
 * @param tag its tag
 * @param bytes its size
 * @param cancelled whether the receive was cancelled before anything arrived
 */
public record Status(int source, int tag, long bytes, boolean cancelled) {
    static Status of(UpcallMpiStatus status) {
        return new Status(status.source(), status.tag_(), status.bytes(), status.cancelled() != 0);
    }

    static Status ofCancelled() {
        return new Status(-1, -1, 0, true);
    }

    /**
     * How many elements of an array it has.
     *
     * @param array the array's class, as {@code double[].class}
     * @throws MpiException it has no whole number of them ({@link MpiError#TYPE})
     */
    public int count(Class<?> array) {
        Elements elements = Elements.of(array);
        if (elements == null) {
            throw new IllegalArgumentException(array.getName() + " is no array of numbers");
        }
        return elements.count(bytes);
    }
}
