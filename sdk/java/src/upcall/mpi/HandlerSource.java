package upcall.mpi;

import java.util.Map;
import upcall.Embedded;
import upcall.bindings.Functions;
import upcall.bindings.MemorySegment;
import upcall.bindings.UpcallCombineHandler;
import upcall.bindings.UpcallMpiOperation;

/** A handler that is to be an operation, as a flow's file names it. */
record HandlerSource(String guest, String file, String type, Map<String, String> settings, boolean isolated) {
    /** Loads it on elements. */
    UpcallMpiOperation load(Elements elements) {
        long table = Embedded.table();
        return MpiException.of(() -> {
            try (UpcallCombineHandler handler = new UpcallCombineHandler(guest, file, type)) {
                settings.forEach(handler::setting);
                if (isolated) {
                    handler.isolate();
                }
                handler.program("java", MemorySegment.ofAddress(table), Functions.UPCALL_THREADS_OWN);
                return handler.operation(elements.number(), elements.size());
            }
        });
    }
}
