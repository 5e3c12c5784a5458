package wordcount;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import upcall.Batch;
import upcall.BatchHandler;
import upcall.Emitter;
import upcall.FlowObject;

/** Keeps a count per word and emits each word that changed, once a batch, with its count. */
public final class Counter implements BatchHandler {
    private final Map<String, long[]> counts = new HashMap<>();

    @Override
    public void onBatch(Batch batch, Emitter out) {
        Set<String> changed = new LinkedHashSet<>();
        for (FlowObject object : batch) {
            String word = object.keyText();
            counts.computeIfAbsent(word, added -> new long[1])[0]++;
            changed.add(word);
        }
        for (String word : changed) {
            out.putLong(word, counts.get(word)[0]);
        }
    }
}
