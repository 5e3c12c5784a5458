//! How one function is called.

use super::handle::{Given, Handles};
use super::kind::{Callable, Kind};
use crate::model::{Api, Function, Int, Param, Pointer, Role, Ty, TypeId};

/// One function.
pub(crate) struct Call<'a> {
    pub function: &'a Function,
    /// All of its parameters, in order.
    pub args: Vec<Arg<'a>>,
    pub result: Kind<'a>,
    /// The object that it gives away.
    pub given: Option<Given>,
    /// What nobody would release if something is thrown after the function has returned.
    pub unwanted: Option<Unwanted<'a>>,
}

/// One parameter.
pub(crate) struct Arg<'a> {
    /// Its place in the signature.
    pub index: usize,
    pub param: &'a Param,
    pub take: Take<'a>,
}

/// How an argument is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Take<'a> {
    /// Not from the program: it is the context of the callback at this place.
    Context(usize),
    /// Not from the program: it releases the context of the kept callback at this place.
    Release(usize),
    /// An object.
    Handle {
        id: TypeId,
        pointer: &'a Pointer,
        /// Whether the function takes it from the program for good.
        gives: bool,
    },
    /// Text that ends with a zero, or its address.
    Text(&'a Pointer),
    /// A function, and the place of the parameter that carries its context.
    Function(Callable<'a>, Option<usize>),
    /// Anything else, by value or by address.
    Value(Kind<'a>),
}

/// A result that must be released.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unwanted<'a> {
    /// By the function that it holds.
    Owned,
    /// An object, which may be null, by this function.
    Object(&'a Function),
}

impl<'a> Call<'a> {
    pub fn new(api: &'a Api, handles: &Handles<'a>, function: &'a Function) -> Call<'a> {
        let params = function.signature.params.iter().enumerate();
        let args = params.map(|(index, param)| Arg {
            index,
            param,
            take: take(api, handles, function, index, param),
        });
        let result = Kind::of(api, &function.signature.ret);
        let unwanted = match result {
            Kind::Text(_) | Kind::Buffer(..) => Some(Unwanted::Owned),
            Kind::Pointer(pointer) if pointer.owned => {
                let handle = handles.is(&pointer.to).and_then(|id| handles.get(id));
                handle.and_then(|handle| handle.simple_release()).map(Unwanted::Object)
            }
            _ => None,
        };
        Call { function, args: args.collect(), result, given: handles.given(function), unwanted }
    }

    /// The parameters that the program passes.
    pub fn shown(&self) -> impl Iterator<Item = &Arg<'a>> {
        self.args.iter().filter(|arg| !matches!(arg.take, Take::Context(_) | Take::Release(_)))
    }
}

/// How a function's argument at `index` is taken.
pub(crate) fn take<'a>(
    api: &'a Api,
    handles: &Handles<'a>,
    function: &'a Function,
    index: usize,
    param: &'a Param,
) -> Take<'a> {
    if let Some(of) = param.context_of {
        return Take::Context(of as usize);
    }
    if let Some(of) = param.release_of {
        return Take::Release(of as usize);
    }
    match Kind::of(api, &param.ty) {
        Kind::Pointer(pointer) if is_text(api, pointer) => Take::Text(pointer),
        Kind::Pointer(pointer) => match handles.is(&pointer.to) {
            Some(id) => {
                let gives = pointer.owned || function.role() == Some(Role::Release);
                Take::Handle { id, pointer, gives }
            }
            None => Take::Value(Kind::Pointer(pointer)),
        },
        Kind::Function(callable) => Take::Function(callable, function.signature.context_of(index)),
        kind => Take::Value(kind),
    }
}

/// Whether a type is C's `char`.
pub(crate) fn is_letter(api: &Api, ty: &Ty) -> bool {
    *api.resolve(ty) == Ty::Int(Int::CChar)
}

/// Whether a pointer may be to text that nobody writes: `const char *`.
pub(crate) fn is_text(api: &Api, pointer: &Pointer) -> bool {
    !pointer.mutable && is_letter(api, &pointer.to)
}
