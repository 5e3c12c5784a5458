package upcall;

import java.util.Arrays;

/** Native memory by address, as this Java reaches it. */
final class MemoryTest {
    private MemoryTest() {}

    static void whatIsStoredIsLoadedAtAnyAddress() {
        long at = Memory.allocate(new Object(), 64);
        for (int offset = 0; offset < 8; offset++) {
            Memory.putLong(at + offset, -2L);
            Check.equal(-2L, Memory.getLong(at + offset), "a long at " + offset);
            Memory.putInt(at + offset, -3);
            Check.equal(-3, Memory.getInt(at + offset), "an int at " + offset);
            Memory.putShort(at + offset, (short) -4);
            Check.equal((short) -4, Memory.getShort(at + offset), "a short at " + offset);
            Memory.putByte(at + offset, (byte) -5);
            Check.equal((byte) -5, Memory.getByte(at + offset), "a byte at " + offset);
        }
        Memory.putInt(at, 0x04030201);
        Check.equal((byte) 1, Memory.getByte(at), "little endian");
    }

    static void arraysAreCopiedFromAPartAndToTheBeginning() {
        long at = Memory.allocate(new Object(), 64);
        byte[] from = {1, 2, 3, 4, 5, 6, 7, 8, 9};
        Memory.copy(from, 2, at + 1, 6);
        byte[] to = new byte[8];
        Memory.copy(at + 1, to, 6);
        Check.equal("[3, 4, 5, 6, 7, 8, 0, 0]", Arrays.toString(to), "a part");
        Memory.copy(at + 1, at + 20, 6);
        Check.equal((byte) 8, Memory.getByte(at + 25), "from memory to memory");
    }

    static void textIsCutAtACharactersBoundary() {
        long at = Memory.allocate(new Object(), 64);
        Check.equal(4, Failure.append(at, 5, "äöü"), "two characters of two bytes");
        Check.equal(0, Failure.append(at, 3, "\uD83D\uDE00"), "one of four bytes");
        Check.equal(1, Failure.append(at, 64, "\uD83D"), "half a character");
        Check.equal(0, Failure.append(at, 0, "text"), "no room");
    }

    static void roomGrowsAndIsUsedAgain() {
        Room room = new Room();
        long first = room.of(10);
        Check.equal(first, room.of(200), "the same");
        Memory.putLong(room.of(100_000) + 99_992, 7);
        Check.equal(7L, Memory.getLong(room.of(100_000) + 99_992), "its end");
    }
}
