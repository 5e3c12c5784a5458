//! Memory that the library gave away, with the function that releases it.

use super::class::{Made, dealloc, method, slot};
use super::ffi::*;
use super::kind::{self, Kind};
use super::object::StructType;
use super::view::{self, Element};
use std::ffi::{CStr, c_int, c_void};
use std::mem::offset_of;
use std::ptr;

type Release = unsafe extern "C" fn(*mut u8, usize, usize);

/// A `Buffer<T>`, whatever its `T`.
#[repr(C)]
#[derive(Clone, Copy)]
struct Parts {
    data: *mut u8,
    len: usize,
    capacity: usize,
    release: Option<Release>,
}

const _: () = {
    const WORD: usize = size_of::<usize>();
    assert!(size_of::<Parts>() == 4 * WORD && align_of::<Parts>() == WORD);
    assert!(offset_of!(Parts, data) == 0);
    assert!(offset_of!(Parts, len) == WORD);
    assert!(offset_of!(Parts, capacity) == 2 * WORD);
    assert!(offset_of!(Parts, release) == 3 * WORD);
};

impl Parts {
    fn of<T: Copy>(buffer: T) -> Parts {
        const { assert!(size_of::<T>() == size_of::<Parts>(), "a buffer is four words") };
        // SAFETY: of the same size and meaning.
        unsafe { std::mem::transmute_copy(&buffer) }
    }

    unsafe fn release(&self) {
        if let Some(release) = self.release {
            // SAFETY: once, with what the library gave.
            unsafe { release(self.data, self.len, self.capacity) };
        }
    }
}

/// The Python object.
#[repr(C)]
struct Buffer {
    head: PyObject,
    parts: Parts,
    of: &'static Element,
    /// The length as a shape.
    shape: isize,
    /// How many views of the memory there are.
    exports: usize,
    open: bool,
    readonly: bool,
}

const _: () = {
    const HEADER: usize = size_of::<PyObject>();
    const WORD: usize = size_of::<usize>();
    assert!(size_of::<Buffer>() == HEADER + 8 * WORD && align_of::<Buffer>() == WORD);
    assert!(offset_of!(Buffer, head) == 0);
    assert!(offset_of!(Buffer, parts) == HEADER);
    assert!(offset_of!(Buffer, of) == HEADER + 4 * WORD);
    assert!(offset_of!(Buffer, shape) == HEADER + 5 * WORD);
    assert!(offset_of!(Buffer, exports) == HEADER + 6 * WORD);
    assert!(offset_of!(Buffer, open) == HEADER + 7 * WORD);
    assert!(offset_of!(Buffer, readonly) == HEADER + 7 * WORD + 1);
};

static CLASS: Class = Class::new();

/// A `str` of an owned text, which is released.
pub unsafe fn give_text<T: Copy>(text: T) -> Outcome<Obj> {
    let parts = Parts::of(text);
    // SAFETY: the library's promise.
    unsafe {
        let text = view::give_text(parts.data, parts.len);
        parts.release();
        text
    }
}

/// A view of elements that are lent to a callback, until [`end`].
pub unsafe fn lend<T: Copy>(slice: T, of: &'static Element, mutable: bool) -> Outcome<Obj> {
    let (data, len) = view::parts(slice);
    // SAFETY: a buffer without a release, which is this view's alone.
    unsafe {
        let object = Ref(make_buffer(Parts { data, len, capacity: len, release: None }, of)?);
        (*object.0.cast::<Buffer>()).readonly = !mutable;
        owned(PyMemoryView_FromObject(object.0))
    }
}

/// Ends what [`lend`] made. `well` says that nothing was raised.
pub unsafe fn end(view: Obj, well: bool) -> Outcome<()> {
    let mut raised = [ptr::null_mut(); 3];
    let [kind, value, trace] = &mut raised;
    // SAFETY: the view is of a `Buffer`; what was raised before is set again.
    unsafe {
        PyErr_Fetch(kind, value, trace);
        let object = Ref::new(PyObject_GetAttrString(view, c"obj".as_ptr()))?;
        std::mem::drop(Ref(PyObject_CallMethod(view, c"release".as_ptr(), ptr::null())));
        PyErr_Clear();
        let buffer = &mut *object.0.cast::<Buffer>();
        buffer.open = false;
        if buffer.exports > 0 && well {
            let message = "a callback kept a view of a slice that it was lent: keep a copy";
            return Err(raise(PyExc_BufferError, message));
        }
        PyErr_Restore(*kind, *value, *trace);
        Ok(())
    }
}

/// Gives back what nobody wants.
pub unsafe fn drop<T: Copy>(buffer: T) {
    // SAFETY: the library's promise.
    unsafe { Parts::of(buffer).release() };
}

/// An object that owns a buffer.
pub unsafe fn give_buffer<T: Copy>(buffer: T, of: &'static Element) -> Outcome<Obj> {
    let parts = Parts::of(buffer);
    // SAFETY: what nobody owns goes back.
    unsafe { make_buffer(parts, of).inspect_err(|_| parts.release()) }
}

unsafe fn make_buffer(parts: Parts, of: &'static Element) -> Outcome<Obj> {
    // SAFETY: a new object of the class, filled at once; all its bits were zero.
    unsafe {
        let object = owned(PyType_GenericAlloc(CLASS.get().cast(), 0))?.cast::<Buffer>();
        (*object).parts = parts;
        (&raw mut (*object).of).write(of);
        (*object).shape = parts.len as isize;
        (*object).open = true;
        Ok(object.cast())
    }
}

/// Makes the class `NativeBuffer` and adds it to the module.
pub unsafe fn make(module: Obj, package: &'static CStr) -> Outcome<()> {
    let made = Made {
        name: c"NativeBuffer",
        package,
        size: size_of::<Buffer>(),
        flags: Py_TPFLAGS_DISALLOW_INSTANTIATION,
        docs: c"Memory that the library gave away.",
        methods: vec![
            method(
                c"release",
                release,
                METH_NOARGS,
                c"Gives the memory back; views of it must have been released.",
            ),
            method(
                c"view",
                get_view,
                METH_NOARGS,
                c"A memoryview of the elements, until the buffer is released.",
            ),
            method(c"__enter__", enter, METH_NOARGS, c"The buffer itself."),
            method(c"__exit__", exit, METH_VARARGS, c"Releases it."),
        ],
        slots: vec![
            slot(Py_tp_dealloc, dealloc::<Buffer> as *const ()),
            slot(Py_sq_length, length as *const ()),
            slot(Py_sq_item, get as *const ()),
            slot(Py_bf_getbuffer, get_buffer as *const ()),
            slot(Py_bf_releasebuffer, release_buffer as *const ()),
        ],
    };
    // SAFETY: the functions are those that the slots are for.
    unsafe { made.add(module, &CLASS) }
}

/// The buffer, unless it was released.
unsafe fn open<'a>(object: Obj) -> Outcome<&'a mut Buffer> {
    // SAFETY: a `Buffer`.
    let buffer = unsafe { &mut *object.cast::<Buffer>() };
    // SAFETY: the GIL is held.
    if buffer.open { Ok(buffer) } else { Err(unsafe { raise(PyExc_ValueError, "the buffer was released") }) }
}

impl Buffer {
    /// Gives the memory back, which nobody looks at.
    unsafe fn release(&mut self) {
        if std::mem::take(&mut self.open) {
            // SAFETY: the library's, once.
            unsafe { self.parts.release() };
        }
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        // SAFETY: views of the memory would keep the object.
        unsafe { self.release() };
    }
}

unsafe extern "C" fn release(object: Obj, _: Obj) -> Obj {
    // SAFETY: a `Buffer`; the GIL is held.
    returned(unsafe {
        let buffer = &mut *object.cast::<Buffer>();
        if buffer.open && buffer.exports > 0 {
            Err(raise(PyExc_BufferError, "a view still uses the buffer: release the view first"))
        } else {
            buffer.release();
            Ok(none())
        }
    })
}

unsafe extern "C" fn get_view(object: Obj, _: Obj) -> Obj {
    // SAFETY: a `Buffer`.
    unsafe { PyMemoryView_FromObject(object) }
}

unsafe extern "C" fn enter(object: Obj, _: Obj) -> Obj {
    // SAFETY: a `Buffer`.
    returned(unsafe { open(object).map(|_| Ref::to(object).give()) })
}

unsafe extern "C" fn exit(object: Obj, _: Obj) -> Obj {
    // SAFETY: a `Buffer`.
    unsafe { release(object, ptr::null_mut()) }
}

unsafe extern "C" fn length(object: Obj) -> isize {
    // SAFETY: a `Buffer`.
    unsafe { open(object) }.map_or(-1, |buffer| buffer.shape)
}

unsafe extern "C" fn get(object: Obj, index: isize) -> Obj {
    // SAFETY: a `Buffer`; the index is looked at.
    returned(unsafe {
        open(object).and_then(|buffer| {
            if index as usize >= buffer.parts.len {
                let message = format!("the buffer has {} elements, none at {index}", buffer.parts.len);
                return Err(raise(PyExc_IndexError, &message));
            }
            let place = buffer.parts.data.add(index as usize * buffer.of.size);
            match buffer.of.kind {
                // A copy: a view would not keep the buffer from being released.
                Kind::Struct(of) => copy(of, place),
                kind => kind::get(&kind, place, object),
            }
        })
    })
}

unsafe fn copy(of: &'static StructType, place: *const u8) -> Outcome<Obj> {
    static COPY: At = At { name: c"element", owner: c"buffer" };
    // SAFETY: a value of this type lies there.
    unsafe {
        let new = super::object::new(of)?;
        super::object::bytes(new, of, &COPY)?.copy_from(place, of.size);
        Ok(new)
    }
}

unsafe extern "C" fn get_buffer(object: Obj, to: *mut Py_buffer, flags: c_int) -> c_int {
    // SAFETY: a `Buffer`, and a buffer to fill; the shape lives as long as the object.
    status(unsafe {
        open(object).and_then(|buffer| {
            let (size, parts) = (buffer.of.size, buffer.parts);
            let data = if parts.data.is_null() { buffer.of.align as *mut c_void } else { parts.data.cast() };
            let (bytes, readonly) = ((parts.len * size) as isize, buffer.readonly.into());
            done(PyBuffer_FillInfo(to, object, data, bytes, readonly, flags))?;
            if flags & PyBUF_FORMAT == PyBUF_FORMAT {
                (*to).itemsize = size as isize;
                (*to).format = buffer.of.format.as_ptr().cast_mut();
            }
            if flags & PyBUF_ND == PyBUF_ND {
                (*to).itemsize = size as isize;
                (*to).ndim = 1;
                (*to).shape = &mut buffer.shape;
                (*to).strides = &mut (*to).itemsize;
            }
            buffer.exports += 1;
            Ok(())
        })
    })
}

unsafe extern "C" fn release_buffer(object: Obj, _: *mut Py_buffer) {
    // SAFETY: a `Buffer` that was looked at.
    unsafe { (*object.cast::<Buffer>()).exports -= 1 };
}

/// Address and length of a text that stays its owner's.
pub fn borrow_text<T: Copy>(text: T) -> (*const u8, usize) {
    let parts = Parts::of(text);
    (parts.data, parts.len)
}
