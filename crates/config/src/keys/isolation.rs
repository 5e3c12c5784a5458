//! The keys of handlers that run in processes of their own.

use super::LeftOut::{Means, Value};
use super::{Key, Section, Takes};
use upcall_flow::MOST_WORKERS;

/// A process that may have less does not start.
const LEAST_MEMORY: u64 = 1 << 20;

/// The keys that only a handler with `isolation = "process"` may have.
pub(crate) const OF_ISOLATION: [&str; 6] =
    ["workers", "start_deadline", "memory", "restarts", "env", "sandbox"];

/// `isolation` and [`OF_ISOLATION`].
pub(super) const ROWS: &[Key] = &[
    Key {
        section: Section::Handler,
        name: "isolation",
        takes: Takes::Word(&[
            ("none", "in the process of the flow, which a handler that ends its process ends with it"),
            ("process", "in processes of its own, with the same semantics: one that dies is started again"),
        ]),
        left_out: Value("\"none\""),
        doc: "where the handler runs",
        more: "When a process dies, the items that it had finished count. The others are delivered again, each with nothing \
               else beside it; one that the process dies of again and again is buried as `lost` (see `restarts`), and the \
               flow goes on. Everything else is as inside: settings, reading pools, the log. What it prints comes line by line under its name.

A \
               handler in JavaScript always runs so, whether this is written or not; in a program that is JavaScript itself, only where this or one of its keys is written. A handler that names no code, which a program gives, runs in that program and cannot be isolated. The keys below `isolation` need it, but for `memory` of a handler in WebAssembly.",
        example: "isolation = \"process\"",
    },
    Key {
        section: Section::Handler,
        name: "workers",
        takes: Takes::Count { least: 1, most: MOST_WORKERS as u64, unit: "processes" },
        left_out: Value("1"),
        doc: "how many processes run this handler",
        more: "Each has one instance of it, and each key belongs to one of them; with `order = \"any\"` an item goes to the one \
               that is free first. This is how a Python handler uses several cores. With `order = \"single\"` there is one.",
        example: "isolation = \"process\"\nworkers = 4",
    },
    Key {
        section: Section::Handler,
        name: "start_deadline",
        takes: Takes::Deadline,
        left_out: Value("\"60 s\""),
        doc: "how long a process may take to start, to load the handler and to open it",
        more: "",
        example: "isolation = \"process\"\nstart_deadline = \"10 s\"",
    },
    Key {
        section: Section::Handler,
        name: "memory",
        takes: Takes::Bytes { least: LEAST_MEMORY },
        left_out: Means("as much as the machine has; 1 GiB in WebAssembly"),
        doc: "how many bytes of memory a process may have, or an instance of a handler in WebAssembly",
        more: "What counts is what it has in the machine's memory, without files and what it shares with other programs. A process with more is killed and started \
               again.\n\nA handler in WebAssembly needs no process for it: an instance gets no more than this, the copies of what it \
               is handed over included, and what it does then is up to it. In processes of its own it is the same, and a process is \
               killed that has 256 MiB more.",
        example: "isolation = \"process\"\nmemory = \"512 MiB\"",
    },
    Key {
        section: Section::Handler,
        name: "restarts",
        takes: Takes::Count { least: 1, most: u32::MAX as u64, unit: "deaths" },
        left_out: Value("3"),
        doc: "how often a process may die with the same item before that is buried as `lost`",
        more: "Only those deaths count in which it had this item alone and did not finish it.",
        example: "isolation = \"process\"\nrestarts = 1",
    },
    Key {
        section: Section::Handler,
        name: "env",
        takes: Takes::Names,
        left_out: Value("[]"),
        doc: "the names of environment variables that its processes keep",
        more: "They have no others but those that say where things are (`PATH`, `HOME`, `TMPDIR`, `LD_LIBRARY_PATH`), the language and the time zone, and by what their runtime is found.",
        example: "isolation = \"process\"\nenv = [\"DATABASE_URL\"]",
    },
    Key {
        section: Section::Handler,
        name: "sandbox",
        takes: Takes::Flag,
        left_out: Value("false"),
        doc: "whether its processes may do only what handlers need",
        more: "They may read files and start threads; the kernel refuses to let them write files, use the network, start \
               processes or touch others, with an error that the handler sees. The flow does not start where the kernel \
               cannot do that.",
        example: "isolation = \"process\"\nsandbox = true",
    },
];
