//! Every key of a flow's file, as data: the parser knows no other, `upcall explain` prints them, and the reference
//! in `docs/flow.md` is made from them.

mod isolation;
mod java;
mod later;
mod reference;
mod table;
#[cfg(test)]
mod tests;

pub(crate) use isolation::OF_ISOLATION;
pub use reference::{explain, list, markdown};
pub use table::KEYS;

use crate::quantity;
use std::fmt;
use upcall_host::{GUESTS, KnownGuest, nearest};

/// One key of a flow's file.
#[derive(Clone, Copy, Debug)]
pub struct Key {
    /// The table that it belongs to.
    pub section: Section,
    /// The key itself.
    pub name: &'static str,
    /// What may be written behind the equals sign.
    pub takes: Takes,
    /// What a file without the key says.
    pub left_out: LeftOut,
    /// What it means, on one line.
    pub doc: &'static str,
    /// What else there is to know: paragraphs of Markdown, or nothing.
    pub more: &'static str,
    /// TOML below the head of its section, which a whole file may hold as it stands.
    pub example: &'static str,
}

/// A table of a flow's file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Section {
    /// The file itself, above the first line in brackets.
    Flow,
    /// `credit = { … }`.
    Credit,
    /// `dead_letters = { … }`.
    DeadLetters,
    /// `[pool."/path"]`.
    Pool,
    /// `type = { … }` of a pool.
    Type,
    /// `[[handler]]`.
    Handler,
    /// `warm = { … }` of a handler.
    Warm,
    /// `[java]`.
    Java,
}

/// What a key takes.
#[derive(Clone, Copy, Debug)]
pub enum Takes {
    /// A text.
    Text,
    /// The path of a file, from the folder of the flow's file.
    File,
    /// The path of a file or folder, or a list of them.
    Files,
    /// The path of a pool.
    Pool,
    /// The path of a pool, or a list of them.
    Pools,
    /// A name, or a list of them.
    Names,
    /// True or false.
    Flag,
    /// A whole number within a range.
    Count {
        /// The least.
        least: u64,
        /// The most.
        most: u64,
        /// What is counted.
        unit: &'static str,
    },
    /// A number of bytes, or a text with a unit.
    Bytes {
        /// The least.
        least: u64,
    },
    /// A time: a text with a unit, or 0.
    Time,
    /// As [`Takes::Time`], but more than 0.
    Deadline,
    /// How often in a time: a number for a second, or a text.
    Rate,
    /// One of some words, each with what it means.
    Word(&'static [(&'static str, &'static str)]),
    /// A table, described by this text.
    Table(&'static str),
}

/// What a file says that does not have a key.
#[derive(Clone, Copy, Debug)]
pub enum LeftOut {
    /// The same as with this value, which is TOML.
    Value(&'static str),
    /// Something that no value says.
    Means(&'static str),
    /// It needs the key.
    Needed,
}

impl Section {
    /// All of them, in the order of a file.
    pub const ALL: [Section; 8] = [
        Section::Flow,
        Section::Credit,
        Section::DeadLetters,
        Section::Pool,
        Section::Type,
        Section::Handler,
        Section::Warm,
        Section::Java,
    ];

    /// What the table is, for messages.
    #[must_use]
    pub const fn what(self) -> &'static str {
        match self {
            Section::Flow => "a flow",
            Section::Credit => "the credit",
            Section::DeadLetters => "the dead letters",
            Section::Pool => "a pool",
            Section::Type => "a type",
            Section::Handler => "a handler",
            Section::Warm => "a sample",
            Section::Java => "[java]",
        }
    }

    /// What comes before a key's name where it is written out: `handler.` in `handler.retry`.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Section::Flow => "",
            Section::Credit => "credit.",
            Section::DeadLetters => "dead_letters.",
            Section::Pool => "pool.",
            Section::Type => "pool.type.",
            Section::Handler => "handler.",
            Section::Warm => "handler.warm.",
            Section::Java => "java.",
        }
    }

    /// The line in brackets that its keys are below.
    #[must_use]
    pub const fn head(self) -> Option<&'static str> {
        match self {
            Section::Flow | Section::Credit | Section::DeadLetters => None,
            Section::Pool | Section::Type => Some("[pool.\"/counts\"]"),
            Section::Handler | Section::Warm => Some("[[handler]]"),
            Section::Java => Some("[java]"),
        }
    }

    /// Where its keys are written.
    #[must_use]
    pub const fn place(self) -> &'static str {
        match self {
            Section::Flow => {
                "at the top of the file; `[input]`, `[pool.\"/path\"]`, `[[handler]]` and `[java]` come below all others"
            }
            Section::Credit => "in the table `credit = { … }` at the top of the file",
            Section::DeadLetters => "in the table `dead_letters = { … }` at the top of the file",
            Section::Pool => "below `[pool.\"/path\"]`, once per pool",
            Section::Type => "in the table `type = { … }` of a pool, instead of a word",
            Section::Handler => "below `[[handler]]`, once per handler",
            Section::Warm => "in the table `warm = { … }` of a handler",
            Section::Java => "below `[java]`, once for all handlers in Java",
        }
    }

    /// Its keys.
    pub fn keys(self) -> impl Iterator<Item = &'static Key> {
        KEYS.iter().filter(move |key| key.section == self)
    }

    /// The key of this name.
    pub(super) fn key(self, name: &str) -> Option<&'static Key> {
        self.keys().find(|key| key.name == name)
    }
}

impl Key {
    /// Its name with that of its section: `handler.retry`.
    #[must_use]
    pub fn path(&self) -> String {
        format!("{}{}", self.section.prefix(), self.name)
    }

    /// Where it is written.
    #[must_use]
    pub fn place(&self) -> &'static str {
        match (self.section, self.name) {
            (Section::Flow, "input" | "pool" | "handler" | "java") => {
                "a line in brackets, below the other keys of the flow"
            }
            (Section::Flow, _) => "at the top of the file, above the first line in brackets",
            (section, _) => section.place(),
        }
    }

    /// What it counts, where it is a quantity.
    #[must_use]
    pub fn unit(&self) -> Option<&'static str> {
        match self.takes {
            Takes::Count { unit, .. } => Some(unit),
            Takes::Bytes { .. } => Some("bytes"),
            Takes::Rate => Some("items a second"),
            _ => None,
        }
    }
}

impl fmt::Display for Takes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Takes::Text => f.write_str("a text"),
            Takes::File => f.write_str("the path of a file"),
            Takes::Files => f.write_str("a path, or a list of them"),
            Takes::Pool => f.write_str("the path of a pool"),
            Takes::Pools => f.write_str("the path of a pool, or a list of them"),
            Takes::Names => f.write_str("a name, or a list of them"),
            Takes::Flag => f.write_str("true or false"),
            Takes::Count { least, most, .. } if *most >= i64::MAX as u64 => {
                write!(f, "a whole number, {least} or more")
            }
            Takes::Count { least, most, .. } => write!(f, "a whole number from {least} to {most}"),
            Takes::Bytes { least } => {
                write!(f, "a number, or a text like \"16 MiB\"")?;
                if *least > 1 { write!(f, ", {} or more", quantity::shown(*least)) } else { Ok(()) }
            }
            Takes::Time => f.write_str("a text like \"50 ms\", or 0"),
            Takes::Deadline => f.write_str("a text like \"5 s\""),
            Takes::Rate => f.write_str("a number, or a text like \"600 / min\""),
            Takes::Word(words) => {
                let words: Vec<String> = words.iter().map(|(word, _)| format!("\"{word}\"")).collect();
                f.write_str(&words.join(", "))
            }
            Takes::Table(what) => f.write_str(what),
        }
    }
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            LeftOut::Value(text) | LeftOut::Means(text) => text,
            LeftOut::Needed => "none: it is needed",
        })
    }
}

/// What `say` says of each guest, as a list: `a, b or c`.
pub(super) fn one_of(say: impl Fn(&KnownGuest) -> String, conjunction: &str) -> String {
    let mut said: Vec<String> = GUESTS.into_iter().map(say).collect();
    let last = said.pop().unwrap_or_default();
    format!("{} {conjunction} {last}", said.join(", "))
}

/// The keys that somebody means who writes this: a whole path (`handler.retry`), the last part of one (`retry`, or
/// `on.retry`; `batch` means that of a handler too), or a section (`handler`, `[[handler]]`), which means all its keys.
/// Else the nearest that there is.
///
/// # Errors
///
/// No key is called that; the error holds the nearest one that exists, if any is near.
pub fn find(asked: &str) -> Result<Vec<&'static Key>, Option<String>> {
    let asked = asked.trim_matches(|c: char| c.is_whitespace() || "[]".contains(c));
    // A pool's own path may stand for any: pool."/lines".keep.
    let asked = match (asked.find('"'), asked.rfind('"')) {
        (Some(from), Some(to)) => [asked[..from].trim_end_matches('.'), &asked[to + 1..]].concat(),
        _ => asked.to_owned(),
    };
    let whole: Vec<&Key> = KEYS.iter().filter(|key| key.path() == asked).collect();
    let section = format!("{asked}.");
    let below = KEYS.iter().filter(|key| key.section.prefix() == section);
    let elsewhere = KEYS.iter().filter(|key| key.name == asked && key.section != Section::Flow);
    let whole: Vec<&Key> = whole.into_iter().chain(below).chain(elsewhere).collect();
    if !whole.is_empty() {
        return Ok(whole);
    }
    let last = asked.rsplit('.').next().unwrap_or_default();
    let named: Vec<&Key> = KEYS.iter().filter(|key| key.name == last).collect();
    if !named.is_empty() {
        return Ok(named);
    }
    let paths: Vec<String> = KEYS.iter().map(Key::path).collect();
    let names = KEYS.iter().map(|key| key.name);
    let near = nearest(&asked, paths.iter().map(String::as_str)).or_else(|| nearest(last, names));
    Err(near.map(str::to_owned))
}
