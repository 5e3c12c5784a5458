// What bytes may not do to a process, and values that are rarely made.

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import packs.pack.Board;
import packs.pack.Folder;
import packs.pack.Holder;
import packs.pack.Pack;
import packs.pack.PackException;
import packs.pack.PackOptions;
import packs.pack.Pile;
import packs.pack.Room;
import packs.pack.Tree;

public final class Main {
    private static int wrong;

    public static void main(String[] arguments) {
        deep();
        memory("a list", Tree::unpack, 0, false, false);
        memory("a fixed array", Pile::unpack, 500000, false, false);
        memory("a grid", Board::unpack, 0, true, false);
        memory("a map", Folder::unpack, 0, false, true);
        Holder older = Holder.unpack(new byte[] {1, 5, 0, 0, 0});
        check(older.number() == 5 && older.named().name().isEmpty() && older.pack().length > 5, "older bytes");
        int[] many = {1 << 16, 1 << 16, 1};
        fails("a grid with fewer", () -> new Room(new Pack.Grid<>(many, new byte[0])).pack(), "elements");
        System.out.println(wrong == 0 ? "nothing wrong" : wrong + " wrong");
        System.exit(wrong == 0 ? 0 : 1);
    }

    private interface Reads {
        Object read(byte[] bytes);
    }

    private static void check(boolean right, String what) {
        if (!right) {
            wrong++;
            System.out.println(what);
        }
    }

    private static void fails(String what, Runnable run, String message) {
        try {
            run.run();
            check(false, what + ": no error");
        } catch (PackException error) {
            check(error.getMessage().contains(message), what + ": " + error.getMessage());
        } catch (Throwable error) {
            check(false, what + ": " + error.getClass());
        }
    }

    /** More levels than a stack holds, where the options allow them. */
    private static void deep() {
        PackOptions options = new PackOptions(PackOptions.Text.UTF8, Integer.MAX_VALUE);
        byte[] bytes = new byte[5 * 200000 + 1];
        Tree tree = new Tree(List.of());
        for (int at = 0; at < bytes.length - 1; at += 5) {
            bytes[at] = 1;
            bytes[at + 1] = 1;
            tree = new Tree(List.of(tree));
        }
        Tree deepest = tree;
        fails("reading too deep", () -> Tree.unpack(ByteBuffer.wrap(bytes), options), "the stack");
        fails("writing too deep", () -> deepest.pack(options), "the stack");
    }

    /** Each of 900 levels says that it has as many as there can be, of all bytes behind it. */
    private static void memory(String what, Reads reads, int count, boolean grid, boolean map) {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
        for (int level = 0; level < 900; level++) {
            bytes.put((byte) 1);
            if (grid) {
                int squares = bytes.remaining() - 13;
                bytes.put((byte) 3).putInt(1).putInt(squares).putInt(squares);
                continue;
            }
            int left = bytes.remaining() - 4;
            bytes.putInt(count > 0 ? count : map ? left / 2 : left);
            if (map) {
                bytes.put((byte) 7);
            }
        }
        // What stands behind them is not an object.
        Arrays.fill(bytes.array(), bytes.position(), bytes.capacity(), (byte) 0xFE);
        fails(what, () -> reads.read(bytes.array()), "members");
    }
}
