//! The members of a class: declared, written, read.

use super::super::names::{docstring, literal};
use super::Packers;
use crate::model::{Form, Object, Slot};
use std::fmt::Write as _;

impl Packers<'_> {
    /// Members with their defaults and docs.
    pub(super) fn fields(&self, slots: &[Slot]) -> String {
        let mut text = String::new();
        for slot in slots {
            let default = match self.default_of(&slot.wire) {
                None => String::new(),
                Some((default, true)) => format!(" = {default}"),
                Some((default, false)) => match &*default {
                    "[]" => " = _field(default_factory=list)".into(),
                    "{}" => " = _field(default_factory=dict)".into(),
                    "set()" => " = _field(default_factory=set)".into(),
                    _ => format!(" = _field(default_factory=lambda: {default})"),
                },
            };
            let _ = writeln!(text, "    {}: {}{default}", self.member(slot), self.type_of(&slot.wire));
            text.push_str(&docstring(&slot.docs, "    "));
        }
        text
    }

    /// Whether each member has a default, so that they can be given by position.
    pub(super) fn all_default(&self, slots: &[Slot]) -> bool {
        slots.iter().all(|slot| self.api.has_default(&slot.wire))
    }

    pub(super) fn write_object(&self, name: &str, object: &Object) -> Vec<String> {
        self.names.set(0);
        let slots = &object.members;
        let count = object.slots();
        if object.form == Form::Plain {
            let mut lines = vec![format!("w.head({count})")];
            lines.extend(slots.iter().flat_map(|slot| self.write_member(name, slot)));
            lines.push("w.leave()".into());
            return lines;
        }
        let circular = object.form == Form::Circular;
        let mut lines = Vec::new();
        if circular {
            lines.extend(["if w.refer(value):".to_owned(), "    return".to_owned()]);
        }
        lines.push(format!("slots = w.slots({count})"));
        for slot in slots {
            lines.extend(self.write_member(name, slot));
            lines.push(format!("slots.end({})", slot.index));
        }
        lines.push(if circular { "slots.done(value)" } else { "slots.done()" }.into());
        lines
    }

    pub(super) fn write_member(&self, name: &str, slot: &Slot) -> Vec<String> {
        let member = self.member(slot);
        self.place.replace(format!("{name}.{member}"));
        self.write(&slot.wire, &format!("value.{member}"))
    }

    pub(super) fn read_object(&self, name: &str, object: &Object) -> Vec<String> {
        let slots = &object.members;
        let count = object.slots();
        match object.form {
            Form::Plain => {
                let name_it = if slots.is_empty() { "" } else { "count = " };
                let mut lines = vec![format!("{name_it}r.head({count})")];
                lines.extend(self.made(name, slots, &|slot| format!("count > {}", slot.index)));
                lines.extend(["r.leave()".to_owned(), "return value".to_owned()]);
                lines
            }
            Form::VersionTolerant => {
                let mut lines = vec!["slots = r.slots(False)".to_owned()];
                lines.extend(self.made(name, slots, &|slot| format!("slots.open({})", slot.index)));
                lines.extend(["slots.close()".to_owned(), "return value".to_owned()]);
                lines
            }
            // Its members may refer to it while they are being read.
            Form::Circular => {
                let mut lines = vec![
                    format!("known = r.referred({name})"),
                    "if known is not None:".to_owned(),
                    "    return known".to_owned(),
                    "slots = r.slots(True)".to_owned(),
                    format!("value = {name}.__new__({name})"),
                    "r.remember(slots.id, value)".to_owned(),
                ];
                for slot in slots {
                    let read = self.read_or_default(name, slot, &format!("slots.open({})", slot.index));
                    lines.push(format!("value.{} = {read}", self.member(slot)));
                }
                lines.extend(["slots.close()".to_owned(), "return value".to_owned()]);
                lines
            }
        }
    }

    fn made(&self, name: &str, slots: &[Slot], there: &dyn Fn(&Slot) -> String) -> Vec<String> {
        let mut lines = vec![format!("value = {name}(")];
        for slot in slots {
            let read = self.read_or_default(name, slot, &there(slot));
            lines.push(format!("    {}={read},", self.member(slot)));
        }
        lines.push(")".into());
        lines
    }

    fn read_or_default(&self, name: &str, slot: &Slot, there: &str) -> String {
        let member = format!("{name}.{}", self.member(slot));
        let default = self.default_of(&slot.wire).map(|(default, _)| default);
        let default = default.unwrap_or_else(|| format!("r.missing({})", literal(&member)));
        format!("{} if {there} else {default}", self.read(&slot.wire))
    }
}
