//! Sizes, offsets and constants for TypeScript that reads memory by hand: `const enum`s, which the compiler
//! replaces by their numbers, in one file that needs no library and no addon.
//!
//! | in the model | in the file |
//! | --- | --- |
//! | struct, union | `const enum` with `$bytes` and the offset of each public field |
//! | enum with data | the same with `$tag`; `NAME_tags`; for each variant with data its fields, `NAME_VARIANT` |
//! | types of one layout that [`Options::rename`] gives one name | one: `Rel_u8` and `Rel_Item` as `Rel` |
//! | bitfield | the offset of its storage unit, and `NAME$shift` and `NAME$width` in bits |
//! | enum, flags | `const enum` of the numbers |
//! | constants | in the `const enum` of their type or module, those of no module in [`Options::root`] |
//! | what cannot be a member (bigint, `bool`, bytes, infinity) | `const` of the enum's name, `_` and its own |

use super::functions::literal;
use super::names::{cased, docs, global};
use crate::glob::fits;
use crate::model::{Api, Body, Constant, Declared, Enum, Field, Flags, Float, Place, Tagged, Ty, Value};
use crate::{Diagnostics, File};
use heck::ToUpperCamelCase;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;
use upcall_packers::Scope;

/// How to write a file of layouts.
#[derive(Clone, Debug, PartialEq, Eq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Options {
    /// The file's path in the output folder.
    pub file: PathBuf,
    /// Whether fields are in camel case instead of the source's own form.
    pub camel_case: bool,
    /// The `const enum` of the constants that are in no module.
    pub root: String,
    /// Globs: fields and constants with such a name are left out.
    pub except: Vec<String>,
    /// Other names for types, and for modules of constants.
    pub rename: BTreeMap<String, String>,
}

impl Default for Options {
    fn default() -> Options {
        let (file, root) = (PathBuf::from("layouts.ts"), "Constants".into());
        Options { file, camel_case: false, root, except: Vec::new(), rename: BTreeMap::new() }
    }
}

/// The file.
pub fn generate(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let mut blocks = Vec::new();
    let mut layouts = Layouts { api, options, top: scope(), diagnostics };
    for (_, declared) in api.declared() {
        layouts.declared(declared, &mut blocks);
    }
    layouts.constants(&mut blocks);
    let mut text = super::HEADER.to_owned();
    blocks.iter().for_each(|block| block.write(&mut text));
    vec![File::new(&options.file, text)]
}

/// One `const enum`, and what belongs to it but is no member.
struct Block {
    name: String,
    docs: String,
    members: Scope,
    inside: String,
    outside: String,
}

impl Block {
    fn new(name: impl Into<String>, docs: String) -> Block {
        Block { name: name.into(), docs, members: scope(), inside: String::new(), outside: String::new() }
    }

    fn write(&self, text: &mut String) {
        if !self.inside.is_empty() {
            let _ = write!(text, "\n{}export const enum {} {{\n{}}}\n", self.docs, self.name, self.inside);
        }
        if !self.outside.is_empty() {
            let _ = write!(text, "\n{}", self.outside);
        }
    }
}

struct Layouts<'a> {
    api: &'a Api,
    options: &'a Options,
    top: Scope,
    diagnostics: &'a mut Diagnostics,
}

impl<'a> Layouts<'a> {
    fn declared(&mut self, declared: &'a Declared, blocks: &mut Vec<Block>) {
        let name = self.name(declared);
        let mut block = Block::new(&name, summary(&declared.docs, declared.deprecated.as_deref(), ""));
        match &declared.body {
            Body::Struct(record) | Body::Union(record) => {
                let Some(layout) = declared.layout else { return };
                self.number(&mut block, "$bytes", layout.size, "");
                self.fields(&mut block, &record.fields, declared);
            }
            Body::Enum(_) | Body::Flags(_) => self.variants(&mut block, declared),
            Body::Tagged(tagged) => {
                let Some(layout) = declared.layout else { return };
                self.number(&mut block, "$bytes", layout.size, "");
                self.number(&mut block, "$tag", 0, &self.shown(&Ty::Int(tagged.tag)));
                self.push(block, &declared.source, &declared.place, blocks);
                return self.tagged(&name, tagged, declared, blocks);
            }
            Body::Opaque | Body::Alias(_) | Body::Callback { .. } => return,
        }
        self.push(block, &declared.source, &declared.place, blocks);
    }

    fn tagged(&mut self, name: &str, tagged: &Tagged, declared: &Declared, blocks: &mut Vec<Block>) {
        let mut tags = Block::new(format!("{name}_tags"), String::new());
        for variant in &tagged.variants {
            let source = format!("{}::{}", declared.source, variant.name);
            self.value(&mut tags, &variant.name, variant.value, &variant.docs, (&source, &declared.place));
            if !variant.fields.is_empty() {
                let docs = summary(&variant.docs, None, "");
                let mut fields = Block::new(format!("{name}_{}", variant.name), docs);
                self.fields(&mut fields, &variant.fields, declared);
                self.push(fields, &source, &declared.place, blocks);
            }
        }
        self.push(tags, &declared.source, &declared.place, blocks);
    }

    fn fields(&mut self, block: &mut Block, fields: &[Field], of: &Declared) {
        for field in fields.iter().filter(|field| field.public && !fits(&self.options.except, &field.name)) {
            let name = member(&cased(self.options.camel_case, &field.name));
            if !block.members.declare(&name, &field.name, &of.place, self.diagnostics) {
                continue;
            }
            block.inside += &summary(&field.docs, None, "  ");
            self.number(block, &name, field.offset, &self.shown(&field.ty));
            if let Some(bits) = &field.bits {
                self.number(block, &format!("{name}$shift"), bits.shift.into(), "");
                self.number(block, &format!("{name}$width"), bits.width.into(), "");
            }
        }
    }

    fn variants(&mut self, block: &mut Block, declared: &Declared) {
        let variants = match &declared.body {
            Body::Enum(body) => &body.variants,
            Body::Flags(body) => &body.bits,
            _ => return,
        };
        for variant in variants {
            let source = format!("{}::{}", declared.source, variant.name);
            self.value(block, &variant.name, variant.value, &variant.docs, (&source, &declared.place));
        }
    }

    /// Each in the block of its type or module. A module is known by its last name, as in C#.
    fn constants(&mut self, blocks: &mut Vec<Block>) {
        for constant in &self.api.constants {
            let (home, own) = match &constant.path[..] {
                [.., home, own] => (Some(home), own),
                [own] => (None, own),
                [] => (None, &constant.name),
            };
            if fits(&self.options.except, own) {
                continue;
            }
            let at = self.home(home, constant, blocks);
            let value = literal(self.api, &super::Options { numbers: true, ..Default::default() }, constant);
            let inside = match &constant.value {
                Value::Int(_) | Value::Big(_) => !value.ends_with('n'),
                Value::Float(value) => value.is_finite(),
                Value::Str(_) | Value::Char(_) => true,
                Value::CStr(bytes) => std::str::from_utf8(bytes).is_ok(),
                Value::Bool(_) => false,
            };
            let source =
                if constant.path.is_empty() { constant.name.clone() } else { constant.path.join("::") };
            let named = (source.as_str(), &constant.place);
            self.either(&mut blocks[at], own, &value, inside, &constant.docs, named);
        }
    }

    /// The block that a constant belongs to, made where it is not there yet.
    fn home(&mut self, home: Option<&String>, constant: &Constant, blocks: &mut Vec<Block>) -> usize {
        let ty = home.and_then(|home| self.api.types.iter().find(|declared| declared.name == *home));
        let (name, module) = match (ty, home) {
            (Some(declared), _) => (self.name(declared), format!("The constants of {}.", declared.name)),
            (None, Some(module)) => {
                let name = global(self.options.rename.get(module).unwrap_or(&module.to_upper_camel_case()));
                (name, format!("The constants of the module {module}."))
            }
            (None, None) => (global(&self.options.root), "Constants that are in no module.".into()),
        };
        // A type's block has its place in the top scope; a module's is told apart from it by its docs.
        let docs = summary(&module, None, "");
        let there = |block: &Block| block.name == name && (ty.is_some() || block.docs == docs);
        if let Some(at) = blocks.iter().position(there) {
            return at;
        }
        self.push(Block::new(name, docs), home.unwrap_or(&constant.name), &constant.place, blocks);
        blocks.len() - 1
    }

    /// Adds a block, unless another of the same name says the same.
    fn push(&mut self, block: Block, source: &str, place: &Place, blocks: &mut Vec<Block>) {
        let same = |other: &Block| (&other.name, &other.inside) == (&block.name, &block.inside);
        if !block.inside.is_empty() && blocks.iter().any(same) {
            return;
        }
        self.top.declare(&block.name, source, place, self.diagnostics);
        blocks.push(block);
    }

    /// A size or an offset, with its type in a comment.
    fn number(&self, block: &mut Block, name: &str, number: u64, ty: &str) {
        let _ = write!(block.inside, "  {name} = {number},");
        block.inside += &if ty.is_empty() { "\n".into() } else { format!(" // {ty}\n") };
    }

    fn value(&mut self, block: &mut Block, name: &str, value: i128, docs: &str, named: (&str, &Place)) {
        let value = super::classes::integer(value, false);
        self.either(block, name, &value, !value.ends_with('n'), docs, named);
    }

    /// A value as a member, or beside the enum where that cannot hold it.
    fn either(
        &mut self,
        block: &mut Block,
        name: &str,
        value: &str,
        inside: bool,
        text: &str,
        (source, place): (&str, &Place),
    ) {
        let name = member(name);
        if inside {
            if block.members.declare(&name, source, place, self.diagnostics) {
                block.inside += &summary(text, None, "  ");
                let _ = writeln!(block.inside, "  {name} = {value},");
            }
            return;
        }
        let name = format!("{}_{name}", block.name);
        if self.top.declare(&name, source, place, self.diagnostics) {
            block.outside += &summary(text, None, "");
            let _ = writeln!(block.outside, "export const {name} = {value};");
        }
    }

    fn name(&self, declared: &Declared) -> String {
        global(self.options.rename.get(&declared.name).unwrap_or(&declared.name))
    }

    /// A type for a reader: what to call `DataView` for, or which enum goes on.
    fn shown(&self, ty: &Ty) -> String {
        let int = |int| {
            let sign = if self.api.is_signed(int) { 'i' } else { 'u' };
            format!("{sign}{}", self.api.int_size(int) * 8)
        };
        match self.api.resolve(ty) {
            Ty::Unit => "nothing".into(),
            Ty::Bool => "bool".into(),
            Ty::Char => "char".into(),
            Ty::Int(of) => int(*of),
            Ty::Float(Float::F32) => "f32".into(),
            Ty::Float(Float::F64) => "f64".into(),
            Ty::Pointer(_) | Ty::Function { .. } => "pointer".into(),
            Ty::Array { of, len } => format!("[{}; {len}]", self.shown(of)),
            Ty::Named(id) => {
                let declared = self.api.get(*id);
                match &declared.body {
                    Body::Callback { .. } => "pointer".into(),
                    Body::Enum(Enum { repr, .. }) | Body::Flags(Flags { repr, .. }) => {
                        format!("{}: {}", self.name(declared), int(*repr))
                    }
                    _ => self.name(declared),
                }
            }
        }
    }
}

/// The first paragraph of docs, as a comment.
fn summary(text: &str, deprecated: Option<&str>, indent: &str) -> String {
    docs(text.trim().split("\n\n").next().unwrap_or_default(), deprecated, indent)
}

fn scope() -> Scope {
    Scope::new("TypeScript", "rename one of them; types and modules also with the option `rename`")
}

/// A member's name: any word but a number's, and `$` is for what the source does not name.
fn member(name: &str) -> String {
    match name {
        "NaN" | "Infinity" => format!("{name}_"),
        _ if name.starts_with(|first: char| first.is_ascii_digit()) => format!("_{name}"),
        _ => name.replace('$', "_"),
    }
}
