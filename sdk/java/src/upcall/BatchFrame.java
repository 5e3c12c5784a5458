package upcall;

/**
 * The batches that a driver can read.
 *
 * @param kind one of {@link Abi.Kind}
 * @param least bytes of the frame that ABI 2 began with; fields that are appended do not raise it
 */
record BatchFrame(int kind, int least) {
    static final BatchFrame FLOW = new BatchFrame(Abi.Kind.FLOW, Abi.FlowFrame.BYTES);
    static final BatchFrame COMBINE = new BatchFrame(Abi.Kind.COMBINE, Abi.CombineFrame.BYTES);
    static final BatchFrame VERTEX = new BatchFrame(Abi.Kind.VERTEX, Abi.VertexFrame.LEAST);

    /** The first four bytes of such a frame: the number of the ABI, and the kind. */
    int start() {
        return Abi.NUMBER | kind << 16;
    }

    /** Whether a frame has this ABI's number, a known kind, and at least the fields of that kind. */
    boolean passes(long frame) {
        int least = least(kindOf(frame));
        return abiOf(frame) == Abi.NUMBER && least >= 0 && Integer.compareUnsigned(sizeOf(frame), least) >= 0;
    }

    /** Answers a frame that did not pass, with the reason in its error slot if it has one. */
    int refuse(long frame) {
        if (Integer.compareUnsigned(sizeOf(frame), Abi.FrameHead.COMPLETE) >= 0) {
            Failure.write(frame, Abi.ErrorSlot.NO_ITEM, "frame", reason(frame), "");
        }
        return Abi.Status.FAILED;
    }

    static int abiOf(long frame) {
        return Short.toUnsignedInt(Memory.getShort(frame + Abi.FrameHead.ABI));
    }

    static int kindOf(long frame) {
        return Short.toUnsignedInt(Memory.getShort(frame + Abi.FrameHead.KIND));
    }

    private static int sizeOf(long frame) {
        return Memory.getInt(frame + Abi.FrameHead.SIZE);
    }

    /** Least bytes of a kind of frame; -1 for one that the handler does not take. */
    private int least(int of) {
        return switch (of) {
            case Abi.Kind.OPEN -> Abi.OpenFrame.BYTES;
            case Abi.Kind.FLUSH -> least;
            case Abi.Kind.CLOSE, Abi.Kind.PING -> Abi.FrameHead.BYTES;
            case Abi.Kind.CANCEL -> Abi.CancelFrame.BYTES;
            case Abi.Kind.DESCRIBE -> Abi.DescribeFrame.BYTES;
            default -> of == kind ? least : -1;
        };
    }

    private String name(int of) {
        return switch (of) {
            case Abi.Kind.OPEN -> "OPEN";
            case Abi.Kind.FLUSH -> "FLUSH";
            case Abi.Kind.CLOSE -> "CLOSE";
            case Abi.Kind.PING -> "PING";
            case Abi.Kind.CANCEL -> "CANCEL";
            case Abi.Kind.DESCRIBE -> "DESCRIBE";
            default -> Abi.Kind.name(of);
        };
    }

    private String reason(long frame) {
        int abi = abiOf(frame);
        int of = kindOf(frame);
        if (abi != Abi.NUMBER) {
            return "a frame of ABI " + abi + " reached a handler of ABI " + Abi.NUMBER
                    + ": build the handler again with the engine's version";
        }
        if (least(of) >= 0) {
            return "the " + name(of) + " frame has " + Integer.toUnsignedString(sizeOf(frame)) + " bytes, and ABI " + Abi.NUMBER
                    + " has at least " + least(of) + ": build engine and handler with the same version";
        }
        return Abi.Kind.name(of) != null
                ? "a " + name(of) + " frame reached a handler that takes " + name(kind) + ": give the engine another handler"
                : "unknown frame kind " + of + ": the engine is newer than this upcall.jar; build it again";
    }
}
