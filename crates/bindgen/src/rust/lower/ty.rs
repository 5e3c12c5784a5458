//! Types where they are used.

use super::builtin::{self, Builtin};
use super::scope::{Found, Home, plain};
use super::{Context, Lower, Lowered, State};
use crate::model::{Body, Param, Pointer, Signature, Ty};
use crate::probe::{Spot, Subject};
use crate::rust::source::Calls;
use proc_macro2::Span;
use quote::ToTokens;
use syn::spanned::Spanned;
use syn::{
    Expr, ExprLit, GenericArgument, Item, Lit, Pat, PathArguments, PathSegment, ReturnType, Type, TypeBareFn,
    TypePath,
};

impl Lower<'_> {
    /// A type that is held or passed by value. A marker without a size is refused; see [`Self::field`].
    pub(super) fn value(&mut self, context: &Context, ty: &Type) -> Lowered<Ty> {
        let lowered = self.lowered(context, ty, true)?;
        lowered.ok_or_else(|| {
            let place = context.place(ty.span());
            self.refuse(&place, "a type without a size cannot cross by value", "pass its address, or nothing")
        })
    }

    /// A field's type; `None` for a marker such as `PhantomData`, which takes no room.
    pub(super) fn field(&mut self, context: &Context, ty: &Type) -> Lowered<Option<Ty>> {
        self.lowered(context, ty, true)
    }

    /// A type behind a pointer, whose layout need not be known.
    fn pointee(&mut self, context: &Context, ty: &Type) -> Lowered<Ty> {
        Ok(self.lowered(context, ty, false)?.unwrap_or(Ty::Unit))
    }

    fn lowered(&mut self, context: &Context, ty: &Type, held: bool) -> Lowered<Option<Ty>> {
        let some = |ty| Ok(Some(ty));
        match ty {
            Type::Paren(inner) => self.lowered(context, &inner.elem, held),
            Type::Group(inner) => self.lowered(context, &inner.elem, held),
            Type::Never(_) => some(Ty::Unit),
            Type::Tuple(tuple) if tuple.elems.is_empty() => some(Ty::Unit),
            Type::Ptr(pointer) => {
                let to = self.pointee(context, &pointer.elem)?;
                some(address(to, pointer.mutability.is_some(), true, false))
            }
            Type::Reference(reference) => {
                let to = self.pointee(context, &reference.elem)?;
                some(address(to, reference.mutability.is_some(), false, false))
            }
            Type::Array(array) => {
                let of = if held {
                    self.value(context, &array.elem)?
                } else {
                    self.pointee(context, &array.elem)?
                };
                let len = self.length(context, &array.len)?;
                some(Ty::Array { of: Box::new(of), len })
            }
            Type::BareFn(function) => {
                let signature = self.bare_function(context, function)?;
                some(Ty::Function { signature: Box::new(signature), nullable: false })
            }
            Type::Path(path) => self.path_type(context, path, held),
            Type::Slice(_) => self.cannot(context, ty, SLICE),
            Type::TraitObject(_) | Type::ImplTrait(_) => self.cannot(context, ty, TRAIT),
            Type::Tuple(_) => self.cannot(context, ty, "declare a struct with `#[repr(C)]`"),
            _ => self.cannot(context, ty, "write a type with a fixed layout"),
        }
    }

    fn cannot(&mut self, context: &Context, ty: &Type, help: &str) -> Lowered<Option<Ty>> {
        let (_, text) = self.spelling(context, ty);
        let message = format!("`{}` has no layout that another language knows", tidy(text));
        Err(self.refuse(&context.place(ty.span()), message, help))
    }

    fn path_type(&mut self, context: &Context, path: &TypePath, held: bool) -> Lowered<Option<Ty>> {
        let whole = Type::Path(path.clone());
        if path.qself.is_some() {
            return self.cannot(context, &whole, "write the type that this stands for");
        }
        let Some(last) = path.path.segments.last() else {
            return self.cannot(context, &whole, "write a type");
        };
        if let Some(name) = path.path.get_ident().map(plain) {
            if let Some((ty, _)) = context.generics.types.get(&name) {
                let ty = ty.clone();
                return self.checked(context, ty, held, path.span()).map(Some);
            }
            if name == "Self"
                && let Some(itself) = context.itself.clone()
            {
                return self.lowered(&Context { itself: None, ..context.clone() }, &itself, held);
            }
        }
        match self.scope.find(context.home, &path.path) {
            Found::Item(at) => self.instance(context, at, path, held).map(Some),
            Found::External(names) => match builtin::external(&names) {
                Some(known) => self.builtin(context, known, last, &whole, held),
                None => {
                    let message = format!("`{}` is a type of a crate that was not read", names.join("::"));
                    let help = format!("add the root file of `{}` to the inputs", names[0]);
                    Err(self.refuse(&context.place(path.span()), message, help))
                }
            },
            Found::Nothing => {
                // A name of the prelude has no path before it.
                let alone = (path.path.segments.len() == 1).then(|| plain(&last.ident));
                match alone.and_then(|name| builtin::prelude(&name)) {
                    Some(known) => self.builtin(context, known, last, &whole, held),
                    None => {
                        let (_, text) = self.spelling(context, &whole);
                        let message = format!("the type `{}` is not in the files that were read", tidy(text));
                        let help = "add the file that declares it to the inputs, or import it";
                        Err(self.refuse(&context.place(path.span()), message, help))
                    }
                }
            }
            Found::Module(_) => self.cannot(context, &whole, "this is a module"),
        }
    }

    fn builtin(
        &mut self,
        context: &Context,
        builtin: Builtin,
        last: &PathSegment,
        whole: &Type,
        held: bool,
    ) -> Lowered<Option<Ty>> {
        if let Some(ty) = builtin::plain(builtin) {
            return Ok(Some(ty));
        }
        let arguments = arguments(last);
        match (builtin, arguments.first()) {
            (Builtin::Marker, _) => Ok(None),
            (Builtin::Refused(_), _) if !held => Ok(Some(Ty::Unit)),
            (Builtin::Refused(help) | Builtin::Unsized(help), _) => self.cannot(context, whole, help),
            (Builtin::Inside, Some(inner)) => self.lowered(context, inner, held),
            (Builtin::Veil, Some(inner)) => Ok(self.lowered(context, inner, held)?.map(|ty| match ty {
                Ty::Pointer(pointer) => Ty::Pointer(Pointer { nullable: true, ..pointer }),
                Ty::Function { signature, .. } => Ty::Function { signature, nullable: true },
                other => other,
            })),
            (Builtin::NonZero, Some(inner)) => self.lowered(context, inner, held),
            (Builtin::NonNull, Some(inner)) => {
                let to = self.pointee(context, inner)?;
                Ok(Some(address(to, true, false, false)))
            }
            (Builtin::Box, Some(inner)) => {
                let to = self.pointee(context, inner)?;
                Ok(Some(address(to, true, false, true)))
            }
            (Builtin::Option, Some(inner)) => self.option(context, inner, whole),
            (Builtin::Idiom(name), _) => self.idiom(context, name, &arguments, whole).map(Some),
            _ => self.cannot(context, whole, "give it its argument"),
        }
    }

    /// `Option` of a type with a niche, null or zero.
    fn option(&mut self, context: &Context, inner: &Type, whole: &Type) -> Lowered<Option<Ty>> {
        const HELP: &str = "an `Option` crosses where it is a null pointer or a zero: of references, `Box`, `NonNull`, functions and `NonZero`";
        let spare = self.foreign_name(context.home, inner).is_some_and(|name| name.starts_with("NonZero"));
        let lowered = self.lowered(context, inner, true)?;
        let ty = match lowered.as_ref().map(|ty| self.api.resolve(ty).clone()) {
            Some(Ty::Pointer(pointer)) if !pointer.nullable => {
                Ty::Pointer(Pointer { nullable: true, ..pointer })
            }
            Some(Ty::Function { signature, nullable: false }) => Ty::Function { signature, nullable: true },
            Some(Ty::Int(int)) if spare => Ty::Int(int),
            Some(Ty::Named(id)) => match self.api.get(id).body.clone() {
                Body::Callback { signature, nullable: false } => {
                    Ty::Function { signature: Box::new(signature), nullable: true }
                }
                _ => return self.cannot(context, whole, HELP),
            },
            _ => return self.cannot(context, whole, HELP),
        };
        Ok(Some(ty))
    }

    /// The argument of a generic parameter may have been seen behind a pointer only; here it may be held by value.
    fn checked(&mut self, context: &Context, ty: Ty, held: bool, span: Span) -> Lowered<Ty> {
        if held && let Ty::Named(id) = ty {
            self.hold(id, &context.place(span))?;
        }
        Ok(ty)
    }

    fn length(&mut self, context: &Context, length: &Expr) -> Lowered<u64> {
        if let Expr::Lit(ExprLit { lit: Lit::Int(number), .. }) = length
            && let Ok(number) = number.base10_parse()
        {
            return Ok(number);
        }
        let (home, text) = self.spelled_length(context, length);
        if let Ok(number) = text.trim_matches(['{', '}', ' ']).replace("usize", "").parse() {
            return Ok(number);
        }
        if let Some(known) = self.known_length(home, &text) {
            return Ok(known);
        }
        let spot = self.spot(home);
        Ok(self.plan.length(Subject { spot, text, generic: None }))
    }

    pub(super) fn spot(&mut self, home: super::Home) -> usize {
        let spot: Spot = self.scope.module(home).spot.clone();
        self.plan.spot(spot)
    }

    fn bare_function(&mut self, context: &Context, function: &TypeBareFn) -> Lowered<Signature> {
        let abi =
            function.abi.as_ref().map(|abi| abi.name.as_ref().map_or("C".to_owned(), |name| name.value()));
        if !abi.as_deref().is_some_and(|abi| self.is_c(abi)) {
            let message = "a Rust function pointer has no ABI that another language knows";
            return Err(self.refuse(&context.place(function.span()), message, "write `extern \"C\" fn`"));
        }
        self.depth += 1;
        let signature = self.bare_signature(context, function);
        self.depth -= 1;
        signature
    }

    fn bare_signature(&mut self, context: &Context, function: &TypeBareFn) -> Lowered<Signature> {
        let mut params = Vec::new();
        for (index, input) in function.inputs.iter().enumerate() {
            let name = match &input.name {
                Some((name, _)) if name != "_" => plain(name),
                _ => format!("arg{index}"),
            };
            let ty = self.parameter(context, &input.ty)?;
            params.push(Param { name, ty, context_of: None, release_of: None });
        }
        super::functions::names_apart(&mut params);
        let ret = self.returned(context, &function.output)?;
        Ok(Signature { params, ret, variadic: function.variadic.is_some(), ..Signature::default() })
    }

    /// A parameter's type: any type that may be passed by value.
    pub(super) fn parameter(&mut self, context: &Context, ty: &Type) -> Lowered<Ty> {
        let lowered = self.value(context, ty)?;
        let help = match self.api.resolve(&lowered) {
            Ty::Array { .. } => "an array is passed by its address: write `*const [T; N]`",
            Ty::Unit => "leave the parameter out",
            _ => return Ok(lowered),
        };
        self.cannot(context, ty, help).map(|_| lowered)
    }

    pub(super) fn returned(&mut self, context: &Context, output: &ReturnType) -> Lowered<Ty> {
        let ReturnType::Type(_, ty) = output else { return Ok(Ty::Unit) };
        if is_unit(ty) {
            return Ok(Ty::Unit);
        }
        self.parameter(context, ty)
    }

    /// Whether this type is being read, and would hold itself. A function's parameters are not held by those who
    /// have its address.
    pub(super) fn is_open(&self, id: crate::model::TypeId) -> bool {
        matches!(self.states[id.0 as usize], State::Open(depth) if depth.is_none_or(|depth| depth == self.depth))
    }

    pub(super) fn calls(&self) -> Calls {
        self.scope.crates()[self.root].calls
    }

    /// Whether an ABI is C's on the target.
    pub(super) fn is_c(&self, abi: &str) -> bool {
        match abi {
            "C" | "C-unwind" | "cdecl" | "cdecl-unwind" => true,
            "system" | "system-unwind" => self.calls().system_is_c,
            _ => false,
        }
    }

    /// The last name in the path of a type whose source is not read, or of one that needs no import, through aliases.
    pub(super) fn foreign_name(&self, mut home: Home, ty: &Type) -> Option<String> {
        let mut ty = ty.clone();
        for _ in 0..DEEPEST {
            let Type::Path(path) = &ty else { return None };
            match self.scope.find(home, &path.path) {
                Found::External(names) => return names.last().cloned(),
                Found::Item(at) => match &self.item(at).item {
                    Item::Type(alias) => (home, ty) = (at.home, (*alias.ty).clone()),
                    _ => return None,
                },
                Found::Nothing => {
                    let name = path.path.segments.last().map(|last| plain(&last.ident));
                    return name.filter(|name| builtin::prelude(name).is_some());
                }
                Found::Module(_) => return None,
            }
        }
        None
    }
}

/// Aliases of aliases: more than this many form a circle.
const DEEPEST: usize = 100;

const SLICE: &str = "pass `upcall::abi::Slice<T>`, or write an ordinary function with `#[upcall::export]`";
const TRAIT: &str = "traits do not cross: pass a function pointer and a context, or a handle";

fn address(to: Ty, mutable: bool, nullable: bool, owned: bool) -> Ty {
    Ty::Pointer(Pointer { to: Box::new(to), mutable, nullable, owned })
}

fn is_unit(ty: &Type) -> bool {
    match ty {
        Type::Never(_) => true,
        Type::Tuple(tuple) => tuple.elems.is_empty(),
        _ => false,
    }
}

/// The types among a path's generic arguments.
pub(super) fn arguments(segment: &PathSegment) -> Vec<Type> {
    let PathArguments::AngleBracketed(list) = &segment.arguments else { return Vec::new() };
    let types = list.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty.clone()),
        _ => None,
    });
    types.collect()
}

/// A parameter's name, if its pattern is one.
pub(super) fn pattern_name(pattern: &Pat) -> Option<String> {
    match pattern {
        Pat::Ident(ident) => Some(plain(&ident.ident)),
        _ => None,
    }
}

/// Tokens as a person would write them.
pub(super) fn written(tokens: &impl ToTokens) -> String {
    tidy(tokens.to_token_stream().to_string())
}

fn tidy(text: String) -> String {
    const PAIRS: [(&str, &str); 9] = [
        (" :: ", "::"),
        (":: ", "::"),
        (" < ", "<"),
        (" >", ">"),
        (" ,", ","),
        (" ;", ";"),
        ("& ", "&"),
        ("* ", "*"),
        ("fn (", "fn("),
    ];
    PAIRS.iter().fold(text, |text, (from, to)| text.replace(from, to))
}
