//! The text of a header, from top to bottom.

use super::Options;
use super::layout::{Member, Members};
use super::names::{Names, escape};
use super::spell::Speller;
use crate::diagnostics::Diagnostics;
use crate::model::{Api, Layout, Signature, Ty, TypeId};
use std::fmt::Write as _;
use upcall_packers::Scope;

pub struct Writer<'a> {
    pub api: &'a Api,
    pub options: &'a Options,
    pub names: Names,
    pub scope: Scope,
    pub diagnostics: &'a mut Diagnostics,
    pub text: String,
}

impl Writer<'_> {
    pub fn speller(&self) -> OwnedSpeller<'_> {
        OwnedSpeller { names: &self.names }
    }

    /// A comment above the next item, indented by `indent`.
    pub fn docs(&mut self, docs: &str, indent: &str) {
        if docs.is_empty() {
            return;
        }
        let safe = docs.replace("*/", "* /").replace("/*", "/ *").replace("??/", "?? /");
        let lines: Vec<&str> = safe.lines().map(str::trim_end).collect();
        match lines.as_slice() {
            [line] => self.line(&format!("{indent}/** {line} */")),
            lines => {
                self.line(&format!("{indent}/**"));
                for line in lines {
                    let gap = if line.is_empty() { "" } else { " " };
                    self.line(&format!("{indent} *{gap}{line}"));
                }
                self.line(&format!("{indent} */"));
            }
        }
    }

    pub fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// `UPCALL_DEPRECATED("…") ` for a deprecated item.
    pub fn deprecated(&self, deprecated: Option<&String>) -> String {
        match deprecated {
            Some(message) => format!("UPCALL_DEPRECATED({}) ", super::values::quoted(message.as_bytes())),
            None => String::new(),
        }
    }

    /// `struct Name {…};` with its assertions.
    pub fn define(&mut self, kind: &str, name: &str, members: &Members, whole: Option<Layout>) {
        if let Some(packed) = members.packed {
            self.line(&format!("#pragma pack(push, {packed})"));
        }
        let align = members.align.map_or(String::new(), |align| format!("UPCALL_ALIGN({align}) "));
        self.line(&format!("{kind} {align}{name} {{"));
        for member in &members.list {
            self.docs(&member.docs, "    ");
            let _ = writeln!(self.text, "    {};", member.text);
        }
        self.line("};");
        if members.packed.is_some() {
            self.line("#pragma pack(pop)");
        }
        if let Some(whole) = whole {
            self.assert_layout(name, whole);
        }
        for Member { name: field, offset, .. } in &members.list {
            if let Some(field) = field.as_ref().filter(|_| self.options.assertions) {
                let _ = writeln!(self.text, "UPCALL_ASSERT(offsetof({kind} {name}, {field}) == {offset});");
            }
        }
    }

    pub fn assert_layout(&mut self, name: &str, Layout { size, align }: Layout) {
        if self.options.assertions {
            let _ = writeln!(self.text, "UPCALL_ASSERT(sizeof({name}) == {size});");
            let _ = writeln!(self.text, "UPCALL_ASSERT(UPCALL_ALIGNOF({name}) == {align});");
        }
    }
}

/// Spells with the header's own names.
pub struct OwnedSpeller<'a> {
    names: &'a Names,
}

impl OwnedSpeller<'_> {
    fn with<T>(&self, spell: impl FnOnce(&Speller<'_>) -> T) -> T {
        let name = |id: TypeId| self.names.ty(id);
        let param = |name: &str| self.names.inner(name);
        spell(&Speller { name: &name, param: &param })
    }

    pub fn declare(&self, ty: &Ty, name: &str) -> String {
        self.with(|speller| speller.declare(ty, name))
    }

    pub fn qualified(&self, ty: &Ty, mutable: bool, name: &str) -> String {
        self.with(|speller| speller.qualified(ty, mutable, name))
    }

    pub fn function(&self, signature: &Signature, name: &str, last: &[String]) -> String {
        self.with(|speller| speller.function(signature, name, last))
    }
}

/// An include guard: upper case, one word.
pub fn guard(library: &str) -> String {
    escape(&format!("UPCALL_{library}_H")).to_uppercase()
}
