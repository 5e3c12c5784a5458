//! What handlers say of themselves: DESCRIBE, the first frame.

use crate::{Error, ErrorKind, Instance};
use upcall_abi::{Chained, DescribeFrame, FrameHead, Output, about, kind, read_parameter};

/// What a handler says of itself; the same for all its instances.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Description {
    /// The kind of batch that it takes: one of [`upcall_abi::kind`].
    pub kind: u16,
    /// That kind's name: `FLOW`.
    pub kind_name: String,
    /// How it likes a flow's objects: `object` or `batch`; or a graph's vertices: `vertex`, `gather` or `interval`. Empty for other
    /// kinds.
    pub form: String,
    /// The type of the values it takes; `None` for any bytes.
    pub takes: Option<ValueShape>,
    /// The types of the values it gives; empty for any bytes.
    pub gives: Vec<ValueShape>,
    /// Whether combining is commutative.
    pub commutative: bool,
    /// Whether it may answer later.
    pub answers_later: bool,
    /// The arrays that it reads or writes: name, and `read` or `write`.
    pub arrays: Vec<(String, String)>,
    /// The types of values that a vertex program has: `own`, `shown` or `edge`, and a number's name.
    pub values: Vec<(String, String)>,
    /// What a vertex program needs: `outgoing`, `selective`.
    pub needs: Vec<String>,
    /// By what a vertex program has its neighbours gathered; empty where it has not.
    pub gather: String,
    /// The settings that it understands.
    pub parameters: Vec<Parameter>,
}

/// A type of values.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ValueShape {
    /// As pools name it. `int` and `float`, without a size, are whichever number of that sort a pool declares; `bytes`
    /// are any bytes.
    pub name: String,
    /// Bytes of a value, where all have as many.
    pub size: Option<u32>,
}

/// A setting that a handler understands.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// The type of its values, in the handler's words.
    pub of: String,
    /// What it is when nobody sets it, which may be empty; `None` where there is no such value.
    pub default: Option<String>,
    /// Which values it may have, in the handler's words.
    pub range: Option<String>,
}

/// Asks an instance what it is, before it is opened.
///
/// # Errors
/// The handler fails, or does not say which kind it is: it breaks the boundary's rules.
pub fn describe(instance: &mut Instance) -> Result<Description, Error> {
    let fail = |what: String| Err(Error::new(ErrorKind::FileInvalid, format!("ask what it is: {what}")));
    let head = FrameHead::new::<DescribeFrame>(kind::DESCRIBE);
    let mut asked = Chained::new(DescribeFrame { head, out: Output::NONE });
    // SAFETY: the frame and its chunks live until the call returns.
    if let Err(failed) = unsafe { instance.ask(&mut *asked) } {
        return fail(failed.told());
    }
    let mut found = Description::default();
    // SAFETY: a driver has written, whose records are whole where it says so.
    let records = match unsafe { asked.records() } {
        Ok(records) => records,
        Err(why) => return fail(why.to_owned()),
    };
    for (record, key, value) in records {
        let [key, value] = [key, value].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
        let shape = || ValueShape { name: key.clone(), size: value.parse().ok() };
        match record.pool {
            about::KIND => (found.kind, found.kind_name) = (value.parse().unwrap_or_default(), key),
            about::FORM => found.form = key,
            about::TAKES => found.takes = Some(shape()),
            about::GIVES => found.gives.push(shape()),
            about::COMMUTATIVE => found.commutative = true,
            about::ANSWERS_LATER => found.answers_later = true,
            about::ARRAY => found.arrays.push((key, value)),
            about::VALUE => found.values.push((key, value)),
            about::NEEDS => found.needs.push(key),
            about::GATHER => found.gather = key,
            about::PARAMETER => {
                let (of, default, range) = read_parameter(&value);
                let [default, range] = [default, range].map(|line| line.map(str::to_owned));
                found.parameters.push(Parameter { name: key, of: of.to_owned(), default, range });
            }
            // Of a newer SDK.
            _ => {}
        }
    }
    if found.kind == 0 { fail("it does not say which kind it is".to_owned()) } else { Ok(found) }
}

impl Description {
    /// Whether an engine that calls with batches of `kind` can use the handler.
    ///
    /// # Errors
    /// It cannot; the text names both kinds.
    pub fn check_kind(&self, engine: &str, kind: u16) -> Result<(), String> {
        if self.kind == kind {
            return Ok(());
        }
        let wanted = upcall_abi::kind::name(kind).unwrap_or("other");
        let taken = &self.kind_name;
        Err(format!(
            "it takes {taken} frames, and {engine} calls with {wanted} frames: give it another handler"
        ))
    }
}
