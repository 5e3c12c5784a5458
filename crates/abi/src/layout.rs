/// The offset of one field of a boundary struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldLayout {
    /// Its name.
    pub name: &'static str,
    /// Bytes from the struct's start.
    pub offset: usize,
}

/// Size, alignment and field offsets of a boundary struct, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The struct's name.
    pub name: &'static str,
    /// Its size.
    pub size: usize,
    /// Its alignment.
    pub align: usize,
    /// Its fields, in order.
    pub fields: &'static [FieldLayout],
}

/// Types that carry a [`Layout`], so that the mirrors in other languages can be compared with it.
pub(crate) trait HasLayout {
    const LAYOUT: Layout;
}

/// Asserts size, alignment and every offset at compile time, and keeps them for [`layouts`]. A frame, and what it points to,
/// is the same on every machine, as an engine of 64 bits writes those of a guest of 32. What begins with `local` is never
/// seen by another address space: where addresses are shorter, so is it.
macro_rules! layout {
    (local $type:ty: $($layout:tt)*) => {
        #[cfg(target_pointer_width = "64")]
        $crate::layout::layout!(assert $type: $($layout)*);
        $crate::layout::layout!(keep $type: $($layout)*);
    };
    (assert $type:ty: $size:literal, $align:literal { $($field:tt: $offset:literal),* $(,)? }) => {
        const _: () = {
            assert!(size_of::<$type>() == $size);
            assert!(align_of::<$type>() == $align);
            $(assert!(core::mem::offset_of!($type, $field) == $offset);)*
        };
    };
    (keep $type:ty: $size:literal, $align:literal { $($field:tt: $offset:literal),* $(,)? }) => {
        impl $crate::layout::HasLayout for $type {
            const LAYOUT: $crate::Layout = $crate::Layout {
                name: stringify!($type),
                size: size_of::<$type>(),
                align: align_of::<$type>(),
                fields: &[$($crate::FieldLayout {
                    name: stringify!($field),
                    offset: core::mem::offset_of!($type, $field),
                }),*],
            };
        }
    };
    ($type:ty: $($layout:tt)*) => {
        $crate::layout::layout!(assert $type: $($layout)*);
        $crate::layout::layout!(keep $type: $($layout)*);
    };
}
pub(crate) use layout;

/// Every struct of the boundary, for comparing a mirror in another language with it.
///
/// ```
/// let item = upcall_abi::layouts().iter().find(|l| l.name == "Item").unwrap();
/// assert_eq!((item.size, item.fields[1].name, item.fields[1].offset), (64, "value", 16));
/// ```
#[must_use]
pub fn layouts() -> &'static [Layout] {
    const ALL: &[Layout] = &[
        <crate::Status as HasLayout>::LAYOUT,
        <crate::Rel<u8> as HasLayout>::LAYOUT,
        <crate::Entry as HasLayout>::LAYOUT,
        <crate::ErrorSlot as HasLayout>::LAYOUT,
        <crate::FrameHead as HasLayout>::LAYOUT,
        <crate::OpenFrame as HasLayout>::LAYOUT,
        <crate::Setting as HasLayout>::LAYOUT,
        <crate::PoolEntry as HasLayout>::LAYOUT,
        <crate::Services as HasLayout>::LAYOUT,
        <crate::Item as HasLayout>::LAYOUT,
        <crate::Progress as HasLayout>::LAYOUT,
        <crate::FlowFrame as HasLayout>::LAYOUT,
        <crate::Output as HasLayout>::LAYOUT,
        <crate::Record as HasLayout>::LAYOUT,
        <crate::DescribeFrame as HasLayout>::LAYOUT,
        <crate::CancelFrame as HasLayout>::LAYOUT,
        <crate::FlowOpen as HasLayout>::LAYOUT,
        <crate::PoolServices as HasLayout>::LAYOUT,
        <crate::Query as HasLayout>::LAYOUT,
        <crate::CombineFrame as HasLayout>::LAYOUT,
        <crate::Edges as HasLayout>::LAYOUT,
        <crate::VertexFrame as HasLayout>::LAYOUT,
        <crate::VertexLent as HasLayout>::LAYOUT,
        <crate::VertexOpen as HasLayout>::LAYOUT,
        <crate::VertexTally as HasLayout>::LAYOUT,
        <crate::CombineOpen as HasLayout>::LAYOUT,
        <crate::GuestTable as HasLayout>::LAYOUT,
        <crate::Start as HasLayout>::LAYOUT,
        <crate::HandlerName as HasLayout>::LAYOUT,
        <crate::Refusal as HasLayout>::LAYOUT,
        <crate::Slice<u8> as HasLayout>::LAYOUT,
        <crate::SliceMut<u8> as HasLayout>::LAYOUT,
        <crate::Str as HasLayout>::LAYOUT,
        <crate::Buffer<u8> as HasLayout>::LAYOUT,
        <crate::Text as HasLayout>::LAYOUT,
        <crate::Failure as HasLayout>::LAYOUT,
    ];
    ALL
}
