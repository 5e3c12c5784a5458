package upcall.probes;

import upcall.FlowObject;
import upcall.View;

/** Length and first byte of key and value, so that both are really read. */
final class Look {
    private Look() {}

    static long at(FlowObject object) {
        View key = object.key();
        View value = object.value();
        return (long) key.length() + key.get(0) + value.length() + value.get(0);
    }
}
