//! Enums and flags: classes of constants.

use super::lines::{Docs, Lines};
use super::names;
use super::scalar::{Carrier, Scalar};
use super::surface::Java;
use crate::Diagnostics;
use crate::model::{Body, Ty, TypeId, Variant};

/// More `enum` constants do not fit into the one method that makes them all.
const MOST: usize = 2000;

/// A number as a Java literal of a scalar's type; an unsigned one too large for that is written as its bits.
pub(super) fn number_literal(scalar: Scalar, value: i128) -> String {
    let wide = scalar.carrier == Carrier::Long;
    match (scalar.carrier, scalar.widened) {
        (Carrier::Byte, false) => format!("(byte) {}", value as i8),
        (Carrier::Short, false) => format!("(short) {}", value as i16),
        _ if wide && value > i128::from(i64::MAX) => format!("0x{:x}L", value as u64),
        _ if wide => format!("{value}L"),
        _ if value > i128::from(i32::MAX) => format!("0x{:x}", value as u32),
        _ => value.to_string(),
    }
}

impl Java<'_> {
    /// The class of an enum's or flags' constants.
    pub fn write_numbers(&self, id: TypeId, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let declared = self.api.get(id);
        let (variants, flags): (&[Variant], bool) = match &declared.body {
            Body::Enum(body) => (&body.variants, false),
            Body::Flags(body) => (&body.bits, true),
            _ => return,
        };
        let class = self.class(id);
        let Some(scalar) = self.scalar_of(&Ty::Named(id)) else {
            let help = "give it a smaller integer";
            diagnostics.unsupported(&declared.place, format!("`{}` has 128 bits", declared.name), help);
            return;
        };
        let java = scalar.java();
        let kind = if flags {
            "Bits that may be joined with |."
        } else {
            "Other numbers than these may come from native code."
        };
        lines.docs(&Docs::new(&declared.docs, declared.deprecated.as_deref()).note(kind));
        lines.open(format!("public final class {class}"));
        let mut scope = names::scope();
        let mut names = Vec::new();
        for variant in variants {
            let name = match flags {
                true => names::kept_name(self.stripped(&variant.name)),
                false => names::constant_name(self.stripped(&variant.name)),
            };
            if scope.declare(&name, &variant.name, &declared.place, diagnostics) {
                lines.docs(&Docs::new(&variant.docs, None));
                lines.line(format!(
                    "public static final {java} {name} = {};",
                    number_literal(scalar, variant.value)
                ));
                names.push((name, variant));
            }
        }
        self.write_enum_limits(id, lines);
        lines.blank();
        lines.open(format!("private {class}()"));
        lines.close();
        if !flags && self.options.enums {
            if names.len() > MOST {
                let help = "switch the enums off";
                let message = format!("`{}` has too many variants for a Java enum", declared.name);
                diagnostics.unsupported(&declared.place, message, help);
            } else {
                self.write_enum(class, java, &names, lines);
            }
        }
        lines.close();
    }

    fn write_enum(&self, class: &str, java: &str, names: &[(String, &Variant)], lines: &mut Lines) {
        lines.blank();
        lines.docs(&Docs::new("The numbers that have names.", None));
        lines.open("public enum Known");
        for (index, (name, variant)) in names.iter().enumerate() {
            lines.docs(&Docs::new(&variant.docs, None));
            let end = if index + 1 == names.len() { ";" } else { "," };
            lines.line(format!("{name}({class}.{name}){end}"));
        }
        if names.is_empty() {
            lines.line(";");
        }
        lines.blank();
        lines.line(format!("private final {java} number;"));
        lines.blank();
        lines.open(format!("Known({java} number)"));
        lines.line("this.number = number;");
        lines.close();
        lines.blank();
        lines.docs(&Docs::new("What native code knows it by.", None));
        lines.open(format!("public {java} number()"));
        lines.line("return number;");
        lines.close();
        lines.blank();
        lines
            .docs(&Docs::default().note("The first one with this number; null for a number without a name."));
        lines.open(format!("public static Known of({java} number)"));
        lines.open("for (Known known : values())");
        lines.open("if (known.number == number)");
        lines.line("return known;");
        lines.close();
        lines.close();
        lines.line("return null;");
        lines.close();
        lines.close();
    }
}
