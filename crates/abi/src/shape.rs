use crate::{Buffer, Rel, Slice, SliceMut, Str, Text};
use core::ffi::c_void;
use core::marker::PhantomData;

/// What the compiler knows of a type that crosses, so that two builds of a library can be compared.
///
/// `#[upcall::export]` puts the shapes of a function's types into its fingerprint.
#[derive(Debug)]
pub struct Shape {
    /// Its name, without path and parameters; empty where nothing but the size is known.
    pub name: &'static str,
    /// Bytes; 0 where they do not cross.
    pub size: usize,
    /// Its alignment; 0 where the type does not cross itself.
    pub align: usize,
    /// Its fields or variants, in the order of the source; for a type with parameters those.
    pub members: &'static [ShapeMember],
    /// Whether a user has declared it: a message may name it.
    pub declared: bool,
}

/// A field, a variant, or a parameter of a type.
#[derive(Debug)]
pub struct ShapeMember {
    /// Its name; empty for a parameter.
    pub name: &'static str,
    /// Where a field begins, which number a variant has, how many elements there are.
    pub at: i128,
    /// The type of a field.
    pub of: Option<&'static Shape>,
}

/// A type that has a [`Shape`]: the derives implement it, and exported `impl` blocks.
pub trait Shaped {
    /// Its shape.
    const SHAPE: &'static Shape;
}

impl Shape {
    /// `c_char`, another type on each machine, which bindings for several machines know.
    pub const C_CHAR: &'static Shape = &Shape::own("c_char");
    /// `c_long`, as above.
    pub const C_LONG: &'static Shape = &Shape::own("c_long");
    /// `c_ulong`, as above.
    pub const C_ULONG: &'static Shape = &Shape::own("c_ulong");

    /// A type of Rust's or Upcall's own.
    #[must_use]
    pub const fn own(name: &'static str) -> Shape {
        Shape { name, size: 0, align: 0, members: &[], declared: false }
    }
}

/// `ShapeOf::<T>::SHAPE` is the shape of any type: its own if it has one, else that of [`Unshaped`], which must be in scope.
/// An inherent constant is found before a trait's, if its bounds hold.
pub struct ShapeOf<T>(PhantomData<T>);

impl<T: Shaped> ShapeOf<T> {
    /// Its own.
    pub const SHAPE: &'static Shape = T::SHAPE;
}

/// Any type at all.
pub trait Unshaped {
    /// Its size and its alignment.
    const SHAPE: &'static Shape;
}

impl<T> Unshaped for ShapeOf<T> {
    const SHAPE: &'static Shape =
        &Shape { name: "", size: size_of::<T>(), align: align_of::<T>(), members: &[], declared: false };
}

macro_rules! plain {
    ($($type:ty)*) => {$(
        impl Shaped for $type {
            const SHAPE: &'static Shape = &Shape::own(stringify!($type));
        }
    )*};
}
plain!(i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64 bool char c_void Str Text);

macro_rules! with_a_parameter {
    ($($type:ident)*) => {$(
        impl<T: Shaped> Shaped for $type<T> {
            const SHAPE: &'static Shape = &Shape {
                members: &[ShapeMember { name: "", at: 0, of: Some(T::SHAPE) }],
                ..Shape::own(stringify!($type))
            };
        }
    )*};
}
with_a_parameter!(Buffer Rel Slice SliceMut);

impl<T: Shaped, const N: usize> Shaped for [T; N] {
    const SHAPE: &'static Shape = &Shape {
        members: &[ShapeMember { name: "", at: N as i128, of: Some(T::SHAPE) }],
        ..Shape::own("[]")
    };
}
