package upcall;

/** The driver behind its entry, without an engine: frames that need none. */
final class StubTest {
    private StubTest() {}

    private static long frame(int kind, int bytes) {
        long frame = Memory.allocate(StubTest.class, 512);
        for (int at = 0; at < 512; at += Long.BYTES) {
            Memory.putLong(frame + at, 0);
        }
        Memory.putShort(frame + Abi.FrameHead.ABI, (short) Abi.NUMBER);
        Memory.putShort(frame + Abi.FrameHead.KIND, (short) kind);
        Memory.putInt(frame + Abi.FrameHead.SIZE, bytes);
        return frame;
    }

    static void aBatchOfNothingAndAPingAreAnswered() {
        Driver driver = Drivers.of(new Echo());
        Check.equal(Abi.Status.OK, driver.call(frame(Abi.Kind.PING, Abi.FrameHead.BYTES)), "PING");
        Check.equal(Abi.Status.OK, driver.call(frame(Abi.Kind.FLOW, Abi.FlowFrame.BYTES)), "FLOW");
        Check.equal(Abi.Status.FAILED, driver.call(frame(Abi.Kind.FLOW, Abi.FlowFrame.BYTES - 1)), "a short one");
        Check.equal(Abi.Status.OK, driver.call(frame(Abi.Kind.CLOSE, Abi.FrameHead.BYTES)), "CLOSE");
        Check.equal(Abi.Status.FAILED, driver.call(frame(Abi.Kind.FLOW, Abi.FlowFrame.BYTES)), "after CLOSE");
    }

    static void aFrameThatIsNoneIsRefusedAndNothingIsThrown() {
        Driver driver = Drivers.of(new Echo());
        for (int kind : new int[] {0, 2, 8, 18, 0xffff}) {
            Check.equal(Abi.Status.FAILED, driver.call(frame(kind, 256)), "kind " + kind);
        }
    }

    static void anEntryHasAFunctionOfItsOwnWhereJavaMakesThem() throws Exception {
        if (!Memory.FOREIGN) {
            return;
        }
        Driver driver = Drivers.of(new Echo());
        Check.equal(true, Stubs.of(driver) != 0, "its address");
        Stubs.free(driver);
        Stubs.free(driver);
    }
}
