//! What back ends ask of packed types.

use super::{Api, Enum, PackedBody, PackedId, Wire};

impl Api {
    /// The fewest bytes that a value takes, by which a reader checks a count before it asks for memory. At
    /// least 1.
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
            // An object may have no members, and what is raw was answered.
            _ => 1,
        }
    }

    /// Whether a member of this type that is missing has a value: what holds a union does not, nor does what
    /// would hold itself.
    pub fn has_default(&self, wire: &Wire) -> bool {
        self.has_default_within(wire, &mut Vec::new())
    }

    fn has_default_within(&self, wire: &Wire, open: &mut Vec<PackedId>) -> bool {
        match wire {
            Wire::Tuple(items) | Wire::ClassTuple(items) => {
                items.iter().all(|item| self.has_default_within(item, open))
            }
            Wire::Pair(one, two) => self.has_default_within(one, open) && self.has_default_within(two, open),
            Wire::Group(key, _) => self.has_default_within(key, open),
            Wire::Lazy(of) | Wire::Fixed { of, .. } => self.has_default_within(of, open),
            Wire::Named(id) => {
                if open.contains(id) {
                    return false;
                }
                open.push(*id);
                let body = &self.packed(*id).body;
                let has = !matches!(body, PackedBody::Union(_))
                    && body.wires().into_iter().all(|wire| self.has_default_within(wire, open));
                open.pop();
                has
            }
            _ => true,
        }
    }
}

/// The variant that stands where nothing does: the one that is said to, else that of 0, else the first.
pub(crate) fn default_variant(of: &Enum, default: Option<usize>) -> usize {
    default.or_else(|| of.variants.iter().position(|variant| variant.value == 0)).unwrap_or(0)
}
