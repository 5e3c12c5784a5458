//! Files of all ranks: MPI-IO.

use super::buffer::Buffer;
use super::communicator::of;
use super::failure::{raise, raise_as};
use super::integer::integer;
use super::{action, is_forked, method, number, own_process, request, truth, unlocked, view};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Raised, Ref};
use crate::types::{self as make, TypeOf};
use std::ffi::c_void;
use std::io::SeekFrom;
use std::sync::{PoisonError, RwLock};
use upcall_mpi::{Error, File, Place};

/// A file, until it is closed. Whoever closes it or sets its view waits for others' calls.
struct Held {
    file: RwLock<Option<File>>,
    path: String,
}

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null in one that nobody has opened.
    held: *mut Held,
}

/// What `upcall.mpi.File` is derived from.
pub fn file_type() -> Outcome<Ref> {
    let of = TypeOf::new::<Object>(c"upcall._upcall.MpiFile")
        .flag(ffi::Py_TPFLAGS_BASETYPE)
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .attribute(c"path", path, c"Its path, as it was opened.")
        .attribute(c"size", size, c"Its bytes.")
        .attribute(c"position", position, c"Where this rank's pointer is, in elements of the view.")
        .attribute(c"position_shared", position_shared, c"Where the pointer is that all ranks have.")
        .attribute(c"atomic", atomic, c"Whether each read and write is done at once.")
        .action(c"close", action!(close), c"Closes it. Collective. A second call does nothing.")
        .action(c"sync", action!(sync), c"Brings what was written to the disk. Collective.")
        .action(c"_hints", action!(hints), c"The hints in use.")
        .method(c"set_size", method!(set_size as "set_size"(bytes), 1), c"Makes it as large. Collective.")
        .method(c"preallocate", method!(preallocate as "preallocate"(bytes), 1), c"Takes room. Collective.")
        .method(c"set_atomic", method!(set_atomic as "set_atomic"(atomic), 1), c"Sets it. Collective.")
        .method(c"_seek", method!(seek as "seek"(offset, whence, shared), 3), c"Moves a pointer.")
        .method(c"_read", method!(read as "read"(into, place, offset), 3), c"Bytes that were read.")
        .method(c"_write", method!(write as "write"(data, place, offset), 3), c"Writes bytes.")
        .method(
            c"start_read_at",
            method!(start_read_at as "start_read_at"(into, offset), 2),
            c"start_read_at(into, offset)",
        )
        .method(
            c"start_write_at",
            method!(start_write_at as "start_write_at"(data, offset), 2),
            c"start_write_at(data, offset)",
        );
    view::methods(of).make(None)
}

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(c"_file_open", method!(open as "open"(of, path, how, hints), 4), c"Opens a file. Collective.")
        .method(c"_file_delete", method!(delete as "delete"(path), 1), c"Deletes a file.")
}

/// The file of an object.
///
/// # Safety
/// It must be one that stays alive while the result is used, here and below.
unsafe fn held<'a>(object: *mut PyObject) -> Outcome<&'a Held> {
    own_process()?;
    // SAFETY: the caller's promise.
    unsafe { (*object.cast::<Object>()).held.as_ref() }
        .ok_or_else(|| raise_as("lifecycle", "use a file: nobody has opened it; `mpi.File.open` does"))
}

fn closed(path: &str) -> Raised {
    raise_as("usage", format!("use the file {path}: it has been closed; open it again"))
}

/// Does something with a file that is open, without the interpreter's lock.
unsafe fn with<T>(object: *mut PyObject, call: impl FnOnce(&File) -> Result<T, Error>) -> Outcome<T> {
    // SAFETY: the caller's promise.
    let held = unsafe { held(object)? };
    let done = unlocked(|| held.file.read().unwrap_or_else(PoisonError::into_inner).as_ref().map(call));
    done.ok_or_else(|| closed(&held.path))?.map_err(raise)
}

/// The same alone.
///
/// # Safety
/// As above.
pub unsafe fn alone<T>(
    object: *mut PyObject,
    call: impl FnOnce(&mut File) -> Result<T, Error>,
) -> Outcome<T> {
    // SAFETY: the caller's promise.
    let held = unsafe { held(object)? };
    let done = unlocked(|| held.file.write().unwrap_or_else(PoisonError::into_inner).as_mut().map(call));
    done.ok_or_else(|| closed(&held.path))?.map_err(raise)
}

/// An offset or a size.
///
/// # Safety
/// The object must be alive.
pub unsafe fn amount(object: *mut PyObject, name: &str) -> Outcome<u64> {
    // SAFETY: the caller's promise.
    let amount = unsafe { integer(object, name)? };
    u64::try_from(amount)
        .map_err(|_| raise_as("range", format!("{name}: {amount} is less than 0, and files begin there")))
}

/// `_file_open(of, path, how, hints)`: `how` are the truths of the options in their order, and hints are pairs.
unsafe fn open(this: *mut PyObject, [kind, at, how, hints]: [*mut PyObject; 4]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let (comm, path) = (of(this)?, py::utf8(at)?.to_owned());
        let how = number(how, "how")?;
        let said = |bit: i32| how & (1 << bit) != 0;
        let mut options = File::options()
            .read(said(0))
            .write(said(1))
            .append(said(2))
            .create(said(3))
            .create_new(said(4))
            .truncate(said(5))
            .delete_on_close(said(6));
        let hints = Ref::steal(ffi::PySequence_Tuple(hints))?;
        for index in 0..py::len(&hints)? {
            let pair = py::item(&hints, index)?;
            options = options.hint(py::item(&pair, 0)?.text()?, py::item(&pair, 1)?.text()?);
        }
        let file = unlocked(|| options.open(comm, &path)).map_err(raise)?;
        let made = make::new(&Ref::share(kind))?;
        let held = Held { file: RwLock::new(Some(file)), path };
        (*made.as_ptr().cast::<Object>()).held = Box::into_raw(Box::new(held));
        Ok(made)
    }
}

unsafe fn delete(this: *mut PyObject, [path]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    let (comm, path) = unsafe { (of(this)?, py::utf8(path)?.to_owned()) };
    unlocked(|| File::delete(comm, &path)).map_err(raise)?;
    Ok(py::none())
}

unsafe fn close(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: a file that lives until this returns, here and below.
    let held = unsafe { held(this)? };
    let closed = unlocked(|| {
        let mut place = held.file.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &*place {
            file.may_close()?;
        }
        let file = place.take();
        drop(place);
        file.map_or(Ok(()), File::close)
    });
    closed.map_err(raise)?;
    Ok(py::none())
}

unsafe extern "C" fn path(this: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: CPython passes a file, here and below.
    py::returned(unsafe { held(this) }.and_then(|held| py::text(held.path.as_bytes())))
}

unsafe extern "C" fn size(this: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { with(this, File::size) }.and_then(py::int))
}

unsafe extern "C" fn position(this: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { with(this, File::position) }.and_then(py::int))
}

unsafe extern "C" fn position_shared(this: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe { with(this, File::position_shared) }.and_then(py::int))
}

unsafe extern "C" fn atomic(this: *mut PyObject, _: *mut c_void) -> *mut PyObject {
    // SAFETY: as above.
    py::returned(unsafe {
        with(this, File::is_atomic).and_then(|atomic| Ref::steal(ffi::PyBool_FromLong(atomic.into())))
    })
}

unsafe fn sync(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above, and arguments that live as long.
    unsafe { with(this, File::sync)? };
    Ok(py::none())
}

unsafe fn hints(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    let hints = unsafe { with(this, File::hints)? };
    py::list(hints.len(), |index| {
        let (name, value) = &hints[index];
        py::tuple(&[&py::text(name.as_bytes())?, &py::text(value.as_bytes())?])
    })
}

unsafe fn set_size(this: *mut PyObject, [bytes]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let bytes = amount(bytes, "set_size")?;
        with(this, |file| file.set_size(bytes))?;
    }
    Ok(py::none())
}

unsafe fn preallocate(this: *mut PyObject, [bytes]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let bytes = amount(bytes, "preallocate")?;
        with(this, |file| file.preallocate(bytes))?;
    }
    Ok(py::none())
}

unsafe fn set_atomic(this: *mut PyObject, [atomic]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let atomic = truth(atomic)?;
        with(this, |file| file.set_atomic(atomic))?;
    }
    Ok(py::none())
}

/// `_seek(offset, whence, shared)`, from the start, from where it is, or from the end, by number as in `io`.
unsafe fn seek(this: *mut PyObject, [offset, whence, shared]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let from = match number(whence, "whence")? {
            0 => SeekFrom::Start(amount(offset, "seek")?),
            whence => {
                let by = integer(offset, "offset")?;
                match whence {
                    1 => SeekFrom::Current(by),
                    2 => SeekFrom::End(by),
                    _ => {
                        return Err(raise_as(
                            "usage",
                            "seek: from the start (0), from where it is (1) or from the end (2)",
                        ));
                    }
                }
            }
        };
        let shared = truth(shared)?;
        py::int(with(this, |file| if shared { file.seek_shared(from) } else { file.seek(from) })?)
    }
}

/// Where, by the number of `upcall._mpi_file`.
unsafe fn place(number_of: *mut PyObject, offset: *mut PyObject) -> Outcome<Place> {
    // SAFETY: the caller's objects are alive.
    unsafe {
        Ok(match number(number_of, "place")? {
            0 => Place::At(amount(offset, "offset")?),
            1 => Place::AtAll(amount(offset, "offset")?),
            2 => Place::Pointer,
            3 => Place::PointerAll,
            4 => Place::Shared,
            _ => Place::Ordered,
        })
    }
}

unsafe fn read(this: *mut PyObject, [into, at, offset]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (place, mut into) = (place(at, offset)?, Buffer::write(into, "read")?);
        let element = into.element();
        let bytes = with(this, |file| file.read_bytes(into.bytes_mut(), element, place))?;
        py::int(bytes as u64)
    }
}

unsafe fn write(this: *mut PyObject, [data, at, offset]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (place, data) = (place(at, offset)?, Buffer::read(data, "write")?);
        with(this, |file| file.write_bytes(data.bytes(), place))?;
        Ok(py::none())
    }
}

unsafe fn start_read_at(this: *mut PyObject, [into, offset]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let offset = amount(offset, "offset")?;
        let room = Buffer::write(into, "start_read_at")?;
        let element = room.element();
        let room = request::lent(room);
        request::transfer(with(this, |file| file.start_read_at_lent(room, element, offset))?, into)
    }
}

unsafe fn start_write_at(this: *mut PyObject, [data, offset]: [*mut PyObject; 2]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let offset = amount(offset, "offset")?;
        let lent = request::lent(Buffer::read(data, "start_write_at")?);
        request::transfer(with(this, |file| file.start_write_at_lent(lent, offset))?, data)
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a file that nobody refers to.
    unsafe {
        let held = (*this.cast::<Object>()).held;
        if !held.is_null() && !is_forked() {
            let held = Box::from_raw(held);
            // All ranks close it together, and nobody knows when this runs: MPI's end closes what is left.
            std::mem::forget(held.file.into_inner().unwrap_or_else(PoisonError::into_inner));
        }
        super::communicator::free(this);
    }
}
