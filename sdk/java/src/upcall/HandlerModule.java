package upcall;

/** Where instances of a handler come from: a class of a file, or what a program has given. */
interface HandlerModule {
    /** Makes one. */
    Driver instantiate() throws Throwable;

    /** The context of a thread on which it is made or runs. */
    ClassLoader loader();
}
