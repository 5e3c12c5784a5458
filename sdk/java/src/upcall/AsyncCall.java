package upcall;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;

/**
 * One object that may be answered later. Its lock guards the frame, which nobody touches once the object is over; no code of
 * the handler's runs under it, as CANCEL and CLOSE wait for it.
 */
final class AsyncCall {
    final Session session;
    private final AsyncDriver driver;

    // Its address; 0 once the object is over.
    private long frame;

    // Why it is over; null as long as it is not.
    private volatile Over over;
    private CompletableFuture<?> future;
    private List<Runnable> actions = List.of();

    /** Takes a frame, of which it is this object or none. */
    AsyncCall(AsyncDriver driver, Session parent, long frame, int item) {
        this.driver = driver;
        this.frame = frame;
        session = new Session(parent);
        session.origin = Memory.getLong(frame + Abi.FrameHead.BASE_BATCH);
        session.item = item;
        session.mark(frame);
    }

    /** Throws when the object is over. */
    void check() {
        Over why = over;
        if (why != null) {
            throw why.exception();
        }
    }

    /** An emitter for as long as the caller holds the lock. */
    Emitter emitter() {
        check();
        session.thread = Thread.currentThread();
        return new Emitter(session, frame);
    }

    void onCancel(Runnable action) {
        Over why;
        synchronized (this) {
            why = over;
            if (why == null) {
                actions = new ArrayList<>(actions);
                actions.add(action);
            }
        }
        if (why == Over.ANSWERED) {
            throw why.exception();
        }
        if (why != null) {
            ForkJoinPool.commonPool().execute(action);
        }
    }

    /** Ends it in the engine's call, which is answered with the status. */
    int end(Throwable thrown) {
        FailureText failed = FailureText.of(thrown);
        synchronized (this) {
            try {
                return settle(failed, Over.ANSWERED);
            } finally {
                frame = 0;
            }
        }
    }

    /** Ends it without a word, in a call that is answered otherwise. */
    synchronized void drop() {
        frame = 0;
        over = Over.ANSWERED;
    }

    /** Answers the engine when the future is complete. */
    void await(CompletableFuture<?> future) {
        synchronized (this) {
            this.future = future;
        }
        future.whenComplete((nothing, thrown) -> {
            try {
                endLater(thrown);
            } catch (Throwable second) {
                // Its stack may be used up, and nobody is above this: another thread has a stack of its own.
                endElsewhere(thrown);
            }
        });
    }

    /** Answers the frame as failed, since nobody waits for it any more, and cancels what the handler does. */
    void cancel(Over why, boolean answer) {
        FailureText failed = FailureText.of(why.exception());
        List<Runnable> then;
        synchronized (this) {
            long frame = this.frame;
            if (frame == 0) {
                return;
            }
            if (answer) {
                try {
                    answer(failed, why);
                } catch (Throwable second) {
                    answerBriefly(why);
                }
            } else {
                driver.forget(frame, this);
                this.frame = 0;
                over = why;
            }
            then = actions;
        }
        driver.ended(this);
        // Elsewhere: what was registered may be anything, and so may what depends on the future.
        ForkJoinPool.commonPool().execute(() -> {
            future.cancel(true);
            then.forEach(ForkJoinPool.commonPool()::execute);
        });
    }

    private void endLater(Throwable thrown) {
        FailureText failed = FailureText.of(cause(thrown));
        synchronized (this) {
            // It may be cancelled meanwhile.
            if (frame != 0) {
                answer(failed, Over.ANSWERED);
            }
        }
        driver.ended(this);
    }

    private void endElsewhere(Throwable thrown) {
        try {
            ForkJoinPool.commonPool().execute(() -> {
                try {
                    endLater(thrown);
                } catch (Throwable second) {
                    endBriefly();
                }
            });
        } catch (Throwable nowhere) {
            endBriefly();
        }
    }

    private void endBriefly() {
        synchronized (this) {
            if (frame != 0) {
                answerBriefly(Over.ANSWERED);
            }
        }
        driver.ended(this);
    }

    /** Tells the engine, under the lock: a CLOSE that finds it over has the answer behind it. Until it returns it may be tried again. */
    private void answer(FailureText failed, Over why) {
        // Before the engine is told: the next call may have the same frame.
        driver.forget(frame, this);
        complete(settle(failed, why));
    }

    /** The same with as little as there is: a failure that says nothing. */
    private void answerBriefly(Over why) {
        driver.forget(frame, this);
        over = why;
        session.truncate(frame);
        Memory.putInt(frame + Abi.FrameHead.ERROR + Abi.ErrorSlot.ITEM, session.item);
        complete(Abi.Status.FAILED);
    }

    /** Writes the outcome into the frame. */
    private int settle(FailureText failed, Over why) {
        over = why;
        if (failed == null) {
            FlowDriver.finish(frame, session.item + 1);
            return Abi.Status.OK;
        }
        session.truncate(frame);
        failed.write(frame, session.item);
        return Abi.Status.FAILED;
    }

    private void complete(int status) {
        long told = frame;
        frame = 0;
        try {
            Calls.to.complete(Memory.getLong(told + Abi.FrameHead.COMPLETE), told, status);
        } catch (Throwable untold) {
            frame = told;
            throw untold;
        }
    }

    /** What a future has failed with. */
    static Throwable cause(Throwable thrown) {
        Throwable cause = thrown;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException) && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }
}
