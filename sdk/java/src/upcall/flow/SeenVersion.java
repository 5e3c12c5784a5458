package upcall.flow;

/**
 * A version of a key that a pool keeps.
 *
 * @param version the version
 * @param time nanoseconds since the Unix epoch
 * @param removed whether this version removed the key
 */
public record SeenVersion(long version, long time, boolean removed) {}
