package upcall;

import java.util.HashMap;
import java.util.Map;

/** What every handler learns when it is opened, whatever engine it is for. May be kept. */
public class Context {
    private final Map<String, String> settings = new HashMap<>();
    private final String name;
    private final int worker;
    private final int workers;
    private final Log log;

    Context(long frame, Log log) {
        long origin = Memory.getLong(frame + Abi.FrameHead.BASE_BATCH);
        long setting = origin + Memory.getLong(frame + Abi.OpenFrame.SETTINGS);
        for (int left = Memory.length(frame + Abi.OpenFrame.SETTINGS); left > 0; left--) {
            settings.put(
                    Memory.text(setting + Abi.Setting.NAME, origin), Memory.text(setting + Abi.Setting.VALUE, origin));
            setting += Abi.Setting.BYTES;
        }
        name = Memory.text(frame + Abi.OpenFrame.NAME, origin);
        worker = Memory.getInt(frame + Abi.OpenFrame.WORKER);
        workers = Memory.getInt(frame + Abi.OpenFrame.WORKERS);
        this.log = log;
    }

    /** The handler's name. */
    public String name() {
        return name;
    }

    /** Index of this worker among those that run the handler. */
    public int worker() {
        return worker;
    }

    /** How many workers run the handler. */
    public int workers() {
        return workers;
    }

    /** The engine's log. */
    public Log log() {
        return log;
    }

    /** The value of a setting; JSON text where it is not a plain value; null when it is not set. */
    public String setting(String name) {
        return settings.get(name);
    }

    /** The value of a setting, or another where it is not set. */
    public String setting(String name, String otherwise) {
        return settings.getOrDefault(name, otherwise);
    }
}
