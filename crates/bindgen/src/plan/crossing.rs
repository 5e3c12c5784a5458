//! What no language can call.

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
    /// It keeps a callback.
    Kept,
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
            Obstacle::Kept => "keeps a callback beyond the call".into(),
        }
    }

    /// The way out.
    fn help(self) -> &'static str {
        match self {
            Obstacle::Variadic => "give it a shim with fixed arguments",
            Obstacle::Array | Obstacle::Opaque(_) => "pass a pointer to it, or a struct that holds it",
            Obstacle::Failure => "add upcall_abi::Failure to the sources",
            Obstacle::Kept => "take `&dyn Fn(A) -> R`, which ends with the call, or call it from C",
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

/// The languages that provide kept callbacks.
const KEEPS: &[&str] = &["C#", "Python"];

impl Signature {
    /// Whether a parameter is a callback that a language cannot have kept.
    fn keeps(&self, api: &Api, language: &str) -> bool {
        let kept = |ty: &Ty| api.callback(ty).is_some_and(|(of, _)| of.kept);
        !KEEPS.contains(&language) && self.params.iter().any(|param| kept(&param.ty))
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
        let keeps = || function.signature.keeps(api, language).then_some(Obstacle::Kept);
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
