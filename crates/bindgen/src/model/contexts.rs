//! Which `void*` carries a callback's context.

use super::{Api, Body, Signature, Ty};

impl Api {
    /// Marks each mutable `void*` right behind a callback that takes exactly one mutable `void*`: the two are
    /// the callback and its context in every C library that has contexts at all.
    pub fn mark_contexts(&mut self) {
        mark(self);
    }
}

fn mark(api: &mut Api) {
    for index in 0..api.functions.len() {
        let signature = api.functions[index].signature.clone();
        let mut callbacks = Vec::new();
        for (place, pair) in signature.params.windows(2).enumerate() {
            let context = callback_of(api, &pair[0].ty).and_then(context_of);
            if context.is_some() && is_context(&pair[1].ty) {
                callbacks.push(place);
            }
        }
        for place in callbacks {
            let marked = with_context(api, &signature.params[place].ty);
            let params = &mut api.functions[index].signature.params;
            if let Some(ty) = marked {
                params[place].ty = ty;
            }
            params[place + 1].context_of = Some(place as u32);
        }
    }
}

fn callback_of<'a>(api: &'a Api, ty: &'a Ty) -> Option<&'a Signature> {
    match api.resolve(ty) {
        Ty::Function { signature, .. } => Some(signature),
        Ty::Named(id) => match &api.get(*id).body {
            Body::Callback { signature, .. } => Some(signature),
            _ => None,
        },
        _ => None,
    }
}

/// The index of the only `void*` that a callback takes.
fn context_of(signature: &Signature) -> Option<u32> {
    let mut contexts = signature.params.iter().enumerate().filter(|(_, param)| is_context(&param.ty));
    let first = contexts.next()?;
    contexts.next().is_none().then_some(first.0 as u32)
}

fn is_context(ty: &Ty) -> bool {
    matches!(ty, Ty::Pointer(pointer) if pointer.mutable && *pointer.to == Ty::Unit)
}

/// Notes the context in the callback's own signature; a type that changes by that is returned.
fn with_context(api: &mut Api, ty: &Ty) -> Option<Ty> {
    match api.resolve(ty).clone() {
        Ty::Function { mut signature, nullable } => {
            signature.context = context_of(&signature);
            Some(Ty::Function { signature, nullable })
        }
        Ty::Named(id) => {
            if let Body::Callback { signature, .. } = &mut api.types[id.0 as usize].body {
                signature.context = context_of(signature);
            }
            None
        }
        _ => None,
    }
}
