//! The extension's data: types, enums, elements and arrays as Rust statics.

use super::classes::{Class, Member, Shows, classes, is_visible};
use super::kind::{letter, pointee, says};
use super::names::ident;
use crate::model::{Api, Bits, Body, Float, Int, Limit, Signature, Spelling, Ty, TypeId};
use crate::plan::{Handles, Kind, Number, Signatures};
use std::collections::HashMap;
use std::fmt::Write as _;

/// Statics that are made on demand, each once.
pub(super) struct Tables<'a> {
    api: &'a Api,
    arrays: HashMap<Ty, usize>,
    elements: HashMap<Ty, usize>,
    /// Those of callbacks, which have trampolines: `SIGNATURE_` and the place.
    pub signatures: Signatures,
    pub text: String,
}

/// A C string literal of Rust.
pub(super) fn c_string(text: &str) -> String {
    let mut literal = String::from("c\"");
    for char in text.chars() {
        match char {
            // A C string cannot hold it.
            '\0' => literal.push_str("\\\\0"),
            char => literal.extend(char.escape_debug()),
        }
    }
    literal.push('"');
    literal.replace("\\'", "'")
}

impl<'a> Tables<'a> {
    pub(super) fn new(api: &'a Api) -> Tables<'a> {
        let mut text = crate::glue::HEADER.to_owned();
        text.push_str(
            "//! The library's types as data.\n\n#![allow(non_upper_case_globals, unused_imports)]\n\n\
             use super::callbacks::*;\nuse super::runtime::array::ArrayType;\nuse super::runtime::ffi::{At, Class};\nuse super::runtime::handle::HandleType;\n\
             use super::runtime::kind::{Bits, EnumType, Kind};\n             use super::runtime::limits::{Limit, Rule};\nuse super::runtime::object::{Field, StructType};\n\
             use super::runtime::view::Element;\n",
        );
        Tables {
            api,
            arrays: HashMap::new(),
            elements: HashMap::new(),
            signatures: Signatures::default(),
            text,
        }
    }

    /// All types, and the lists of them.
    pub(super) fn types(&mut self, classes: &Handles<'_>) {
        let (mut enums, mut structs, mut handles) = (Vec::new(), Vec::new(), Vec::new());
        for index in 0..self.api.types.len() {
            let id = TypeId(index as u32);
            match &self.api.get(id).body {
                Body::Enum(_) | Body::Flags(_) => {
                    self.enumeration(id);
                    enums.push(format!("&{}", enum_static(self.api, id)));
                }
                Body::Opaque if classes.get(id).is_some() => {
                    let (name, of) = (c_string(&ident(&self.api.get(id).name)), handle_static(self.api, id));
                    let _ = write!(
                        self.text,
                        "\npub static {of}: HandleType = HandleType {{ name: {name}, class: Class::new() }};\n"
                    );
                    handles.push(format!("&{of}"));
                }
                _ => structs.extend(self.structure(id)),
            }
        }
        let _ = write!(
            self.text,
            "\npub static ENUMS: &[&EnumType] = &[{}];\npub static STRUCTS: &[&StructType] = &[{}];\n\
             pub static HANDLES: &[&HandleType] = &[{}];\n",
            enums.join(", "),
            structs.join(", "),
            handles.join(", ")
        );
    }

    /// The static of a callback's signature.
    pub(super) fn signature(&mut self, signature: &Signature) -> String {
        format!("SIGNATURE_{}", self.signatures.place(signature, signature.context).0)
    }

    /// How a value in memory is read and written.
    pub(super) fn kind(&mut self, ty: &Ty) -> String {
        let api = self.api;
        match Kind::plain(api, ty) {
            Kind::Bool => "Kind::Bool".into(),
            Kind::Char => "Kind::Char".into(),
            Kind::Int(Number { named: Some(id), .. }) => format!("Kind::Enum(&{})", enum_static(api, id)),
            Kind::Int(number) => int_kind(number),
            Kind::Float(Float::F32) => "Kind::F32".into(),
            Kind::Float(Float::F64) => "Kind::F64".into(),
            Kind::Record(id) | Kind::Empty(id) => format!("Kind::Struct(&{})", struct_static(api, id)),
            Kind::Array(of, len) => format!("Kind::Array(&{})", self.array(of, len)),
            Kind::Pointer(pointer) => match pointee(api, pointer) {
                Some(id) => format!("Kind::Pointer(Some(&{}))", struct_static(api, id)),
                None if says(api, pointer) => "Kind::Text".into(),
                None => "Kind::Pointer(None)".into(),
            },
            Kind::Function(of) if of.crosses => format!("Kind::Function(&{})", self.signature(of.signature)),
            _ => "Kind::Pointer(None)".into(),
        }
    }

    /// The static of an array's type.
    pub(super) fn array(&mut self, of: &Ty, len: u64) -> String {
        let ty = Ty::Array { of: Box::new(of.clone()), len };
        if let Some(index) = self.arrays.get(&ty) {
            return format!("ARRAY_{index}");
        }
        let kind = self.kind(of);
        let index = self.arrays.len();
        self.arrays.insert(ty, index);
        let stride = self.api.layout(of).map_or(0, |layout| layout.size);
        let (mut shape, mut inner) = (vec![len], of);
        while let Kind::Array(of, len) = Kind::plain(self.api, inner) {
            shape.push(len);
            inner = of;
        }
        let item = self.api.layout(inner).map_or(1, |layout| layout.size);
        let mut strides = vec![item; shape.len()];
        for place in (1..shape.len()).rev() {
            strides[place - 1] = strides[place] * shape[place];
        }
        let format = super::tables::c_string(&format(self.api, inner));
        let _ = write!(
            self.text,
            "\npub static ARRAY_{index}: ArrayType = ArrayType {{\n    of: {kind},\n    stride: {stride},\n    len: {len},\n    \
             format: {format},\n    item: {item},\n    shape: &{shape:?},\n    strides: &{strides:?},\n}};\n"
        );
        format!("ARRAY_{index}")
    }

    /// The static of a slice's elements.
    pub(super) fn element(&mut self, of: &Ty) -> String {
        if let Some(index) = self.elements.get(of) {
            return format!("ELEMENT_{index}");
        }
        let kind = self.kind(of);
        let index = self.elements.len();
        self.elements.insert(of.clone(), index);
        let layout = self.api.layout(of).unwrap_or_default();
        let (name, letters) = element_says(self.api, of);
        let item = self.api.layout(innermost(self.api, of)).unwrap_or_default().size;
        let (name, letters) = (c_string(&name), letters.escape_debug().to_string());
        let format = c_string(&format(self.api, of));
        let (size, align) = (layout.size, layout.align.max(1));
        let _ = write!(
            self.text,
            "\npub static ELEMENT_{index}: Element = Element {{\n    name: {name},\n    size: {size},\n    \
             align: {align},\n    format: {format},\n    kind: {kind},\n    letters: b\"{letters}\",\n    item: {item},\n}};\n"
        );
        format!("ELEMENT_{index}")
    }

    fn enumeration(&mut self, id: TypeId) {
        let declared = self.api.get(id);
        let (name, statics) = (c_string(&ident(&declared.name)), enum_static(self.api, id));
        let (repr, flags) = match &declared.body {
            Body::Flags(flags) => (flags.repr, true),
            Body::Enum(body) => (body.repr, false),
            _ => return,
        };
        let kind = self.kind(&Ty::Int(repr));
        let strict = self.api.is_closed(id);
        let _ = write!(
            self.text,
            "\npub static {statics}: EnumType = EnumType {{\n    name: {name},\n    repr: {kind},\n    \
             strict: {strict},\n    flags: {flags},\n    class: Class::new(),\n    members: Class::new(),\n}};\n"
        );
    }

    fn structure(&mut self, id: TypeId) -> Vec<String> {
        let api = self.api;
        let layout = api.layout(&Ty::Named(id)).unwrap_or_default();
        let (size, align) = (layout.size, layout.align.max(1));
        let limits = Limits(api).spell(&api.limits(&Ty::Named(id)));
        let mut made = Vec::new();
        for Class { name, docs, members, record } in classes(api, id) {
            let fields: String = members.iter().map(|member| self.field(&name, member)).collect();
            let format = record.map_or_else(|| format!("({size})B"), |_| format(api, &Ty::Named(id)));
            let (docs, format) = (c_string(docs), c_string(&format));
            let _ = write!(
                self.text,
                "\nstatic FIELDS_{name}: &[Field] = &[\n{fields}];\n\npub static TYPE_{name}: StructType = StructType {{\n    \
                 name: c\"{name}\",\n    docs: {docs},\n    size: {size},\n    align: {align},\n    \
                 format: {format},\n    fields: FIELDS_{name},\n    limits: {limits},\n    class: Class::new(),\n}};\n",
            );
            made.push(format!("&TYPE_{name}"));
        }
        made
    }

    fn field(&mut self, owner: &str, Member { name, docs, offset, shows }: &Member<'_>) -> String {
        let kind = match shows {
            Shows::Bits(size, Bits { shift, width, signed, of }) => {
                let of = self.kind(of);
                format!(
                    "Kind::Bits({size}, Bits {{ shift: {shift}, width: {width}, signed: {signed}, of: &{of} }})"
                )
            }
            Shows::Variant(class, size, value) => format!("Kind::Variant(&TYPE_{class}, {size}, {value})"),
            Shows::Value(ty) => self.kind(ty),
        };
        let (at, docs) = (at(name, owner), c_string(docs));
        format!("    Field {{ at: {at}, docs: {docs}, offset: {offset}, kind: {kind} }},\n")
    }
}

/// Limits as the extension's data.
struct Limits<'a>(&'a Api);

impl Spelling for Limits<'_> {
    fn numbers(&self, limit: &Limit, int: Int, what: &str, numbers: &[(i128, String)]) -> String {
        let (size, signed) = (self.0.int_size(int), self.0.is_signed(int));
        let numbers: Vec<String> =
            numbers.iter().map(|(number, inner)| format!("({number}, {inner})")).collect();
        let rule = format!("Rule::Numbers({size}, {signed}, {what:?}, &[{}])", numbers.join(", "));
        format!("Limit {{ path: {:?}, offset: {}, rule: {rule} }}", limit.path, limit.offset)
    }

    fn each(&self, limit: &Limit, count: u64, stride: u64, limits: &str) -> String {
        let rule = format!("Rule::Each({count}, {stride}, {limits})");
        format!("Limit {{ path: {:?}, offset: {}, rule: {rule} }}", limit.path, limit.offset)
    }

    fn list(&self, items: &[String]) -> String {
        format!("&[{}]", items.join(", "))
    }
}

/// The owner of the value, for messages.
pub(super) fn at(name: &str, owner: &str) -> String {
    format!("At {{ name: {}, owner: {} }}", c_string(name), c_string(owner))
}

/// The static of an enum's type.
pub(super) fn enum_static(api: &Api, id: TypeId) -> String {
    format!("ENUM_{}", ident(&api.get(id).name))
}

/// The static of a handle's class.
pub(super) fn handle_static(api: &Api, id: TypeId) -> String {
    format!("HANDLE_{}", ident(&api.get(id).name))
}

/// The static of a struct's type.
pub(super) fn struct_static(api: &Api, id: TypeId) -> String {
    format!("TYPE_{}", ident(&api.get(id).name))
}

fn int_kind(number: Number) -> String {
    format!("Kind::{}", number.name().to_uppercase())
}

/// The name of an element in messages, and the letters that a buffer of them may have.
pub(super) fn element_says(api: &Api, of: &Ty) -> (String, &'static str) {
    match Kind::plain(api, of) {
        Kind::Float(Float::F32) => ("f32".into(), "f"),
        Kind::Float(Float::F64) => ("f64".into(), "d"),
        Kind::Bool => ("bool".into(), "?"),
        Kind::Char => ("char".into(), "IL"),
        // Text, or bytes.
        Kind::Int(number) if number.int == Int::CChar => (number.name(), "bBc"),
        Kind::Int(number) => {
            let name = number.named.map_or_else(|| number.name(), |id| ident(&api.get(id).name));
            (name, int_letters(number))
        }
        Kind::Record(id) | Kind::Empty(id) => (ident(&api.get(id).name), ""),
        Kind::Pointer(_) | Kind::Function(_) => ("addresses".into(), "QLNPqln"),
        Kind::Array(of, _) => {
            let (name, letters) = element_says(api, of);
            (format!("arrays of {name}"), letters)
        }
        _ => ("arrays".into(), ""),
    }
}

/// The innermost element of nested arrays; any other type itself.
fn innermost<'a>(api: &'a Api, ty: &'a Ty) -> &'a Ty {
    match Kind::plain(api, ty) {
        Kind::Array(of, _) => innermost(api, of),
        _ => ty,
    }
}

fn int_letters(number: Number) -> &'static str {
    match (number.bytes, number.signed) {
        (1, true) => "b",
        // What `bytes` and C text have.
        (1, false) => "Bc",
        (2, true) => "h",
        (2, false) => "H",
        (_, true) => "ilqn",
        (_, false) => "ILQN",
    }
}

/// A type in the buffer protocol's format language, as ctypes would spell it for structs.
pub(super) fn format(api: &Api, ty: &Ty) -> String {
    let kind = Kind::plain(api, ty);
    match letter(api, kind) {
        Some(letter) => letter.into(),
        None => composite(api, ty, kind),
    }
}

fn composite(api: &Api, ty: &Ty, kind: Kind<'_>) -> String {
    let size = api.layout(ty).unwrap_or_default().size;
    let bytes = format!("({size})B");
    let (Kind::Record(id) | Kind::Empty(id)) = kind else { return bytes };
    let Body::Struct(record) = &api.get(id).body else { return bytes };
    let (mut text, mut cursor) = (String::from("T{"), 0);
    let order = if api.target.big_endian { '>' } else { '<' };
    for field in record.fields.iter().filter(|field| is_visible(api, field)) {
        if field.bits.is_some() || field.offset < cursor {
            return bytes;
        }
        if field.offset > cursor {
            let _ = write!(text, "{}x", field.offset - cursor);
        }
        let (mut inner, mut shape) = (&field.ty, Vec::new());
        while let Kind::Array(of, len) = Kind::plain(api, inner) {
            shape.push(len.to_string());
            inner = of;
        }
        if !shape.is_empty() {
            let _ = write!(text, "({})", shape.join(","));
        }
        let item = format(api, inner);
        let order = if item.len() == 1 { order.to_string() } else { String::new() };
        let _ = write!(text, "{order}{item}:{}:", ident(&field.name));
        cursor = field.offset + api.layout(&field.ty).unwrap_or_default().size;
    }
    if size > cursor {
        let _ = write!(text, "{}x", size - cursor);
    }
    text.push('}');
    text
}
