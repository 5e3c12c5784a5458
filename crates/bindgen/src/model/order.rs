//! Puts each type behind those that it holds by value, and renumbers types.

use super::{Api, Body, Declared, Field, Idiom, Signature, Ty, TypeId};

impl Api {
    /// Sorts the types so that each comes behind those that it holds by value; those that do not hold each
    /// other keep their order.
    pub fn sort_types(&mut self) {
        let mut order = Vec::with_capacity(self.types.len());
        let mut seen = vec![false; self.types.len()];
        for index in 0..self.types.len() {
            visit(&self.types, index, &mut seen, &mut order);
        }
        let mut places = vec![TypeId(0); order.len()];
        for (place, index) in order.iter().enumerate() {
            places[*index] = TypeId(place as u32);
        }
        let mut types: Vec<Option<Declared>> =
            std::mem::take(&mut self.types).into_iter().map(Some).collect();
        self.types = order.iter().filter_map(|index| types[*index].take()).collect();
        self.renumber(&|id| *id = places[id.0 as usize]);
    }

    /// Calls `renumber` with every mention of a type.
    pub fn renumber(&mut self, renumber: &impl Fn(&mut TypeId)) {
        for declared in &mut self.types {
            in_body(&mut declared.body, renumber);
            match &mut declared.idiom {
                Some(Idiom::Slice { of, .. } | Idiom::Rel { of } | Idiom::Buffer { of }) => {
                    in_ty(of, renumber)
                }
                Some(Idiom::Str | Idiom::Text | Idiom::Failure) | None => {}
            }
        }
        for function in &mut self.functions {
            in_signature(&mut function.signature, renumber);
            if let Some(member) = &mut function.member {
                renumber(&mut member.of);
            }
        }
        self.constants.iter_mut().for_each(|constant| in_ty(&mut constant.ty, renumber));
        self.statics.iter_mut().for_each(|variable| in_ty(&mut variable.ty, renumber));
    }
}

fn visit(types: &[Declared], index: usize, seen: &mut [bool], order: &mut Vec<usize>) {
    if std::mem::replace(&mut seen[index], true) {
        return;
    }
    let held: Vec<&Ty> = match &types[index].body {
        Body::Struct(record) | Body::Union(record) => record.fields.iter().map(|field| &field.ty).collect(),
        Body::Tagged(tagged) => {
            let fields = tagged.variants.iter().flat_map(|variant| &variant.fields);
            fields.map(|field| &field.ty).collect()
        }
        Body::Alias(ty) => vec![ty],
        _ => Vec::new(),
    };
    for ty in held {
        if let Some(id) = held_type(ty) {
            visit(types, id.0 as usize, seen, order);
        }
    }
    order.push(index);
}

fn held_type(ty: &Ty) -> Option<TypeId> {
    match ty {
        Ty::Named(id) => Some(*id),
        Ty::Array { of, .. } => held_type(of),
        _ => None,
    }
}

fn in_body(body: &mut Body, renumber: &impl Fn(&mut TypeId)) {
    match body {
        Body::Struct(record) | Body::Union(record) => in_fields(&mut record.fields, renumber),
        Body::Tagged(tagged) => {
            tagged.variants.iter_mut().for_each(|variant| in_fields(&mut variant.fields, renumber));
        }
        Body::Alias(ty) => in_ty(ty, renumber),
        Body::Callback { signature, .. } => in_signature(signature, renumber),
        Body::Enum(_) | Body::Flags(_) | Body::Opaque => {}
    }
}

fn in_fields(fields: &mut [Field], renumber: &impl Fn(&mut TypeId)) {
    fields.iter_mut().for_each(|field| in_ty(&mut field.ty, renumber));
}

fn in_signature(signature: &mut Signature, renumber: &impl Fn(&mut TypeId)) {
    signature.params.iter_mut().for_each(|param| in_ty(&mut param.ty, renumber));
    in_ty(&mut signature.ret, renumber);
}

fn in_ty(ty: &mut Ty, renumber: &impl Fn(&mut TypeId)) {
    match ty {
        Ty::Named(id) => renumber(id),
        Ty::Pointer(pointer) => in_ty(&mut pointer.to, renumber),
        Ty::Array { of, .. } => in_ty(of, renumber),
        Ty::Function { signature, .. } => in_signature(signature, renumber),
        Ty::Unit | Ty::Bool | Ty::Char | Ty::Int(_) | Ty::Float(_) => {}
    }
}
