use super::{Absence, PackedBody, Piece, Placed, Plan, Wire, pieces, tuple_head};
use std::borrow::Cow;

/// Values that follow one another: of a tuple, of a pair, of a struct in memory, behind heads.
pub(crate) struct Parts<'w> {
    /// In the order of the source.
    pub wires: Vec<Cow<'w, Wire>>,
    /// In the order of the wire.
    pub steps: Vec<Step>,
    /// Where they lie, if all of them are plain memory.
    pub placed: Option<Placed>,
}

/// What follows next.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// One of the values.
    Part(usize),
    /// This many bytes of zero.
    Room(u64),
    /// A byte that says how many members follow.
    Head(usize),
}

impl<'w> Parts<'w> {
    pub fn side_by_side(wires: Vec<Cow<'w, Wire>>, placed: Option<Placed>) -> Parts<'w> {
        let step = |piece| match piece {
            Piece::Part(index) => Step::Part(index),
            Piece::Room { size, .. } => Step::Room(size),
        };
        let steps = pieces(wires.len(), placed.as_ref()).into_iter().map(step).collect();
        Parts { wires, steps, placed }
    }

    fn headed(wires: Vec<Cow<'w, Wire>>, head: impl Fn(usize) -> Option<usize>) -> Parts<'w> {
        let step = |index| head(index).map(Step::Head).into_iter().chain([Step::Part(index)]);
        Parts { steps: (0..wires.len()).flat_map(step).collect(), wires, placed: None }
    }
}

impl Plan {
    /// What a value consists of; `None` if it is one value, or as many as it has elements.
    pub(crate) fn parts<'w>(&'w self, wire: &'w Wire) -> Option<Parts<'w>> {
        use Cow::{Borrowed, Owned};
        let all = |items: &'w [Wire]| items.iter().map(Borrowed).collect();
        let first = |head| move |index| (index == 0).then_some(head);
        Some(match wire {
            Wire::Tuple(items) => Parts::side_by_side(all(items), self.placed_tuple(items)),
            Wire::Pair(key, value) => {
                Parts::side_by_side(vec![Borrowed(&**key), Borrowed(&**value)], self.placed_pair(key, value))
            }
            Wire::Optional(of) => match self.absence(of) {
                Absence::Nullable(placed) => {
                    Parts::side_by_side(vec![Owned(Wire::Bool), Borrowed(&**of)], Some(placed))
                }
                _ => return None,
            },
            Wire::Named(id) => match &self.packed(*id).body {
                PackedBody::Raw(raw) => {
                    let wires = raw.fields.iter().map(|field| Borrowed(&field.wire)).collect();
                    Parts::side_by_side(wires, Some(raw.placed.clone()))
                }
                _ => return None,
            },
            Wire::ClassTuple(items) => Parts::headed(all(items), |index| tuple_head(index, items.len())),
            Wire::Group(key, value) => {
                Parts::headed(vec![Borrowed(&**key), Owned(Wire::list(value))], first(2))
            }
            Wire::Lazy(of) => Parts::headed(vec![Borrowed(&**of)], first(1)),
            _ => return None,
        })
    }

    /// Whether the first bytes of the value itself can say that there is none.
    pub(crate) fn can_be_null(&self, wire: &Wire) -> bool {
        matches!(self.absence(wire), Absence::Length | Absence::Head)
    }
}

/// A value that the run time of a language reads and writes with one call.
#[derive(Clone, Copy)]
pub(crate) struct One {
    pub ty: &'static str,
    /// What stands where nothing was read.
    pub default: &'static str,
    /// The name of the methods of reader and writer.
    pub method: &'static str,
}
