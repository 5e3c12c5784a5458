//! The declared types.

use super::layout::{Member, Members};
use super::spell::integer;
use super::values::number;
use super::writer::Writer;
use crate::model::{
    Body, Declared, Function, Int, Layout, Pointer, Record, Role, Tagged, TaggedShape, Ty, TypeId, Variant,
};
use std::fmt::Write as _;

impl Writer<'_> {
    /// All types: first the names, then each type after those it needs.
    pub fn types(&mut self) {
        for (id, declared) in self.api.declared() {
            let name = self.names.ty(id);
            let what = format!("the type `{}`", declared.name);
            self.scope.take(&name, what, &declared.place, self.diagnostics);
        }
        for (id, _) in self.api.declared() {
            if let Some(kind) = self.kind(id) {
                let name = self.names.ty(id);
                self.line(&format!("typedef {kind} {name} {name};"));
            }
        }
        let mut written = vec![false; self.api.types.len()];
        for (id, _) in self.api.declared() {
            self.declared(id, &mut written);
        }
    }

    /// `struct` or `union`; `None` for a mere name for something else.
    fn kind(&self, id: TypeId) -> Option<&'static str> {
        match &self.api.get(id).body {
            Body::Struct(_) if self.transparent(id).is_none() => Some("struct"),
            Body::Union(_) => Some("union"),
            Body::Opaque => Some("struct"),
            Body::Tagged(tagged) if tagged.shape == TaggedShape::UnionOfTagged => Some("union"),
            Body::Tagged(_) => Some("struct"),
            _ => None,
        }
    }

    /// The one field that a transparent struct is passed as, if the struct can be a name for it. A struct
    /// that the field mentions needs a name of its own.
    fn transparent(&self, id: TypeId) -> Option<&Ty> {
        let Body::Struct(record) = &self.api.get(id).body else { return None };
        let sized = |ty: &&Ty| self.api.layout(ty).is_some_and(|layout| layout.size > 0);
        let ty = record.fields.iter().map(|field| &field.ty).find(sized).filter(|_| record.transparent)?;
        // C passes an array as the address of its first element.
        let array = matches!(self.api.resolve(ty), Ty::Array { .. });
        (!array && !self.mentions(ty, id, &mut Vec::new())).then_some(ty)
    }

    fn mentions(&self, ty: &Ty, wanted: TypeId, seen: &mut Vec<TypeId>) -> bool {
        let mut names = Vec::new();
        mentioned(ty, &mut names);
        names.into_iter().any(|id| {
            if id == wanted {
                return true;
            }
            if seen.contains(&id) {
                return false;
            }
            seen.push(id);
            match &self.api.get(id).body {
                Body::Alias(ty) => self.mentions(ty, wanted, seen),
                Body::Callback { signature, .. } => {
                    signature.types().any(|ty| self.mentions(ty, wanted, seen))
                }
                Body::Struct(record) if record.transparent => {
                    record.fields.iter().any(|field| self.mentions(&field.ty, wanted, seen))
                }
                _ => false,
            }
        })
    }

    fn declared(&mut self, id: TypeId, written: &mut [bool]) {
        if std::mem::replace(&mut written[id.0 as usize], true) {
            return;
        }
        for needed in self.needed(id) {
            self.declared(needed, written);
        }
        let api = self.api;
        let declared = api.get(id);
        let name = self.names.ty(id);
        self.text.push('\n');
        match &declared.body {
            Body::Opaque => self.opaque(id, declared, &name),
            _ => {
                // No attribute: the compiler would warn about the header's own uses.
                self.docs(&with_deprecation(declared), "");
                self.body(id, declared, &name);
            }
        }
    }

    /// What must be written first: the names of other types, and the bytes of what is held by value.
    fn needed(&self, id: TypeId) -> Vec<TypeId> {
        let mut needed = Vec::new();
        let mut names = Vec::new();
        let body = &self.api.get(id).body;
        match body {
            Body::Alias(ty) => {
                mentioned(ty, &mut names);
                // A typedef of a struct may come before the struct, but an array's elements may not.
                if matches!(ty, Ty::Array { .. }) {
                    self.held(ty, &mut needed);
                }
            }
            Body::Callback { signature, .. } => signature.types().for_each(|ty| mentioned(ty, &mut names)),
            _ => {}
        }
        for field in body.fields() {
            mentioned(&field.ty, &mut names);
            self.held(&field.ty, &mut needed);
        }
        needed.extend(names.into_iter().filter(|other| self.kind(*other).is_none()));
        needed
    }

    /// The types whose bytes are part of `ty`, under any name.
    fn held(&self, ty: &Ty, needed: &mut Vec<TypeId>) {
        match ty {
            Ty::Named(id) => {
                needed.push(*id);
                if let Body::Alias(ty) = &self.api.get(*id).body {
                    self.held(ty, needed);
                } else if let Some(ty) = self.transparent(*id) {
                    self.held(ty, needed);
                }
            }
            Ty::Array { of, .. } => self.held(of, needed),
            _ => {}
        }
    }

    fn body(&mut self, id: TypeId, declared: &Declared, name: &str) {
        let layout = declared.layout.unwrap_or_default();
        match &declared.body {
            Body::Struct(record) => match self.transparent(id).cloned() {
                Some(ty) => self.alias(declared, name, &ty),
                None => {
                    let members =
                        self.struct_members(&record.fields, 0, declared.layout, record.packed, None);
                    self.define("struct", name, &members, declared.layout);
                    self.bit_accessors(name, record);
                }
            },
            Body::Union(record) => {
                let members = self.union_members(&record.fields, layout);
                self.define("union", name, &members, declared.layout);
                self.bit_accessors(name, record);
            }
            Body::Enum(body) => self.enumeration(name, body.repr, &body.variants, declared),
            Body::Flags(body) => {
                self.line(&format!("typedef {} {name};", integer(body.repr)));
                self.named_numbers(name, &body.bits, body.repr, declared);
                self.assert_layout(name, layout);
            }
            Body::Tagged(tagged) => self.tagged(name, tagged, declared),
            Body::Alias(ty) => self.alias(declared, name, ty),
            Body::Callback { signature, .. } => {
                let text = self.speller().function(signature, &format!("(*{name})"), &[]);
                self.line(&format!("typedef {text};"));
            }
            Body::Opaque => {}
        }
        self.idiom(name, declared);
    }

    fn alias(&mut self, declared: &Declared, name: &str, ty: &Ty) {
        let text = self.speller().declare(ty, name);
        self.line(&format!("typedef {text};"));
        if let Some(layout) = declared.layout {
            self.assert_layout(name, layout);
        }
    }

    /// An opaque type is known by its address; one that others hold by value is its bytes.
    fn opaque(&mut self, id: TypeId, declared: &Declared, name: &str) {
        let mut docs = with_deprecation(declared);
        let of_type = |function: &&Function| function.member.as_ref().is_some_and(|member| member.of == id);
        for function in self.api.functions.iter().filter(of_type) {
            let said = match function.member.as_ref().map(|member| member.role) {
                Some(Role::Constructor) => "Made by",
                Some(Role::Release) => "Released by",
                _ => continue,
            };
            let gap = if docs.is_empty() { "" } else { "\n" };
            let _ = write!(docs, "{gap}{said} `{}`.", function.symbol);
        }
        self.docs(&docs, "");
        match declared.layout {
            Some(layout) if layout.size > 0 => {
                let align = (layout.align > 1).then_some(layout.align);
                let list = vec![Member::bytes("bytes", 0, layout.size)];
                self.define("struct", name, &Members { list, packed: None, align }, Some(layout));
            }
            _ => self.line(&format!("struct {name};")),
        }
    }

    fn enumeration(&mut self, name: &str, repr: Int, variants: &[Variant], declared: &Declared) {
        let repr_name = integer(repr);
        self.line("#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 202311L)");
        self.line(&format!("enum {name} : {repr_name} {{"));
        for variant in variants {
            self.docs(&variant.docs, "    ");
            let value = number(variant.value, repr, self.api);
            self.line(&format!("    {name}_{} = {value},", variant.name));
        }
        self.line("};");
        self.line(&format!("typedef enum {name} {name};"));
        self.line("#else");
        self.line(&format!("typedef {repr_name} {name};"));
        self.named_numbers(name, variants, repr, declared);
        self.line("#endif");
        if let Some(layout) = declared.layout {
            self.assert_layout(name, layout);
        }
    }

    fn named_numbers(&mut self, name: &str, variants: &[Variant], repr: Int, declared: &Declared) {
        for variant in variants {
            let own = format!("{name}_{}", variant.name);
            let what = format!("`{}` of `{}`", variant.name, declared.name);
            if self.scope.take(&own, what, &declared.place, self.diagnostics) {
                self.docs(&variant.docs, "");
                self.line(&format!("#define {own} (({name}){})", number(variant.value, repr, self.api)));
            }
        }
    }

    fn tagged(&mut self, name: &str, tagged: &Tagged, declared: &Declared) {
        let tag_name = format!("{name}_Tag");
        let what = format!("the tag of `{}`", declared.name);
        self.scope.take(&tag_name, what, &declared.place, self.diagnostics);
        let variants: Vec<Variant> = tagged
            .variants
            .iter()
            .map(|variant| Variant {
                name: variant.name.clone(),
                value: variant.value,
                docs: variant.docs.clone(),
            })
            .collect();
        let own = Declared { layout: None, ..declared.clone() };
        self.enumeration(&tag_name, tagged.tag, &variants, &own);
        let size = self.api.int_size(tagged.tag);
        let tag_member = tagged.tag_name();
        let tag = || Member {
            text: format!("{tag_name} {tag_member}"),
            docs: String::new(),
            name: Some(tag_member.clone()),
            offset: 0,
            layout: Layout { size, align: size },
        };
        let union = tagged.shape == TaggedShape::UnionOfTagged;
        let base = self.api.data_offset(tagged);
        let mut data = Vec::new();
        for variant in tagged.variants.iter().filter(|variant| !variant.fields.is_empty()) {
            let members = self.struct_members(&variant.fields, base, None, None, union.then(tag));
            if members.list.iter().all(|member| member.layout.size == 0) {
                continue;
            }
            let variant_name = format!("{name}_{}_Data", variant.name);
            let what = format!("the data of `{}` of `{}`", variant.name, declared.name);
            self.scope.take(&variant_name, what, &declared.place, self.diagnostics);
            self.line(&format!("typedef struct {variant_name} {variant_name};"));
            self.define("struct", &variant_name, &members, None);
            data.push(format!("{variant_name} {}", self.names.inner(&variant.name)));
        }
        let member = |text: String| Member {
            text,
            docs: String::new(),
            name: None,
            offset: 0,
            layout: Layout { size: 1, align: 1 },
        };
        let mut list = vec![tag()];
        if union {
            list.extend(data.into_iter().map(member));
        } else if !data.is_empty() {
            let text = format!("union {{\n        {};\n    }} data", data.join(";\n        "));
            list.push(Member { name: Some("data".into()), offset: base, ..member(text) });
        }
        let natural = self.api.data_align(tagged).max(size);
        let align = declared.layout.map(|whole| whole.align).filter(|whole| *whole > natural);
        let members = Members { list, packed: None, align };
        self.define(if union { "union" } else { "struct" }, name, &members, declared.layout);
    }

    fn bit_accessors(&mut self, name: &str, record: &Record) {
        if self.options.helpers {
            let fields = record.fields.iter().filter(|field| field.bits.is_some());
            let text: String =
                fields.filter_map(|field| super::helpers::bit_accessor(self, name, field)).collect();
            self.text += &text;
        }
    }
}

fn with_deprecation(declared: &Declared) -> String {
    let gap = if declared.docs.is_empty() { "" } else { "\n\n" };
    match declared.deprecated.as_deref() {
        None => declared.docs.clone(),
        Some("") => format!("{}{gap}Deprecated.", declared.docs),
        Some(message) => format!("{}{gap}Deprecated: {message}", declared.docs),
    }
}

/// Every declared type that `ty` names.
fn mentioned(ty: &Ty, names: &mut Vec<TypeId>) {
    match ty {
        Ty::Named(id) => names.push(*id),
        Ty::Pointer(Pointer { to, .. }) => mentioned(to, names),
        Ty::Array { of, .. } => mentioned(of, names),
        Ty::Function { signature, .. } => signature.types().for_each(|ty| mentioned(ty, names)),
        Ty::Unit | Ty::Bool | Ty::Char | Ty::Int(_) | Ty::Float(_) => {}
    }
}
