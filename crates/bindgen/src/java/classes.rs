//! Which classes there are, and their files.

use super::call::Bare;
use super::callback::Interface;
use super::lines::{Docs, Lines};
use super::names::{self, Names};
use super::surface::{Java, Kind};
use super::{Options, names::package_name};
use crate::glue;
use crate::model::{Api, Body, Function, Int, Layout, Role, Ty, TypeId, Value};
use crate::plan::crossing;
use crate::{Diagnostics, File};
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// The first line of each file.
pub(super) const MADE: &str = "// Made by upcall bindgen; do not edit.";

/// Functions and constants in one class. What they need of its 65,535 constants stays well below the limit.
const MOST: usize = 1000;

const JNI_IMPORTS: &[&str] = &["java.lang.ref.Reference", "java.nio.ByteBuffer", "java.util.Objects"];

const IMPORTS: &[&str] = &[
    "java.lang.foreign.Arena",
    "java.lang.foreign.FunctionDescriptor",
    "java.lang.foreign.GroupLayout",
    "java.lang.foreign.Linker",
    "java.lang.foreign.MemoryLayout",
    "java.lang.foreign.MemorySegment",
    "java.lang.foreign.SegmentAllocator",
    "java.lang.foreign.ValueLayout",
    "java.lang.invoke.MethodHandle",
    "java.lang.invoke.MethodHandles",
    "java.lang.ref.Reference",
    "java.nio.ByteBuffer",
    "java.util.Objects",
];

/// What is known before any file is written; `None` for a target that Java does not run on.
pub(super) fn prepare<'a>(
    api: &'a Api,
    options: &'a Options,
    diagnostics: &mut Diagnostics,
) -> Option<Java<'a>> {
    if api.target.pointer != 8 {
        let message =
            format!("java.lang.foreign needs 64-bit addresses, which {} does not have", api.target.triple);
        diagnostics.error(None, message, "leave Java out for this target");
        return None;
    }
    let names = Names::new(api, options, diagnostics);
    let package = options.package.clone().unwrap_or_else(|| package_name(&api.library));
    let mut java = Java {
        api,
        options,
        package,
        names,
        calls_back: false,
        written: HashSet::new(),
        releases: HashMap::new(),
        closable: HashSet::new(),
    };
    java.written = functions(&java, diagnostics);
    java.releases = releases(&java, diagnostics);
    java.closable = closable(&java);
    java.calls_back = java.interfaces().iter().any(|interface| !interface.signature.kept);
    Some(java)
}

/// What releases each handle: its own release, or the function that the options name.
fn releases<'a>(java: &Java<'a>, diagnostics: &mut Diagnostics) -> HashMap<TypeId, &'a Function> {
    let own = java.written_functions().filter(|function| function.role() == Some(Role::Release));
    let mut releases: HashMap<TypeId, &'a Function> =
        own.filter_map(|function| Some((function.member.as_ref()?.of, function))).collect();
    let named = java.api.releases(&java.options.released, "java", diagnostics);
    releases.extend(named);
    releases
}

/// The handles that may be closed, or that some function takes from the program.
fn closable(java: &Java<'_>) -> HashSet<TypeId> {
    let params = java.api.functions.iter().flat_map(|function| &function.signature.params);
    let given = params.filter_map(|param| java.target(&param.ty)).filter(|target| target.owned);
    let all = given.map(|target| target.id).chain(java.releases.keys().copied());
    all.filter(|id| java.is_handle(*id)).collect()
}

/// All files of a package, and those of the shim.
pub(super) fn generate(api: &Api, options: &Options, diagnostics: &mut Diagnostics) -> Vec<File> {
    let Some(java) = prepare(api, options, diagnostics) else { return Vec::new() };
    let interfaces = interfaces(&java, diagnostics);
    let mut files = Vec::new();
    for (index, interface) in interfaces.iter().enumerate() {
        let mut lines = java.file();
        java.write_interface(index, interface, &mut lines);
        files.push(File::new(java.path(&interface.name), lines.finish()));
    }
    for (id, _) in api.declared() {
        files.extend(java.type_file(id, diagnostics));
    }
    files.extend(java.main_files(diagnostics));
    files.extend(java.runtime(java.has_wide()));
    files.extend(java.exception_files());
    files.extend(java.package_files());
    files.extend(java.changes_file());
    if java.jni() {
        let functions: Vec<&Function> = java.written_functions().collect();
        files.push(java.native_calls(&functions, &interfaces));
        files.extend(java.jni_files(&functions, &interfaces));
    } else {
        files.extend(java.shim_files());
    }
    files.sort_by(|one, two| one.path.cmp(&two.path));
    files
}

/// The callbacks that can cross, each with a name of its own.
fn interfaces<'a>(java: &Java<'a>, diagnostics: &mut Diagnostics) -> Vec<Interface<'a>> {
    let mut scope = names::scope();
    for (name, declared) in java.names.types.iter().zip(&java.api.types) {
        if !matches!(declared.body, Body::Callback { .. }) {
            // Two types with one name have been reported already.
            let _ = scope.declare(name, &declared.name, &declared.place, &mut Diagnostics::default());
        }
    }
    let mut interfaces = java.interfaces();
    interfaces.retain(|interface| {
        if let Some(why) = java.callback_obstacle(interface.signature) {
            let help = "take it by pointer, or leave the callback out";
            diagnostics.unsupported(
                &interface.place,
                format!("the callback `{}` {why}", interface.name),
                help,
            );
            return false;
        }
        scope.declare(&interface.name, &interface.name, &interface.place, diagnostics)
    });
    interfaces
}

/// The functions that can cross.
fn functions<'a>(java: &Java<'a>, diagnostics: &mut Diagnostics) -> HashSet<&'a str> {
    let mut functions = crossing(java.api, &java.api.functions, "Java", diagnostics);
    functions.retain(|function| {
        let callbacks = function.signature.params.iter().filter_map(|param| match java.kind(&param.ty) {
            Kind::Function { signature, .. } => java.callback_obstacle(signature),
            _ => None,
        });
        let Some(why) = callbacks.into_iter().next() else { return true };
        let message = format!("the function `{}` takes a callback that {why}", function.name);
        let help = "take it by pointer, or leave the function out";
        diagnostics.unsupported(&function.place, message, help);
        false
    });
    functions.into_iter().map(|function| function.name.as_str()).collect()
}

impl<'a> Java<'a> {
    /// The path of a class's file.
    pub fn path(&self, class: &str) -> PathBuf {
        PathBuf::from(self.package.replace('.', "/")).join(format!("{class}.java"))
    }

    /// A file with every import that a class may need.
    pub fn file(&self) -> Lines {
        let mut lines = Lines::default();
        lines.line(MADE);
        lines.line(format!("package {};", self.package));
        lines.blank();
        for import in if self.jni() { JNI_IMPORTS } else { IMPORTS } {
            lines.line(format!("import {import};"));
        }
        if self.options.jspecify {
            lines.line("import org.jspecify.annotations.Nullable;");
        }
        lines.blank();
        lines
    }

    fn type_file(&self, id: TypeId, diagnostics: &mut Diagnostics) -> Option<File> {
        let declared = self.api.get(id);
        let class = self.class(id);
        let mut lines = self.file();
        match (&declared.body, declared.layout) {
            (Body::Enum(_) | Body::Flags(_), _) => self.write_numbers(id, &mut lines, diagnostics),
            (Body::Struct(_) | Body::Union(_) | Body::Tagged(_), Some(layout)) if layout.size > 0 => {
                self.write_record(id, layout, &mut lines, diagnostics);
            }
            (Body::Opaque | Body::Struct(_) | Body::Union(_) | Body::Tagged(_), _) => {
                self.write_handle(id, &mut lines, diagnostics);
            }
            (Body::Alias(_) | Body::Callback { .. }, _) => return None,
        }
        Some(File::new(self.path(class), lines.finish()))
    }

    fn write_record(&self, id: TypeId, layout: Layout, lines: &mut Lines, diagnostics: &mut Diagnostics) {
        let declared = self.api.get(id);
        let note = format!("{} bytes, at multiples of {}.", layout.size, layout.align);
        lines.docs(&Docs::new(&declared.docs, declared.deprecated.as_deref()).note(note));
        lines.line("@SuppressWarnings(\"deprecation\")");
        lines.open(format!("public final class {} implements NativeMemory", self.class(id)));
        self.write_memory(id, layout, lines);
        match &declared.body {
            Body::Struct(record) | Body::Union(record) => {
                for field in &record.fields {
                    let end = field.offset + self.size(&field.ty);
                    if field.bits.is_none() && end > layout.size {
                        let message = format!(
                            "`{}` ends at byte {end} of `{}`, which has {}",
                            field.name, declared.name, layout.size
                        );
                        diagnostics.error(Some(&declared.place), message, "measure the layouts again");
                    }
                }
                self.write_fields(id, &record.fields, lines, diagnostics);
            }
            Body::Tagged(tagged) => {
                self.write_tagged(id, tagged, lines, diagnostics);
            }
            _ => {}
        }
        self.write_members(id, lines, diagnostics);
        lines.close();
    }

    fn main_files(&self, diagnostics: &mut Diagnostics) -> Vec<File> {
        let mut scope = names::scope();
        let mut parts: Vec<Lines> = Vec::new();
        let mut room = 0;
        let (constants, statics) = (&self.api.constants, &self.api.statics);
        let mut part = |parts: &mut Vec<Lines>| {
            if room == 0 {
                parts.push(Lines::default());
                room = MOST;
            }
            room -= 1;
            parts.len() - 1
        };
        let body = &mut parts;
        for constant in constants {
            let name = names::kept_name(self.stripped(&constant.name));
            if scope.declare(&format!("constant {name}"), &constant.name, &constant.place, diagnostics) {
                let index = part(body);
                self.write_constant(constant, &mut body[index], diagnostics);
            }
        }
        for item in statics {
            if scope.declare(&names::kept_name(&item.name), &item.name, &item.place, diagnostics) {
                let index = part(body);
                self.write_static(item, &mut body[index]);
            }
        }
        for function in self.written_functions() {
            let name = self.method_name(&function.name);
            if scope.declare(&name, &function.name, &function.place, diagnostics) {
                let index = part(body);
                self.write_function(function, &mut body[index]);
            }
        }
        if parts.is_empty() {
            parts.push(Lines::default());
        }
        let last = parts.len();
        let main = &self.names.main;
        let wrap = |(index, part): (usize, Lines)| {
            let number = index + 1;
            let class = if number == last { main.clone() } else { format!("{main}Part{number}") };
            let extends = if index == 0 { String::new() } else { format!(" extends {main}Part{index}") };
            let modifiers = if number == last { "public final class" } else { "abstract sealed class" };
            let next = if number + 1 == last { main.clone() } else { format!("{main}Part{}", number + 1) };
            let permits = if number == last { String::new() } else { format!(" permits {next}") };
            let mut lines = self.file();
            let what = format!("The functions, constants and variables of the library {}.", self.api.library);
            lines.docs(&Docs::new(&what, None));
            lines.line("@SuppressWarnings({\"deprecation\", \"restricted\"})");
            lines.open(format!("{modifiers} {class}{extends}{permits}"));
            let modifier = if number == last { "private " } else { "" };
            lines.open(format!("{modifier}{class}()"));
            lines.close();
            lines.blank();
            for line in part.finish().lines() {
                lines.line(line);
            }
            lines.close();
            File::new(self.path(&class), lines.finish())
        };
        parts.into_iter().enumerate().map(wrap).collect()
    }

    /// What is said of the package as a whole: that nothing in it is null unless it says so, and what its module shows.
    fn package_files(&self) -> Vec<File> {
        let mut files = Vec::new();
        if self.options.jspecify {
            let text = format!(
                "@NullMarked\npackage {};\n\nimport org.jspecify.annotations.NullMarked;\n",
                self.package
            );
            files.push(File::new(self.path("package-info"), format!("{MADE}\n{text}")));
        }
        if let Some(module) = &self.options.module {
            let mut lines = Lines::default();
            lines.line(MADE);
            lines.docs(&Docs::new(&format!("The library {}.", self.api.library), None));
            lines.open(format!("module {module}"));
            if self.options.jspecify {
                lines.line("requires static transitive org.jspecify;");
                lines.blank();
            }
            lines.line(format!("exports {};", self.package));
            if !self.api.packed.is_empty() {
                lines.line(format!("exports {}.pack;", self.package));
            }
            lines.close();
            files.push(File::new("module-info.java", lines.finish()));
        }
        files
    }

    pub fn written_functions(&self) -> impl Iterator<Item = &'a Function> {
        self.api.functions.iter().filter(|function| self.written.contains(function.name.as_str()))
    }

    /// The crate of the shim, if any function needs it.
    fn shim_files(&self) -> Vec<File> {
        let shimmed: Vec<&Function> =
            self.written_functions().filter(|function| self.call(function, Bare::None).shimmed).collect();
        if shimmed.is_empty() {
            return Vec::new();
        }
        let (_, files) = glue::shim(self.api, &shimmed, &|ty| self.refuses(ty));
        files.into_iter().map(|file| File::new(PathBuf::from("shim").join(file.path), file.text)).collect()
    }

    fn has_wide(&self) -> bool {
        let constant = |value: &Value| matches!(value, Value::Big(_));
        let wide = |ty: &Ty| matches!(self.api.element(ty), Ty::Int(Int::I128 | Int::U128));
        self.api.types.iter().any(|declared| declared.body.fields().any(|field| wide(&field.ty)))
            || self.api.constants.iter().any(|item| constant(&item.value) || wide(&item.ty))
            || self.api.functions.iter().any(|function| function.signature.types().any(wide))
    }
}
