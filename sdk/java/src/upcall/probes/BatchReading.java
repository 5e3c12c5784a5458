package upcall.probes;

import upcall.Batch;
import upcall.BatchHandler;
import upcall.Emitter;
import upcall.FlowObject;

/** Looks at key and value of each object of a batch. */
public final class BatchReading implements BatchHandler {
    private long seen;

    /** Makes one. */
    public BatchReading() {}

    @Override
    public void onBatch(Batch batch, Emitter out) {
        long seen = 0;
        for (FlowObject object : batch) {
            seen += Look.at(object);
        }
        this.seen += seen;
    }
}
