//! Functions that native code calls, passed to it and in fields. Each kind of the latter has trampolines, whose address
//! goes to a `Callback`.

use super::kind::is_record;
use crate::model::{Api, Field, Param, Signature, Ty};
use crate::plan::{Callable, Kind};

/// How native code calls a function.
#[derive(Clone, Copy)]
pub(super) struct Callback<'a> {
    pub signature: &'a Signature,
    /// The parameter that the glue fills in.
    pub context: Option<u32>,
}

impl<'a> Callback<'a> {
    /// One that is passed to native code, with its context at this place.
    pub fn passed(of: Callable<'a>, context: Option<usize>) -> Callback<'a> {
        let own = of.signature.context;
        Callback { signature: of.signature, context: own.filter(|_| context.is_some()) }
    }

    /// One in a field, whose context is the program's.
    pub fn in_field(signature: &'a Signature) -> Callback<'a> {
        Callback { signature, context: None }
    }

    /// The parameters that JavaScript is given, with their places.
    pub fn shown(self) -> impl Iterator<Item = (usize, &'a Param)> {
        let params = self.signature.params.iter().enumerate();
        params.filter(move |(index, _)| Some(*index as u32) != self.context)
    }

    /// The code of its trampoline, which calls `entry`.
    pub fn trampoline(self, api: &Api, index: usize, entry: &str) -> String {
        crate::glue::trampoline(api, self.signature, self.context, index, entry)
    }

    /// Where the arguments that are not JavaScript values lie in the exchange, and its end.
    pub fn exchanged(self, api: &Api) -> (Vec<Option<u64>>, u64) {
        let mut end = 0;
        let mut offsets = vec![None; self.signature.params.len()];
        for (index, param) in self.shown() {
            if let Kind::Record(_) | Kind::Slice(..) | Kind::Text(_) | Kind::Buffer(..) =
                Kind::of(api, &param.ty)
            {
                offsets[index] = Some(end);
                end += api.layout(&param.ty).map_or(0, |layout| layout.size.next_multiple_of(16));
            }
        }
        let ret = api.layout(&self.signature.ret).map_or(0, |layout| layout.size);
        (offsets, end.max(ret))
    }
}

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
