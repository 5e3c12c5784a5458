//! The attributes by which Cysharp's MemoryPack reads and writes the same types, on request.

use super::Packers;
use crate::csharp::text::Text;
use crate::model::{Case, Encoding, Form, PackedBody, PackedId, Slot, Wire};

impl Packers<'_> {
    /// The attribute of an object.
    pub fn form_attribute(&self, id: PackedId) -> String {
        let form = match &self.api.packed(id).body {
            PackedBody::Object(object) => object.form,
            _ => Form::Plain,
        };
        match form {
            Form::Plain => "[MemoryPack.MemoryPackable]".into(),
            Form::VersionTolerant => {
                "[MemoryPack.MemoryPackable(MemoryPack.GenerateType.VersionTolerant)]".into()
            }
            Form::Circular => "[MemoryPack.MemoryPackable(MemoryPack.GenerateType.CircularReference)]".into(),
        }
    }

    /// The attributes of a union.
    pub fn union_attributes(&self, cases: &[Case], classes: &[String], text: &mut Text) {
        if !self.cx.options.memorypack {
            return;
        }
        text.line("[MemoryPack.MemoryPackable]");
        for (case, class) in cases.iter().zip(classes) {
            text.line(format!("[MemoryPack.MemoryPackUnion({}, typeof({class}))]", case.tag));
        }
    }

    /// The attributes of a member.
    pub fn member_attributes(&self, form: Form, slot: &Slot, text: &mut Text) {
        if !self.cx.options.memorypack {
            return;
        }
        if form != Form::Plain {
            text.line(format!("[MemoryPack.MemoryPackOrder({})]", slot.index));
        }
        if slot.include {
            text.line("[MemoryPack.MemoryPackInclude]");
        }
        let of = match &slot.wire {
            Wire::Optional(of) => &**of,
            other => other,
        };
        match of {
            Wire::Text(Encoding::Utf8) => text.line("[MemoryPack.Utf8StringFormatter]"),
            Wire::Text(Encoding::Utf16) => text.line("[MemoryPack.Utf16StringFormatter]"),
            Wire::BitPack => text.line("[MemoryPack.BitPackFormatter]"),
            Wire::Brotli(of) if matches!(**of, Wire::Text(_)) => {
                text.line("[MemoryPack.BrotliStringFormatter]")
            }
            Wire::Brotli(_) => text.line("[MemoryPack.BrotliFormatter]"),
            _ => {}
        }
    }
}
