package upcall.mpi;

import upcall.bindings.UpcallMpiThreads;

/** Which threads may call MPI. */
public enum Threads {
    /** The process has one. */
    SINGLE(UpcallMpiThreads.SINGLE),

    /** The one that has started it. */
    FUNNELED(UpcallMpiThreads.FUNNELED),

    /** One at a time. */
    SERIALIZED(UpcallMpiThreads.SERIALIZED),

    /** All, as they like. */
    MULTIPLE(UpcallMpiThreads.MULTIPLE);

    private final int number;

    Threads(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    static Threads of(int number) {
        for (Threads threads : values()) {
            if (threads.number == number) {
                return threads;
            }
        }
        return SINGLE;
    }
}
