//! The smallest and the largest value, and where it is.

use super::ours::made;
use super::{Told, sealed};
use crate::datatype::whole;
use crate::error::Error;
use crate::library::Library;
use crate::shim::{Constant, Function};
use std::ffi::{c_int, c_void};
use std::mem::offset_of;
use std::sync::atomic::AtomicI64;
use upcall_abi::{Blit, Field};

/// A value and its place, which may be a rank or an index: what [`MinWithPlace`] and [`MaxWithPlace`] combine. It is laid out as
/// MPI's pairs are (`MPI_DOUBLE_INT`).
#[repr(C)]
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Placed<T> {
    /// What is compared.
    pub value: T,
    /// Where it is.
    pub place: i32,
}

/// The smallest value with its place, of [`Placed`] values; of equal ones the lowest place. A number is chosen before a NaN, so
/// that the result is the same in whichever order MPI combines them.
#[derive(Clone, Copy, Debug)]
pub struct MinWithPlace;

/// The largest value with its place, as [`MinWithPlace`].
#[derive(Clone, Copy, Debug)]
pub struct MaxWithPlace;

/// Values that have places: numbers, of each size.
pub trait Value: sealed::Located {}

impl<T: sealed::Located> Value for T {}

impl<T: Value> sealed::Known<Placed<T>> for MinWithPlace {
    fn told(&self, library: &Library) -> Result<Told, Error> {
        T::told(library, false)
    }
}

impl<T: Value> sealed::Known<Placed<T>> for MaxWithPlace {
    fn told(&self, library: &Library) -> Result<Told, Error> {
        T::told(library, true)
    }
}

/// What MPI is told of an operation on pairs: of that which chooses the larger, where it is true.
pub(super) type ToldOf = fn(&Library, bool) -> Result<Told, Error>;

/// What MPI is told of the operation on pairs with a number, by its name in Rust, and the bytes of such a pair.
pub(super) fn told_by_name(number: &str) -> Option<(ToldOf, usize)> {
    TOLD.iter().find(|(name, ..)| *name == number).map(|(_, told, size)| (*told, *size))
}

/// MPI's type of a pair, for those that it has and whose values it compares as we do: with a NaN, what its own operations come
/// to depends on their order.
const fn pair(name: &str) -> Option<Constant> {
    match name.as_bytes() {
        b"i16" => Some(Constant::Int16Place),
        b"i32" => Some(Constant::Int32Place),
        b"i64" => Some(Constant::Int64Place),
        _ => None,
    }
}

macro_rules! located {
    ($($type:ident $name:literal;)*) => {
        $(
            // SAFETY: two numbers, of which any bytes are values, laid out as C does.
            unsafe impl Blit for Placed<$type> {
                const NAME: &'static str = $name;
                const FIELDS: &'static [Field] = &[
                    Field {
                        name: "value",
                        type_name: stringify!($type),
                        offset: offset_of!(Placed<$type>, value),
                        size: size_of::<$type>(),
                        align: align_of::<$type>(),
                    },
                    Field {
                        name: "place",
                        type_name: "i32",
                        offset: offset_of!(Placed<$type>, place),
                        size: size_of::<i32>(),
                        align: align_of::<i32>(),
                    },
                ];
                const PADDED: bool = size_of::<Placed<$type>>() != size_of::<$type>() + size_of::<i32>();
            }

            impl sealed::Located for $type {
                fn told(library: &Library, largest: bool) -> Result<Told, Error> {
                    static MADE: [AtomicI64; 2] = [const { AtomicI64::new(0) }; 2];
                    let size = size_of::<Placed<$type>>();
                    if let Some(pair) = const { pair(stringify!($type)) } {
                        let op = library.constant(if largest { Constant::MaxLoc } else { Constant::MinLoc });
                        return Ok(Told { op, datatype: library.constant(pair), size });
                    }
                    let function: Function = if largest { chosen::<$type, true> } else { chosen::<$type, false> };
                    let op = made(library, function, &MADE[usize::from(largest)])?;
                    Ok(Told { op, datatype: whole(library, size)?, size })
                }
            }
        )*

        const TOLD: &[(&str, ToldOf, usize)] =
            &[$((stringify!($type), <$type as sealed::Located>::told, size_of::<Placed<$type>>())),*];
    };
}

located! {
    i8 "PlacedI8";
    i16 "PlacedI16";
    i32 "PlacedI32";
    i64 "PlacedI64";
    u8 "PlacedU8";
    u16 "PlacedU16";
    u32 "PlacedU32";
    u64 "PlacedU64";
    f32 "PlacedF32";
    f64 "PlacedF64";
}

/// What MPI calls for pairs.
///
/// # Safety
/// As MPI calls an operation: two arrays of so many pairs, apart from each other. Of [`Named`](super::Named) operations they are the
/// caller's bytes, wherever these lie.
unsafe extern "C" fn chosen<T: Copy + PartialOrd, const LARGEST: bool>(
    from: *mut c_void,
    into: *mut c_void,
    count: *mut c_int,
    _: *mut c_void,
) {
    let (from, into) = (from.cast::<Placed<T>>(), into.cast::<Placed<T>>());
    // SAFETY: the caller's promise.
    let count = usize::try_from(unsafe { *count }).unwrap_or(0);
    for at in 0..count {
        // SAFETY: as above; nothing is said of where pairs lie.
        unsafe {
            let (from, into) = (from.add(at).read_unaligned(), into.add(at));
            if is_before::<T, LARGEST>(&from, &into.read_unaligned()) {
                // Field by field: the padding of what was received stays zero.
                (&raw mut (*into).value).write_unaligned(from.value);
                (&raw mut (*into).place).write_unaligned(from.place);
            }
        }
    }
}

/// Whether `a` is to be chosen of the two: one order of all pairs, NaN behind the numbers.
#[inline]
#[expect(clippy::eq_op, reason = "a NaN is what does not equal itself")]
fn is_before<T: Copy + PartialOrd, const LARGEST: bool>(a: &Placed<T>, b: &Placed<T>) -> bool {
    let ends = if LARGEST { a.value > b.value } else { a.value < b.value };
    let (number, other) = (a.value == a.value, b.value == b.value);
    ends || (number && !other) || ((a.value == b.value || !(number || other)) && a.place < b.place)
}
