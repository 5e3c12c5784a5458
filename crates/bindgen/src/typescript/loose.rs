//! Arrays that no typed array can view.

use super::kind::is_record;
use crate::model::{Api, Field, Ty, TypeId};
use std::collections::HashSet;

/// The records that may lie at any address: in packed ones, or in others that lie in packed ones.
pub(super) struct Loose(HashSet<TypeId>);

impl Loose {
    pub fn new(api: &Api) -> Loose {
        let mut loose = Loose(HashSet::new());
        loop {
            let before = loose.0.len();
            // Types that contain others come after them.
            for index in (0..api.types.len() as u32).rev() {
                let id = TypeId(index);
                for field in api.get(id).body.fields() {
                    loose.spread(api, id, field);
                }
            }
            if loose.0.len() == before {
                return loose;
            }
        }
    }

    fn spread(&mut self, api: &Api, id: TypeId, field: &Field) {
        let ty = api.element(&field.ty);
        if let Ty::Named(inner) = ty
            && is_record(api.get(*inner))
            && self.is_loose(api, id, field.offset, api.layout(ty).map_or(1, |layout| layout.align))
        {
            self.0.insert(*inner);
        }
    }

    /// Whether the numbers of an array in a field may lie at addresses that are not multiples of their size.
    pub fn field(&self, api: &Api, id: TypeId, field: &Field) -> bool {
        matches!(api.resolve(&field.ty), Ty::Array { .. }) && {
            let size = api.layout(api.element(&field.ty)).map_or(1, |layout| layout.size);
            self.is_loose(api, id, field.offset, size)
        }
    }

    fn is_loose(&self, api: &Api, id: TypeId, offset: u64, align: u64) -> bool {
        let own = api.get(id).layout.map_or(1, |layout| layout.align);
        self.0.contains(&id) || own < align || !offset.is_multiple_of(align.max(1))
    }
}
