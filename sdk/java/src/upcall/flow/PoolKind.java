package upcall.flow;

/** What a pool keeps. */
public enum PoolKind {
    /** The newest versions of each key, in memory. */
    VOLATILE,

    /** Nothing: it only runs its handlers. */
    TRIGGER,
}
