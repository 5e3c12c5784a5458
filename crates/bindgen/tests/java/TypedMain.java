import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import typed.*;

/** A library of C, used without a single address where there need be none. */
final class Main {
    static void same(Object expected, Object found) {
        if (!java.util.Objects.equals(expected, found)) {
            throw new AssertionError("expected " + expected + ", found " + found);
        }
    }

    static void fails(Class<? extends Throwable> type, String message, Runnable what) {
        try {
            what.run();
        } catch (Throwable thrown) {
            if (!type.isInstance(thrown) || !message.equals(thrown.getMessage())) {
                throw new AssertionError("expected " + type + ": " + message + ", found " + thrown, thrown);
            }
            return;
        }
        throw new AssertionError("nothing was thrown; expected " + message);
    }

    static Box open(String name) {
        Box[] opened = new Box[1];
        same(0, Typed.boxOpen(name, opened));
        return opened[0];
    }

    public static void main(String[] arguments) throws Exception {
        handles();
        aHandleIsHeldDuringACall();
        text();
        buffers();
        structs();
        System.out.println("typed");
    }

    static void handles() {
        Box[] none = new Box[1];
        same(1, Typed.boxOpen(null, none));
        same(null, none[0]);
        Box small = open("small");
        try (Box large = open("larger")) {
            same("larger", Typed.boxName(large));
            same("larger", Typed.boxName(Typed.boxLarger(small, large)));
            same("small", Typed.boxName(Typed.boxLarger(null, small)));
            same(null, Typed.boxLarger(null, null));
            Lid lid = Typed.boxLid(large);
            same(6, Typed.lidTurns(lid));
            same(2, Typed.boxCount());
        }
        same(1, Typed.boxCount());
        same(7, Typed.boxClose(small));
        small.close();
        same(0, Typed.boxCount());
        fails(IllegalStateException.class, "boxName: of is a closed Box", () -> Typed.boxName(small));
        fails(IllegalStateException.class, "boxLarger: other is a closed Box", () -> Typed.boxLarger(null, small));
        fails(IllegalStateException.class, "boxClose: gone is a closed Box", () -> Typed.boxClose(small));
    }

    static void aHandleIsHeldDuringACall() {
        Box box = open("held");
        same(0, Typed.boxVisit(box, () -> {
            fails(IllegalStateException.class, "boxClose: gone is a Box that another call is using",
                    () -> Typed.boxClose(box));
            Thread thread = new Thread(box::close);
            thread.start();
            try {
                thread.join();
            } catch (InterruptedException impossible) {
                throw new AssertionError(impossible);
            }
            same(1, Typed.boxCount());
        }));
        same(0, Typed.boxCount());
        Box[] both = {open("one"), open("other")};
        same(8, Typed.boxLetters(both, 2L, () -> {
            both[1].close();
            same(2, Typed.boxCount());
        }));
        same(1, Typed.boxCount());
        fails(IllegalStateException.class, "boxLetters: boxes is a closed Box",
                () -> Typed.boxLetters(both, 2L, () -> {}));
        both[0].close();
    }

    static void text() {
        same("1.2 größer", Typed.version());
        same("ßer", Typed.findLetter("größer", (byte) 0xc3).substring(1));
        same(null, Typed.findLetter("größer", (byte) 'x'));
        same(null, Typed.findLetter((String) null, (byte) 'x'));
        fails(IllegalArgumentException.class, "findLetter: text has a zero in it, where text of C would end",
                () -> Typed.findLetter("a\0b", (byte) 'b'));
        same(true, Typed.findLetter("a".repeat(100_000) + "b", (byte) 'b').equals("b"));
        // The first text fills what there is without asking for more; what a callback copies goes elsewhere.
        same((byte) 'b', Typed.secondText("a".repeat(4095), "b".repeat(5000),
                () -> same(null, Typed.findLetter("c".repeat(5000), (byte) 'd'))));
        MemorySegment copied = Typed.copyText("eigen");
        same("eigen", NativeMemory.text(copied));
        same("eig", NativeMemory.text(copied, 3L));
        same((byte) 'n', NativeMemory.bytes(copied, 5L)[4]);
        Typed.freeText(copied);
        same(null, NativeMemory.text(Typed.copyText((String) null)));
        String[] found = {"before"};
        same(6, Typed.longest(new String[] {"one", "größ", null, "two"}, 4L, found));
        same("größ", found[0]);
        byte[] room = new byte[10];
        same(5, Typed.putText(room, room.length, "hello"));
        same("hello", new String(room, 0, 5, StandardCharsets.UTF_8));
        MemorySegment[] message = new MemorySegment[1];
        same(0, Typed.complain(0, message));
        same(true, NativeMemory.text(message[0]) == null);
        same(1, Typed.complain(1, message));
        same("no such number", NativeMemory.text(message[0]));
        Typed.freeText(message[0]);
    }

    static void buffers() {
        int[] least = new int[1];
        int[] most = new int[1];
        Typed.extremes(new int[] {3, -7, 12}, 3L, least, most);
        same(-7, least[0]);
        same(12, most[0]);
        byte[] from = new byte[100_000];
        Arrays.fill(from, (byte) 4);
        same(400_000, Typed.checksum(from, from.length));
        byte[] to = new byte[from.length];
        long[] length = {to.length};
        same(0, Typed.packBytes(to, length, from, from.length));
        same((long) from.length, length[0]);
        same((byte) 5, to[99_999]);
        length[0] = 5L;
        same(-1, Typed.packBytes(to, length, from, from.length));
        ByteBuffer direct = ByteBuffer.allocateDirect(8);
        ByteBuffer heap = ByteBuffer.allocate(10).position(2);
        Typed.fill(direct, 8L, 9);
        Typed.fill(heap, 8L, 7);
        same("9 0 7", direct.get(7) + " " + heap.get(1) + " " + heap.get(9));
        same(72, Typed.checksum(direct, 8L));
        same(56, Typed.checksum(heap.asReadOnlyBuffer(), 8L));
        fails(IllegalArgumentException.class, "fill: to is written, but read-only",
                () -> Typed.fill(heap.asReadOnlyBuffer(), 8L, 7));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(8L);
            Typed.fill(memory, 8L, 3);
            same(24, Typed.checksum(memory, 8L));
        }
    }

    static void structs() {
        try (Arena arena = Arena.ofConfined()) {
            Style style = Style.allocate(arena).shown(true).width(5);
            Typed.invert(style);
            same(false, style.shown());
            same(true, style.filled());
            same(-5, style.width());
            Size size = Size.allocate(arena).width(2).height(3);
            same(12, Typed.grow(size, 1));
            same(3, size.width());
            same(0, Typed.grow(null, 1));
            same(8, Typed.doubleSize(arena, size).height());
            fails(NullPointerException.class, "doubleSize: what must not be null",
                    () -> Typed.doubleSize(arena, null));
        }
    }
}
