package upcall.tests;

import upcall.Batch;
import upcall.BatchHandler;
import upcall.Emitter;
import upcall.FlowObject;

/** Emits each object twice, and reports every second; fails where a value says so. */
public final class Pairs implements BatchHandler {
    @Override
    public void onBatch(Batch batch, Emitter out) {
        int done = 0;
        for (FlowObject object : batch) {
            if (object.value().contentEquals("fail")) {
                throw new IllegalArgumentException("will not pass on " + object.keyText());
            }
            out.put(object.key(), object.value());
            out.put(object.keyText(), object.valueText());
            done++;
            if (done % 2 == 0) {
                batch.done(done);
            }
        }
    }
}
