package upcall.tests;

/** Throws when it is asked what it says. */
final class Mute extends RuntimeException {
    private static final long serialVersionUID = 1;

    static void raise() {
        throw new Mute();
    }

    @Override
    public String getMessage() {
        throw new IllegalStateException("it does not say");
    }
}
