package upcall;

/** What a handler may do with a pool. */
public enum PoolAccess {
    /** Objects of the pool reach the handler. */
    WATCH(1),

    /** The handler may emit into the pool. */
    EMIT(2),

    /** The handler may read the pool. */
    READ(4);

    final int bit;

    PoolAccess(int bit) {
        this.bit = bit;
    }
}
