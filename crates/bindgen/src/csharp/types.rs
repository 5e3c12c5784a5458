//! The names of types, and what else has a name in their namespace.

use super::cx::Cx;
use super::names::{pascal, scope, type_name};
use super::options::Options;
use crate::Diagnostics;
use crate::case::{around, capitals, stripped};
use crate::model::{Body, Declared};
use std::collections::HashSet;
use upcall_packers::Scope;

/// Framework types that the file names and that an API type of the same name would hide.
const PLAIN: [&str; 13] = [
    "CLong", "CULong", "CallingConvention", "DllImport", "FieldOffset", "IndexOutOfRangeException", "Int128",
    "IntPtr", "LayoutKind", "MemoryMarshal", "StructLayout", "System", "UInt128",
];

/// Those that idiomatic functions need as well.
const IDIOMATIC: [&str; 8] = [
    "Console", "Exception", "IDisposable", "InvalidOperationException", "Marshal", "ObjectDisposedException",
    "SafeHandle", "UIntPtr",
];

/// Types that the file has for all its functions.
const SUPPORT: [&str; 9] = [
    "NativeBuffer", "NativeCallback", "NativeCalls", "NativeException", "NativeHold", "NativeKept",
    "NativeString", "NativeText", "NativeThunk",
];

/// A type's name.
fn class(declared: &Declared, options: &Options, taken: &mut HashSet<String>) -> String {
    let renamed = options.rename.get(&declared.name);
    let name = renamed.map_or(stripped(&declared.name, &options.prefixes), String::as_str);
    if let Body::Callback { .. } = declared.body {
        return type_name(&pascal(name));
    }
    let named = around(name, capitals);
    let alias = matches!(declared.body, Body::Alias(_));
    let cased = options.dotnet_names && renamed.is_none() && declared.idiom.is_none() && !alias;
    type_name(if cased && taken.insert(named.clone()) { &named } else { name })
}

impl<'a> Cx<'a> {
    /// Gives all types their names.
    pub(super) fn name_types(&mut self) {
        let api = self.api;
        let reserved = self.reserved().into_iter().map(|(name, _)| name.to_owned());
        let written = api.types.iter().filter(|declared| !matches!(declared.body, Body::Alias(_)));
        let mut taken: HashSet<String> =
            reserved.chain(written.map(|declared| declared.name.clone())).collect();
        for (id, declared) in api.declared() {
            let class = class(declared, self.options, &mut taken);
            self.raw.push(if self.is_handle(id) {
                type_name(&format!("{class}Handle"))
            } else {
                class.clone()
            });
            self.classes.push(class);
        }
        for error in api.errors().into_iter().filter(|_| self.options.idiomatic()) {
            let mut name = format!("{}Exception", pascal(error));
            while !taken.insert(name.clone()) {
                name.push('_');
            }
            self.exceptions.insert(error, name);
        }
    }

    /// Names that a type cannot have, each with what has it.
    fn reserved(&self) -> Vec<(&'a str, String)> {
        let options = self.options;
        let (mut own, mut system) = (vec![options.class.as_str()], PLAIN.to_vec());
        if options.idiomatic() {
            own.push(&options.idiomatic_class);
            own.extend(SUPPORT);
            system.extend(IDIOMATIC);
        }
        let own = own.into_iter().map(|name| (name, name.to_owned()));
        own.chain(system.into_iter().map(|name| (name, format!("System's {name}")))).collect()
    }

    /// The names of the namespace.
    pub fn type_scope(&self, diagnostics: &mut Diagnostics) -> Scope {
        let mut scope = scope();
        for (name, what) in self.reserved() {
            scope.declare(name, &what, &Default::default(), diagnostics);
        }
        for (id, declared) in self.api.declared() {
            let source = &declared.source;
            // A callback's delegate is written where the callback is taken, an alias nowhere.
            if !matches!(declared.body, Body::Alias(_) | Body::Callback { .. }) {
                scope.declare(self.name(id), source, &declared.place, diagnostics);
            }
            if self.is_handle(id) {
                scope.declare(&self.class_of(id), source, &declared.place, diagnostics);
            }
        }
        for (error, name) in &self.exceptions {
            scope.declare(name, error, &Default::default(), diagnostics);
        }
        scope
    }
}
