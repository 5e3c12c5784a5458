//! What a result is, by the look of its type.

use crate::refusal::refusal;
use crate::taken::{last, only_argument, strip};
use proc_macro2::Span;
use syn::spanned::Spanned;
use syn::{GenericArgument, PathArguments, PathSegment, Result, ReturnType, Type, TypePath};

/// A function's result.
pub struct Given {
    /// What crosses.
    pub what: What,
    /// The whole `Result`, if it is that of one.
    pub result: Option<Type>,
    /// The type of the error, where the `Result` names one.
    pub error: Option<Type>,
    /// Where it is written.
    pub place: Span,
}

/// How a result crosses.
pub enum What {
    /// Nothing.
    Unit,
    /// By value, or as a handle: the type's implementation of `upcall::shim::Returned` knows.
    Plain(Type),
    /// A handle, by the look of it.
    Handle(Type),
    /// `String`.
    Text,
    /// `Vec<T>`.
    Buffer(Type),
    /// `&'static str`.
    Str,
}

impl Given {
    /// `handle` is the type of the `impl` block that the function is in.
    pub fn of(ret: &ReturnType, handle: Option<&Type>) -> Result<Given> {
        let ReturnType::Type(_, ty) = ret else {
            return Ok(Given { what: What::Unit, result: None, error: None, place: Span::call_site() });
        };
        if let Type::Path(path) = strip(ty)
            && let Some(segment) = last(path)
            && segment.ident == "Result"
        {
            let (ok, error) = result_types(path, segment)?;
            let what = What::of(ok, handle)?;
            return Ok(Given {
                what,
                result: Some(strip(ty).clone()),
                error: error.cloned(),
                place: ty.span(),
            });
        }
        Ok(Given { what: What::of(ty, handle)?, result: None, error: None, place: ty.span() })
    }
}

impl What {
    fn of(ty: &Type, handle: Option<&Type>) -> Result<What> {
        match strip(ty) {
            Type::Tuple(tuple) if tuple.elems.is_empty() => Ok(What::Unit),
            Type::Path(path) if handle.is_some_and(|handle| *handle == Type::Path(path.clone())) => {
                Ok(What::Handle(Type::Path(path.clone())))
            }
            Type::Path(path) => by_path(path),
            Type::Ptr(_) => Ok(What::Plain(ty.clone())),
            Type::Reference(reference) => {
                let forever = reference.lifetime.as_ref().is_some_and(|lifetime| lifetime.ident == "static");
                match strip(&reference.elem) {
                    Type::Path(path) if forever && path.path.is_ident("str") => Ok(What::Str),
                    Type::Path(path) if path.path.is_ident("str") => {
                        Err(refusal(ty, "nothing keeps what it borrows from: return a `String`"))
                    }
                    Type::Slice(_) => {
                        Err(refusal(ty, "nothing keeps what it borrows from: return a `Vec<T>`"))
                    }
                    _ => Err(refusal(ty, "nothing keeps what it borrows from: return it by value")),
                }
            }
            Type::ImplTrait(_) | Type::TraitObject(_) => {
                Err(refusal(ty, "C knows no traits: return a type of its own, with an exported impl block"))
            }
            Type::Tuple(_) => Err(refusal(ty, "C has no tuples: return a struct")),
            Type::Array(_) => Err(refusal(ty, "C returns no arrays: return a struct, or a `Vec<T>`")),
            Type::Never(_) => Err(refusal(ty, "a caller waits for it to return")),
            Type::BareFn(_) => {
                Err(refusal(ty, "nothing says how long it may be called: return a handle with a method"))
            }
            _ => Err(refusal(ty, "C has no such type")),
        }
    }
}

fn by_path(path: &TypePath) -> Result<What> {
    let plain = || Ok(What::Plain(Type::Path(path.clone())));
    let Some(segment) = last(path) else { return plain() };
    match segment.ident.to_string().as_str() {
        "String" => Ok(What::Text),
        "Vec" => match only_argument(segment) {
            Some(of) => Ok(What::Buffer(of.clone())),
            None => Err(refusal(path, "a `Vec` of what: write `Vec<T>`")),
        },
        "Option" => Err(refusal(path, "C has no `Option`: return a `Result`, or a struct with a flag")),
        "Result" => Err(refusal(path, "a result of a result: return one, whose error knows both")),
        "Box" | "Rc" | "Arc" => Err(refusal(
            path,
            "return what is in it: a type with an exported impl block is boxed by the shim",
        )),
        _ => plain(),
    }
}

/// `T` and `E` of `Result<T, E>`, or `T` of an alias with one parameter.
fn result_types<'a>(path: &TypePath, segment: &'a PathSegment) -> Result<(&'a Type, Option<&'a Type>)> {
    if let PathArguments::AngleBracketed(arguments) = &segment.arguments {
        let mut types = arguments.args.iter().map(|argument| match argument {
            GenericArgument::Type(ty) => Some(ty),
            _ => None,
        });
        if let Some(Some(ok)) = types.next() {
            return Ok((ok, types.next().flatten()));
        }
    }
    Err(refusal(path, "a result of what: write `Result<T, E>`"))
}
