//! Types in C, written around the name they declare.

use crate::model::{Float, Int, Signature, Ty, TypeId};

/// Writes C declarations.
pub(crate) struct Speller<'a> {
    /// What a declared type is called.
    pub name: &'a dyn Fn(TypeId) -> String,
    /// What a parameter is called.
    pub param: &'a dyn Fn(&str) -> String,
}

impl Speller<'_> {
    /// `name` as a variable, a field or a parameter of this type; an empty name gives the type alone.
    pub fn declare(&self, ty: &Ty, name: &str) -> String {
        match ty {
            Ty::Unit => spaced("void", name),
            Ty::Bool => spaced("bool", name),
            Ty::Char => spaced("uint32_t", name),
            Ty::Int(int) => spaced(integer(*int), name),
            Ty::Float(Float::F32) => spaced("float", name),
            Ty::Float(Float::F64) => spaced("double", name),
            Ty::Named(id) => spaced(&(self.name)(*id), name),
            Ty::Array { of, len } => self.declare(of, &format!("{name}[{len}]")),
            Ty::Pointer(pointer) => self.pointer(&pointer.to, pointer.mutable, name),
            Ty::Function { signature, .. } => self.function(signature, &format!("(*{name})"), &[]),
        }
    }

    fn pointer(&self, to: &Ty, mutable: bool, name: &str) -> String {
        match to {
            // `const` belongs to the element: C has no const arrays.
            Ty::Array { of, len } => {
                let mut of: &Ty = of;
                let mut behind = format!("[{len}]");
                while let Ty::Array { of: inner, len } = of {
                    behind += &format!("[{len}]");
                    of = inner;
                }
                self.qualified(of, mutable, &format!("(*{name}){behind}"))
            }
            _ => self.qualified(to, mutable, &format!("*{name}")),
        }
    }

    /// A declaration of `to`, `const` unless it is mutable.
    pub fn qualified(&self, to: &Ty, mutable: bool, name: &str) -> String {
        match to {
            _ if mutable => self.declare(to, name),
            Ty::Array { of, len } => self.qualified(of, mutable, &format!("{name}[{len}]")),
            Ty::Pointer(_) | Ty::Function { .. } => self.declare(to, &format!("const {name}")),
            _ => format!("const {}", self.declare(to, name)),
        }
    }

    /// A function: `name` may be `(*name)`. `last` follows the parameters.
    pub fn function(&self, signature: &Signature, name: &str, last: &[String]) -> String {
        let (mut names, mut params): (Vec<String>, Vec<String>) = (Vec::new(), Vec::new());
        for param in &signature.params {
            let mut name = (self.param)(&param.name);
            // Escaping may make two names equal.
            while !name.is_empty() && names.contains(&name) {
                name.push('_');
            }
            params.push(self.param(&param.ty, &name));
            names.push(name);
        }
        params.extend_from_slice(last);
        if signature.variadic {
            params.push("...".to_owned());
        }
        let params = if params.is_empty() { "void".to_owned() } else { params.join(", ") };
        self.declare(&signature.ret, &format!("{name}({params})"))
    }

    /// A parameter; an array is passed by its address.
    fn param(&self, ty: &Ty, name: &str) -> String {
        match ty {
            Ty::Array { of, .. } => self.declare(&Ty::pointer((**of).clone(), true), name),
            ty => self.declare(ty, name),
        }
    }
}

fn spaced(ty: &str, name: &str) -> String {
    if name.is_empty() { ty.to_owned() } else { format!("{ty} {name}") }
}

/// The integer type's name.
pub(crate) fn integer(int: Int) -> &'static str {
    match int {
        Int::I8 => "int8_t",
        Int::I16 => "int16_t",
        Int::I32 => "int32_t",
        Int::I64 => "int64_t",
        Int::I128 => "upcall_int128",
        Int::Isize => "intptr_t",
        Int::U8 => "uint8_t",
        Int::U16 => "uint16_t",
        Int::U32 => "uint32_t",
        Int::U64 => "uint64_t",
        Int::U128 => "upcall_uint128",
        Int::Usize => "size_t",
        Int::Long => "long",
        Int::ULong => "unsigned long",
        Int::CChar => "char",
    }
}
