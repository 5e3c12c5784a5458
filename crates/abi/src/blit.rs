/// The place and type of one field of a blittable type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Its name.
    pub name: &'static str,
    /// The name of its type ([`Blit::NAME`]).
    pub type_name: &'static str,
    /// Bytes from the start of the type.
    pub offset: usize,
    /// Its size in bytes.
    pub size: usize,
    /// Its alignment in bytes.
    pub align: usize,
}

/// A type with the same bytes in memory on both sides of the boundary: no conversion, no copy.
///
/// `#[derive(Blit)]` from `upcall-derive` writes the implementation and refuses what is not blittable.
/// `bool`, `char` and enums are not: some of their bit patterns are not values, and languages differ on their
/// size. Use an integer and convert on purpose.
///
/// # Safety
/// - Any bytes of the type's size are a value of it (padding may hold anything).
/// - Its layout is defined (`repr(C)`, `repr(transparent)` or a primitive), and `FIELDS` describes it truly.
/// - It holds no pointer, and dropping it does nothing.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not blittable",
    label = "its bytes do not mean the same on both sides of the boundary",
    note = "blittable are i8 to i64, u8 to u64, f32, f64, arrays of them, and `#[repr(C)]` structs of them with `#[derive(Blit)]`",
    note = "instead of `bool` use `u8`, instead of `char` use `u32`, instead of `usize` use `u64`, instead of a reference, a `String` or a `Vec` use an array",
    note = "an exported function also takes and returns `bool`, `char`, `usize` and enums with `#[derive(Enum)]` by value, and takes handles (types with an exported `impl` block) by reference"
)]
pub unsafe trait Blit: Copy + 'static {
    /// Its name, the same in every language.
    const NAME: &'static str;
    /// Its fields in order; none for a primitive or an array.
    const FIELDS: &'static [Field];
    /// Whether there are bytes in it that belong to no field.
    const PADDED: bool;
}

macro_rules! primitives {
    ($($type:ident)*) => {$(
        // SAFETY: every bit pattern is a value, and there is no pointer in it.
        unsafe impl Blit for $type {
            const NAME: &'static str = stringify!($type);
            const FIELDS: &'static [Field] = &[];
            const PADDED: bool = false;
        }
    )*};
}
primitives!(i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

// SAFETY: an array is its elements, side by side.
unsafe impl<T: Blit, const N: usize> Blit for [T; N] {
    const NAME: &'static str = T::NAME;
    const FIELDS: &'static [Field] = &[];
    const PADDED: bool = T::PADDED;
}
