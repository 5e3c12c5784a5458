package upcall;

/** A handler asked for what a key was at a time of which the pool no longer keeps it. */
public final class VersionNotKeptException extends RuntimeException {
    private static final long serialVersionUID = 1;

    VersionNotKeptException(String key) {
        super("read " + key + " as it was: that is no longer kept; raise `keep` of the pool");
    }
}
