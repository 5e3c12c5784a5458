import upcall.FlowObject;
import upcall.TypedEmitter;
import upcall.TypedHandler;

/** Greets whoever a line names. */
public final class Greeter implements TypedHandler<String, String> {
    @Override
    public void onObject(String name, FlowObject object, TypedEmitter<String> out) {
        if (name.isBlank()) {
            throw new IllegalArgumentException("nobody is named");
        }
        out.put(object.key(), "Hello, " + name + "!");
    }
}
