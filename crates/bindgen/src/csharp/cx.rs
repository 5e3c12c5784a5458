use super::clr::Clr;
use super::names::{member, pascal};
use super::options::Options;
use super::structs;
use crate::Diagnostics;
use crate::case::stripped;
use crate::model::{Api, Body, Float, Function, Int, Signature, Ty, TypeId};
use crate::plan::Handles;
use std::collections::HashMap;
use upcall_packers::Scope;

/// What every part of the back end asks for.
pub(super) struct Cx<'a> {
    pub api: &'a Api,
    pub options: &'a Options,
    /// The types that functions make and release.
    pub(super) handles: Handles<'a>,
    /// The C# name of each type; for a callback, its delegate's name; for a handle, its class's.
    pub(super) classes: Vec<String>,
    /// The same, but for a handle the name of what is at its address.
    pub(super) raw: Vec<String>,
    /// The exception of each error type.
    pub(super) exceptions: HashMap<&'a str, String>,
    /// For the types that have a size; filled in the order of the types.
    clrs: Vec<Option<Clr>>,
}

impl<'a> Cx<'a> {
    pub fn new(api: &'a Api, options: &'a Options, diagnostics: &mut Diagnostics) -> Cx<'a> {
        let functions: Vec<&Function> = api.functions.iter().filter(|_| options.idiomatic()).collect();
        let handles = Handles::new(api, &functions)
            .retain(|handle| handle.release.is_some() || !handle.constructors.is_empty());
        let mut cx = Cx {
            api,
            options,
            handles,
            classes: Vec::new(),
            raw: Vec::new(),
            exceptions: HashMap::new(),
            clrs: Vec::new(),
        };
        cx.name_types();
        cx.type_scope(diagnostics);
        for (id, _) in api.declared() {
            let clr = structs::clr_of(&cx, id);
            cx.clrs.push(clr);
        }
        cx
    }

    /// The exception of an error type.
    pub fn exception(&self, error: &str) -> Option<&str> {
        self.exceptions.get(error).map(String::as_str)
    }

    /// A type's name.
    pub fn name(&self, id: TypeId) -> &str {
        &self.raw[id.0 as usize]
    }

    /// Whether a class with deterministic release stands for this type's address.
    pub fn is_handle(&self, id: TypeId) -> bool {
        self.handles.get(id).is_some()
    }

    /// Whether a type is a handle of C, of whose addresses nobody knows which are the program's to release.
    pub fn is_lent(&self, id: TypeId) -> bool {
        self.is_handle(id) && self.options.released.contains_key(&self.api.get(id).name)
    }

    /// The class that stands for a handle.
    pub fn class_of(&self, id: TypeId) -> String {
        self.classes[id.0 as usize].clone()
    }

    /// A member's name in `scope`, without the prefix that the options take off: .NET's, if that is wanted, and else or
    /// where it is taken the source's.
    pub fn member(&self, name: &str, plain: fn(&str) -> String, scope: &Scope) -> String {
        let own = stripped(name, &self.options.prefixes);
        let mut chosen = if self.options.dotnet_names { member(own) } else { plain(own) };
        if scope.has(&chosen) {
            chosen = plain(name);
        }
        while self.options.dotnet_names && scope.has(&chosen) {
            chosen.push('_');
        }
        chosen
    }

    /// A function's name without the prefix that the options take off.
    pub fn own_name<'b>(&self, function: &'b str) -> &'b str {
        stripped(function, &self.options.prefixes)
    }

    /// The same where a method may have that name.
    pub fn full_class_of(&self, id: TypeId) -> String {
        format!("global::{}.{}", self.namespace(), self.class_of(id))
    }

    /// The namespace of all files.
    pub fn namespace(&self) -> String {
        match self.options.namespace.as_str() {
            "" => {
                let name = pascal(&self.api.library);
                // A namespace hides the type of its name.
                let taken = self.classes.contains(&name) || self.raw.contains(&name);
                if taken { format!("{name}Native") } else { name }
            }
            given => given.to_owned(),
        }
    }

    /// Whether C# cannot pass values of this type: 128-bit integers, and types aligned more strictly than
    /// the CLR aligns stack slots.
    pub fn refuses(&self, ty: &Ty) -> bool {
        if let Ty::Array { .. } = self.api.resolve(ty) {
            return false;
        }
        let named = matches!(self.api.resolve(ty), Ty::Named(_));
        named && self.api.layout(ty).is_some_and(|layout| layout.align > 8)
            || self.api.holds(ty, &|ty| matches!(ty, Ty::Int(Int::I128 | Int::U128)))
    }

    /// The layout the CLR gives a type.
    pub fn clr(&self, ty: &Ty) -> Option<Clr> {
        match self.api.resolve(ty) {
            Ty::Array { of, len } => Some(self.clr(of)?.times(*len)),
            Ty::Named(id) => self.clrs.get(id.0 as usize).copied().flatten(),
            Ty::Int(Int::I128 | Int::U128) => Some(Clr { size: 16, align: 16, certain: false }),
            other => Some(Clr::scalar(self.api.layout(other)?.size)),
        }
    }

    /// How a type is spelled in a field, behind a pointer, or as a plain function's parameter or result.
    pub fn ty(&self, ty: &Ty) -> String {
        match ty {
            Ty::Unit => "void".into(),
            Ty::Bool => if self.options.marshal_bool { "bool" } else { "byte" }.into(),
            Ty::Char => "uint".into(),
            Ty::Int(int) => self.int(*int).into(),
            Ty::Float(Float::F32) => "float".into(),
            Ty::Float(Float::F64) => "double".into(),
            Ty::Pointer(pointer) => format!("{}*", self.ty(self.element(&pointer.to).0)),
            Ty::Array { of, .. } => format!("{}*", self.ty(self.element(of).0)),
            Ty::Function { signature, .. } => self.function_pointer(signature),
            Ty::Named(id) => match &self.api.get(*id).body {
                Body::Alias(ty) => self.ty(ty),
                Body::Callback { signature, .. } => self.function_pointer(signature),
                _ => self.name(*id).into(),
            },
        }
    }

    /// How an integer is spelled.
    pub fn int(&self, int: Int) -> &'static str {
        let long = self.api.target.long == 8;
        match int {
            Int::I8 => "sbyte",
            Int::U8 | Int::CChar => "byte",
            Int::I16 => "short",
            Int::U16 => "ushort",
            Int::I32 => "int",
            Int::U32 => "uint",
            Int::I64 => "long",
            Int::U64 => "ulong",
            Int::I128 => "Int128",
            Int::U128 => "UInt128",
            Int::Isize if self.options.nint => "nint",
            Int::Usize if self.options.nint => "nuint",
            Int::Isize => "IntPtr",
            Int::Usize => "UIntPtr",
            Int::Long if self.options.c_long => "CLong",
            Int::ULong if self.options.c_long => "CULong",
            Int::Long if long => "long",
            Int::ULong if long => "ulong",
            Int::Long => "int",
            Int::ULong => "uint",
        }
    }

    /// An integer type of the same width that a constant or an enum may have.
    pub fn plain_int(&self, int: Int) -> &'static str {
        match int {
            Int::Isize | Int::Long | Int::Usize | Int::ULong => {
                sized(self.api.int_size(int), self.api.is_signed(int))
            }
            other => self.int(other),
        }
    }

    /// The innermost element of nested arrays, and how many there are.
    pub fn element<'b>(&'b self, ty: &'b Ty) -> (&'b Ty, u64) {
        match self.api.resolve(ty) {
            Ty::Array { of, len } => {
                let (of, inner) = self.element(of);
                (of, inner * len)
            }
            other => (other, 1),
        }
    }

    /// Whether a parameter of this type is passed at all: a zero-sized value is not, and an array is an address.
    pub fn is_passed(&self, ty: &Ty) -> bool {
        matches!(self.api.resolve(ty), Ty::Array { .. })
            || self.api.layout(ty).is_some_and(|layout| layout.size > 0)
    }

    /// The parameters that are passed at all.
    pub fn passed<'b>(&self, signature: &'b Signature) -> Vec<&'b crate::model::Param> {
        signature.params.iter().filter(|param| self.is_passed(&param.ty)).collect()
    }

    /// Whether nothing is returned.
    pub fn returns_nothing(&self, signature: &Signature) -> bool {
        self.api.layout(&signature.ret).is_none_or(|layout| layout.size == 0)
    }

    /// `delegate* unmanaged[Cdecl]<int, void>`; `void*` where C# has no such function.
    pub fn function_pointer(&self, signature: &Signature) -> String {
        if !self.options.function_pointers || !self.callable(signature) {
            return "void*".into();
        }
        let mut types: Vec<String> =
            self.passed(signature).iter().map(|param| self.blittable(&param.ty)).collect();
        types.push(self.blittable_ret(signature));
        format!("delegate* unmanaged[Cdecl]<{}>", types.join(", "))
    }

    /// Whether C# can call, or be, a function of this type.
    pub fn callable(&self, signature: &Signature) -> bool {
        !signature.variadic && !signature.types().any(|ty| self.refuses(ty))
    }

    /// Nothing is marshalled behind a function pointer, so `bool` is a byte there.
    pub fn blittable(&self, ty: &Ty) -> String {
        if *self.api.resolve(ty) == Ty::Bool { "byte".into() } else { self.ty(ty) }
    }

    /// The return type of a function pointer's function.
    pub fn blittable_ret(&self, signature: &Signature) -> String {
        if self.returns_nothing(signature) { "void".into() } else { self.blittable(&signature.ret) }
    }
}

/// The integer type of so many bytes.
pub(super) fn sized(bytes: u64, signed: bool) -> &'static str {
    match (bytes, signed) {
        (1, false) => "byte",
        (1, true) => "sbyte",
        (2, false) => "ushort",
        (2, true) => "short",
        (4, false) => "uint",
        (4, true) => "int",
        (_, false) => "ulong",
        (_, true) => "long",
    }
}
