package upcall;

/**
 * A handler that takes values of one type and emits values of one type, instead of bytes.
 *
 * <p>A type may be
 *
 * <ul>
 *   <li>a number: {@code Long}, {@code Integer}, {@code Short}, {@code Byte}, {@code Double}, {@code Float}, signed or not;
 *       {@code Boolean}, {@code Character}, and an enum with {@code value()} and a static {@code of(number)}, as {@code upcall
 *       bindgen} writes it, where bytes that are no value fail the object;
 *   <li>blittable: a record of numbers, and of such records, which lies in memory as C lays out a struct. One that is emitted
 *       or put must have no padding between its fields;
 *   <li>packed: a type with a static {@code unpack(byte[])} and {@code pack()}, as {@code upcall bindgen} writes it;
 *   <li>{@code String}, the value being UTF-8, and {@code byte[]}, a copy.
 * </ul>
 *
 * <p>Bytes that are no value of the type fail the object. When the declared type of a watched pool, or of the first output
 * pool, is another one, the handler does not start and the flow stops before its first object; when it is that of another
 * output pool, the object that is emitted there fails. Values of further types are emitted by {@link TypedEmitter#of}.
 *
 * <pre>{@code
 * record Reading(long sensor, double celsius) {}
 *
 * public class Fahrenheit implements TypedHandler<Reading, Double> {
 *     public void onObject(Reading value, FlowObject object, TypedEmitter<Double> out) {
 *         out.put(object.key(), value.celsius() * 1.8 + 32);
 *     }
 * }
 * }</pre>
 *
 * @param <I> what it takes
 * @param <O> what it emits
 */
public interface TypedHandler<I, O> extends Handler {
    /**
     * Handles one object. What it emits is kept if it returns.
     *
     * @param value its value, which may be kept
     * @param object the object itself: key, version, time, and the value's bytes
     * @param out where to emit
     */
    void onObject(I value, FlowObject object, TypedEmitter<O> out) throws Exception;

    /** Called once, before anything else. What it throws stops the flow. */
    default void onOpen(OpenContext open) throws Exception {}

    /** Called when the input has ended and everything upstream is flushed. */
    default void onFlush(TypedEmitter<O> out) throws Exception {}
}
