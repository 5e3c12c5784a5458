//! Which `void*` carries a callback's context.

use super::{Api, Body, Signature, Ty, TypeId};
use std::collections::HashSet;

impl Api {
    /// Marks each mutable `void*` right after a callback that takes exactly one mutable `void*`: in every C library
    /// that has contexts at all, the two are the callback and its context.
    pub fn mark_contexts(&mut self) {
        let bare = bare(self);
        for index in 0..self.functions.len() {
            let signature = self.functions[index].signature.clone();
            for (place, pair) in signature.params.windows(2).enumerate() {
                let context = self.callback(&pair[0].ty).and_then(|(callback, _)| context_of(callback));
                if context.is_none() || !is_context(&pair[1].ty) {
                    continue;
                }
                let marked = with_context(self, &pair[0].ty, &bare);
                let params = &mut self.functions[index].signature.params;
                if let Some(ty) = marked {
                    params[place].ty = ty;
                }
                params[place + 1].context_of = Some(place as u32);
            }
        }
    }
}

/// The named callbacks that some function takes without a context after them, or that some struct holds: whoever
/// makes those has the `void*`, so only the parameters of the others are marked, and not the name.
fn bare(api: &Api) -> HashSet<TypeId> {
    let mut bare = HashSet::new();
    for function in &api.functions {
        let params = &function.signature.params;
        for (place, param) in params.iter().enumerate() {
            if !params.get(place + 1).is_some_and(|next| is_context(&next.ty)) {
                bare.extend(named(api, &param.ty));
            }
        }
    }
    let fields = api.types.iter().flat_map(|declared| declared.body.fields());
    bare.extend(fields.filter_map(|field| named(api, &field.ty)));
    bare
}

/// The named type behind a type or an array.
fn named(api: &Api, ty: &Ty) -> Option<TypeId> {
    if let Ty::Named(id) = api.element(ty) { Some(*id) } else { None }
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

/// Notes the context in the callback's own signature; returns the type if that changes it.
fn with_context(api: &mut Api, ty: &Ty, bare: &HashSet<TypeId>) -> Option<Ty> {
    let (signature, nullable) = match api.resolve(ty).clone() {
        Ty::Function { signature, nullable } => (*signature, nullable),
        Ty::Named(id) => {
            let Body::Callback { signature, nullable } = &mut api.types[id.0 as usize].body else {
                return None;
            };
            if !bare.contains(&id) {
                signature.context = context_of(signature);
                return None;
            }
            (signature.clone(), *nullable)
        }
        _ => return None,
    };
    let signature = Box::new(Signature { context: context_of(&signature), ..signature });
    Some(Ty::Function { signature, nullable })
}
