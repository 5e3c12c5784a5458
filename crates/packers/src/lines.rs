//! What TypeScript and Python write alike, statement by statement, to a writer `w`.

use crate::plan::{Absence, Form, Int, Object, Packed, PackedBody, Parts, Plan, Slot, Step, Wire};
use crate::{Report, Scope};
use std::borrow::Cow;

/// The method that writes and reads an integer.
pub(crate) fn number(int: Int) -> &'static str {
    match int {
        Int::Isize | Int::Long => "i64",
        Int::Usize | Int::ULong => "u64",
        Int::CChar => "i8",
        int => int.rust_name(),
    }
}

/// Statements that write parts wherever they lie; `write` gives those of one part.
pub(crate) fn steps(parts: &Parts<'_>, write: impl Fn(&Wire, usize) -> Vec<String>) -> Vec<String> {
    let step = |step: &Step| match step {
        Step::Part(part) => write(&parts.wires[*part], *part),
        Step::Room(size) => vec![format!("w.zero({size})")],
        Step::Head(head) => vec![format!("w.u8({head})")],
    };
    parts.steps.iter().flat_map(step).collect()
}

/// A part of a value.
pub(crate) fn part(wire: &Wire, value: &str, part: usize) -> String {
    match wire {
        Wire::Group(..) => format!("{value}.{}", ["key", "values"][part]),
        Wire::Lazy(_) => value.to_owned(),
        _ => format!("{value}[{part}]"),
    }
}

/// The statement that writes that there is no value, and those that write `value`.
pub(crate) fn optional(
    plan: &Plan,
    of: &Wire,
    no_count: &str,
    [yes, value]: [&str; 2],
    write: impl Fn(&Wire, &str) -> Vec<String>,
) -> (String, Vec<String>) {
    let there = |wire: &Wire| write(wire, value);
    match plan.absence(of) {
        Absence::Nullable(placed) => {
            let parts =
                Parts::side_by_side(vec![Cow::Owned(Wire::Bool), Cow::Borrowed(of)], Some(placed.clone()));
            let some = steps(&parts, |wire, part| write(wire, [yes, value][part]));
            (format!("w.zero({})", placed.layout.size), some)
        }
        Absence::Length => (format!("w.{no_count}()"), there(of)),
        Absence::Head => ("w.none()".into(), there(of)),
        Absence::Flag => ("w.none()".into(), [write(&Wire::Bool, yes), there(of)].concat()),
    }
}

/// Statements that write an object. `slots` declares the variable of the slots, `known` returns if the object was
/// written before.
pub(crate) fn object(
    object: &Object,
    slots: &str,
    known: &[&str],
    member: impl Fn(&Slot) -> Vec<String>,
) -> Vec<String> {
    let (count, plain) = (object.slots(), object.form == Form::Plain);
    let circular = object.form == Form::Circular;
    let mut lines: Vec<String> = known.iter().filter(|_| circular).map(|line| (*line).to_owned()).collect();
    lines.push(if plain { format!("w.head({count})") } else { format!("{slots} = w.slots({count})") });
    for slot in &object.members {
        lines.extend(member(slot));
        lines.extend((!plain).then(|| format!("slots.end({})", slot.index)));
    }
    let last = if circular { "slots.done(value)" } else { "slots.done()" };
    lines.push(if plain { "w.leave()" } else { last }.into());
    lines
}

/// How a language says what is read of an object.
pub(crate) struct Reading<'a> {
    /// What stands before a variable that is new.
    pub declare: &'a str,
    /// False and true.
    pub booleans: [&'a str; 2],
    /// Returns the object if this refers to one that was there before.
    pub known: Vec<String>,
    /// Makes an object whose members are still to be read.
    pub empty: String,
}

/// Statements that read an object. `value` gives a member and the expression that reads it if `there`, `made` makes the
/// object of all of them.
pub(crate) fn read_object(
    object: &Object,
    reading: Reading<'_>,
    value: impl Fn(&Slot, &str) -> (String, String),
    made: impl Fn(Vec<(String, String)>) -> Vec<String>,
) -> Vec<String> {
    let (count, plain) = (object.slots(), object.form == Form::Plain);
    let circular = object.form == Form::Circular;
    let values = object.members.iter().map(|slot| match plain {
        true => value(slot, &format!("count > {}", slot.index)),
        false => value(slot, &format!("slots.open({})", slot.index)),
    });
    let Reading { declare, booleans, known, empty } = reading;
    let mut lines = if circular { known } else { Vec::new() };
    lines.push(match plain {
        true if count == 0 => "r.head(0)".into(),
        true => format!("{declare}count = r.head({count})"),
        false => format!("{declare}slots = r.slots({})", booleans[usize::from(circular)]),
    });
    if circular {
        // Its members may refer to it while they are being read.
        lines.extend([empty, "r.remember(slots.id, value)".into()]);
        lines.extend(values.map(|(member, value)| format!("value.{member} = {value}")));
    } else {
        lines.extend(made(values.collect()));
    }
    let left = if plain { "r.leave()" } else { "slots.close()" };
    lines.extend([left, "return value"].map(str::to_owned));
    lines
}

/// Reports two things that would share a name. `names` gives what a type takes in the module, besides its own name.
pub(crate) fn check_names(
    plan: &Plan,
    language: &'static str,
    report: &mut dyn Report,
    names: impl Fn(&Packed) -> Vec<(String, String)>,
    member: impl Fn(&Slot) -> String,
) {
    let scope = || Scope::new(language, "rename one of them");
    let mut top = scope();
    for packed in &plan.types {
        for (name, what) in names(packed) {
            top.declare(&name, &what, &packed.place, report);
        }
        let slots = match &packed.body {
            PackedBody::Object(object) => &object.members[..],
            PackedBody::Raw(raw) => &raw.fields[..],
            _ => &[],
        };
        let mut members = scope();
        for slot in slots {
            members.declare(&member(slot), &slot.name, &packed.place, report);
        }
    }
}
