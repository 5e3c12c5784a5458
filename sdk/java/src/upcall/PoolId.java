package upcall;

/** A pool's id, from {@link OpenContext#pool} or {@link FlowObject#pool}. */
public final class PoolId {
    final int value;

    PoolId(int value) {
        this.value = value;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PoolId id && id.value == value;
    }

    @Override
    public int hashCode() {
        return value;
    }

    @Override
    public String toString() {
        return "pool " + value;
    }
}
