use super::clr::Clr;
use super::cx::Cx;
use super::fields::{Fields, Owner};
use super::names::{self, escaped};
use super::text::Text;
use crate::Diagnostics;
use crate::model::{Tagged, TaggedVariant, Ty, TypeId};

fn tag_name(cx: &Cx, id: TypeId) -> String {
    format!("{}Tag", cx.name(id).trim_start_matches('@'))
}

/// The tag, and the data of all variants at their places.
pub(super) fn fields(cx: &Cx, id: TypeId, body: &Tagged) -> Fields {
    let mut fields = Fields::default();
    let clr = Clr::scalar(cx.api.int_size(body.tag));
    fields.push(0, clr, &format!("public {}", tag_name(cx, id)), &tag_field(cx, id), "");
    for variant in &body.variants {
        fields.extend(Fields::of(cx, &owner(cx, id, variant)));
    }
    fields
}

/// What the tag is called. No variant's field is, as their names begin with their variant's.
fn tag_field(cx: &Cx, id: TypeId) -> String {
    let name = if cx.options.dotnet_names { "Tag" } else { "tag" };
    names::beside(name.into(), cx.name(id))
}

fn owner<'a>(cx: &'a Cx, id: TypeId, variant: &'a TaggedVariant) -> Owner<'a> {
    let prefix = format!("{}_", variant.name);
    Owner { name: cx.name(id), align: 1, prefix, dotnet: cx.options.dotnet_names, fields: &variant.fields }
}

/// Writes the enum of the tags.
pub(super) fn tag(cx: &Cx, id: TypeId, body: &Tagged, text: &mut Text) {
    text.docs(&format!("Which variant a {} is.", cx.api.get(id).name));
    let access = &cx.options.accessibility;
    text.open(format!("{access} enum {} : {}", tag_name(cx, id), cx.plain_int(body.tag)));
    for variant in &body.variants {
        text.docs(&variant.docs);
        text.line(format!("{} = {},", escaped(&variant.name), variant.value));
    }
    text.close();
    text.blank();
}

/// Writes, for each variant, one method that makes it and one that takes it apart.
pub(super) fn accessors(cx: &Cx, id: TypeId, body: &Tagged, text: &mut Text, diagnostics: &mut Diagnostics) {
    let (tag, field, name) = (tag_name(cx, id), tag_field(cx, id), cx.name(id));
    let mut scope = names::scope();
    for variant in &body.variants {
        let called = names::pascal(&variant.name);
        let declared = cx.api.get(id);
        let source = format!("{}::{}", declared.source, variant.name);
        if !scope.declare(&called, &source, &declared.place, diagnostics) {
            continue;
        }
        let value = format!("{tag}.{}", escaped(&variant.name));
        let is = format!("public readonly bool Is{called} => {field} == {value};");
        text.blank();
        let Some(data) = data(cx, id, variant) else {
            text.docs(&format!("Whether it is {}; its data are fields.", variant.name));
            text.line(is);
            continue;
        };
        text.docs(&format!("A {}.", variant.name));
        let list = |with: &dyn Fn(&Datum) -> String| data.iter().map(with).collect::<Vec<_>>();
        let params = list(&|datum| format!("{} {}", datum.ty, datum.param)).join(", ");
        text.open(format!("public static {name} New{called}({params})"));
        let mut made = "made".to_owned();
        while data.iter().any(|datum| datum.param == made) {
            made.push('_');
        }
        text.line(format!("{name} {made} = default;"));
        text.line(format!("{made}.{field} = {value};"));
        text.line(list(&|datum| format!("{made}.{} = {};", datum.field, datum.param)).join("\n"));
        text.line(format!("return {made};"));
        text.close();
        text.blank();
        if data.is_empty() {
            text.docs(&format!("Whether it is {}.", variant.name));
            text.line(is);
            continue;
        }
        text.docs(&format!("The data, if it is {}.", variant.name));
        let outs = list(&|datum| format!("out {} {}", datum.ty, datum.param)).join(", ");
        text.open(format!("public readonly bool TryGet{called}({outs})"));
        text.line(list(&|datum| format!("{} = {};", datum.param, datum.field)).join("\n"));
        text.line(format!("return this.{field} == {value};"));
        text.close();
    }
}

struct Datum {
    ty: String,
    field: String,
    param: String,
}

/// The contents of a variant; `None` if they include a fixed buffer, which cannot be assigned.
fn data(cx: &Cx, id: TypeId, variant: &TaggedVariant) -> Option<Vec<Datum>> {
    let mut data = Vec::new();
    let owner = owner(cx, id, variant);
    for field in &variant.fields {
        if cx.clr(&field.ty).is_none_or(|clr| clr.size == 0) {
            continue;
        }
        let ty = match cx.api.resolve(&field.ty) {
            Ty::Array { .. } => return None,
            Ty::Bool => "bool".into(),
            other => cx.ty(other),
        };
        let plain = names::field(&field.name);
        let plain = plain.trim_start_matches('@');
        data.push(Datum { ty, field: escaped(&owner.plain(field)), param: names::camel(plain) });
    }
    Some(data)
}
