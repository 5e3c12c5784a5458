package upcall;

/**
 * A handler that takes the whole batch.
 *
 * <p>What it throws fails everything since the last {@link Batch#done} together, and what was emitted since is forgotten; a
 * flow then hands it over again, one object at a time. A class that is also an {@link ObjectHandler} is called in batches.
 */
@FunctionalInterface
public interface BatchHandler extends FlowHandler {
    /** Handles the objects of one batch. */
    void onBatch(Batch batch, Emitter out) throws Exception;
}
