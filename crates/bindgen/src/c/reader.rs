//! The walk over a parsed header.

use super::clang::{Cursor, Unit, raw};
use super::input::{Filter, Input, include_line};
use super::types::plain;
use super::{comments, enums, macros};
use crate::diagnostics::Diagnostics;
use crate::model::{Api, Body, Declared, Int, Place, Target, Ty, TypeId, stdint};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The file that includes all headers; it exists in memory only.
pub(super) const MAIN: &str = "upcall-headers.c";

/// Why an item cannot cross.
pub(super) type Refusal = String;

pub(super) struct Reader<'unit, 'a> {
    pub unit: &'unit Unit,
    pub input: &'a Input,
    pub filter: &'a Filter,
    pub diagnostics: &'a mut Diagnostics,
    pub api: Api,
    /// The location of the declaration being read, for messages.
    pub at: Place,
    /// What it declares, for messages: `function f`.
    pub about: String,
    /// The type that each declaration became.
    pub known: HashMap<Cursor<'unit>, TypeId>,
    /// The first `typedef` of each struct, union or enum that has a tag.
    pub typedefs: HashMap<Cursor<'unit>, String>,
    /// For an unnamed struct or union: how C spells the one through which its members are reached.
    pub holders: HashMap<Cursor<'unit>, String>,
    /// The names of the types.
    pub names: HashSet<String>,
    /// Types that cannot be used by value, and why.
    pub refused: HashMap<TypeId, Refusal>,
    /// Types whose fields are being read.
    pub reading: HashSet<TypeId>,
    /// Unnamed enums whose enumerators are already constants.
    pub unnamed: HashSet<Cursor<'unit>>,
}

pub(super) fn read(
    input: &Input,
    headers: &[PathBuf],
    filter: &Filter,
    diagnostics: &mut Diagnostics,
) -> Option<Api> {
    let source = main_file(input, headers);
    let arguments = input.arguments();
    let unit = match Unit::parse(MAIN, &source, &arguments) {
        Ok(unit) => unit,
        Err(message) => {
            let given = arguments.join(" ");
            diagnostics.error(
                None,
                format!("the headers could not be read with clang's arguments `{given}`: {message}"),
                "correct the target or the arguments for clang",
            );
            return None;
        }
    };
    if !report(&unit, input, diagnostics) {
        return None;
    }
    let mut reader = Reader {
        unit: &unit,
        input,
        filter,
        diagnostics,
        api: Api { library: input.library.clone(), from_c: true, ..Api::default() },
        at: Place::default(),
        about: String::new(),
        known: HashMap::new(),
        typedefs: HashMap::new(),
        holders: HashMap::new(),
        names: HashSet::new(),
        refused: HashMap::new(),
        reading: HashSet::new(),
        unnamed: HashSet::new(),
    };
    reader.items();
    let constants = macros::read(&mut reader, &source, &arguments);
    let mut api = reader.api;
    api.constants.extend(constants);
    tags_apart(&mut api);
    if input.contexts {
        api.mark_contexts();
    }
    api.sort_types();
    Some(api)
}

/// In C a function and a struct may share a name (`stat`): such a struct is called `struct_stat` elsewhere.
fn tags_apart(api: &mut Api) {
    let functions = api.functions.iter().map(|function| &function.name);
    let values = api.constants.iter().map(|constant| &constant.name);
    let statics = api.statics.iter().map(|variable| &variable.name);
    let mut taken: HashSet<String> = functions.chain(values).chain(statics).cloned().collect();
    let shared: Vec<bool> = api.types.iter().map(|declared| taken.contains(&declared.name)).collect();
    taken.extend(api.types.iter().map(|declared| declared.name.clone()));
    for (declared, _) in api.types.iter_mut().zip(shared).filter(|(_, shared)| *shared) {
        let mut name = match declared.source.split_once(' ') {
            Some((tag, name)) => format!("{tag}_{name}"),
            None => format!("type_{}", declared.name),
        };
        while !taken.insert(name.clone()) {
            name.push('_');
        }
        declared.name = name;
    }
}

/// Includes the headers, and declares what else clang is asked for.
fn main_file(input: &Input, headers: &[PathBuf]) -> String {
    let mut text: String = headers.iter().map(|header| include_line(header)).collect();
    text += "enum {\n    upcall_long_size = sizeof(long),\n";
    text += "    upcall_big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__\n};\n";
    for (index, variadic) in input.variadics.iter().enumerate() {
        for (place, argument) in variadic.arguments.iter().enumerate() {
            text += &format!("typedef __typeof__({argument}) upcall_argument_{index}_{place};\n");
        }
    }
    text
}

/// Whether clang could read the headers.
fn report(unit: &Unit, input: &Input, diagnostics: &mut Diagnostics) -> bool {
    let errors: Vec<_> = unit.problems().into_iter().filter(|problem| problem.error).collect();
    for problem in &errors {
        let gone = problem.message.strip_suffix("' file not found").and_then(|rest| rest.strip_prefix('\''));
        let ours = problem.place.as_ref().is_some_and(|place| place.file.ends_with(MAIN));
        let help = match gone {
            Some(header) if ours => {
                input.missing(header, diagnostics);
                continue;
            }
            Some(_) => INCLUDE,
            None if problem.message.starts_with("unknown type name") => FIRST,
            None => "",
        };
        diagnostics.error(problem.place.as_ref(), format!("clang: {}", problem.message), help);
    }
    errors.is_empty()
}

const INCLUDE: &str = "add the folder that holds it to the include paths, or, for another target, its sysroot to clang's arguments";

const FIRST: &str = "if the header wants another one to be included first, name that before it, as in `--header stdio.h --header api.h`";

impl<'unit> Reader<'unit, '_> {
    fn items(&mut self) {
        let items = self.unit.root().children();
        self.target(&items);
        self.find_typedefs(&items);
        let mut seen = HashSet::new();
        for item in items {
            if item.in_main_file() {
                continue;
            }
            match item.kind() {
                raw::CXCursor_StructDecl | raw::CXCursor_UnionDecl | raw::CXCursor_EnumDecl => {
                    self.tag_item(item);
                }
                raw::CXCursor_TypedefDecl if self.takes(item) => {
                    // A type that cannot cross is reported where it is used.
                    let _ = self.typedef(item);
                }
                raw::CXCursor_FunctionDecl if self.takes(item) && seen.insert(item.canonical()) => {
                    self.function_item(item);
                }
                raw::CXCursor_VarDecl if self.takes(item) && seen.insert(item.canonical()) => {
                    self.variable_item(item);
                }
                _ => {}
            }
        }
    }

    fn find_typedefs(&mut self, items: &[Cursor<'unit>]) {
        for item in items.iter().filter(|item| item.kind() == raw::CXCursor_TypedefDecl) {
            let underlying = plain(item.underlying());
            let tag = matches!(underlying.kind(), raw::CXType_Record | raw::CXType_Enum);
            if let Some(name) = item.name().filter(|_| tag && self.takes(*item)) {
                self.typedefs.entry(underlying.declaration().canonical()).or_insert(name);
            }
        }
    }

    /// Whether an item is read for its own sake.
    fn takes(&self, item: Cursor<'unit>) -> bool {
        item.name().is_some_and(|name| self.filter.takes(&name, item.in_system_header()))
    }

    fn tag_item(&mut self, item: Cursor<'unit>) {
        match self.tag_name(item) {
            Some((name, _)) if !self.filter.takes(&name, item.in_system_header()) => {}
            Some(_) => {
                self.tag(item, None, true);
            }
            None if item.kind() == raw::CXCursor_EnumDecl => self.unnamed_enum(item),
            None => {}
        }
    }

    /// An unnamed enum, whose enumerators are constants.
    pub fn unnamed_enum(&mut self, item: Cursor<'unit>) {
        if !self.unnamed.insert(item.canonical()) {
            return;
        }
        let (filter, system) = (self.filter, item.in_system_header());
        let constants = enums::constants(item).filter(|constant| filter.takes(&constant.name, system));
        self.api.constants.extend(constants);
    }

    fn target(&mut self, items: &[Cursor<'unit>]) {
        let (pointer, triple) = self.unit.target();
        let ours = items.iter().filter(|item| item.in_main_file());
        let number = |name: &str| {
            let mut enumerators = ours.clone().flat_map(|item| item.children());
            enumerators
                .find(|child| child.name().as_deref() == Some(name))
                .map_or(0, |child| child.enumerator(true))
        };
        self.api.target = Target {
            triple: self
                .input
                .target
                .clone()
                .unwrap_or_else(|| triple.replace("-pc-linux-", "-unknown-linux-")),
            pointer,
            long: number("upcall_long_size") as u64,
            big_endian: number("upcall_big_endian") != 0,
        };
    }

    /// Adds a type whose body may follow.
    pub fn declare(&mut self, cursor: Cursor<'unit>, wanted: &str, source: String, body: Body) -> TypeId {
        let mut name = wanted.to_owned();
        if !self.names.insert(name.clone()) {
            let kind = match cursor.kind() {
                raw::CXCursor_StructDecl => "struct",
                raw::CXCursor_UnionDecl => "union",
                raw::CXCursor_EnumDecl => "enum",
                _ => "type",
            };
            name = format!("{kind}_{wanted}");
            while !self.names.insert(name.clone()) {
                name.push('_');
            }
        }
        let id = TypeId(self.api.types.len() as u32);
        self.api.types.push(Declared {
            name,
            source,
            docs: comments::docs(&cursor.comment()),
            deprecated: cursor.deprecated(),
            place: cursor.place(),
            body,
            ..Declared::default()
        });
        self.known.insert(cursor.canonical(), id);
        id
    }
}

/// The integer of a C type on the target.
pub(super) fn integer(kind: raw::CXTypeKind) -> Option<Int> {
    Some(match kind {
        raw::CXType_Char_U | raw::CXType_Char_S => Int::CChar,
        raw::CXType_SChar => Int::I8,
        raw::CXType_UChar => Int::U8,
        raw::CXType_Short => Int::I16,
        raw::CXType_UShort => Int::U16,
        raw::CXType_Int => Int::I32,
        raw::CXType_UInt => Int::U32,
        raw::CXType_Long => Int::Long,
        raw::CXType_ULong => Int::ULong,
        raw::CXType_LongLong => Int::I64,
        raw::CXType_ULongLong => Int::U64,
        raw::CXType_Int128 => Int::I128,
        raw::CXType_UInt128 => Int::U128,
        _ => return None,
    })
}

/// The integer that a `typedef` of the standard headers stands for, whatever its definition.
pub(super) fn standard(name: &str) -> Option<Ty> {
    Some(Ty::Int(match name {
        "char16_t" => Int::U16,
        "char32_t" => Int::U32,
        name => stdint(name)?,
    }))
}
