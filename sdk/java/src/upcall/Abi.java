package upcall;

/**
 * Where the fields of the boundary's structs are, in bytes, and its numbers; the crate {@code abi} has what they mean. A
 * test compares them with the structs themselves.
 */
final class Abi {
    /** The number of the boundary. */
    static final int NUMBER = 2;

    private Abi() {}

    /** What a frame is. */
    static final class Kind {
        static final int OPEN = 1;
        static final int FLUSH = 3;
        static final int CLOSE = 4;
        static final int PING = 5;
        static final int DESCRIBE = 6;
        static final int CANCEL = 7;
        static final int FLOW = 16;
        static final int COMBINE = 17;
        static final int VERTEX = 18;

        private Kind() {}

        /** The name of a kind of batch, for messages; null for another number. */
        static String name(int kind) {
            return switch (kind) {
                case FLOW -> "FLOW";
                case COMBINE -> "COMBINE";
                case VERTEX -> "VERTEX";
                default -> null;
            };
        }
    }

    /** What an entry answers. */
    static final class Status {
        static final int OK = 0;
        static final int FAILED = 1;
        static final int PENDING = 2;

        private Status() {}
    }

    static final class FrameHead {
        static final int ABI = 0;
        static final int KIND = 2;
        static final int SIZE = 4;
        static final int BASE_BATCH = 8;
        static final int BASE_FILES = 16;
        static final int BASE_COLUMNS = 24;
        static final int BASE_OUTPUT = 32;
        static final int ERROR = 40;
        static final int COMPLETE = 72;
        static final int BYTES = 80;

        private FrameHead() {}
    }

    static final class ErrorSlot {
        static final int TEXT = 0;
        static final int TYPE_LEN = 16;
        static final int MESSAGE_LEN = 20;
        static final int STACK_LEN = 24;
        static final int ITEM = 28;
        static final int BYTES = 32;
        /** No item failed in particular. */
        static final int NO_ITEM = -1;

        private ErrorSlot() {}
    }

    /** An offset and a length. */
    static final class Rel {
        static final int OFFSET = 0;
        static final int LEN = 8;
        static final int BYTES = 16;

        private Rel() {}
    }

    static final class OpenFrame {
        static final int NAME = 80;
        static final int SETTINGS = 96;
        static final int SERVICES = 112;
        static final int ADDED = 120;
        static final int BATCH = 136;
        static final int WORKER = 140;
        static final int WORKERS = 144;
        static final int BYTES = 152;

        private OpenFrame() {}
    }

    static final class Setting {
        static final int NAME = 0;
        static final int VALUE = 16;
        static final int BYTES = 32;

        private Setting() {}
    }

    static final class Services {
        static final int CONTEXT = 8;
        static final int LOG = 16;
        static final int BYTES = 24;

        private Services() {}
    }

    static final class DescribeFrame {
        static final int OUT = 80;
        static final int BYTES = 112;

        private DescribeFrame() {}
    }

    static final class CancelFrame {
        static final int CALL = 80;
        static final int WHY = 88;
        static final int BYTES = 96;

        private CancelFrame() {}
    }

    /** Why a frame is no longer waited for. */
    static final class Cancelled {
        static final int TIMED_OUT = 1;
        static final int FROM_OUTSIDE = 2;

        private Cancelled() {}
    }

    static final class FlowFrame {
        static final int ITEMS = 80;
        static final int VALUES = 96;
        static final int STRIDE = 112;
        static final int OUT = 120;
        static final int DONE = 152;
        static final int PROGRESS = 160;
        static final int BYTES = 192;

        private FlowFrame() {}
    }

    static final class Progress {
        static final int AT = 0;
        static final int CHUNK = 8;
        static final int DONE = 12;
        static final int BYTES = 16;

        private Progress() {}
    }

    static final class Output {
        static final int AT = 0;
        static final int END = 8;
        static final int CHUNK = 16;
        static final int GROW = 24;
        static final int BYTES = 32;

        private Output() {}
    }

    static final class Record {
        static final int POOL = 0;
        static final int ITEM = 4;
        static final int VALUE_LEN = 8;
        static final int KEY_LEN = 12;
        static final int BYTES = 16;
        /** The record belongs to no item. */
        static final int NO_ITEM = -1;
        /** In place of a pool: the version under which the next record is to be put. */
        static final int CONDITION = -1;

        private Record() {}
    }

    static final class Item {
        static final int KEY = 0;
        static final int VALUE = 16;
        static final int VERSION = 32;
        static final int TIME = 40;
        static final int POOL = 48;
        static final int SENDER = 52;
        static final int TAG = 56;
        static final int BYTES = 64;

        private Item() {}
    }

    static final class FlowOpen {
        static final int POOLS = 8;
        static final int SENDERS = 24;
        static final int POOL_SERVICES = 40;
        static final int BYTES = 48;

        private FlowOpen() {}
    }

    static final class PoolEntry {
        static final int PATH = 0;
        static final int VALUE_TYPE = 16;
        static final int VALUE_SIZE = 32;
        static final int ID = 36;
        static final int ACCESS = 40;
        static final int BYTES = 48;

        private PoolEntry() {}
    }

    static final class PoolServices {
        static final int CONTEXT = 8;
        static final int READ = 16;
        static final int LIST = 24;
        static final int BYTES = 32;

        private PoolServices() {}
    }

    static final class Query {
        static final int KEY = 0;
        static final int KEY_LEN = 8;
        static final int POOL = 16;
        static final int AS_OF = 20;
        static final int AT = 24;
        static final int BYTES = 32;

        private Query() {}
    }

    /** When a query asks about. */
    static final class AsOf {
        static final int NOW = 0;
        static final int VERSION = 1;
        static final int TIME = 2;

        private AsOf() {}
    }

    /** Why a query was refused. */
    static final class Missing {
        static final int COMPACTED = 2;
        static final int UNKNOWN_AS_OF = 3;
        static final int NO_ROOM = 4;

        private Missing() {}
    }

    static final class CombineFrame {
        static final int FROM = 80;
        static final int INTO = 96;
        static final int COUNT = 112;
        static final int BYTES = 120;

        private CombineFrame() {}
    }

    static final class CombineOpen {
        static final int ELEMENT_SIZE = 4;
        static final int ELEMENT = 8;
        static final int BYTES = 24;

        private CombineOpen() {}
    }

    static final class VertexFrame {
        static final int PHASE = 80;
        static final int BLOCK = 84;
        static final int ITERATION = 88;
        static final int TOTAL = 96;
        static final int FIRST = 104;
        static final int COUNT = 112;
        static final int IDS = 120;
        static final int OWN = 136;
        static final int BEFORE = 152;
        static final int NEXT = 168;
        static final int OUT_DEGREES = 184;
        static final int SHOWN = 200;
        static final int INCOMING = 216;
        static final int OUTGOING = 312;
        static final int GATHERED = 408;
        static final int TALLIES = 424;
        static final int WOKEN = 440;
        static final int WAKES = 456;
        static final int UPDATED = 464;
        static final int SCHEDULED = 472;
        static final int RESIDUAL = 480;
        static final int ENDED = 488;
        static final int NEXT_VALUES = 496;
        static final int INTERVAL_FIRST = 512;
        static final int INTERVAL_END = 520;
        static final int PASS = 528;
        static final int BYTES = 536;
        /** Bytes that ABI 2 began with. */
        static final int LEAST = 496;

        private VertexFrame() {}
    }

    /** What a frame of vertices is about. */
    static final class Phase {
        static final int START = 0;
        static final int UPDATE = 1;
        static final int AFTER = 2;
        static final int INTERVAL = 3;

        private Phase() {}
    }

    static final class Edges {
        static final int BEGINS = 0;
        static final int ENDS = 16;
        static final int IDS = 32;
        static final int AT = 48;
        static final int VALUES = 64;
        static final int PLACES = 80;
        static final int BYTES = 96;

        private Edges() {}
    }

    static final class VertexTally {
        static final int RESIDUAL = 0;
        static final int TOTAL = 8;
        static final int BYTES = 16;

        private VertexTally() {}
    }

    static final class VertexOpen {
        static final int DIRECTED = 4;
        static final int VERTICES = 8;
        static final int EDGES = 16;
        static final int BYTES = 40;

        private VertexOpen() {}
    }

    static final class HandlerName {
        static final int FILE = 8;
        static final int CLASS = 24;
        static final int BYTES = 40;

        private HandlerName() {}
    }

    static final class Refusal {
        static final int KIND = 0;
        static final int TEXT = 8;
        static final int ROOM = 16;
        static final int LEN = 24;
        static final int BYTES = 32;
        static final int RUNTIME_FAILED = 1;
        static final int FILE_MISSING = 2;
        static final int FILE_INVALID = 3;
        static final int HANDLER_MISSING = 4;
        static final int CONSTRUCTOR_FAILED = 5;

        private Refusal() {}
    }

    static final class Entry {
        static final int CALL = 0;
        static final int STATE = 8;
        static final int BYTES = 24;

        private Entry() {}
    }

    /** What is said in the description of a handler. */
    static final class About {
        static final int KIND = 1;
        static final int FORM = 2;
        static final int TAKES = 3;
        static final int GIVES = 4;
        static final int COMMUTATIVE = 5;
        static final int ANSWERS_LATER = 6;
        static final int PARAMETER = 8;
        static final int VALUE = 9;
        static final int NEEDS = 10;
        static final int GATHER = 11;

        private About() {}
    }
}
