package upcall;

import java.util.ArrayList;
import java.util.List;

/** What the host calls. */
final class Exports {
    // By the number that an entry has as its state. Read without the lock: an instance is called where it was made.
    private static volatile Driver[] drivers = new Driver[64];
    private static final List<HandlerModule> MODULES = new ArrayList<>();
    private static final ThreadLocal<Boolean> MAKES_HERE = new ThreadLocal<>();

    private Exports() {}

    /** The number of the boundary that these classes are for. */
    static int abi() {
        return Abi.NUMBER;
    }

    /** Whether entries are C functions, which nobody has to call through JNI. */
    static boolean stubs() {
        return Memory.FOREIGN;
    }

    /** Finds a handler's class, and writes its number. */
    static int load(long handler, long module, long refusal) {
        try {
            HandlerClass loaded = HandlerClass.load(
                    Memory.text(handler + Abi.HandlerName.FILE, 0), Memory.text(handler + Abi.HandlerName.CLASS, 0));
            Memory.putLong(module, keep(loaded));
            return Abi.Status.OK;
        } catch (LoadException exception) {
            return refuse(refusal, exception.kind, exception.getMessage());
        } catch (Throwable thrown) {
            return refuse(refusal, Abi.Refusal.FILE_INVALID, said(thrown));
        }
    }

    /** The number of a module, which is held until {@link #unload}. */
    static long keep(HandlerModule module) {
        synchronized (MODULES) {
            int index = MODULES.indexOf(null);
            if (index < 0) {
                index = MODULES.size();
                MODULES.add(null);
            }
            MODULES.set(index, module);
            return index;
        }
    }

    static boolean makesHandlersHere() {
        return MAKES_HERE.get() != null;
    }

    /** Makes an instance, on the thread that calls it, and writes its entry: the state, and the function where it is one of its own. */
    static int create(long module, long entry, long refusal) {
        HandlerModule made;
        synchronized (MODULES) {
            made = MODULES.get((int) module);
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = Driver.enter(thread, made.loader());
        try {
            MAKES_HERE.set(true);
            Driver driver = made.instantiate();
            driver.loader = made.loader();
            Memory.putLong(entry + Abi.Entry.CALL, Memory.FOREIGN ? Stubs.of(driver) : 0);
            Memory.putLong(entry + Abi.Entry.STATE, add(driver));
            return Abi.Status.OK;
        } catch (LoadException exception) {
            return refuse(refusal, exception.kind, exception.getMessage());
        } catch (Throwable thrown) {
            String text = "its constructor failed: " + said(thrown) + "\n" + Failure.stack(thrown);
            return refuse(refusal, Abi.Refusal.CONSTRUCTOR_FAILED, text);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    static void unload(long module) {
        synchronized (MODULES) {
            MODULES.set((int) module, null);
        }
    }

    /** One frame, for who has no function of the entry's own. */
    static int call(long state, long frame) {
        return drivers[(int) state].call(frame);
    }

    /** The entry is no longer called. */
    static void release(long state) {
        Driver driver = drivers[(int) state];
        remove((int) state);
        Thread thread = Thread.currentThread();
        ClassLoader before = Driver.enter(thread, driver.loader);
        try {
            driver.close(false);
        } catch (Throwable thrown) {
            // CLOSE reported it; nobody is left to be told.
        } finally {
            driver.leave(thread, before);
        }
        if (Memory.FOREIGN) {
            Stubs.free(driver);
        }
    }

    private static synchronized long add(Driver driver) {
        Driver[] before = drivers;
        int index = 0;
        while (index < before.length && before[index] != null) {
            index++;
        }
        Driver[] after = java.util.Arrays.copyOf(before, index == before.length ? 2 * index : before.length);
        after[index] = driver;
        drivers = after;
        return index;
    }

    private static synchronized void remove(int index) {
        Driver[] after = drivers.clone();
        after[index] = null;
        drivers = after;
    }

    private static int refuse(long refusal, int kind, String text) {
        long room = Memory.getLong(refusal + Abi.Refusal.ROOM);
        int length = Failure.append(Memory.getLong(refusal + Abi.Refusal.TEXT), room, text);
        Memory.putInt(refusal + Abi.Refusal.KIND, kind);
        Memory.putLong(refusal + Abi.Refusal.LEN, length);
        return Abi.Status.FAILED;
    }

    private static String said(Throwable thrown) {
        return thrown.getClass().getName() + ": " + Failure.message(thrown);
    }
}
