package wordcount;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;
import upcall.OpenContext;

/** Keeps the newest count per word and prints the most frequent words when the input has ended. */
public final class Reporter implements ObjectHandler {
    private final Map<String, Long> counts = new HashMap<>();
    private int top;

    @Override
    public void onOpen(OpenContext open) {
        top = Integer.parseInt(open.setting("top", "10"));
    }

    @Override
    public void onObject(FlowObject word, Emitter out) {
        counts.put(word.keyText(), word.value().getLong(0));
    }

    @Override
    public void onFlush(Emitter out) {
        counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(top)
                .forEach(word -> System.out.printf("%7d %s%n", word.getValue(), word.getKey()));
    }
}
