use super::clr::{Clr, Plan, plan};
use super::cx::Cx;
use super::fields::{Fields, Owner, bit_type};
use super::names;
use super::text::Text;
use super::{constants, idioms, tagged};
use crate::Diagnostics;
use crate::model::{Body, Declared, Enum, Field, Flags, Layout, Record, TypeId};

/// The layout the CLR gives a type; `None` if it has no value.
pub(super) fn clr_of(cx: &Cx, id: TypeId) -> Option<Clr> {
    let declared = cx.api.get(id);
    match &declared.body {
        Body::Alias(ty) => cx.clr(ty),
        Body::Callback { .. } => Some(Clr::scalar(cx.api.target.pointer)),
        Body::Opaque => None,
        Body::Enum(Enum { repr, .. }) | Body::Flags(Flags { repr, .. }) => {
            Some(Clr::scalar(cx.api.int_size(*repr)))
        }
        Body::Struct(_) | Body::Union(_) | Body::Tagged(_) => {
            let layout = declared.layout.filter(|layout| layout.size > 0)?;
            let (_, plan) = planned(cx, id, declared, layout);
            // Only blittable types keep their alignment when their layout is explicit.
            let certain = |plan: &Plan| plan.clr.certain && !(plan.explicit && cx.options.marshal_bool);
            Some(plan.map_or(Clr { size: layout.size, align: 1, certain: false }, |plan| Clr {
                certain: certain(&plan),
                ..plan.clr
            }))
        }
    }
}

fn planned(cx: &Cx, id: TypeId, declared: &Declared, layout: Layout) -> (Fields, Option<Plan>) {
    let mut fields = match &declared.body {
        Body::Struct(record) | Body::Union(record) => {
            Fields::of(cx, &owner(cx, id, declared, layout, record))
        }
        Body::Tagged(body) => tagged::fields(cx, id, body),
        _ => Fields::default(),
    };
    let union = !matches!(declared.body, Body::Struct(_));
    if !union {
        fields.slots.sort_by_key(|slot| slot.offset);
        // What is larger is not in registers.
        if layout.size <= 16 {
            fields.fill(cx, layout);
        }
    }
    let plan = plan(&fields.places(), layout, union);
    (fields, plan)
}

fn owner<'a>(cx: &'a Cx, id: TypeId, declared: &Declared, layout: Layout, record: &'a Record) -> Owner<'a> {
    // The parts of idioms keep their own names.
    let dotnet = cx.options.dotnet_names && declared.idiom.is_none();
    Owner { name: cx.name(id), align: layout.align, prefix: String::new(), dotnet, fields: &record.fields }
}

/// The name of a bitfield's property, and the type.
pub(super) fn bit_property(cx: &Cx, id: TypeId, field: &Field) -> Option<(String, String)> {
    let declared = cx.api.get(id);
    let (Body::Struct(record), Some(layout)) = (&declared.body, declared.layout) else { return None };
    let plain = owner(cx, id, declared, layout, record).plain(field);
    Some((names::escaped(&plain), bit_type(cx, field.bits.as_ref()?)))
}

/// Writes a struct, a union, a tagged enum or an opaque type.
pub(super) fn write(cx: &Cx, id: TypeId, text: &mut Text, diagnostics: &mut Diagnostics) {
    let declared = cx.api.get(id);
    let (access, name) = (&cx.options.accessibility, cx.name(id));
    let Some(layout) = declared.layout.filter(|layout| layout.size > 0 && declared.body != Body::Opaque)
    else {
        opaque(cx, declared, name, text);
        return;
    };
    let (fields, plan) = planned(cx, id, declared, layout);
    let Some(plan) = plan.filter(|plan| plan.clr.size == layout.size) else {
        diagnostics.error(
            Some(&declared.place),
            format!("no layout of the CLR gives `{}` its {} bytes", declared.source, layout.size),
            "its fields lie beyond its end; this is a bug in the generator",
        );
        return;
    };
    if let Body::Tagged(body) = &declared.body {
        tagged::tag(cx, id, body, text);
    }
    text.docs(&declared.docs);
    text.obsolete(&declared.deprecated);
    text.line(plan.attribute());
    text.open(format!("{access} unsafe partial struct {name}"));
    fields.write(plan.explicit, text);
    let mut scope = names::scope();
    if let Body::Struct(record) | Body::Union(record) = &declared.body {
        let owner = owner(cx, id, declared, layout, record);
        for field in &record.fields {
            let source = format!("{}::{}", declared.source, field.name);
            scope.declare(&owner.plain(field), &source, &declared.place, diagnostics);
        }
    }
    constants::of_type(cx, id, &mut scope, text, diagnostics);
    match &declared.body {
        Body::Tagged(body) => tagged::accessors(cx, id, body, text, diagnostics),
        _ if cx.options.idiomatic() => idioms::members(cx, id, text),
        _ => {}
    }
    text.close();
}

/// Known by its address only.
fn opaque(cx: &Cx, declared: &Declared, name: &str, text: &mut Text) {
    text.docs(&declared.docs);
    text.obsolete(&declared.deprecated);
    text.line("[StructLayout(LayoutKind.Sequential)]");
    text.open(format!("{} unsafe partial struct {name}", cx.options.accessibility));
    text.close();
}

/// The C# fields of a type, each with its name, its offset, and whether it is a fixed-size buffer.
pub(super) fn places(cx: &Cx, id: TypeId) -> Vec<(String, u64, bool)> {
    let declared = cx.api.get(id);
    let Some(layout) = declared.layout.filter(|layout| layout.size > 0) else { return Vec::new() };
    let (fields, _) = planned(cx, id, declared, layout);
    fields.slots.into_iter().map(|slot| (slot.name, slot.offset, slot.fixed.is_some())).collect()
}
