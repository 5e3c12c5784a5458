//! What a parameter is, by the look of its type.

use crate::refusal::refusal;
use syn::{
    GenericArgument, Ident, ParenthesizedGenericArguments, PathArguments, PathSegment, Result, ReturnType,
    Type, TypeBareFn, TypeParamBound, TypePath, TypeReference, TypeTraitObject,
};

/// How a parameter crosses.
pub enum Taken {
    /// By value, through `upcall::abi::Value`.
    Value(Type),
    /// `&str`.
    Str,
    /// `&[T]`, `&mut [T]`.
    Slice { of: Type, mutable: bool },
    /// `&T`, `&mut T`, `Option<&T>`, `Option<&mut T>`: a blittable struct or a handle.
    Reference { to: Type, mutable: bool, optional: bool },
    /// `extern "C" fn(…)`, or an `Option` of one.
    Function { ty: TypeBareFn, optional: bool },
    /// `&dyn Fn(…)`, `&mut dyn FnMut(…)`, `impl Fn(…)`: a C function and its context.
    Closure(Closure),
    /// `Box<dyn Fn(…) + Send + Sync>`: a C function, its context, and what releases that.
    Kept(Closure),
}

/// A Rust function that calls back.
pub struct Closure {
    /// How the callee takes it.
    pub form: Form,
    /// What it takes, as written and as it crosses: values, text, slices and references.
    pub params: Vec<(Type, Taken)>,
    /// What it returns: a value, or nothing.
    pub ret: Option<Type>,
}

/// How a closure is handed on.
#[derive(Clone, Copy)]
pub enum Form {
    Shared,
    Mutable,
    Owned,
    Boxed,
}

const CALLBACK: &str =
    "take `&dyn Fn(A) -> R`, which becomes a C function and its context, for the length of the call";
const KEPT: &str = "a kept callback may be called on any thread, and on several at once: write \
                    `Box<dyn Fn(A) -> R + Send + Sync>`";

impl Taken {
    pub fn of(ty: &Type) -> Result<Taken> {
        match ty {
            Type::Paren(inner) => Taken::of(&inner.elem),
            Type::Group(inner) => Taken::of(&inner.elem),
            Type::Reference(reference) => by_reference(reference),
            Type::BareFn(function) => function_pointer(function, false),
            Type::Ptr(_) => Ok(Taken::Value(ty.clone())),
            Type::ImplTrait(ty) => closure(ty, ty.bounds.iter(), Form::Owned),
            Type::Path(path) => by_path(path),
            Type::Array(_) => Err(refusal(ty, "C passes no array by value: take it by reference, `&[T; N]`")),
            Type::Tuple(_) => Err(refusal(ty, "C has no tuples: take several parameters, or a struct")),
            Type::TraitObject(_) => Err(refusal(ty, CALLBACK)),
            _ => Err(refusal(ty, "C has no such type")),
        }
    }

    /// Whether it is memory of the caller's, and if so whether the callee may write there.
    pub fn memory(&self) -> Option<bool> {
        match self {
            Taken::Str => Some(false),
            Taken::Slice { mutable, .. } | Taken::Reference { mutable, .. } => Some(*mutable),
            Taken::Value(_) | Taken::Function { .. } | Taken::Closure(_) | Taken::Kept(_) => None,
        }
    }
}

fn by_reference(reference: &TypeReference) -> Result<Taken> {
    refuse_static(reference)?;
    let mutable = reference.mutability.is_some();
    match strip(&reference.elem) {
        Type::Slice(slice) => Ok(Taken::Slice { of: (*slice.elem).clone(), mutable }),
        Type::TraitObject(object) => {
            let form = if mutable { Form::Mutable } else { Form::Shared };
            closure(object, object.bounds.iter(), form)
        }
        Type::Path(path) => match last(path) {
            Some(segment) if segment.ident == "str" && mutable => Err(refusal(
                reference,
                "no other language writes UTF-8 in place: take `&str`, return a `String`",
            )),
            Some(segment) if segment.ident == "str" => Ok(Taken::Str),
            Some(segment) if segment.ident == "String" && !mutable => {
                Err(refusal(reference, "another language has no `String` to refer to: take `&str`"))
            }
            Some(segment) if segment.ident == "Vec" && !mutable => {
                Err(refusal(reference, "another language has no `Vec` to refer to: take `&[T]`"))
            }
            Some(segment) if segment.ident == "String" || segment.ident == "Vec" => {
                Err(refusal(reference, "another language has nothing that grows here: return it instead"))
            }
            _ => Ok(Taken::Reference { to: strip(&reference.elem).clone(), mutable, optional: false }),
        },
        Type::Array(array) => {
            Ok(Taken::Reference { to: Type::Array(array.clone()), mutable, optional: false })
        }
        Type::Reference(_) | Type::Ptr(_) => Err(refusal(
            reference,
            "an address of an address has no owner to check: take one, or a raw pointer",
        )),
        _ => Err(refusal(reference, "C has no such type")),
    }
}

fn by_path(path: &TypePath) -> Result<Taken> {
    let Some(segment) = last(path) else { return Ok(Taken::Value(Type::Path(path.clone()))) };
    let why = match segment.ident.to_string().as_str() {
        "Option" => return optional(path, segment),
        "str" => "text has no size: take `&str`",
        "String" => "the caller keeps its text: take `&str`",
        "Vec" => "the caller keeps its elements: take `&[T]`",
        "Box" | "Rc" | "Arc" if let Some(Type::TraitObject(object)) = only_argument(segment).map(strip) => {
            return kept(path, &segment.ident, object);
        }
        "Box" | "Rc" | "Arc" => {
            "what it owns was not allocated here: take `&T`, and export `impl T` as a handle"
        }
        "Result" => "no caller passes an error: take the value",
        _ => return Ok(Taken::Value(Type::Path(path.clone()))),
    };
    Err(refusal(path, why))
}

fn optional(path: &TypePath, segment: &PathSegment) -> Result<Taken> {
    match only_argument(segment).map(strip) {
        Some(Type::Reference(reference)) => match by_reference(reference)? {
            Taken::Reference { to, mutable, .. } => Ok(Taken::Reference { to, mutable, optional: true }),
            Taken::Str | Taken::Slice { .. } => Err(refusal(
                path,
                "in most languages none and empty are the same here: take it without `Option`",
            )),
            _ => Err(refusal(path, "a callback is there or it is not exported: take it without `Option`")),
        },
        Some(Type::BareFn(function)) => function_pointer(function, true),
        _ => Err(refusal(
            path,
            "C has no `Option` but of an address: take `Option<&T>`, or a flag beside the value",
        )),
    }
}

fn function_pointer(function: &TypeBareFn, optional: bool) -> Result<Taken> {
    let c = function.abi.as_ref().is_some_and(|abi| abi.name.as_ref().is_none_or(|name| name.value() == "C"));
    if !c {
        return Err(refusal(
            function,
            &format!("only Rust can call this function: {CALLBACK}, or `extern \"C\" fn`"),
        ));
    }
    Ok(Taken::Function { ty: function.clone(), optional })
}

fn closure<'a>(
    place: impl quote::ToTokens,
    bounds: impl Iterator<Item = &'a TypeParamBound>,
    form: Form,
) -> Result<Taken> {
    let bounds: Vec<&TypeParamBound> = bounds.collect();
    let [TypeParamBound::Trait(bound)] = bounds[..] else {
        let why = "a callback ends with the call and stays on its thread: write `Fn(A) -> R` alone, without `Send`, \
                   `Sync` or a lifetime; one that is kept is `Box<dyn Fn(A) -> R + Send + Sync>`";
        return Err(refusal(place, why));
    };
    let Some(PathSegment { ident, arguments: PathArguments::Parenthesized(signature) }) =
        bound.path.segments.last()
    else {
        return Err(refusal(place, &format!("C knows no traits: {CALLBACK}")));
    };
    let fits = match form {
        Form::Shared | Form::Boxed => ident == "Fn",
        Form::Mutable => ident == "FnMut" || ident == "Fn",
        Form::Owned => ident == "Fn" || ident == "FnMut" || ident == "FnOnce",
    };
    if !fits {
        return Err(refusal(place, &format!("this cannot be called: {CALLBACK}")));
    }
    Ok(Taken::Closure(closure_signature(form, signature)?))
}

/// A callback that the function may keep: what it is called with is the same as for one that ends with the call.
fn kept(path: &TypePath, owner: &Ident, object: &TypeTraitObject) -> Result<Taken> {
    let called = |bound: &&TypeParamBound| match bound {
        TypeParamBound::Trait(bound) => {
            bound.path.segments.last().is_some_and(|last| last.ident.to_string().starts_with("Fn"))
        }
        _ => false,
    };
    let Some(call) = object.bounds.iter().find(called) else {
        return Err(refusal(path, &format!("C knows no traits: {CALLBACK}")));
    };
    let is = |name: &str| {
        object.bounds.iter().any(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == name),
            TypeParamBound::Lifetime(lifetime) => lifetime.ident == name,
            _ => false,
        })
    };
    let forever = 3 + usize::from(is("static"));
    if owner != "Box" || !is("Fn") || !is("Send") || !is("Sync") || object.bounds.len() != forever {
        return Err(refusal(path, KEPT));
    }
    match closure(path, std::iter::once(call), Form::Boxed)? {
        Taken::Closure(closure) => Ok(Taken::Kept(closure)),
        taken => Ok(taken),
    }
}

fn closure_signature(form: Form, signature: &ParenthesizedGenericArguments) -> Result<Closure> {
    let params = signature.inputs.iter().map(|ty| match Taken::of(ty)? {
        Taken::Function { .. } | Taken::Closure(_) | Taken::Kept(_) => {
            Err(refusal(ty, "a callback of a callback: pass an `extern \"C\" fn` and its context by hand"))
        }
        Taken::Reference { optional: true, .. } => {
            Err(refusal(ty, "a callback takes what is there: pass a flag beside it"))
        }
        taken => Ok((ty.clone(), taken)),
    });
    let ret = match &signature.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => match strip(ty) {
            Type::Tuple(tuple) if tuple.elems.is_empty() => None,
            value => match Taken::of(value)? {
                Taken::Value(value) => Some(value),
                _ => return Err(refusal(ty, "a callback returns a number, a struct or nothing")),
            },
        },
    };
    Ok(Closure { form, params: params.collect::<Result<_>>()?, ret })
}

fn refuse_static(reference: &TypeReference) -> Result<()> {
    match &reference.lifetime {
        Some(lifetime) if lifetime.ident == "static" => Err(refusal(
            lifetime,
            "what the caller passes is there for the length of the call: leave `'static` out",
        )),
        _ => Ok(()),
    }
}

/// Without parentheses, and without the invisible ones that a `macro_rules!` leaves.
pub fn strip(ty: &Type) -> &Type {
    match ty {
        Type::Paren(inner) => strip(&inner.elem),
        Type::Group(inner) => strip(&inner.elem),
        ty => ty,
    }
}

/// The last segment of a path that is not `<T as Trait>::Type`.
pub fn last(path: &TypePath) -> Option<&PathSegment> {
    if path.qself.is_some() { None } else { path.path.segments.last() }
}

/// `T` of `Name<T>`.
pub fn only_argument(segment: &PathSegment) -> Option<&Type> {
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
    match arguments.args.first()? {
        GenericArgument::Type(ty) if arguments.args.len() == 1 => Some(ty),
        _ => None,
    }
}
