package upcall.flow;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How a handler is called; what is not said is as in docs/flow.md. Each method returns these options. */
public final class HandlerOptions {
    private String name;
    private final List<String> alsoTo = new ArrayList<>();
    private final List<String> reads = new ArrayList<>();
    private HandlerOrder order = HandlerOrder.KEY;
    private Integer batch;
    private int retry;
    private Duration retryDelay;
    private Integer inFlight;
    private Duration deadline;
    private Integer perSecond;
    private boolean cycle;
    private final Map<String, Object> settings = new LinkedHashMap<>();

    /** Options that say nothing. */
    public HandlerOptions() {}

    /** Its name, for messages and the report; {@code WATCHED to TO} if it is not said, and {@code WATCHED} of one without an output. */
    public HandlerOptions name(String name) {
        this.name = name;
        return this;
    }

    /** Pools that it may emit to, beside the first. */
    public HandlerOptions alsoTo(String... pools) {
        alsoTo.addAll(List.of(pools));
        return this;
    }

    /** Pools that it may read. */
    public HandlerOptions reads(String... pools) {
        reads.addAll(List.of(pools));
        return this;
    }

    /** In which order objects reach it. */
    public HandlerOptions order(HandlerOrder order) {
        this.order = order;
        return this;
    }

    /** Objects in a batch at most. */
    public HandlerOptions batch(int items) {
        this.batch = items;
        return this;
    }

    /** Tries after a failure, before the object is buried. */
    public HandlerOptions retry(int tries) {
        this.retry = tries;
        return this;
    }

    /** How long a retry waits. */
    public HandlerOptions retryDelay(Duration delay) {
        this.retryDelay = delay;
        return this;
    }

    /** Of a handler that answers later: objects that are open at a time. */
    public HandlerOptions inFlight(int objects) {
        this.inFlight = objects;
        return this;
    }

    /** Of a handler that answers later: how long it may take for an object. */
    public HandlerOptions deadline(Duration deadline) {
        this.deadline = deadline;
        return this;
    }

    /** Objects a second at most. */
    public HandlerOptions perSecond(int objects) {
        this.perSecond = objects;
        return this;
    }

    /** Says that it is meant to be part of a cycle. */
    public HandlerOptions cycle() {
        this.cycle = true;
        return this;
    }

    /** What it is told when it is opened: text, a number or a boolean. */
    public HandlerOptions setting(String key, Object value) {
        settings.put(key, value);
        return this;
    }

    String nameOr(String other) {
        return name == null ? other : name;
    }

    boolean named() {
        return name != null;
    }

    void write(FlowText text, String name, String watched, String to) {
        List<String> pools = new ArrayList<>();
        if (to != null) {
            pools.add(to);
        }
        pools.addAll(alsoTo);
        text.table("[[handler]]");
        text.line("name", name);
        text.line("on", watched);
        text.line("to", pools);
        text.line("read", reads.isEmpty() ? null : reads);
        text.line("order", order == HandlerOrder.KEY ? null : order.name().toLowerCase(Locale.ROOT));
        text.line("batch", batch);
        text.line("retry", retry);
        text.line("retry_delay", retryDelay);
        text.line("in_flight", inFlight);
        text.line("deadline", deadline);
        text.line("rate", perSecond == null ? null : perSecond + " / s");
        text.line("cycle", cycle ? true : null);
        text.line("settings", settings.isEmpty() ? null : settings);
    }
}
