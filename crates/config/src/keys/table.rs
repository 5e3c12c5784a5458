//! The table itself. A new key is a row here, and a line where the parser reads it.

use super::LeftOut::{Means, Needed, Value};
use super::{Key, Section, Takes, isolation, java, later, one_of};
use std::sync::LazyLock;
use upcall_flow::{MOST_RETRIES, MOST_WORKERS};
use upcall_host::{GUESTS, KnownGuest};

/// As much as TOML itself can say.
const MOST: u64 = i64::MAX as u64;
/// Sixteen chunks of output: with less, one call of a handler would stop the flow.
const LEAST_MEMORY: u64 = 1 << 20;
/// A line or two in flight.
const LEAST_CREDIT: u64 = 1 << 10;
/// Bytes of a value: what a removal allocates.
const LARGEST_BLITTABLE: u64 = 1 << 20;

/// Every key, section by section, in the order in which they are explained.
pub static KEYS: LazyLock<Vec<Key>> = LazyLock::new(|| {
    let mut keys = Vec::with_capacity(
        ROWS.len() + GUESTS.len() + isolation::ROWS.len() + later::ROWS.len() + java::ROWS.len(),
    );
    for row in ROWS {
        match (row.section, row.name) {
            (Section::Handler, "class") => {
                keys.extend(GUESTS.into_iter().map(of_guest));
                keys.push(Key { more: kept(classes()), ..*row });
            }
            (Section::Handler, "warm") => {
                keys.extend(later::ROWS);
                keys.extend(isolation::ROWS);
                keys.push(*row);
            }
            _ => keys.push(*row),
        }
    }
    keys.extend(java::ROWS);
    keys
});

/// The key that names the file of a guest's handler.
fn of_guest(guest: &'static KnownGuest) -> Key {
    let KnownGuest { name, language, file, example, .. } = guest;
    let prefix = match file.library {
        true => "Prefix and suffix may be left out: `build/count` is `build/libcount.so` on Linux. ",
        false => "",
    };
    let folder = match file.folder {
        true => "It may be a folder of classes too. ",
        false => "",
    };
    let one = one_of(|guest| format!("`{}`", guest.name), "and");
    Key {
        section: Section::Handler,
        name,
        takes: Takes::File,
        left_out: Means("its code is in another language"),
        doc: kept(format!("the {} that holds the handler, written in {language}", file.kind)),
        more: kept(format!("{prefix}{folder}Each handler has exactly one of {one}.")),
        example: kept(format!("{name} = \"{}\"\nclass = \"{example}\"", file.example)),
    }
}

/// What `class` is, guest by guest.
fn classes() -> String {
    let classes: Vec<String> =
        GUESTS.iter().map(|guest| format!("in {} {}", guest.language, guest.class)).collect();
    let text = classes.join("; ");
    format!("{}.", text.replacen("in", "In", 1))
}

/// Made once per process, for good.
fn kept(text: String) -> &'static str {
    Box::leak(text.into_boxed_str())
}

/// The keys that are the same whatever guests there are.
const ROWS: &[Key] = &[
    Key {
        section: Section::Flow,
        name: "name",
        takes: Takes::Text,
        left_out: Value("\"flow\""),
        doc: "the flow's name, for messages and reports",
        more: "",
        example: "name = \"wordcount\"",
    },
    Key {
        section: Section::Flow,
        name: "workers",
        takes: Takes::Count { least: 1, most: MOST_WORKERS as u64, unit: "threads" },
        left_out: Means("one per core"),
        doc: "worker threads",
        more: "Each key of a pool belongs to one worker, which runs the handlers for it. Python handlers have a \
               worker of their own beside these, as has each process of `isolation`. `upcall run --workers` overrides it.",
        example: "workers = 2",
    },
    Key {
        section: Section::Flow,
        name: "memory",
        takes: Takes::Bytes { least: LEAST_MEMORY },
        left_out: Value("\"1 GiB\""),
        doc: "how many bytes the flow may hold before it stops with an error",
        more: "Counted are the objects in flight, with all of the chunks of memory that they lie in, and what the pools \
               store, dead letters too. Batches are cut so that what they emit stays a small part of it, and a \
               handler waits while it is half full and those behind it have work to do. It is exceeded by pools that \
               store more, by one item that emits more, and by cycles; the error names which. Each worker needs \
               256 KiB of it.",
        example: "memory = \"4 GiB\"",
    },
    Key {
        section: Section::Flow,
        name: "credit",
        takes: Takes::Table("a table: { bytes = \"16 MiB\", items = 65536 }"),
        left_out: Means("the defaults of its keys"),
        doc: "how much may be in flight before a put from outside waits",
        more: "Counted are the objects that were put and all that handlers emit because of them.",
        example: "credit = { bytes = \"4 MiB\", items = 1000 }",
    },
    Key {
        section: Section::Flow,
        name: "dead_letters",
        takes: Takes::Table("a table: { items = 10000, bytes = \"64 MiB\" }"),
        left_out: Means("the defaults of its keys"),
        doc: "how many dead letters each dead pool keeps",
        more: "An item that no retry has helped becomes a letter in the dead pool of its pool, `/dead/<pool>`. A \
               dead pool that is full drops its oldest letters; the report says how many. Letters count \
               towards `memory`.",
        example: "dead_letters = { items = 100000, bytes = \"200 MiB\" }",
    },
    Key {
        section: Section::Flow,
        name: "delay",
        takes: Takes::Time,
        left_out: Value("\"50 ms\""),
        doc: "how long an object should wait for a handler",
        more: "Where the handlers are slow, fewer objects may be in flight than `credit` says: as many as they handle \
               in this time, but at least 8 for each worker. Those that wait for a retry do not count. So an \
               object does not wait long behind others, and a flow that is stopped ends soon. A flow begins with 256 \
               objects, as nothing is known of its handlers yet. With 0 only `credit` counts.",
        example: "delay = \"200 ms\"",
    },
    Key {
        section: Section::Flow,
        name: "batch",
        takes: Takes::Count { least: 1, most: u32::MAX as u64, unit: "items" },
        left_out: Value("4096"),
        doc: "how many items a batch has at most",
        more: "A worker hands over what is queued, up to this number, in one call. It never waits for a batch to \
               fill. Batches are smaller where more would take longer than 20 ms or emit more than fits a cache (512 KiB).",
        example: "batch = 256",
    },
    Key {
        section: Section::Flow,
        name: "input",
        takes: Takes::Table("a table of pools and files: [input]"),
        left_out: Means("nothing is read"),
        doc: "the files whose lines `upcall run` puts into pools",
        more: "Each line becomes an object: the key is the line's number, from 1, the value is the line, or the \
               number that it says where the pool's type is a number. `\"-\"` is standard input. Paths are relative \
               to the flow's file. `upcall run --input` takes its place for a pool.",
        example: "[input]\n\"/lines\" = \"book.txt\"",
    },
    Key {
        section: Section::Flow,
        name: "max_line",
        takes: Takes::Bytes { least: 1 },
        left_out: Means("\"64 MiB\", or `memory` where that is less"),
        doc: "how long a line of input may be",
        more: "`upcall run` reads no more of a line than this, so that a file without line ends does not fill the \
               memory. A longer line is an error that names file and line, and ends the input. It cannot exceed \
               `memory`.",
        example: "max_line = \"256 MiB\"",
    },
    Key {
        section: Section::Flow,
        name: "on_error",
        takes: Takes::Word(&[
            ("bury", "it is kept in the pool's dead pool, and the next line is read"),
            ("stop", "it ends the input with an error"),
        ]),
        left_out: Value("\"bury\""),
        doc: "what is done with a line of input that is not a value of its pool's type",
        more: "Such a line is not a number where the pool's type is one, or not UTF-8 where it is text. The letter in \
               the dead pool names file, line and text.",
        example: "on_error = \"stop\"",
    },
    Key {
        section: Section::Flow,
        name: "pool",
        takes: Takes::Table("a table per pool: [pool.\"/path\"]"),
        left_out: Needed,
        doc: "a pool, by its path",
        more: "A path begins with `/` and may have several parts. Each pool `/x` has a dead pool `/dead/x`, where \
               items are kept that no handler could handle.",
        example: "[pool.\"/orders/new\"]\nkeep = 2",
    },
    Key {
        section: Section::Flow,
        name: "handler",
        takes: Takes::Table("a table per handler: [[handler]]"),
        left_out: Means("objects are stored, and nothing is called"),
        doc: "a handler, the pools it watches and where its code is",
        more: "",
        example: "[[handler]]\nname = \"split\"\non = \"/lines\"\npython = \"split.py\"\nclass = \"Splitter\"",
    },
    Key {
        section: Section::Flow,
        name: "java",
        takes: Takes::Table("a table: [java]"),
        left_out: Means("the Java that is found, without options"),
        doc: "which Java runs the handlers in Java, and with what",
        more: "",
        example: "[java]\noptions = \"-Xmx1g\"",
    },
    Key {
        section: Section::Credit,
        name: "bytes",
        takes: Takes::Bytes { least: LEAST_CREDIT },
        left_out: Means("\"16 MiB\", or an eighth of `memory` where that is less"),
        doc: "bytes of keys and values in flight before a put from outside waits",
        more: "It cannot exceed `memory`, and counts as an eighth of it where it is more: the rest is for what handlers \
               emit.",
        example: "credit = { bytes = \"4 MiB\" }",
    },
    Key {
        section: Section::Credit,
        name: "items",
        takes: Takes::Count { least: 1, most: MOST, unit: "objects" },
        left_out: Value("65536"),
        doc: "objects in flight before a put from outside waits",
        more: "",
        example: "credit = { items = 1000 }",
    },
    Key {
        section: Section::DeadLetters,
        name: "items",
        takes: Takes::Count { least: 0, most: MOST, unit: "letters" },
        left_out: Value("10000"),
        doc: "how many letters each dead pool keeps, the newest",
        more: "With 0 none is kept: items that fail are only counted and logged.",
        example: "dead_letters = { items = 100000 }",
    },
    Key {
        section: Section::DeadLetters,
        name: "bytes",
        takes: Takes::Bytes { least: 1 },
        left_out: Means(
            "\"64 MiB\"; less where that is over a quarter of `memory`, or all dead pools together over half of it",
        ),
        doc: "bytes of letters that each dead pool keeps, the newest",
        more: "A letter is JSON, with the item's value in base64, so that it takes a third more than the value. \
               One that is larger than this is dropped. It cannot exceed a quarter of `memory`.",
        example: "dead_letters = { bytes = \"200 MiB\" }",
    },
    Key {
        section: Section::Pool,
        name: "kind",
        takes: Takes::Word(&[
            ("volatile", "objects are kept in memory until the flow ends"),
            ("trigger", "nothing is stored: a put runs the handlers"),
        ]),
        left_out: Value("\"volatile\""),
        doc: "whether the pool keeps what is put into it",
        more: "",
        example: "kind = \"trigger\"",
    },
    Key {
        section: Section::Pool,
        name: "keep",
        takes: Takes::Count { least: 0, most: u32::MAX as u64, unit: "versions" },
        left_out: Value("1"),
        doc: "how many versions of each key are kept",
        more: "",
        example: "keep = 3",
    },
    Key {
        section: Section::Pool,
        name: "type",
        takes: Takes::Word(&[
            ("bytes", "any bytes"),
            ("text", "UTF-8"),
            ("u8", "1 byte"),
            ("u16", "2 bytes, little endian, like all numbers"),
            ("u32", "4 bytes"),
            ("u64", "8 bytes"),
            ("i8", "1 byte, signed"),
            ("i16", "2 bytes, signed"),
            ("i32", "4 bytes, signed"),
            ("i64", "8 bytes, signed"),
            ("f32", "4 bytes, IEEE 754"),
            ("f64", "8 bytes, IEEE 754"),
        ]),
        left_out: Value("\"bytes\""),
        doc: "what the pool's values are",
        more: "A value of another size is refused when it is put, and fails the item whose handler emits it. Instead \
               of a word it may be a table that names a type of the handlers: `{ blittable = \"Reading\", size = 16 }` \
               or `{ packed = \"Order\" }`.",
        example: "type = \"u64\"",
    },
    Key {
        section: Section::Type,
        name: "blittable",
        takes: Takes::Text,
        left_out: Means("the type is `packed`"),
        doc: "the name of a type that is the same bytes in every language",
        more: "Without module or namespace. Handlers that take a type must name this one, of the same `size`.",
        example: "type = { blittable = \"Reading\", size = 16 }",
    },
    Key {
        section: Section::Type,
        name: "size",
        takes: Takes::Count { least: 1, most: LARGEST_BLITTABLE, unit: "bytes" },
        left_out: Means("needed with `blittable`, and only there"),
        doc: "how many bytes a value of the blittable type has",
        more: "",
        example: "type = { blittable = \"Reading\", size = 16 }",
    },
    Key {
        section: Section::Type,
        name: "packed",
        takes: Takes::Text,
        left_out: Means("the type is `blittable`"),
        doc: "the name of a packed type, as `upcall bindgen` writes it",
        more: "Without module or namespace. Handlers that take a type must name this one.",
        example: "type = { packed = \"Order\" }",
    },
    Key {
        section: Section::Handler,
        name: "name",
        takes: Takes::Text,
        left_out: Needed,
        doc: "the handler's name, for messages and reports",
        more: "No two handlers of a flow have the same name.",
        example: "name = \"split\"",
    },
    Key {
        section: Section::Handler,
        name: "on",
        takes: Takes::Pool,
        left_out: Needed,
        doc: "the pool whose objects it is called with, and all pools below it",
        more: "`\"/\"` is all pools but the dead ones. `\"/dead\"` is all dead pools, `\"/dead/lines\"` that of `/lines`.",
        example: "on = \"/lines\"",
    },
    Key {
        section: Section::Handler,
        name: "to",
        takes: Takes::Pools,
        left_out: Value("[]"),
        doc: "the pools that it may emit to",
        more: "The first is where it emits unless it says otherwise.",
        example: "to = [\"/words\", \"/counts\"]",
    },
    Key {
        section: Section::Handler,
        name: "read",
        takes: Takes::Pools,
        left_out: Value("[]"),
        doc: "the pools that it may read",
        more: "",
        example: "read = \"/counts\"",
    },
    Key {
        section: Section::Handler,
        name: "class",
        takes: Takes::Text,
        left_out: Needed,
        doc: "which handler of that file it is",
        more: "",
        example: "class = \"WordCount.Counter\"",
    },
    Key {
        section: Section::Handler,
        name: "order",
        takes: Takes::Word(&[
            ("key", "items of the same key wait for each other and come in the order of their versions"),
            ("any", "no item waits: any worker may take any item"),
            ("single", "all items wait: one worker takes one after the other"),
        ]),
        left_out: Value("\"key\""),
        doc: "which of its items wait for each other",
        more: "",
        example: "order = \"single\"",
    },
    Key {
        section: Section::Handler,
        name: "batch",
        takes: Takes::Count { least: 1, most: u32::MAX as u64, unit: "items" },
        left_out: Means("as many as `batch` of the flow"),
        doc: "how many items a batch of this handler has at most",
        more: "",
        example: "batch = 1",
    },
    Key {
        section: Section::Handler,
        name: "retry",
        takes: Takes::Count { least: 0, most: MOST_RETRIES as u64, unit: "tries" },
        left_out: Value("0"),
        doc: "how often an item that failed is tried again before it goes to the dead pool",
        more: "Where it is the engine that refuses what was emitted (`bad emission`: a key or a text that is not UTF-8, a \
               value of another size than its pool's type), it goes there at once, whatever this says: the same would be \
               emitted again.\n\nItems that wait for the failed one (see `order`) wait for its retries too; others go on.\n\nA \
               handler that emits on condition (`put_if`) needs some: its item fails when the key has changed since it was \
               read. Its items behind \
               one that waits for the owner of the key may be handled again without this counting as a try.",
        example: "retry = 3",
    },
    Key {
        section: Section::Handler,
        name: "retry_delay",
        takes: Takes::Time,
        left_out: Value("0"),
        doc: "how long an item that failed waits before it is tried again",
        more: "The wait doubles with each failure, up to a minute (or to this time, where it is longer). Each wait is \
               shortened by up to half, at random, so that items that failed together do not come back together. \
               Nothing waits with it but the items that wait for its retries. With 0 it is tried again at once.\n\nA command \
               that a signal stops waits no longer: what waits is tried at once, as often as is left.",
        example: "retry = 5\nretry_delay = \"100 ms\"",
    },
    Key {
        section: Section::Handler,
        name: "cycle",
        takes: Takes::Flag,
        left_out: Value("false"),
        doc: "whether it is meant to be part of a cycle",
        more: "A cycle that none of its handlers declares is a mistake, and so is the key on a handler that is part \
               of no cycle.",
        example: "to = \"/lines\"\ncycle = true",
    },
    Key {
        section: Section::Handler,
        name: "warm",
        takes: Takes::Table("a table: { key = \"1\", value = \"some text\" }"),
        left_out: Means("it handles nothing before the first object"),
        doc: "a sample object that it handles before the flow takes any",
        more: "What a first object has to wait for, such as compiling, happens then. Each instance gets the sample \
               once, on its worker, when it has been opened: as an object of version 0 in the first pool that it \
               watches, which tells a handler with a memory that nobody has put it. What it emits is checked and \
               thrown away, and the report counts nothing of it. A handler that fails with its sample fails the \
               start of the flow. Its other effects, such as printing, are real.",
        example: "warm = { key = \"1\", value = \"In the beginning\" }",
    },
    Key {
        section: Section::Handler,
        name: "settings",
        takes: Takes::Table("a table: [handler.settings]"),
        left_out: Value("{}"),
        doc: "what the handler is told when it is opened",
        more: "Any names. Values reach the handler as text: numbers and texts as they are written, everything else \
               as JSON.",
        example: "settings = { top = 10, title = \"most frequent\" }",
    },
    Key {
        section: Section::Warm,
        name: "key",
        takes: Takes::Text,
        left_out: Means("`\"1\"`, as the first line of an input has"),
        doc: "the sample's key",
        more: "",
        example: "warm = { key = \"1\", value = \"In the beginning\" }",
    },
    Key {
        section: Section::Warm,
        name: "value",
        takes: Takes::Text,
        left_out: Means("the value is said by `hex`"),
        doc: "the sample's value, as a line of an input says it",
        more: "A number where the type of the pool is one, else its bytes.",
        example: "warm = { value = \"In the beginning\" }",
    },
    Key {
        section: Section::Warm,
        name: "hex",
        takes: Takes::Text,
        left_out: Means("the value is said by `value`"),
        doc: "the bytes of the sample's value, two hexadecimal digits each",
        more: "For blittable and packed values; `upcall run --dump /pool=- --as hex` prints some.",
        example: "warm = { hex = \"2a00 0000 0000 0000\" }",
    },
];
