//! Every type that is used anywhere in the model.

use super::{Api, Body, Idiom, Signature, Ty, TypeId};

impl Api {
    /// Calls `change` on each use of a type, the inner ones after the outer.
    pub(crate) fn types_mut(&mut self, change: &mut impl FnMut(&mut Ty)) {
        for declared in &mut self.types {
            for field in declared.body.field_lists_mut().into_iter().flatten() {
                in_type(&mut field.ty, change);
                field.bits.iter_mut().for_each(|bits| in_type(&mut bits.of, change));
            }
            match &mut declared.body {
                Body::Alias(ty) => in_type(ty, change),
                Body::Callback { signature, .. } => in_signature(signature, change),
                _ => {}
            }
            match &mut declared.idiom {
                Some(Idiom::Slice { of, .. } | Idiom::Rel { of } | Idiom::Buffer { of }) => {
                    in_type(of, change)
                }
                Some(Idiom::Str | Idiom::Text | Idiom::Failure) | None => {}
            }
        }
        self.functions.iter_mut().for_each(|function| in_signature(&mut function.signature, change));
        self.constants.iter_mut().for_each(|constant| in_type(&mut constant.ty, change));
        self.statics.iter_mut().for_each(|variable| in_type(&mut variable.ty, change));
    }

    /// Calls `renumber` with every mention of a declared type.
    pub(super) fn renumber(&mut self, renumber: impl Fn(&mut TypeId)) {
        self.types_mut(&mut |ty| {
            if let Ty::Named(id) = ty {
                renumber(id);
            }
        });
        self.functions
            .iter_mut()
            .filter_map(|function| function.member.as_mut())
            .for_each(|member| renumber(&mut member.of));
    }
}

fn in_signature(signature: &mut Signature, change: &mut impl FnMut(&mut Ty)) {
    signature.params.iter_mut().for_each(|param| in_type(&mut param.ty, change));
    in_type(&mut signature.ret, change);
}

fn in_type(ty: &mut Ty, change: &mut impl FnMut(&mut Ty)) {
    change(ty);
    match ty {
        Ty::Pointer(pointer) => in_type(&mut pointer.to, change),
        Ty::Array { of, .. } => in_type(of, change),
        Ty::Function { signature, .. } => in_signature(signature, change),
        Ty::Unit | Ty::Bool | Ty::Char | Ty::Int(_) | Ty::Float(_) | Ty::Named(_) => {}
    }
}
