//! Puts each type behind those that it holds by value.

use super::{Api, Body, Declared, Ty, TypeId};

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
        self.renumber(|id| *id = places[id.0 as usize]);
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
