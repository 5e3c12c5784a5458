package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;
import upcall.View;

/** Uses what it was given before, and elsewhere. */
public final class Keeps implements ObjectHandler {
    private FlowObject object;
    private View value;
    private Emitter out;

    @Override
    public void onObject(FlowObject object, Emitter out) throws Exception {
        switch (object.keyText()) {
            case "keep" -> {
                this.object = object;
                this.value = object.value();
                this.out = out;
            }
            case "object" -> this.object.keyText();
            case "view" -> value.get(0);
            case "emitter" -> this.out.put("a", "b");
            case "beyond" -> object.value().getLong(object.value().length() - 7);
            case "thread" -> {
                Throwable[] thrown = new Throwable[1];
                Thread thread = new Thread(() -> object.value().get(0));
                thread.setUncaughtExceptionHandler((on, exception) -> thrown[0] = exception);
                thread.start();
                thread.join();
                throw (RuntimeException) thrown[0];
            }
            case "text" -> out.put(object.key(), this.value.toString());
            default -> out.put(object.value(), object.key());
        }
    }
}
