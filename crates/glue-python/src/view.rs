//! Addresses, borrowed slices and text, in both directions.

use super::ffi::*;
use super::kind::Kind;
use super::number::take_int;
use super::object::{self, StructType};
use std::ffi::{CStr, c_char, c_int};
use std::ptr;

/// The elements of a slice.
pub struct Element {
    /// Its name, for messages.
    pub name: &'static CStr,
    /// How many bytes it has.
    pub size: usize,
    /// Where they may begin.
    pub align: usize,
    /// As a view spells it.
    pub format: &'static CStr,
    /// How one is read.
    pub kind: Kind,
    /// The letters of the `struct` module that mean the same; none for structs, which go by their size.
    pub letters: &'static [u8],
    /// How many bytes a letter stands for: fewer than `size` for arrays of scalars.
    pub item: usize,
}

/// An `int`, or `None` for null.
pub unsafe fn give_pointer<T>(address: *const T) -> Outcome<Obj> {
    // SAFETY: the GIL is held.
    unsafe { if address.is_null() { Ok(none()) } else { owned(PyLong_FromSize_t(address as usize)) } }
}

/// The class `NativeText`.
pub static TEXT: Class = Class::new();

/// An address that may be that of C text: a `NativeText`, or `None` for null.
pub unsafe fn give_said<T>(address: *const T) -> Outcome<Obj> {
    // SAFETY: the GIL is held.
    unsafe {
        let plain = Ref(give_pointer(address)?);
        if address.is_null() { Ok(plain.give()) } else { owned(vectorcall(TEXT.get(), &[plain.0])) }
    }
}

/// The same where native code only reads what is there: an object must be a value.
#[inline(always)]
pub unsafe fn take_read(
    object: Obj,
    of: &'static StructType,
    nullable: bool,
    at: &'static At,
) -> Outcome<*mut u8> {
    // SAFETY: the object is alive; what an address points to is the program's affair.
    unsafe {
        let place = take_address(object, Some(of), nullable, at)?;
        if of.class.is_of(object) {
            super::limits::check(place, of.limits, at)?;
        }
        Ok(place)
    }
}

/// An address: an `int`, `None` where null is allowed, or an object of the struct that it points to.
#[inline(always)]
pub unsafe fn take_address(
    object: Obj,
    of: Option<&'static StructType>,
    nullable: bool,
    at: &'static At,
) -> Outcome<*mut u8> {
    // SAFETY: the object is alive.
    unsafe {
        match of {
            Some(of) if of.class.is_of(object) => object::bytes(object, of, at),
            _ => address(object, nullable, at),
        }
    }
}

unsafe fn address(object: Obj, nullable: bool, at: &'static At) -> Outcome<*mut u8> {
    // SAFETY: the object is alive.
    unsafe {
        let address: usize = if object == Py_None() {
            0
        } else if Py_TYPE(object) == &raw mut PyLong_Type || PyIndex_Check(object) == 0 {
            take_int(object, at)?
        } else {
            // A handle: asking it directly avoids a failed conversion from int first.
            let index = Ref::new(PyNumber_Index(object))?;
            take_int(index.0, at)?
        };
        if address == 0 && !nullable {
            return Err(at.invalid("must not be null"));
        }
        Ok(address as *mut u8)
    }
}

/// A buffer that is borrowed for the duration of a call.
pub struct View {
    data: *mut u8,
    len: usize,
    buffer: Py_buffer,
    held: bool,
}

/// An address and a count, kept alive by the argument they belong to.
#[derive(Clone, Copy)]
pub struct Span {
    data: *mut u8,
    len: usize,
}

impl Span {
    /// Of `bytes`.
    unsafe fn of(bytes: Obj) -> Span {
        let (mut data, mut len) = (ptr::null_mut(), 0);
        // SAFETY: the object is alive, and keeps what is looked at.
        unsafe { PyBytes_AsStringAndSize(bytes, &mut data, &mut len) };
        Span { data: data.cast(), len: len as usize }
    }

    /// What lies there.
    pub unsafe fn bytes<'a>(&self) -> &'a [u8] {
        // SAFETY: its owner is alive.
        unsafe { std::slice::from_raw_parts(self.data, self.len) }
    }

    /// As the mirror of a slice, which is an address and a count.
    #[inline(always)]
    pub fn slice<T: Copy>(&self) -> T {
        const { assert!(size_of::<T>() == size_of::<(usize, usize)>(), "a slice is an address and a count") };
        let words = [self.data as usize, self.len];
        // SAFETY: of the same size.
        unsafe { std::mem::transmute_copy(&words) }
    }
}

impl Default for View {
    fn default() -> View {
        View::new()
    }
}

impl View {
    /// Still empty. It is filled in place: it is too large to be moved in every call.
    #[inline(always)]
    pub fn new() -> View {
        View { data: ptr::null_mut(), len: 0, buffer: Py_buffer::new(), held: false }
    }

    /// The address as a pointer of any type.
    #[inline(always)]
    pub fn pointer<T>(&self) -> *mut T {
        self.data.cast()
    }

    /// As the mirror of a slice.
    #[inline(always)]
    pub fn slice<T: Copy>(&self) -> T {
        Span { data: self.data, len: self.len }.slice()
    }
}

impl Drop for View {
    #[inline(always)]
    fn drop(&mut self) {
        if self.held {
            // SAFETY: it was got, and is released once.
            unsafe { PyBuffer_Release(&mut self.buffer) };
        }
    }
}

/// Any contiguous buffer of these elements.
#[inline]
pub unsafe fn take_slice(
    view: &mut View,
    object: Obj,
    of: &'static Element,
    mutable: bool,
    at: &'static At,
) -> Outcome<()> {
    // SAFETY: the object is alive.
    unsafe {
        let flags = PyBUF_C_CONTIGUOUS | PyBUF_FORMAT | if mutable { PyBUF_WRITABLE } else { 0 };
        if PyObject_GetBuffer(object, &mut view.buffer, flags) != 0 {
            return Err(no_buffer(object, mutable, at));
        }
        view.held = true;
        let item = view.buffer.itemsize as usize;
        let format = if view.buffer.format.is_null() { c"B".as_ptr() } else { view.buffer.format };
        // The usual case: the element's own letter, nothing else.
        let own = of.letters.first().is_some_and(|letter| *letter == *format as u8) && *format.add(1) == 0;
        view.len = match own && item == of.size && view.buffer.ndim == 1 {
            true => *view.buffer.shape as usize,
            false => count(view, of, format, at)?,
        };
        view.data = view.buffer.buf.cast();
        if view.len == 0 {
            view.data = of.align as *mut u8;
        } else if view.data as usize & (of.align - 1) != 0 {
            return Err(at.invalid(&format!("must be aligned to {} bytes", of.align)));
        }
        Ok(())
    }
}

/// How many elements a buffer of any format has.
unsafe fn count(view: &View, of: &Element, format: *const c_char, at: &At) -> Outcome<usize> {
    let (item, bytes) = (view.buffer.itemsize as usize, view.buffer.len as usize);
    // SAFETY: a buffer's format is a C string.
    let format = unsafe { CStr::from_ptr(format) }.to_bytes();
    if !fits(of, item, format) || of.size == 0 || bytes % of.size != 0 {
        let (name, format) = (of.name.to_string_lossy(), String::from_utf8_lossy(format));
        // SAFETY: the GIL is held.
        return Err(unsafe { at.invalid(&format!("must hold {name}, not {format} of {item} bytes")) });
    }
    Ok(bytes / of.size)
}

fn fits(of: &Element, item: usize, format: &[u8]) -> bool {
    let by_size = of.letters.is_empty() || of.item != of.size;
    if by_size && (item == of.size || item == 1 && matches!(format, b"B" | b"b" | b"c" | b"<B")) {
        return true;
    }
    let native = if cfg!(target_endian = "big") { b'>' } else { b'<' };
    let letter = match format {
        [letter] => *letter,
        [order, letter] if *order == native || matches!(*order, b'@' | b'=') || item == 1 => *letter,
        _ => return false,
    };
    item == of.item && of.letters.contains(&letter)
}

#[cold]
unsafe fn no_buffer(object: Obj, mutable: bool, at: &At) -> Raised {
    // SAFETY: an exception is set.
    unsafe {
        if PyObject_CheckBuffer(object) == 0 {
            return at.wrong_type(c"a buffer", object);
        }
        at.invalid(if mutable {
            "must be a contiguous buffer that can be written"
        } else {
            "must be contiguous"
        })
    }
}

/// Text: a `str`, or `bytes` that are UTF-8.
#[inline]
pub unsafe fn take_str(object: Obj, at: &'static At) -> Outcome<Span> {
    // SAFETY: the object is alive, and keeps what is looked at.
    unsafe {
        let mut len = 0;
        // One call fewer than PyUnicode_Check in the usual case.
        if Py_TYPE(object) == &raw mut PyUnicode_Type || PyUnicode_Check(object) != 0 {
            let text = PyUnicode_AsUTF8AndSize(object, &mut len);
            if text.is_null() {
                return Err(at.invalid("holds a lone surrogate"));
            }
            return Ok(Span { data: text.cast_mut().cast(), len: len as usize });
        }
        if PyBytes_Check(object) == 0 {
            return Err(at.wrong_type(c"str or bytes", object));
        }
        let text = Span::of(object);
        if std::str::from_utf8(text.bytes()).is_err() { Err(at.invalid("is not UTF-8")) } else { Ok(text) }
    }
}

/// A pointer to elements: an address, `None`, a buffer of them, and, if `text` is set, a `str`; `bytes` and
/// `str` as C text must not hold a zero. `of` is `None` for `void*`, which takes any buffer.
pub unsafe fn take_elements(
    view: &mut View,
    object: Obj,
    of: Option<&'static Element>,
    mutable: bool,
    nullable: bool,
    text: bool,
    at: &'static At,
) -> Outcome<()> {
    // SAFETY: the object is alive.
    unsafe {
        if let Some(of) = of
            && let Some(place) = super::out::place(object, of, at)?
        {
            view.data = place;
            return Ok(());
        }
        if text && (PyUnicode_Check(object) != 0 || PyBytes_Check(object) != 0) {
            let span = if PyBytes_Check(object) != 0 { Span::of(object) } else { take_str(object, at)? };
            if span.bytes().contains(&0) {
                return Err(at.invalid("holds a zero character"));
            }
            view.data = span.data;
            return Ok(());
        }
        if object == Py_None() || PyObject_CheckBuffer(object) == 0 {
            view.data = address(object, nullable, at)?;
            return Ok(());
        }
        match of {
            Some(of) => take_slice(view, object, of, mutable, at),
            None => any_buffer(view, object, mutable, at),
        }
    }
}

unsafe fn any_buffer(view: &mut View, object: Obj, mutable: bool, at: &'static At) -> Outcome<()> {
    // SAFETY: the object is alive.
    unsafe {
        let flags = PyBUF_SIMPLE | if mutable { PyBUF_WRITABLE } else { 0 };
        if PyObject_GetBuffer(object, &mut view.buffer, flags) != 0 {
            return Err(no_buffer(object, mutable, at));
        }
        view.held = true;
        view.data = view.buffer.buf.cast();
        Ok(())
    }
}

/// Address and count out of a slice's mirror.
pub fn parts<T: Copy>(slice: T) -> (*mut u8, usize) {
    const { assert!(size_of::<T>() == size_of::<(usize, usize)>(), "a slice is an address and a count") };
    // SAFETY: of the same size, and any bits are a number.
    let [data, len]: [usize; 2] = unsafe { std::mem::transmute_copy(&slice) };
    (data as *mut u8, len)
}

/// A `memoryview` of native memory: it is valid for as long as the library says.
pub unsafe fn give_slice<T: Copy>(slice: T, of: &'static Element, mutable: bool) -> Outcome<Obj> {
    let (data, len) = parts(slice);
    // SAFETY: the library's promise.
    unsafe { give_elements(data, len, of, mutable) }
}

/// A `memoryview` of elements.
pub unsafe fn give_elements(data: *mut u8, len: usize, of: &'static Element, mutable: bool) -> Outcome<Obj> {
    let mut buffer = Py_buffer::new();
    let (mut shape, mut stride) = (len as isize, of.size as isize);
    buffer.buf = if data.is_null() { of.align as *mut _ } else { data.cast() };
    buffer.len = (len * of.size) as isize;
    buffer.itemsize = of.size as isize;
    buffer.readonly = c_int::from(!mutable);
    buffer.ndim = 1;
    buffer.format = of.format.as_ptr().cast_mut();
    buffer.shape = &mut shape;
    buffer.strides = &mut stride;
    // SAFETY: the view copies shape and stride.
    owned(unsafe { PyMemoryView_FromBuffer(&buffer) })
}

/// A `str`; bytes that are not UTF-8 become replacement characters.
pub unsafe fn give_str<T: Copy>(text: T) -> Outcome<Obj> {
    let (data, len) = parts(text);
    // SAFETY: the library's promise.
    unsafe { give_text(data, len) }
}

/// The same from address and length.
pub unsafe fn give_text(data: *const u8, len: usize) -> Outcome<Obj> {
    let data = if len == 0 { c"".as_ptr() } else { data.cast() };
    // SAFETY: the library's promise.
    owned(unsafe { PyUnicode_DecodeUTF8(data, len as isize, c"replace".as_ptr()) })
}

/// Nothing: a value without bytes.
pub unsafe fn take_nothing<T: Copy>(object: Obj, at: &'static At) -> Outcome<T> {
    const { assert!(size_of::<T>() == 0, "a value without bytes") };
    // SAFETY: it has no bytes.
    unsafe { if object == Py_None() { Ok(std::mem::zeroed()) } else { Err(at.wrong_type(c"None", object)) } }
}

/// A value by its kind.
pub unsafe fn take_memory<T: Copy>(object: Obj, kind: Kind, at: &'static At) -> Outcome<T> {
    // SAFETY: `T` is the kind's mirror.
    unsafe {
        let mut value: T = std::mem::zeroed();
        super::kind::put(&kind, (&raw mut value).cast(), object, at)?;
        Ok(value)
    }
}

/// The value of a static; a view of it where it is a struct or an array.
pub unsafe fn get_memory<T>(place: *mut T, kind: Kind) -> Outcome<Obj> {
    // SAFETY: the library's variable, which stays.
    unsafe { super::kind::get(&kind, place.cast(), ptr::null_mut()) }
}

/// Writes a static.
pub unsafe fn put_memory<T>(place: *mut T, kind: Kind, value: Obj, at: &'static At) -> Outcome<Obj> {
    // SAFETY: the library's variable.
    unsafe {
        super::kind::put(&kind, place.cast(), value, at)?;
        Ok(none())
    }
}

/// The address of a function.
pub unsafe fn give_function<T: Copy>(function: T) -> Outcome<Obj> {
    const { assert!(size_of::<T>() == size_of::<usize>(), "the address of a function") };
    // SAFETY: of the same size.
    unsafe { give_pointer(std::mem::transmute_copy::<T, *const u8>(&function)) }
}
