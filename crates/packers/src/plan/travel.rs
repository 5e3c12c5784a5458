//! Queries that back ends make about packed types.

use super::{PackedBody, PackedId, Plan, Variant, Wire};

impl Plan {
    /// The fewest bytes that a value takes. A reader checks a count against it before allocating memory. At
    /// least 1.
    #[must_use]
    pub fn fewest_bytes(&self, wire: &Wire) -> u64 {
        if let Some(layout) = self.wire_layout(wire) {
            return layout.size.max(1);
        }
        let sum = |wires: &[&Wire]| {
            wires.iter().fold(0u64, |sum, wire| sum.saturating_add(self.fewest_bytes(wire)))
        };
        match wire {
            Wire::Text(_) | Wire::Uri | Wire::Builder | Wire::BigInteger | Wire::BitPack => 4,
            Wire::List { .. } | Wire::Map { .. } | Wire::Fixed { .. } => 4,
            Wire::Brotli(_) => 8,
            Wire::Version => 17,
            Wire::BitArray => 9,
            Wire::Grid { rank, .. } => 5 + 4 * u64::from(*rank),
            Wire::Tuple(items) => sum(&items.iter().collect::<Vec<_>>()).max(1),
            Wire::Pair(key, value) => sum(&[key, value]),
            Wire::Group(key, _) => 5 + self.fewest_bytes(key),
            Wire::Optional(of) => match self.absence(of) {
                super::Absence::Length => 4,
                _ => 1,
            },
            // An object may have no members; raw types were handled above.
            _ => 1,
        }
    }

    /// The same for an element of a list or a map.
    #[must_use]
    pub fn fewest_bytes_of_one(&self, wire: &Wire) -> u64 {
        match wire {
            Wire::List { of, .. } => self.fewest_bytes(of),
            Wire::Map { key, value, .. } => self.fewest_bytes(&Wire::entry(key, value)),
            _ => 1,
        }
    }

    /// Whether a missing member of this type has a value.
    #[must_use]
    pub fn has_default(&self, wire: &Wire) -> bool {
        match wire {
            Wire::Tuple(items) | Wire::ClassTuple(items) => items.iter().all(|item| self.has_default(item)),
            Wire::Pair(one, two) => self.has_default(one) && self.has_default(two),
            Wire::Group(of, _) | Wire::Lazy(of) | Wire::Fixed { of, .. } => self.has_default(of),
            Wire::Named(id) => self.packed(*id).has_default,
            _ => true,
        }
    }

    /// The variant of an enum that is used by default: the marked one, else the one of 0, else the first.
    pub(crate) fn default_variant(&self, id: PackedId) -> Option<&Variant> {
        let PackedBody::Enum { of, default } = &self.packed(id).body else { return None };
        let marked = default.map(|index| &of.variants[index]);
        marked.or_else(|| of.variants.iter().find(|variant| variant.value == 0)).or(of.variants.first())
    }

    /// Finds the packed types that have a default: those whose parts all have one, starting from none.
    pub fn find_defaults(&mut self) {
        let mut found = true;
        while std::mem::take(&mut found) {
            // Types mostly come after those that hold them.
            for index in (0..self.types.len()).rev() {
                let packed = &self.types[index];
                let union = matches!(packed.body, PackedBody::Union(_));
                let whole = || packed.body.wires().into_iter().all(|wire| self.has_default(wire));
                if !packed.has_default && !union && whole() {
                    self.types[index].has_default = true;
                    found = true;
                }
            }
        }
    }
}
