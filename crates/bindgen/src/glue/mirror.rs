use super::layout::{self, Member, Members};
use super::names::{callback_type, field_name, int_name, rust_type, type_name};
use crate::model::{Api, Body, Declared, Layout, Record, Tagged, TaggedShape, Ty};
use std::fmt::Write as _;

/// Rust text that defines every type of the model with the same bytes, and asserts each size, alignment and
/// offset at compile time. Where the measured layout is impossible, the text does not compile.
///
/// Enums, flags, `bool` and `char` are their integers, so that no bytes from foreign code are undefined
/// behaviour. Opaque types are empty structs behind pointers. Bitfields are the bytes they touch,
/// `bits_OFFSET`. A data-carrying enum `E` is `tag` and a union `data` of `E__VARIANT` structs, or just such a
/// union (RFC 2195). A name that would clash with one of the library's gets underscores.
#[must_use]
pub fn mirror(api: &Api) -> String {
    let mut text = String::from(super::HEADER);
    text.push_str(
        "//! The types of the library, byte for byte.

#![allow(dead_code, improper_ctypes_definitions, non_camel_case_types, non_snake_case)]
#![allow(non_upper_case_globals, unused_imports)]

use super::mirror;
use core::mem::{align_of, offset_of, size_of};
",
    );
    for declared in &api.types {
        text.push('\n');
        let name = type_name(declared);
        match &declared.body {
            Body::Struct(record) => structure(api, &name, declared.layout, record, &mut text),
            Body::Union(record) => union(api, &name, declared.layout, record, &mut text),
            Body::Enum(body) => alias(&name, &int_name(body.repr), &mut text),
            Body::Flags(body) => alias(&name, &int_name(body.repr), &mut text),
            Body::Tagged(body) => tagged(api, declared, body, &mut text),
            Body::Opaque => opaque(&name, declared.layout, &mut text),
            Body::Alias(ty) => {
                let ty = if *ty == Ty::Unit { "core::ffi::c_void".into() } else { rust_type(api, ty) };
                alias(&name, &ty, &mut text);
            }
            Body::Callback { signature, .. } => {
                alias(&name, &format!("Option<{}>", callback_type(api, signature)), &mut text);
            }
        }
    }
    text
}

fn alias(name: &str, of: &str, text: &mut String) {
    let _ = writeln!(text, "pub type {name} = {of};");
}

fn opaque(name: &str, layout: Option<Layout>, text: &mut String) {
    let Layout { size, align } = layout.unwrap_or(Layout { size: 0, align: 1 });
    let _ = write!(
        text,
        "#[derive(Clone, Copy)]\n#[repr(C, align({align}))]\npub struct {name} {{\n    _opaque: [u8; {size}],\n}}\n"
    );
}

fn structure(api: &Api, name: &str, layout: Option<Layout>, record: &Record, text: &mut String) {
    if record.transparent {
        let list = record.fields.iter().map(|field| layout::member(api, field, 0)).collect();
        return define("struct", name, &Members { repr: "transparent".into(), list }, layout, text);
    }
    if let (Some(packed), Some(whole)) = (record.packed, layout)
        && whole.align > packed
    {
        return packed_and_aligned(api, name, whole, record, text);
    }
    let members = layout::members(api, &record.fields, 0, layout, record.packed, None);
    define("struct", name, &members, layout, text);
}

/// Rust structs cannot be both: one that is packed goes within one that is aligned.
fn packed_and_aligned(api: &Api, name: &str, whole: Layout, record: &Record, text: &mut String) {
    let inner = helper(api, name, "packed");
    let members = layout::members(api, &record.fields, 0, None, record.packed, None);
    define("struct", &inner, &members, None, text);
    let member = layout::extra("packed", &format!("mirror::{inner}"), Layout::default());
    text.push_str("const _: () = {\n");
    for Member { name, offset, .. } in &members.list {
        let _ = writeln!(text, "    assert!(offset_of!({inner}, {name}) == {offset});");
    }
    text.push_str("};\n");
    let outer = Members { repr: format!("C, align({})", whole.align), list: vec![member] };
    define("struct", name, &outer, Some(whole), text);
}

fn union(api: &Api, name: &str, layout: Option<Layout>, record: &Record, text: &mut String) {
    let list: Vec<_> = record.fields.iter().map(|field| layout::member(api, field, 0)).collect();
    let natural = |pick: fn(Layout) -> u64| list.iter().map(|member| pick(member.layout)).max().unwrap_or(0);
    let (natural_size, natural_align) = (natural(|layout| layout.size), natural(|layout| layout.align));
    let align = layout.map_or(1, |layout| layout.align);
    let mut members = Members { repr: "C".into(), list };
    if record.transparent {
        members.repr = "transparent".into();
    } else if natural_align > align {
        members.repr = format!("C, packed({align})");
    } else if natural_align < align {
        members.repr = format!("C, align({align})");
    }
    if let Some(whole) = layout
        && natural_size.next_multiple_of(align.max(1)) < whole.size
    {
        members.list.push(layout::extra("_padding", &format!("[u8; {}]", whole.size), whole));
    }
    define("union", name, &members, layout, text);
}

fn tagged(api: &Api, declared: &Declared, body: &Tagged, text: &mut String) {
    let name = type_name(declared);
    let tag_size = api.int_size(body.tag);
    let tag_layout = Layout { size: tag_size, align: tag_size };
    let tag_name = body.tag_name();
    let tag = || layout::extra(&tag_name, &int_name(body.tag), tag_layout);
    let repr = match declared.layout {
        Some(whole) if whole.align > api.data_align(body).max(tag_size) => {
            format!("C, align({})", whole.align)
        }
        _ => "C".into(),
    };
    let base = api.data_offset(body);
    for variant in &body.variants {
        let first = (body.shape == TaggedShape::UnionOfTagged).then(tag);
        let members = layout::members(api, &variant.fields, base, None, None, first);
        define("struct", &helper(api, &name, &variant.name), &members, None, text);
        text.push('\n');
    }
    let mut list: Vec<layout::Member> = Vec::new();
    let variants = body.variants.iter().map(|variant| {
        let ty = format!("mirror::{}", helper(api, &name, &variant.name));
        layout::extra(&super::ident(&variant.name), &ty, Layout::default())
    });
    match body.shape {
        TaggedShape::TagThenUnion => {
            let union = Members { repr: "C".into(), list: variants.collect() };
            let union_name = helper(api, &name, "_data");
            define("union", &union_name, &union, None, text);
            text.push('\n');
            let mut data = layout::extra("data", &format!("mirror::{union_name}"), Layout::default());
            data.offset = base;
            list.extend([tag(), data]);
            let members = Members { repr, list };
            define("struct", &name, &members, declared.layout, text);
        }
        TaggedShape::UnionOfTagged => {
            list.push(tag());
            list.extend(variants);
            let members = Members { repr, list };
            define("union", &name, &members, declared.layout, text);
        }
    }
    variant_offsets(api, &name, body, base, text);
}

/// The name of a type that is part of another.
fn helper(api: &Api, of: &str, part: &str) -> String {
    let mut name = format!("{}__{part}", of.trim_start_matches("r#"));
    while api.types.iter().any(|declared| declared.name == name) {
        name.push('_');
    }
    name
}

fn variant_offsets(api: &Api, name: &str, body: &Tagged, base: u64, text: &mut String) {
    text.push_str("const _: () = {\n");
    for variant in &body.variants {
        let variant_name = helper(api, name, &variant.name);
        for field in &variant.fields {
            let (field_name, offset) = (field_name(field), field.offset);
            let _ =
                writeln!(text, "    assert!({base} + offset_of!({variant_name}, {field_name}) == {offset});");
        }
    }
    text.push_str("};\n");
}

fn define(kind: &str, name: &str, members: &Members, layout: Option<Layout>, text: &mut String) {
    let Members { repr, list } = members;
    let _ = writeln!(text, "#[derive(Clone, Copy)]\n#[repr({repr})]\npub {kind} {name} {{");
    for member in list {
        let _ = writeln!(text, "    pub {}: {},", member.name, member.ty);
    }
    text.push_str("}\n");
    let Some(Layout { size, align }) = layout else { return };
    let _ = writeln!(text, "const _: () = {{\n    assert!(size_of::<{name}>() == {size});");
    let _ = writeln!(text, "    assert!(align_of::<{name}>() == {align});");
    for member in list {
        let _ = writeln!(text, "    assert!(offset_of!({name}, {}) == {});", member.name, member.offset);
    }
    text.push_str("};\n");
}
