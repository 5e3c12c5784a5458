package upcall.tests;

import java.util.stream.Collectors;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.Found;
import upcall.ObjectHandler;
import upcall.OpenContext;
import upcall.PoolId;
import upcall.View;

/** Answers each question by what a pool holds. */
public final class Reads implements ObjectHandler {
    private PoolId kept;

    @Override
    public void onOpen(OpenContext open) {
        kept = open.pool(open.setting("pool", "/kept"));
    }

    @Override
    public void onObject(FlowObject question, Emitter out) {
        String key = question.keyText();
        String[] asked = question.valueText().split(" ");
        Found found = switch (asked[0]) {
            case "at" -> out.getAt(kept, key, Long.parseLong(asked[1]));
            case "time" -> out.getByTime(kept, key, Long.parseLong(asked[1]));
            case "list" -> {
                out.put(key, out.list(kept, key).stream().map(View::text).collect(Collectors.joining(",")));
                yield null;
            }
            case "other" -> out.get(question.pool(), key);
            default -> out.get(kept, key);
        };
        if (!asked[0].equals("list")) {
            out.put(key, found == null ? "nothing" : found.value().text() + " " + found.version());
        }
    }
}
