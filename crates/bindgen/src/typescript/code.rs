//! Functions in fields: each kind has trampolines, whose address a `Callback` is given.

use super::kind::{Kind, is_record};
use crate::model::{Api, Body, Field, Signature, Ty};

/// The signatures of functions in fields, each once.
pub(super) fn signatures(api: &Api) -> Vec<&Signature> {
    // What idioms are made of is not for programs to fill in.
    let records = api.types.iter().filter(|declared| is_record(declared) && declared.idiom.is_none());
    let fields = records.flat_map(|declared| match &declared.body {
        Body::Struct(record) | Body::Union(record) => record.fields.iter().collect(),
        Body::Tagged(tagged) => tagged.variants.iter().flat_map(|variant| &variant.fields).collect(),
        _ => Vec::new(),
    });
    let public = |field: &&Field| field.public && field.bits.is_none();
    let mut found: Vec<&Signature> = Vec::new();
    for signature in fields.filter(public).filter_map(|field| function(api, &field.ty)) {
        if !found.contains(&signature) {
            found.push(signature);
        }
    }
    found
}

/// The place of a function's signature among those, if JavaScript can be such a function.
pub(super) fn place(api: &Api, ty: &Ty) -> Option<usize> {
    let signature = callable(api, ty)?;
    signatures(api).iter().position(|known| *known == signature)
}

fn callable<'a>(api: &'a Api, ty: &'a Ty) -> Option<&'a Signature> {
    let Kind::Function(signature, _) = Kind::of(api, ty) else { return None };
    let array = |ty: &Ty| matches!(api.resolve(ty), Ty::Array { .. });
    let arrays = array(&signature.ret) || signature.params.iter().any(|param| array(&param.ty));
    (!signature.variadic && !arrays).then_some(signature)
}

fn function<'a>(api: &'a Api, ty: &'a Ty) -> Option<&'a Signature> {
    match api.resolve(ty) {
        Ty::Array { of, .. } => function(api, of),
        _ => callable(api, ty),
    }
}
