//! What no language can call.

use super::kind::Kind;
use crate::Diagnostics;
use crate::model::{Api, Body, Function, Signature, Ty, TypeId};

/// Why a function cannot be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Obstacle {
    Variadic,
    Array,
    Opaque(TypeId),
    /// It fails with a type that is not in the model.
    Failure,
    /// It keeps a callback that returns something, or is given what ends with the call: by the time that its thread
    /// gets to it, nobody waits for the one, and the other has gone.
    Waited,
    Lent,
}

impl Obstacle {
    /// What the function does.
    pub fn what(self, api: &Api) -> String {
        match self {
            Obstacle::Variadic => "takes any number of arguments".into(),
            Obstacle::Array => "passes an array by value".into(),
            Obstacle::Opaque(id) => {
                format!("passes a `{}`, whose layout is not known, by value", api.get(id).name)
            }
            Obstacle::Failure => "fails with a type that is not in the model".into(),
            Obstacle::Waited => "keeps a callback that returns something".into(),
            Obstacle::Lent => "keeps a callback that is given a reference".into(),
        }
    }

    /// The way out.
    fn help(self) -> &'static str {
        match self {
            Obstacle::Variadic => "give it a shim with fixed arguments",
            Obstacle::Array | Obstacle::Opaque(_) => "pass a pointer to it, or a struct that holds it",
            Obstacle::Failure => "add upcall_abi::Failure to the sources",
            Obstacle::Waited => "let it return nothing, and give it what to call with the answer",
            Obstacle::Lent => "give it the value, text or a slice that it only reads",
        }
    }
}

impl Signature {
    /// Why such a function cannot be called, nor a program provide one.
    pub(crate) fn obstacle(&self, api: &Api) -> Option<Obstacle> {
        if self.variadic {
            return Some(Obstacle::Variadic);
        }
        self.types().find_map(|ty| match api.resolve(ty) {
            Ty::Array { .. } => Some(Obstacle::Array),
            // Nothing is passed for a type without bytes.
            Ty::Named(id)
                if api.get(*id).body == Body::Opaque
                    && api.layout(ty).is_none_or(|layout| layout.size > 0) =>
            {
                Some(Obstacle::Opaque(*id))
            }
            _ => None,
        })
    }
}

/// The languages of which one thread alone runs kept callbacks, which others cannot wait for.
const ONE_THREAD: &[&str] = &["JavaScript"];

impl Signature {
    /// Why a parameter is a callback that a language cannot have kept.
    fn keeps(&self, api: &Api, language: &str) -> Option<Obstacle> {
        if !ONE_THREAD.contains(&language) {
            return None;
        }
        let called = self.params.iter().filter_map(|param| Some(api.callback(&param.ty)?.0));
        let mut kept = called.filter(|signature| signature.kept);
        let lent = |ty: &Ty| match Kind::of(api, ty) {
            Kind::Pointer(pointer) => !pointer.nullable,
            Kind::Slice(_, _, mutable) => mutable,
            _ => false,
        };
        kept.find_map(|signature| match signature {
            _ if signature.ret != Ty::Unit => Some(Obstacle::Waited),
            _ if signature.params.iter().any(|param| lent(&param.ty)) => Some(Obstacle::Lent),
            _ => None,
        })
    }
}

/// The functions that a language can call; the others are reported.
pub(crate) fn crossing<'a>(
    api: &Api,
    functions: impl IntoIterator<Item = &'a Function>,
    language: &str,
    diagnostics: &mut Diagnostics,
) -> Vec<&'a Function> {
    let mut crosses = |function: &&Function| {
        let keeps = || function.signature.keeps(api, language);
        let failure = || (function.fallible && api.failure().is_none()).then_some(Obstacle::Failure);
        let Some(obstacle) = function.signature.obstacle(api).or_else(failure).or_else(keeps) else {
            return true;
        };
        let (name, what) = (&function.name, obstacle.what(api));
        let message = format!("the function `{name}` {what}, which {language} cannot call");
        diagnostics.unsupported(&function.place, message, obstacle.help());
        false
    };
    functions.into_iter().filter(|function| crosses(function)).collect()
}
