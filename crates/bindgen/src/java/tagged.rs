//! Enums whose variants carry data: a class over memory that knows its tag.

use super::lines::{Docs, Lines};
use super::names;
use super::number::number_literal;
use super::record::field_name;
use super::scalar::{Carrier, Scalar};
use super::surface::{Java, Kind};
use crate::Diagnostics;
use crate::model::{Tagged, TaggedVariant, Ty, TypeId};
use heck::ToSnakeCase;
use upcall_packers::Scope;

/// The constant of a tag, besides those that every class over memory has.
fn tag_constant(variant: &TaggedVariant) -> String {
    let name = names::constant_name(&variant.name);
    if matches!(&name[..], "SIZE" | "LAYOUT") { format!("{name}_") } else { name }
}

impl<'a> Java<'a> {
    pub fn write_tagged(
        &self,
        id: TypeId,
        tagged: &'a Tagged,
        lines: &mut Lines,
        diagnostics: &mut Diagnostics,
    ) {
        let declared = self.api.get(id);
        let Some(tag) = self.scalar_of(&Ty::Int(tagged.tag)) else { return };
        // Tags compare with constants, as enums do.
        let tag = Scalar { widened: matches!(tag.carrier, Carrier::Byte | Carrier::Short), ..tag };
        let mut scope = names::scope();
        for variant in &tagged.variants {
            let name = tag_constant(variant);
            if scope.declare(&name, &variant.name, &declared.place, diagnostics) {
                lines.blank();
                lines.docs(&Docs::new(&variant.docs, None).note("The tag of this variant."));
                let value = number_literal(tag, variant.value);
                lines.line(format!("public static final {} {name} = {value};", tag.java()));
            }
        }
        lines.blank();
        lines.docs(&Docs::new("Which variant it is; it may be none of the known ones.", None));
        lines.open(format!("public {} tag()", tag.java()));
        lines.line(format!("return {};", tag.lift(&format!("segment.get({}, 0L)", tag.carrier.access()))));
        lines.close();
        lines.blank();
        lines.open(format!("private void expect({} tag, String name)", tag.java()));
        lines.open("if (tag() != tag)");
        lines.line(format!(
            "throw new IllegalStateException(\"this {} is no \" + name + \", its tag is \" + tag());",
            self.class(id)
        ));
        lines.close();
        lines.close();
        let mut methods = names::scope();
        for variant in &tagged.variants {
            self.write_variant(id, tag, variant, &mut methods, lines, diagnostics);
        }
    }

    fn write_variant(
        &self,
        id: TypeId,
        tag: Scalar,
        variant: &'a TaggedVariant,
        methods: &mut Scope,
        lines: &mut Lines,
        diagnostics: &mut Diagnostics,
    ) {
        let (class, place) = (self.class(id), &self.api.get(id).place);
        let constant = tag_constant(variant);
        let prefix = variant.name.to_snake_case();
        let (mut taken, mut sets) = (Vec::new(), Vec::new());
        for field in &variant.fields {
            let offset = format!("{}L", field.offset);
            let found = match self.kind(&field.ty) {
                Kind::Array { .. } | Kind::Opaque => {
                    let slice = format!("segment.asSlice({offset}, {}L)", self.size(&field.ty));
                    Some(("MemorySegment".to_owned(), slice))
                }
                _ => self.get(&field.ty, "segment", &offset),
            };
            let Some((ty, get)) = found else { continue };
            let param = match variant.tuple {
                true => format!("value{}", field.name),
                false => names::param_name(&field.name),
            };
            sets.push(match self.kind(&field.ty) {
                Kind::Array { .. } | Kind::Opaque => {
                    format!("MemorySegment.copy({param}, 0L, segment, {offset}, {}L);", self.size(&field.ty))
                }
                _ => self.set(&field.ty, "segment", &offset, &param),
            });
            taken.push(format!("{ty} {param}"));
            let name = field_name(&format!("{prefix}_{}", field.name));
            let source = format!("{}.{}", variant.name, field.name);
            if !methods.declare(&name, &source, place, diagnostics) {
                continue;
            }
            lines.blank();
            lines.docs(
                &Docs::new(&field.docs, None).note(format!("Only if the tag is {{@link #{constant}}}.")),
            );
            lines.open(format!("public {ty} {name}()"));
            lines.line(format!("expect({constant}, {});", super::lines::literal(&variant.name)));
            lines.line(format!("return {get};"));
            lines.close();
        }
        let name = field_name(&format!("set_{prefix}"));
        if !methods.declare(&name, &variant.name, place, diagnostics) {
            return;
        }
        lines.blank();
        lines.docs(&Docs::new(&variant.docs, None).note("Makes it this variant."));
        lines.open(format!("public {class} {name}({})", taken.join(", ")));
        // Values may be views of this very memory, so they are written before the tag is.
        for set in sets {
            lines.line(set);
        }
        lines.line(format!("segment.set({}, 0L, {});", tag.carrier.access(), tag.lower(&constant)));
        lines.line("return this;");
        lines.close();
    }
}
