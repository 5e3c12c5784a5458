package upcall.tests;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;

/** Emits the property of the virtual machine that a value names. */
public final class Property implements ObjectHandler {
    @Override
    public void onObject(FlowObject object, Emitter out) {
        out.put(object.key(), System.getProperty(object.valueText()));
    }
}
