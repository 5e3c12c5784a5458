use crate::{Blit, FrameHead, OpenFrame, Rel};

/// Two arrays of one blittable type, `count` elements each: the handler combines `from` into `into`, element by element.
///
/// On failure what `into` holds is lost.
#[repr(C)]
#[derive(Debug)]
pub struct CombineFrame {
    /// The head; its kind is [`crate::kind::COMBINE`], or [`crate::kind::FLUSH`] with no elements.
    pub head: FrameHead,
    /// The first array, relative to `base::BATCH`, in bytes; aligned to an element.
    pub from: Rel<u8>,
    /// The second array, relative to `base::OUTPUT`; as long, aligned alike, and apart from the first.
    pub into: Rel<u8>,
    /// Elements of each.
    pub count: u64,
}

crate::layout::layout!(CombineFrame: 120, 8 { head: 0, from: 80, into: 96, count: 112 });

impl CombineFrame {
    /// A frame over two arrays in this process, which live as long as it is used and are the handler's meanwhile.
    ///
    /// # Panics
    /// When they have not the same length.
    pub fn new<T: Blit>(from: &[T], into: &mut [T]) -> CombineFrame {
        assert_eq!(from.len(), into.len(), "arrays that are combined have the same length");
        let bytes = size_of_val(from) as u64;
        CombineFrame {
            head: FrameHead::new::<CombineFrame>(crate::kind::COMBINE),
            from: Rel::new(from.as_ptr().expose_provenance() as u64, bytes),
            into: Rel::new(into.as_mut_ptr().expose_provenance() as u64, bytes),
            count: from.len() as u64,
        }
    }
}

/// What the engine adds to OPEN for a handler that combines.
#[repr(C)]
#[derive(Debug)]
pub struct CombineOpen {
    /// Bytes of this struct, which grows by appending only.
    pub size: u32,
    /// Bytes of an element.
    pub element_size: u32,
    /// The name of the elements' type, UTF-8, relative to `base::BATCH`: `f64`, or that of a blittable struct.
    pub element: Rel<u8>,
}

crate::layout::layout!(CombineOpen: 24, 8 { size: 0, element_size: 4, element: 8 });

impl CombineOpen {
    /// For elements of this type.
    #[must_use]
    pub fn new<T: Blit>() -> CombineOpen {
        CombineOpen {
            size: size_of::<CombineOpen>() as u32,
            element_size: size_of::<T>() as u32,
            element: Rel::of(T::NAME.as_bytes()),
        }
    }

    /// What the engine adds to this frame; `None` where it is shorter than what ABI 2 began with.
    ///
    /// # Safety
    /// What the frame adds must be a [`CombineOpen`] as long as it says, and stay unchanged for `'a`.
    #[must_use]
    pub unsafe fn of<'a>(frame: &OpenFrame) -> Option<&'a CombineOpen> {
        // SAFETY: the caller's promise.
        unsafe { frame.added(core::mem::offset_of!(CombineOpen, element) + size_of::<Rel<u8>>()) }
    }
}
