//! `sdk/node/src/abi.ts` mirrors the boundary and what both sides of a segment have agreed on. With `UPCALL_WRITE=1` it is
//! written anew.
#![cfg(target_os = "linux")]

use std::fmt::Write;
use std::path::Path;
use upcall_abi::*;
use upcall_apart::protocol::{ARENA, LANE, LANES, NUMBER, SCRATCH, SEGMENT, SERVICE, to_guest, to_host};

const HEADER: &str = "\
// From crates/abi and crates/apart, by `UPCALL_WRITE=1 cargo test --package upcall-node --test mirrors`.
/** What frames are made of: sizes and offsets in bytes, and the numbers that say what is meant. */
";

/// The structs that the driver and its harness read or write, named as there.
const STRUCTS: [&str; 16] = [
    "Rel<u8>", "ErrorSlot", "FrameHead", "OpenFrame", "Setting", "PoolEntry", "Item", "Progress",
    "FlowFrame", "Output", "Record", "DescribeFrame", "CancelFrame", "FlowOpen", "CombineFrame",
    "CombineOpen",
];

/// Fields as JavaScript has them; constants keep their names.
fn camel(name: &str) -> String {
    if name.chars().any(char::is_uppercase) {
        return name.to_owned();
    }
    let mut words = name.split('_');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| text + &word[..1].to_uppercase() + &word[1..])
}

fn table(text: &mut String, name: &str, members: &[(&str, u64)]) {
    writeln!(text, "\nexport const enum {name} {{").unwrap();
    members.iter().for_each(|(name, number)| writeln!(text, "  {} = {number},", camel(name)).unwrap());
    text.push_str("}\n");
}

macro_rules! numbers {
    ($text:expr, $name:literal, $path:ident: { $($constant:ident),+ }) => {
        table($text, $name, &[$((stringify!($constant), u64::from($path::$constant))),+]);
    };
}

fn mirrors() -> String {
    let mut text = HEADER.to_owned();
    for name in STRUCTS {
        let layout = layouts().iter().find(|layout| layout.name == name).expect("it is part of the boundary");
        let fields = layout.fields.iter().map(|field| (field.name, field.offset as u64));
        let members: Vec<_> = fields.filter(|(name, _)| !name.starts_with("reserved")).collect();
        let name = name.strip_suffix("<u8>").unwrap_or(name);
        table(&mut text, name, &[&[("$bytes", layout.size as u64)], &members[..]].concat());
    }
    let text = &mut text;
    table(text, "Abi", &[("NUMBER", ABI.into())]);
    numbers!(text, "Kind", kind: { OPEN, FLUSH, CLOSE, PING, DESCRIBE, CANCEL, FLOW, COMBINE });
    numbers!(text, "Access", access: { WATCH, EMIT, READ });
    table(
        text,
        "Status",
        &[("OK", Status::OK), ("FAILED", Status::FAILED), ("PENDING", Status::PENDING)]
            .map(|(name, status)| (name, u64::from(status.0.unsigned_abs()))),
    );
    numbers!(text, "About", about: { KIND, FORM, TAKES, GIVES, COMMUTATIVE, ANSWERS_LATER, PARAMETER });
    numbers!(text, "Level", level: { ERROR, WARN, INFO, DEBUG, TRACE });
    numbers!(text, "AsOf", as_of: { NOW, VERSION, TIME });
    numbers!(text, "Missing", missing: { NOT_DECLARED, COMPACTED, UNKNOWN_AS_OF });
    numbers!(text, "Refused", refusal: {
        RUNTIME_FAILED, FILE_MISSING, FILE_INVALID, HANDLER_MISSING, CONSTRUCTOR_FAILED, ABI_MISMATCH
    });
    numbers!(text, "Cancelled", cancelled: { TIMED_OUT, FROM_OUTSIDE });
    numbers!(text, "None", none: { ITEM, CONDITION });
    numbers!(text, "ToGuest", to_guest: { CALL, ANSWER, END });
    numbers!(text, "ToHost", to_host: { READY, REFUSED, RETURNED, GROW, LOG, READ, LIST });
    table(
        text,
        "Shared",
        &[
            ("number", NUMBER),
            ("message", upcall_segment::MESSAGE),
            ("lanes", LANES),
            ("lane", LANE),
            ("service", SERVICE),
            ("scratch", SCRATCH.start),
            ("scratchEnd", SCRATCH.end),
            ("arena", ARENA.start),
            ("end", SEGMENT),
        ],
    );
    text.clone()
}

/// Numbers that stand for nothing.
mod none {
    pub(crate) const ITEM: u32 = upcall_abi::Record::NO_ITEM;
    pub(crate) const CONDITION: u32 = upcall_abi::Record::CONDITION;
}

#[test]
fn the_mirrors_are_those_of_the_boundary() {
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src/abi.ts");
    let made = mirrors();
    if std::env::var_os("UPCALL_WRITE").is_some() {
        std::fs::write(&place, &made).unwrap();
    }
    let there = std::fs::read_to_string(&place).unwrap_or_default();
    assert!(there == made, "{} is old: run the command that its first line names", place.display());
}
