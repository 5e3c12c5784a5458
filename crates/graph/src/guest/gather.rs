//! What a vertex's neighbours come to, put together by the engine.

use super::Bits;
use crate::value::ValueType;
use upcall_abi::prefetch;

/// By what neighbours are put together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Gather {
    Sum,
    Min,
    Max,
    Count,
}

impl Gather {
    pub(crate) const NAMES: [&str; 4] = ["sum", "min", "max", "count"];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Gather::Sum => "sum",
            Gather::Min => "min",
            Gather::Max => "max",
            Gather::Count => "count",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Gather> {
        [Gather::Sum, Gather::Min, Gather::Max, Gather::Count].into_iter().find(|by| by.name() == name)
    }

    /// Whether it comes to a number of the type that is gathered; to an `f64` otherwise.
    pub(crate) fn keeps_type(self) -> bool {
        matches!(self, Gather::Min | Gather::Max)
    }

    /// What the neighbours of vertices come to, bits of a number: each by their ids, in order, beside those that are [ahead](upcall_abi::ahead).
    ///
    /// # Safety
    /// Vertices' ids are within `shown`; those that are ahead may be any.
    pub(crate) unsafe fn all<'a, S: Bits>(
        self,
        of: ValueType,
        shown: &[S],
        edges: impl Iterator<Item = (&'a [u32], &'a [u32])>,
        mut take: impl FnMut(u64),
    ) {
        /// # Safety
        /// As `all`.
        #[inline(always)]
        unsafe fn each<'a, S: Bits, A>(
            shown: &[S],
            edges: impl Iterator<Item = (&'a [u32], &'a [u32])>,
            start: impl Fn() -> A,
            and: impl Fn(A, u64) -> A,
            mut end: impl FnMut(A),
        ) {
            // SAFETY: the caller's promise.
            let and = |all, id: &u32| and(all, unsafe { shown.get_unchecked(*id as usize) }.wide());
            edges.for_each(|(ids, ahead)| {
                // Two loops that need not ask whether there is something ahead are faster than one.
                let (asks, rest) = ids.split_at(ahead.len().min(ids.len()));
                let all = asks.iter().zip(ahead).fold(start(), |all, (id, ahead)| {
                    prefetch(shown.as_ptr().wrapping_add(*ahead as usize));
                    and(all, id)
                });
                end(rest.iter().fold(all, and));
            });
        }
        macro_rules! fold {
            ($($type:ident $of:expr, $to:expr, $least:expr, $most:expr;)+) => {
                match (self, of) {
                    (Gather::Count, _) => edges.for_each(|(ids, _)| take((ids.len() as f64).to_bits())),
                    $(
                        (Gather::Sum, ValueType::$type) => {
                            let end = |sum: f64| take(sum.to_bits());
                            // SAFETY: the caller's promise, here and below.
                            unsafe { each(shown, edges, || 0.0, |sum, bits| sum + ($of(bits) as f64), end) }
                        }
                        (Gather::Min, ValueType::$type) => {
                            let less = |least, bits| { let one = $of(bits); if one < least { one } else { least } };
                            // SAFETY: as above.
                            unsafe { each(shown, edges, || $most, less, |least| take($to(least))) }
                        }
                        (Gather::Max, ValueType::$type) => {
                            let more = |most, bits| { let one = $of(bits); if one > most { one } else { most } };
                            // SAFETY: as above.
                            unsafe { each(shown, edges, || $least, more, |most| take($to(most))) }
                        }
                    )+
                }
            };
        }
        fold! {
            U32 |bits: u64| bits as u32, u64::from, u32::MIN, u32::MAX;
            I32 |bits: u64| (bits as u32).cast_signed(), |one: i32| u64::from(one.cast_unsigned()), i32::MIN, i32::MAX;
            U64 |bits: u64| bits, |one: u64| one, u64::MIN, u64::MAX;
            I64 u64::cast_signed, i64::cast_unsigned, i64::MIN, i64::MAX;
            F32 |bits: u64| f32::from_bits(bits as u32), |one: f32| u64::from(one.to_bits()), f32::NEG_INFINITY, f32::INFINITY;
            F64 f64::from_bits, f64::to_bits, f64::NEG_INFINITY, f64::INFINITY;
        }
    }
}
