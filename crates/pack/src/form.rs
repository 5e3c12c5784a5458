use crate::Layout;
use core::fmt;
use core::marker::PhantomData;

/// What a type is in C#, which decides how its null, its slices and the structs that hold it are written.
#[non_exhaustive]
pub enum Form<T: ?Sized> {
    /// Unmanaged: raw bytes. `Option` of it is C#'s `Nullable`.
    Raw(Raw<T>),
    /// A class with a header byte, a union, a multi-dimensional array. A null `Option` of it is `FF`; no
    /// value begins with that byte.
    Object,
    /// A managed struct or a tuple with a managed item, never null itself. `Option` of it is `01` and the
    /// value, or `FF`.
    Struct,
    /// A string or a collection: begins with an i32 count. A null `Option` of it is -1.
    Counted,
    /// It can be null already, so there is no `Option` of it.
    Nullable,
}

impl<T: ?Sized> Form<T> {
    /// The layout of an unmanaged type.
    #[must_use]
    pub const fn layout(&self) -> Option<Layout> {
        match self {
            Form::Raw(raw) => Some(raw.layout),
            _ => None,
        }
    }

    /// The layout of an unmanaged type; for any other, one without bytes.
    #[doc(hidden)]
    #[must_use]
    pub const fn layout_or_empty(&self) -> Layout {
        match self.layout() {
            Some(layout) => layout,
            None => Layout::EMPTY,
        }
    }

    /// The same form for a type that is written as `T` is, such as a pointer to it; `None` for raw types,
    /// whose promise does not carry over.
    #[must_use]
    pub const fn managed<U: ?Sized>(&self) -> Option<Form<U>> {
        match self {
            Form::Raw(_) => None,
            Form::Object => Some(Form::Object),
            Form::Struct => Some(Form::Struct),
            Form::Counted => Some(Form::Counted),
            Form::Nullable => Some(Form::Nullable),
        }
    }
}

impl<T: ?Sized> Clone for Form<T> {
    fn clone(&self) -> Form<T> {
        *self
    }
}

impl<T: ?Sized> Copy for Form<T> {}

impl<T: ?Sized> fmt::Debug for Form<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Raw(raw) => f.debug_tuple("Raw").field(&raw.layout).finish(),
            Form::Object => f.write_str("Object"),
            Form::Struct => f.write_str("Struct"),
            Form::Counted => f.write_str("Counted"),
            Form::Nullable => f.write_str("Nullable"),
        }
    }
}

/// The promise that `T` is unmanaged and lies as its layout says.
pub struct Raw<T: ?Sized> {
    layout: Layout,
    of: PhantomData<fn(T) -> T>,
}

impl<T: ?Sized> Raw<T> {
    /// Promises that `T` is unmanaged.
    ///
    /// # Safety
    /// - `T`'s [`write_raw`](crate::Pack::write_raw) writes each of `layout.size` bytes.
    /// - Where `layout.same`, `T` has `layout.size` bytes in memory, and its parts lie there as on the wire.
    /// - Where `layout.full` too, none of its bytes in memory is ever uninitialised.
    /// - Where `layout.same` too, bytes that `T`'s [`read_raw`](crate::Unpack::read_raw) and
    ///   [`check_raw`](crate::Unpack::check_raw) accept are, as memory, a value of it; with `layout.any` all
    ///   are. Such a value owns nothing and needs no dropping.
    #[must_use]
    pub const unsafe fn new(layout: Layout) -> Raw<T> {
        Raw { layout, of: PhantomData }
    }

    /// How it is laid out.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.layout
    }
}

impl<T: ?Sized> Clone for Raw<T> {
    fn clone(&self) -> Raw<T> {
        *self
    }
}

impl<T: ?Sized> Copy for Raw<T> {}
