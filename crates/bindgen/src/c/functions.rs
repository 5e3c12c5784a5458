//! Functions and variables.

use super::clang::{Cursor, Evaluated, Type, raw};
use super::comments;
use super::enums::is_signed;
use super::reader::{Reader, integer};
use super::records::dimensions;
use super::types::{Use, parameters};
use crate::model::{Constant, Float, Function, Int, Linkage, Param, Static, Ty, Value};

/// Prefix of a shim's name, which must differ from the name of what it wraps.
const SHIM: &str = "upcall_shim_";

impl<'unit> Reader<'unit, '_> {
    pub fn function_item(&mut self, item: Cursor<'unit>) {
        let Some(name) = item.name() else { return };
        let place = item.place();
        self.at = place.clone();
        self.about = format!("function `{name}`");
        let signature = match self.signature(item.ty(), &parameters(item)) {
            Ok(signature) => signature,
            Err(reason) => {
                self.diagnostics.unsupported(
                    &place,
                    format!("function `{name}` cannot cross: {reason}"),
                    "leave it out with the block list, or wrap it in a function with plain types",
                );
                return;
            }
        };
        let function = Function {
            symbol: self.symbol(item, &name),
            name,
            signature,
            docs: comments::docs(&item.comment()),
            deprecated: item.deprecated(),
            place,
            ..Function::default()
        };
        if function.signature.variadic {
            self.variadic(function);
        } else if item.is_internal()
            || item.is_inline() && item.definition().is_some_and(|own| own.is_inline())
        {
            self.inline(function, item);
        } else {
            self.api.functions.push(function);
        }
    }

    /// The symbol as `dlsym` takes it: without the underscore that some targets put before every C name.
    fn symbol(&self, item: Cursor<'unit>, name: &str) -> String {
        let mangled = item.mangled();
        let triple = &self.api.target.triple;
        let underscore = triple.contains("apple") || triple.starts_with("i686-pc-windows");
        match mangled.strip_prefix('_').filter(|_| underscore) {
            Some(plain) => plain.to_owned(),
            None if mangled.is_empty() => name.to_owned(),
            None => mangled,
        }
    }

    fn inline(&mut self, mut function: Function, item: Cursor<'unit>) {
        if item.definition().is_none() {
            // Nobody can call a static function without a body.
            return;
        }
        if !self.input.wrap_static {
            self.diagnostics.warning(
                Some(&function.place),
                format!("`{}` is left out: it is inline, and no library exports it", function.name),
                "enable shims for inline functions",
            );
            return;
        }
        function.symbol = format!("{SHIM}{}", function.name);
        function.linkage = Linkage::Inline;
        self.api.functions.push(function);
    }

    /// One function for each argument list that the input gives for it.
    fn variadic(&mut self, function: Function) {
        let mut made = 0;
        for (index, variadic) in self.input.variadics.iter().enumerate() {
            if variadic.function != function.name {
                continue;
            }
            let mut wrapped = function.clone();
            wrapped.signature.variadic = false;
            for place in 0..variadic.arguments.len() {
                let Some(ty) = self.argument(index, place) else { continue };
                wrapped.signature.params.push(Param {
                    name: format!("arg{place}"),
                    ty,
                    context_of: None,
                    release_of: None,
                });
            }
            wrapped.name.clone_from(&variadic.name);
            wrapped.symbol = format!("{SHIM}{}", variadic.name);
            wrapped.linkage = Linkage::Inline;
            self.api.functions.push(wrapped);
            made += 1;
        }
        if made == 0 {
            self.diagnostics.warning(
                Some(&function.place),
                format!("`{}` is left out: it takes any number of arguments", function.name),
                "declare the arguments to call it with: each such list gets a shim",
            );
        }
    }

    /// The type of an argument that the input declares, for which the main file has a `typedef`.
    fn argument(&mut self, variadic: usize, place: usize) -> Option<Ty> {
        let name = format!("upcall_argument_{variadic}_{place}");
        let items = self.unit.root().children();
        let item = items.into_iter().find(|item| item.name().as_deref() == Some(&name))?;
        match self.ty(item.underlying(), Use::Value) {
            Ok(ty) => Some(ty),
            Err(reason) => {
                let text = &self.input.variadics[variadic].arguments[place];
                let message = format!("the argument `{text}` of a variadic function cannot cross: {reason}");
                self.diagnostics.error(None, message, "");
                None
            }
        }
    }

    pub fn variable_item(&mut self, item: Cursor<'unit>) {
        let Some(name) = item.name() else { return };
        let place = item.place();
        self.at = place.clone();
        self.about = format!("variable `{name}`");
        let constant = item.ty().is_const();
        if item.is_internal() {
            match item.evaluate().filter(|_| constant).and_then(|value| constant_of(item.ty(), value)) {
                Some((ty, value)) => {
                    let docs = comments::docs(&item.comment());
                    self.api.constants.push(Constant { name, path: Vec::new(), ty, value, docs, place });
                }
                None => self.diagnostics.warning(
                    Some(&place),
                    format!("`{name}` is left out: every file that includes it has its own"),
                    "declare it `extern`, and define it in one file",
                ),
            }
            return;
        }
        let within = format!("__typeof__({name}{})", "[0]".repeat(dimensions(item.ty())));
        self.name_within(item.ty(), (format!("{name}_type"), within));
        let ty = if item.is_thread_local() {
            Err("each thread has its own".to_owned())
        } else if item.ty().canonical().kind() == raw::CXType_IncompleteArray {
            Err("its length is not declared".to_owned())
        } else {
            self.ty(item.ty(), Use::Value)
        };
        match ty {
            Ok(ty) => self.api.statics.push(Static {
                symbol: self.symbol(item, &name),
                name,
                ty,
                mutable: !constant,
                docs: comments::docs(&item.comment()),
                place,
            }),
            Err(reason) => self.diagnostics.unsupported(
                &place,
                format!("variable `{name}` cannot cross: {reason}"),
                "leave it out with the block list, or export functions that read and write it",
            ),
        }
    }
}

/// A value computed by clang, as a constant of its C type.
pub(super) fn constant_of(ty: Type<'_>, value: Evaluated) -> Option<(Ty, Value)> {
    let canonical = ty.canonical();
    let kind = match canonical.kind() {
        raw::CXType_Enum => canonical.declaration().enum_type().canonical().kind(),
        kind => kind,
    };
    match (value, kind) {
        (Evaluated::Int(value), raw::CXType_Bool) => Some((Ty::Bool, Value::Bool(value != 0))),
        // Clang gives 64 bits of a value.
        (Evaluated::Int(_), raw::CXType_Int128 | raw::CXType_UInt128) => None,
        (Evaluated::Int(value), kind) => {
            let int = integer(kind)?;
            // An unsigned number arrives as the signed one with the same bits.
            let value = if is_signed(kind) || value >= 0 { value } else { value & i128::from(u64::MAX) };
            Some((Ty::Int(int), Value::Int(value)))
        }
        (Evaluated::Float(value), raw::CXType_Float) => Some((Ty::Float(Float::F32), Value::Float(value))),
        (Evaluated::Float(value), raw::CXType_Double) => Some((Ty::Float(Float::F64), Value::Float(value))),
        (Evaluated::Text(text), raw::CXType_Pointer | raw::CXType_ConstantArray) => {
            let of_bytes = integer(canonical.pointee().canonical().kind())
                .or(integer(canonical.element().canonical().kind()));
            let byte = Ty::Int(Int::U8);
            matches!(of_bytes, Some(Int::CChar)).then(|| (Ty::pointer(byte, false), Value::CStr(text)))
        }
        _ => None,
    }
}
