//! Unions: a sealed interface with a record for each case.

use super::Packers;
use crate::Diagnostics;
use crate::java::lines::{Docs, Lines};
use crate::java::names::{scope, type_name};
use crate::model::{Case, PackedId, Wire};

impl Packers<'_> {
    /// Writes the interface and its cases.
    pub fn union(&self, id: PackedId, cases: &[Case], lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let packed = self.api.packed(id);
        let name = self.name(id);
        let mut scope = scope();
        let mut names = Vec::new();
        for case in cases {
            let mut own = type_name(&case.name);
            if own == name {
                own.push('_');
            }
            scope.declare(&own, &format!("{}::{}", packed.source, case.name), &packed.place, diagnostics);
            names.push(own);
        }
        let permits: Vec<String> = names.iter().map(|own| format!("{name}.{own}")).collect();
        lines.docs(&Docs::new(&packed.docs, packed.deprecated.as_deref()));
        lines.line("@SuppressWarnings(\"deprecation\")");
        lines.open(format!("public sealed interface {name} permits {}", permits.join(", ")));
        for (case, own) in cases.iter().zip(&names) {
            lines.blank();
            lines.docs(&Docs::new(&case.docs, None).tag("@param value what it holds"));
            lines.open(format!("record {own}({} value) implements {name}", self.qualified(&case.wire)));
            lines.close();
        }
        self.entries(id, true, lines);
        lines.blank();
        lines.open(format!("static {name} read(PackReader r)"));
        lines.line("int tag = r.tag();");
        lines.open("if (tag < 0)");
        lines.line("return null;");
        lines.close();
        lines.open(format!("{name} value = switch (tag)"));
        for (case, own) in cases.iter().zip(&names) {
            let read = self.read(&case.wire).replace(
                &format!("{}.read(", self.ty(&case.wire)),
                &format!("{}.read(", self.qualified(&case.wire)),
            );
            lines.line(format!("case {} -> new {own}({read});", case.tag));
        }
        lines.line("default -> throw r.unknownTag(tag);");
        lines.close_with("};");
        lines.line("r.leave();");
        lines.line("return value;");
        lines.close();
        lines.blank();
        lines.open(format!("static void write(PackWriter w, {name} value)"));
        lines.open("if (value == null)");
        lines.line("w.none();");
        lines.line("return;");
        lines.close();
        for (case, own) in cases.iter().zip(&names) {
            lines.open(format!("if (value instanceof {own} it)"));
            lines.line(format!("w.tag({});", case.tag));
            lines.line(format!("{}.write(w, w.present(it.value()));", self.qualified(&case.wire)));
            lines.close();
        }
        lines.line("w.leave();");
        lines.close();
        lines.close();
    }

    /// The class of a case's object, which the case itself may hide.
    fn qualified(&self, wire: &Wire) -> String {
        format!("{}.{}", self.package, self.ty(wire))
    }
}
