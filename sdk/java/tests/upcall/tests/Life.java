package upcall.tests;

import upcall.Description;
import upcall.Emitter;
import upcall.FlowObject;
import upcall.Log;
import upcall.ObjectHandler;
import upcall.OpenContext;
import upcall.Pool;

/** Tells of its life: settings, pools, flush and close. */
public final class Life implements ObjectHandler {
    private Log log;
    private String greeting;
    private int objects;

    @Override
    public void describe(Description about) {
        about.parameter("greeting", "text", "hello", null);
        about.parameter("times", "u64", null, "1..=9");
    }

    @Override
    public void onOpen(OpenContext open) {
        log = open.log();
        greeting = open.setting("greeting", "hello");
        if (greeting.equals("fail")) {
            throw new IllegalStateException("will not open");
        }
        log.info(open.name() + " on worker " + open.worker() + " of " + open.workers());
        for (Pool pool : open.pools()) {
            log.debug(pool.path() + " " + pool.valueType() + " " + pool.access());
        }
    }

    @Override
    public void onObject(FlowObject object, Emitter out) {
        objects++;
        out.put(object.keyText() + " of " + object.poolPath() + " by " + object.senderName(),
                greeting + " " + object.version() + " " + object.time());
    }

    @Override
    public void onFlush(Emitter out) {
        out.putLong("objects", objects);
    }

    @Override
    public void onClose() {
        log.warn("closed after " + objects);
    }
}
