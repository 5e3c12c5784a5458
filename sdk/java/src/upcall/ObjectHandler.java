package upcall;

/**
 * A handler that is called once per object.
 *
 * <p>What it throws fails the object: what it emitted is forgotten, it is retried and then buried as its flow says.
 *
 * <pre>{@code
 * public class Shout implements ObjectHandler {
 *     public void onObject(FlowObject object, Emitter out) {
 *         out.put(object.key(), object.valueText() + "!");
 *     }
 * }
 * }</pre>
 */
@FunctionalInterface
public interface ObjectHandler extends FlowHandler {
    /** Handles one object. What it emits is kept if it returns. */
    void onObject(FlowObject object, Emitter out) throws Exception;
}
