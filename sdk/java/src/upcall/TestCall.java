package upcall;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/** A frame with one object in a test harness, until it is answered. */
final class TestCall {
    // By their frame, with which an answer comes, on any thread.
    private static final Map<Long, TestCall> CALLS = new ConcurrentHashMap<>();

    final TestFlow flow;
    final long frame;
    final CompletableFuture<Void> answered = new CompletableFuture<>();

    private final Blocks blocks = new Blocks();
    private final Chunks chunks;
    private volatile Over why;

    TestCall(TestFlow flow, byte[] key, byte[] value) {
        this.flow = flow;
        frame = TestEngine.frame(blocks, Abi.Kind.FLOW, Abi.FlowFrame.BYTES);
        chunks = new Chunks(frame, frame + Abi.FlowFrame.OUT);
        flow.fill(blocks, frame, List.of(key), List.of(value));
        Memory.putLong(frame + Abi.FrameHead.COMPLETE, TestCalls.COMPLETE);
        CALLS.put(frame, this);
    }

    /** What a flow has open. */
    static List<TestCall> of(TestFlow flow) {
        return CALLS.values().stream().filter(call -> call.flow == flow).toList();
    }

    static void complete(long frame, int status) {
        CALLS.get(frame).answered(status);
    }

    boolean isOpen() {
        return CALLS.get(frame) == this;
    }

    /** It is no longer waited for. */
    void over(Over why) {
        this.why = why;
    }

    void answered(int status) {
        CALLS.remove(frame, this);
        if (status == Abi.Status.OK) {
            flow.collect(chunks);
            chunks.close();
            answered.completeAsync(() -> null);
            return;
        }
        chunks.close();
        String type = TestEngine.typeOf(frame);
        RuntimeException own = why == null ? null : why.exception();
        // The cause as the engine names it, where the handler answers with it.
        RuntimeException failure = own != null && type.equals(own.getClass().getName())
                ? own
                : flow.failure(frame, Memory.getInt(frame + Abi.FlowFrame.DONE));
        blocks.end();
        answered.completeExceptionally(failure);
    }
}
