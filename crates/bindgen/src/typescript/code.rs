//! Functions in fields: each kind has trampolines, whose address goes to a `Callback`.

use super::kind::is_record;
use crate::model::{Api, Field, Signature, Ty};
use crate::plan::Kind;

/// The signatures of functions in fields, each once.
pub(super) fn signatures(api: &Api) -> Vec<&Signature> {
    // A program must not fill in the parts of idioms.
    let records = api.types.iter().filter(|declared| is_record(declared) && declared.idiom.is_none());
    let fields = records.flat_map(|declared| declared.body.fields());
    let public = |field: &&Field| field.public && field.bits.is_none();
    let mut found: Vec<&Signature> = Vec::new();
    for signature in fields.filter(public).filter_map(|field| callable(api, api.element(&field.ty))) {
        if !found.contains(&signature) {
            found.push(signature);
        }
    }
    found
}

/// The index of a function's signature among those, if JavaScript can implement such a function.
pub(super) fn place(api: &Api, ty: &Ty) -> Option<usize> {
    let signature = callable(api, ty)?;
    signatures(api).iter().position(|known| *known == signature)
}

fn callable<'a>(api: &'a Api, ty: &'a Ty) -> Option<&'a Signature> {
    let Kind::Function(of) = Kind::of(api, ty) else { return None };
    of.crosses.then_some(of.signature)
}
