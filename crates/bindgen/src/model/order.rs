//! Puts each type after those it holds by value.

use super::{Api, Body, Declared, Ty, TypeId};

impl Api {
    /// Sorts the types so that each comes after those it holds by value. Types that do not hold each other
    /// keep their order.
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
    let body = &types[index].body;
    let alias = if let Body::Alias(ty) = body { Some(ty) } else { None };
    for id in body.fields().map(|field| &field.ty).chain(alias).filter_map(held_type) {
        visit(types, id.0 as usize, seen, order);
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
