//! Unions: an interface, and the classes that are its cases.

use super::Packers;
use super::names::is_meant;
use crate::Diagnostics;
use crate::csharp::names::{pascal, type_name};
use crate::csharp::text::Text;
use crate::model::{Case, PackedBody, PackedId, Wire};
use crate::scope::Scope;

impl Packers<'_> {
    /// Writes the interface, and a class for each case whose object already stands for another one.
    pub fn union(&self, id: PackedId, cases: &[Case], text: &mut Text) {
        let packed = self.api.packed(id);
        let name = self.name(id).to_owned();
        let classes = &self.cases[&id];
        text.docs(&packed.docs);
        text.obsolete(&packed.deprecated);
        self.union_attributes(cases, classes, text);
        text.open(format!("{} partial interface {name}", self.cx.options.accessibility));
        self.entries(id, text);
        text.blank();
        text.open(format!("internal static {name}? __Read(ref PackReader reader, {name}? into)"));
        text.line("int tag = reader.Tag();");
        text.line("if (tag < 0) return null;");
        text.line(format!("{name} value;"));
        text.open("switch (tag)");
        for (case, class) in cases.iter().zip(classes) {
            let Wire::Named(object) = case.wire else { continue };
            let of = self.name(object);
            let read = if of == class {
                // A case derived from this one would otherwise remain that case.
                let own = format!("into?.GetType() == typeof({class}) ? ({class})into : null");
                format!("{of}.__Read(ref reader, {own}) ?? throw reader.Null()")
            } else {
                format!(
                    "({class})({of}.__Read(ref reader, into as {class} ?? new {class}()) ?? throw reader.Null())"
                )
            };
            text.line(format!("case {}: value = {read}; break;", case.tag));
        }
        text.line("default: throw reader.UnknownTag(tag);");
        text.close();
        text.line("reader.Leave();");
        text.line("return value;");
        text.close();
        text.blank();
        text.open(format!("internal static void __Write(ref PackWriter writer, {name}? value)"));
        text.open("switch (value)");
        text.line("case null: writer.Null(); return;");
        // A case derived from another is tested first.
        let mut order: Vec<usize> = (0..cases.len()).collect();
        order.sort_by_key(|index| match cases[*index].wire {
            Wire::Named(object) => self.name(object) == classes[*index],
            _ => true,
        });
        for index in order {
            let Wire::Named(object) = cases[index].wire else { continue };
            text.line(format!(
                "case {} it: writer.Tag({}); {}.__Write(ref writer, it); break;",
                classes[index],
                cases[index].tag,
                self.name(object)
            ));
        }
        text.line(format!(
            "default: throw writer.Fail($\"a {{value.GetType().Name}}, which is not a case of {name},\");"
        ));
        text.close();
        text.line("writer.Leave();");
        text.close();
        text.close();
        for (case, class) in cases.iter().zip(classes) {
            let Wire::Named(object) = case.wire else { continue };
            if self.name(object) != class {
                text.blank();
                text.docs(&case.docs);
                if self.cx.options.memorypack {
                    text.line(self.form_attribute(object));
                }
                text.open(format!(
                    "{} sealed partial class {class} : {}, {name}",
                    self.cx.options.accessibility,
                    self.name(object)
                ));
                text.close();
            }
        }
    }

    /// Finds the class of each case: its object's, if no earlier case has that.
    pub fn name_cases(&mut self, scope: &mut Scope, diagnostics: &mut Diagnostics) {
        for (index, packed) in self.api.packed.iter().enumerate() {
            let PackedBody::Union(cases) = &packed.body else { continue };
            let id = PackedId(index as u32);
            let mut classes = Vec::new();
            for (index, case) in cases.iter().enumerate() {
                let Wire::Named(object) = case.wire else { continue };
                let first = cases[..index].iter().all(|before| before.wire != case.wire);
                if first {
                    classes.push(self.name(object).to_owned());
                    continue;
                }
                let mut name = type_name(&pascal(&case.name));
                let others = || self.cases.values().flatten().chain(&classes).chain(&self.names);
                if is_meant(&name) || others().any(|other| *other == name) {
                    name = format!("{}{}", self.name(id), pascal(&case.name));
                }
                let source = format!("{}::{}", packed.source, case.name);
                scope.declare(&name, &source, &packed.place, diagnostics);
                classes.push(name);
            }
            self.cases.insert(id, classes);
        }
    }

    /// The unions that an object is a case of, and whether another case is derived from it.
    pub fn unions_of(&self, object: PackedId) -> (Vec<String>, bool) {
        let mut unions = Vec::new();
        let mut base = false;
        for (index, packed) in self.api.packed.iter().enumerate() {
            let PackedBody::Union(cases) = &packed.body else { continue };
            let count = cases.iter().filter(|case| case.wire == Wire::Named(object)).count();
            if count > 0 {
                unions.push(self.name(PackedId(index as u32)).to_owned());
            }
            base |= count > 1;
        }
        (unions, base)
    }
}
