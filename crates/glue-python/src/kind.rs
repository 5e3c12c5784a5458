//! What a value in memory is, as data: reading and writing fields and elements takes one function each.

use super::array::{self, ArrayType};
use super::explicit;
use super::ffi::*;
use super::limits;
use super::number::*;
use super::object::{self, StructType};
use super::slots::Signature;
use super::view;
use std::ffi::CStr;
use std::ops::Range;

/// An enum or a set of flags.
pub struct EnumType {
    /// Its name.
    pub name: &'static CStr,
    /// The integer that it is in memory.
    pub repr: Kind,
    /// Whether numbers other than the members' are refused.
    pub strict: bool,
    /// Whether it is a set of flags.
    pub flags: bool,
    /// Its class.
    pub class: Class,
    /// The class's members by value.
    pub members: Class,
}

/// A C bitfield in its storage unit.
#[derive(Clone, Copy)]
pub struct Bits {
    /// The lowest bit.
    pub shift: u32,
    /// How many bits.
    pub width: u32,
    /// Whether the highest is a sign.
    pub signed: bool,
    /// What it is declared as.
    pub of: &'static Kind,
}

/// What lies at an address.
#[derive(Clone, Copy)]
#[allow(missing_docs, reason = "scalars are called as in Rust")]
pub enum Kind {
    Bool,
    Char,
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
    I128,
    U128,
    F32,
    F64,
    Enum(&'static EnumType),
    Struct(&'static StructType),
    Array(&'static ArrayType),
    /// An address: of a struct of this type, if that is known.
    Pointer(Option<&'static StructType>),
    /// The address of what may be C text.
    Text,
    /// The address of a function.
    Function(&'static Signature),
    /// Bits of a storage unit of that many bytes.
    Bits(u32, Bits),
    /// A variant's data within its enum: the size of the tag before it, and its value.
    Variant(&'static StructType, u32, u64),
}

/// Does something with `T`, the integer that a kind is.
macro_rules! integer {
    ($kind:expr, $T:ident => $what:expr) => {
        integer!($kind, $T => $what, I8 i8, I16 i16, I32 i32, I64 i64, U8 u8, U16 u16, U32 u32)
    };
    ($kind:expr, $T:ident => $what:expr, $($name:ident $ty:ty),*) => {
        match $kind {
            $(Kind::$name => {
                type $T = $ty;
                $what
            })*
            _ => {
                type $T = u64;
                $what
            }
        }
    };
}

/// Reads. A struct or an array is a view that keeps `owner` alive (null if nobody owns the memory).
pub unsafe fn get(kind: &Kind, place: *mut u8, owner: Obj) -> Outcome<Obj> {
    // SAFETY: a value of this kind lies at `place`.
    unsafe {
        match kind {
            Kind::Bool => give_bool(*place),
            Kind::Char => give_char(place.cast::<u32>().read_unaligned()),
            Kind::I128 => give_wide(place.cast::<u128>().read_unaligned(), true),
            Kind::U128 => give_wide(place.cast::<u128>().read_unaligned(), false),
            Kind::F32 => give_float(place.cast::<f32>().read_unaligned().into()),
            Kind::F64 => give_float(place.cast::<f64>().read_unaligned()),
            Kind::Enum(of) => integer!(of.repr, T => give_enum(place.cast::<T>().read_unaligned(), of)),
            Kind::Struct(of) => object::view(of, place, owner),
            Kind::Array(of) => array::view(of, place, owner),
            Kind::Text => view::give_said(place.cast::<*const u8>().read_unaligned()),
            Kind::Pointer(_) | Kind::Function(_) => {
                view::give_pointer(place.cast::<*const u8>().read_unaligned())
            }
            Kind::Bits(size, bits) => {
                let unit = unit(place, *size) >> bits.shift << (64 - bits.width);
                let down = 64 - bits.width;
                match (bits.of, bits.signed) {
                    (Kind::Bool, _) => give_bool((unit != 0).into()),
                    (Kind::Enum(of), true) => give_enum((unit as i64) >> down, of),
                    (Kind::Enum(of), false) => give_enum(unit >> down, of),
                    (_, true) => give_int((unit as i64) >> down),
                    (_, false) => give_int(unit >> down),
                }
            }
            Kind::Variant(of, size, value) => {
                if unit(place, *size) != *value {
                    let message = format!("the value is not a {}", of.name.to_string_lossy());
                    return Err(raise(PyExc_ValueError, &message));
                }
                object::view(of, place, owner)
            }
            number => integer!(number, T => give_int(place.cast::<T>().read_unaligned())),
        }
    }
}

/// Writes.
pub unsafe fn put(kind: &Kind, place: *mut u8, value: Obj, at: &'static At) -> Outcome<()> {
    // SAFETY: a value of this kind may be written at `place`; `value` is alive.
    unsafe {
        match kind {
            Kind::Bool => *place = take_bool(value, at)?,
            Kind::Char => place.cast::<u32>().write_unaligned(take_char(value, at)?),
            Kind::I128 => place.cast::<u128>().write_unaligned(take_wide(value, true, at)?),
            Kind::U128 => place.cast::<u128>().write_unaligned(take_wide(value, false, at)?),
            Kind::F32 => place.cast::<f32>().write_unaligned(take_f32(value, at)?),
            Kind::F64 => place.cast::<f64>().write_unaligned(take_f64(value, at)?),
            Kind::Enum(of) => {
                integer!(of.repr, T => place.cast::<T>().write_unaligned(take_enum(value, of, at)?))
            }
            Kind::Struct(of) => place.copy_from(object::bytes(value, of, at)?, of.size),
            Kind::Array(of) => array::put(of, place, value, at)?,
            Kind::Pointer(of) => {
                place.cast::<*mut u8>().write_unaligned(view::take_address(value, *of, true, at)?)
            }
            Kind::Text => place.cast::<*mut u8>().write_unaligned(view::take_address(value, None, true, at)?),
            Kind::Function(of) => {
                place.cast::<*const u8>().write_unaligned(explicit::address(value, of, at)?)
            }
            Kind::Bits(size, bits) => {
                let given: u64 = if let Kind::Bool = bits.of {
                    take_bool(value, at)?.into()
                } else if bits.signed {
                    let given: i64 = take_int(value, at)?;
                    let limit = 1i128 << (bits.width - 1);
                    if !(-limit..limit).contains(&i128::from(given)) {
                        return Err(at.out_of_range(value, c"the bitfield"));
                    }
                    given as u64
                } else {
                    let given: u64 = take_int(value, at)?;
                    if u128::from(given) >= 1u128 << bits.width {
                        return Err(at.out_of_range(value, c"the bitfield"));
                    }
                    given
                };
                let mask = (u64::MAX >> (64 - bits.width)) << bits.shift;
                let whole = unit(place, *size) & !mask | given << bits.shift & mask;
                // Only the bytes that the bitfield touches are its own: others may belong to another field.
                put_bytes(place, *size, bits.shift / 8..(bits.shift + bits.width).div_ceil(8), whole);
            }
            Kind::Variant(of, size, tag) => {
                place.copy_from(object::bytes(value, of, at)?, of.size);
                put_bytes(place, *size, 0..*size, *tag);
            }
            number => integer!(number, T => place.cast::<T>().write_unaligned(take_int(value, at)?)),
        }
        Ok(())
    }
}

/// An unsigned integer of that many bytes.
unsafe fn unit(place: *const u8, size: u32) -> u64 {
    // SAFETY: the caller's promise.
    unsafe { limits::integer(place, size as usize, false) as u64 }
}

/// Writes some bytes of an integer of that size, counted from the lowest.
unsafe fn put_bytes(place: *mut u8, size: u32, bytes: Range<u32>, value: u64) {
    for byte in bytes {
        let index = if cfg!(target_endian = "big") { size - 1 - byte } else { byte };
        // SAFETY: the caller's promise.
        unsafe { *place.add(index as usize) = (value >> (byte * 8)) as u8 };
    }
}
