use super::Pool;
use std::mem::MaybeUninit;
use upcall_abi::{Blit, Chained, FlowFrame, Writer, kind};

/// What a typed handler takes: how the bytes of a value are read. [`crate::TypedHandler::In`] names one.
///
/// | form | what the handler is given |
/// | --- | --- |
/// | `T`, blittable | `&T`, in the engine's memory where it is aligned, as it is in a flow |
/// | `Packed<T>` (feature `pack`) | `T`, which may borrow from the engine's memory |
/// | `str` | `&str`, the value being UTF-8 |
/// | `[u8]` | the bytes |
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a value type",
    note = "use a blittable type, `upcall::Packed<T>` for a packed one (feature `pack`), `str` or `[u8]`"
)]
pub trait Decode<'a> {
    /// What the handler is given.
    type View;
    /// Where a value is copied to that is not aligned.
    #[doc(hidden)]
    type Copied;

    /// Its name and size.
    #[doc(hidden)]
    fn shape() -> Shape;

    /// The value in these bytes, or what is wrong with them.
    #[doc(hidden)]
    fn decode(bytes: &'a [u8], copied: &'a mut MaybeUninit<Self::Copied>) -> Result<Self::View, String>;
}

/// What a typed handler emits: how values become bytes. The forms are those of [`Decode`].
///
/// A blittable type that is emitted has no padding, which is memory that nobody has written:
///
/// ```compile_fail,E0080
/// # use upcall::{Blit, Emit, Failure, Harness, Object};
/// #[derive(Blit, Clone, Copy)]
/// #[repr(C)]
/// struct Padded {
///     small: u8,
///     large: u64,
/// }
///
/// let harness = Harness::new(|object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
///     emit.of::<Padded>().put(object.key(), &Padded { small: 1, large: 2 });
///     Ok(())
/// });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be used as a value type",
    note = "use a blittable type, `upcall::Packed<T>` for a packed one (feature `pack`), `str` or `[u8]`"
)]
pub trait Encode {
    /// What is given to [`crate::Emit::put`].
    type Value: ?Sized;
    /// Whether its values are of whatever type a pool declares.
    #[doc(hidden)]
    const ANY: bool = false;

    /// Its name and size. Never inlined, so that its address, by which an emitter remembers it, is one.
    #[doc(hidden)]
    fn shape() -> Shape;

    /// Writes a record, or says what is wrong with the value.
    #[doc(hidden)]
    fn encode(
        value: &Self::Value,
        key: &[u8],
        pool: u32,
        item: u32,
        writer: &mut Writer,
    ) -> Result<(), String>;

    /// The bytes of a value, as an emitter writes them; or what is wrong with it.
    #[doc(hidden)]
    fn bytes(value: &Self::Value) -> Result<Vec<u8>, String> {
        let mut frame = Chained::new(FlowFrame::new(kind::FLOW));
        let head = frame.start();
        // SAFETY: the frame lives longer than the writer, which is the only one; it begins where its head does.
        let mut writer = unsafe { Writer::new(head, &raw mut (*head.cast::<FlowFrame>()).out) };
        Self::encode(value, b"", 0, 0, &mut writer)?;
        // SAFETY: the writer has written.
        match unsafe { frame.records() }?.as_slice() {
            [(_, _, value)] => Ok(value.to_vec()),
            other => Err(format!("it wrote {} records instead of one", other.len())),
        }
    }
}

/// What a form is called and how long its values are.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// As pools name it; empty when it is any bytes.
    pub name: &'static str,
    /// Bytes of a value, when all have the same.
    pub size: Option<usize>,
}

impl Shape {
    /// Says it of a handler; nothing where it is any bytes.
    pub(crate) fn said(&self, say: impl FnOnce(&str, Option<usize>)) {
        if !self.name.is_empty() {
            say(self.name, self.size);
        }
    }

    /// Why values of `pool` cannot be of this shape, if they cannot. `side` is the handler's: what it takes
    /// or emits.
    pub(crate) fn disagrees(&self, pool: &Pool, side: &str) -> Option<String> {
        let any = self.name.is_empty() || pool.value_type.is_empty();
        let same = self.name == pool.value_type
            && (pool.value_size == 0 || self.size == Some(pool.value_size as usize));
        (!any && !same).then(|| {
            let of = |size: Option<usize>| size.map_or(String::new(), |size| format!(" of {size} bytes"));
            let declared = of((pool.value_size > 0).then_some(pool.value_size as usize));
            format!(
                "pool {} has the type {}{declared}, and the handler {side} {}{}: change the pool's `type` or \
                 the handler's",
                pool.path,
                pool.value_type,
                self.name,
                of(self.size)
            )
        })
    }
}

/// What is read of a pool from outside: a value of its own, as the pool's bytes do not stay. The forms are those of
/// [`Decode`].
pub trait Owned: Encode {
    /// What is returned.
    type Value;

    /// The value in these bytes, or what is wrong with them.
    #[doc(hidden)]
    fn own(bytes: &[u8]) -> Result<<Self as Owned>::Value, String>;
}

impl<T: Blit> Owned for T {
    type Value = T;

    fn own(bytes: &[u8]) -> Result<T, String> {
        <T as Decode>::decode(bytes, &mut MaybeUninit::uninit()).copied()
    }
}

impl Owned for str {
    type Value = String;

    fn own(bytes: &[u8]) -> Result<String, String> {
        <str as Decode>::decode(bytes, &mut MaybeUninit::uninit()).map(str::to_owned)
    }
}

impl Owned for [u8] {
    type Value = Vec<u8>;

    fn own(bytes: &[u8]) -> Result<Vec<u8>, String> {
        Ok(bytes.to_vec())
    }
}

impl<'a, T: Blit> Decode<'a> for T {
    type View = &'a T;
    type Copied = T;

    fn shape() -> Shape {
        Shape { name: T::NAME, size: Some(size_of::<T>()) }
    }

    #[inline]
    fn decode(bytes: &'a [u8], copied: &'a mut MaybeUninit<T>) -> Result<&'a T, String> {
        if bytes.len() != size_of::<T>() {
            return Err(wrong_size(bytes.len(), size_of::<T>()));
        }
        let place = bytes.as_ptr().cast::<T>();
        if place.is_aligned() {
            // SAFETY: as many bytes as a `T` has, aligned, that live for 'a; any bytes are a `T`.
            return Ok(unsafe { &*place });
        }
        // SAFETY: as above, but for the alignment, which an unaligned read does not need.
        Ok(copied.write(unsafe { place.read_unaligned() }))
    }
}

impl<T: Blit> Encode for T {
    type Value = T;

    #[inline(never)]
    fn shape() -> Shape {
        <T as Decode>::shape()
    }

    #[inline]
    fn encode(value: &T, key: &[u8], pool: u32, item: u32, writer: &mut Writer) -> Result<(), String> {
        const {
            assert!(
                !T::PADDED,
                "a blittable type that is emitted has no padding, which is memory that nobody has written: \
                 add a field in its place, or emit it packed"
            );
        }
        // SAFETY: `size_of::<T>()` bytes, all of them fields, which are numbers.
        let bytes = unsafe { std::slice::from_raw_parts((&raw const *value).cast(), size_of::<T>()) };
        writer.put(pool, item, key, bytes).ok_or_else(|| no_memory(bytes.len()))
    }
}

impl<'a> Decode<'a> for [u8] {
    type View = &'a [u8];
    type Copied = ();

    fn shape() -> Shape {
        Shape { name: "", size: None }
    }

    #[inline]
    fn decode(bytes: &'a [u8], _: &'a mut MaybeUninit<()>) -> Result<&'a [u8], String> {
        Ok(bytes)
    }
}

impl Encode for [u8] {
    type Value = [u8];
    const ANY: bool = true;

    #[inline(never)]
    fn shape() -> Shape {
        <[u8] as Decode>::shape()
    }

    #[inline]
    fn encode(value: &[u8], key: &[u8], pool: u32, item: u32, writer: &mut Writer) -> Result<(), String> {
        writer.put(pool, item, key, value).ok_or_else(|| no_memory(value.len()))
    }
}

impl<'a> Decode<'a> for str {
    type View = &'a str;
    type Copied = ();

    fn shape() -> Shape {
        Shape { name: "text", size: None }
    }

    #[inline]
    fn decode(bytes: &'a [u8], _: &'a mut MaybeUninit<()>) -> Result<&'a str, String> {
        text(bytes)
    }
}

impl Encode for str {
    type Value = str;

    #[inline(never)]
    fn shape() -> Shape {
        <str as Decode>::shape()
    }

    #[inline]
    fn encode(value: &str, key: &[u8], pool: u32, item: u32, writer: &mut Writer) -> Result<(), String> {
        <[u8]>::encode(value.as_bytes(), key, pool, item, writer)
    }
}

/// Bytes as text, or where they cease to be.
pub(crate) fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| format!("it is not UTF-8 at byte {}", error.valid_up_to()))
}

#[cold]
fn wrong_size(has: usize, takes: usize) -> String {
    format!("it has {has} bytes, not {takes}")
}

#[cold]
pub(crate) fn no_memory(len: usize) -> String {
    format!("no memory to emit a value of {len} bytes")
}
