//! Types without a size, which the probe has made opaque: they take no room in others, and cannot be passed by
//! value.

use crate::diagnostics::Diagnostics;
use crate::model::{Api, Body, Field, Signature, Ty};

/// Removes them from fields, and functions that pass them from the API.
pub(super) fn without(api: &mut Api, diagnostics: &mut Diagnostics) {
    let known = api.clone();
    let takes_room = |field: &Field| !is_empty(&known, &field.ty);
    for declared in &mut api.types {
        declared.body.field_lists_mut().into_iter().for_each(|fields| fields.retain(takes_room));
    }
    api.functions.retain(|function| {
        let passes = passes_empty(&known, &function.signature);
        if passes {
            let message = format!("the function `{}` passes a type without a size by value", function.name);
            diagnostics.unsupported(&function.place, message, "leave it out, or pass its address");
        }
        !passes
    });
}

fn is_empty(api: &Api, ty: &Ty) -> bool {
    match api.resolve(ty) {
        Ty::Named(id) => api.get(*id).layout.is_some_and(|layout| layout.size == 0),
        Ty::Array { of, len } => *len == 0 || is_empty(api, of),
        _ => false,
    }
}

/// By itself or through one of its callbacks.
fn passes_empty(api: &Api, signature: &Signature) -> bool {
    signature.params.iter().map(|param| &param.ty).chain([&signature.ret]).any(|ty| {
        is_empty(api, ty)
            || match api.resolve(ty) {
                Ty::Function { signature, .. } => passes_empty(api, signature),
                Ty::Named(id) => match &api.get(*id).body {
                    Body::Callback { signature, .. } => {
                        signature.params.iter().any(|param| is_empty(api, &param.ty))
                    }
                    _ => false,
                },
                _ => false,
            }
    })
}
