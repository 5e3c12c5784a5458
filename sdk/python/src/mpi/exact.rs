//! Sums of floating-point numbers that have the same bits whatever the number of ranks.

use super::buffer::Buffer;
use super::collective::{bytes_mut, written_at_root};
use super::communicator::of;
use super::failure::{raise, raise_as};
use super::{action, method, own_process, rank_or, truth, types, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Raised, Ref, returned};
use crate::types::{self as make, TypeOf};
use std::borrow::Cow;
use std::ptr;
use upcall_mpi::{Error, ExactSum, Real};

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(
        c"_all_reduce_reproducible",
        method!(all_reduce as "all_reduce_reproducible"(data, into), 2),
        c"Sums element by element, with the same bits whatever the number of ranks.",
    )
    .method(
        c"_reduce_reproducible",
        method!(reduce as "reduce_reproducible"(data, into, root), 3),
        c"The same for one rank.",
    )
    .method(
        c"sum_reproducible",
        method!(sum as "sum_reproducible"(data), 1),
        c"The sum of all elements of all ranks.",
    )
    .method(
        c"all_reduce_exact",
        method!(all_reduce_exact as "all_reduce_exact"(sum), 1),
        c"Adds up the sums of all ranks.",
    )
}

/// What a buffer's numbers are.
#[derive(Clone, Copy, PartialEq)]
enum Numbers {
    Single,
    Double,
}

fn numbers_of(buffer: &Buffer, what: &str) -> Outcome<Numbers> {
    let format = buffer.format();
    match format.strip_prefix(b"@").or(format.strip_prefix(b"=")).or(format.strip_prefix(b"<")) {
        Some(b"f") => Ok(Numbers::Single),
        Some(b"d") => Ok(Numbers::Double),
        None if format == b"f" => Ok(Numbers::Single),
        None if format == b"d" => Ok(Numbers::Double),
        _ => {
            let format = String::from_utf8_lossy(format);
            let message = format!(
                "{what}: elements of format {format:?} are not floats of 32 or 64 bits; give an array of those"
            );
            Err(raise_as("type", message))
        }
    }
}

/// Numbers, where they lie or in a copy that is aligned as they are.
fn numbers<T: Real>(data: &[u8]) -> Cow<'_, [T]> {
    // SAFETY: any bytes are numbers.
    let (before, aligned, _) = unsafe { data.align_to::<T>() };
    if before.is_empty() {
        return aligned.into();
    }
    // SAFETY: as many bytes as a number has, wherever they lie.
    let one = |bytes: &[u8]| unsafe { bytes.as_ptr().cast::<T>().read_unaligned() };
    data.chunks_exact(size_of::<T>()).map(one).collect::<Vec<T>>().into()
}

fn put<T: Real>(numbers: &[T], into: &mut [u8]) {
    // SAFETY: the numbers' bytes.
    let bytes = unsafe { std::slice::from_raw_parts(numbers.as_ptr().cast::<u8>(), size_of_val(numbers)) };
    into.copy_from_slice(bytes);
}

fn alike(data: &Buffer, into: &Buffer, what: &str) -> Outcome<Numbers> {
    let of = numbers_of(data, what)?;
    if numbers_of(into, what)? != of || data.len() != into.len() {
        return Err(raise_as("usage", format!("{what}: the arrays are not of as many numbers of one type")));
    }
    data.apart(into, what, "give another array")?;
    Ok(of)
}

unsafe fn all_reduce(this: *mut PyObject, [from, into]: [*mut PyObject; 2]) -> Outcome<Ref> {
    const WHAT: &str = "all_reduce_reproducible";
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let comm = of(this)?;
        let (data, mut into) = (Buffer::read(from, WHAT)?, Buffer::write(into, WHAT)?);
        let of = alike(&data, &into, WHAT)?;
        let summed = unlocked(|| -> Result<(), Error> {
            match of {
                Numbers::Single => {
                    put(&comm.all_reduce_reproducible(&numbers::<f32>(data.bytes()))?, into.bytes_mut());
                }
                Numbers::Double => {
                    put(&comm.all_reduce_reproducible(&numbers::<f64>(data.bytes()))?, into.bytes_mut());
                }
            }
            Ok(())
        });
        summed.map(|()| py::none()).map_err(raise)
    }
}

unsafe fn reduce(this: *mut PyObject, [from, into, root]: [*mut PyObject; 3]) -> Outcome<Ref> {
    const WHAT: &str = "reduce_reproducible";
    // SAFETY: as above.
    unsafe {
        let (comm, root) = (of(this)?, rank_or(root, 0, "root")?);
        let (data, mut into) = (Buffer::read(from, WHAT)?, written_at_root(into, WHAT)?);
        let of = match &into {
            Some(into) => alike(&data, into, WHAT)?,
            None => numbers_of(&data, WHAT)?,
        };
        let summed = unlocked(|| -> Result<(), Error> {
            match of {
                Numbers::Single => {
                    let sums = comm.reduce_reproducible(&numbers::<f32>(data.bytes()), root)?;
                    put(&sums.unwrap_or_default(), bytes_mut(&mut into));
                }
                Numbers::Double => {
                    let sums = comm.reduce_reproducible(&numbers::<f64>(data.bytes()), root)?;
                    put(&sums.unwrap_or_default(), bytes_mut(&mut into));
                }
            }
            Ok(())
        });
        summed.map(|()| py::none()).map_err(raise)
    }
}

unsafe fn sum(this: *mut PyObject, [from]: [*mut PyObject; 1]) -> Outcome<Ref> {
    const WHAT: &str = "sum_reproducible";
    // SAFETY: as above.
    let (comm, data) = unsafe { (of(this)?, Buffer::read(from, WHAT)?) };
    let of = numbers_of(&data, WHAT)?;
    let sum = unlocked(|| match of {
        Numbers::Single => comm.sum_reproducible(&numbers::<f32>(data.bytes())).map(f64::from),
        Numbers::Double => comm.sum_reproducible(&numbers::<f64>(data.bytes())),
    });
    float(sum.map_err(raise)?)
}

fn float(number: f64) -> Outcome<Ref> {
    // SAFETY: no argument to get wrong.
    unsafe { Ref::steal(ffi::PyFloat_FromDouble(number)) }
}

enum Kept {
    Single(ExactSum<f32>),
    Double(ExactSum<f64>),
}

#[repr(C)]
struct Object {
    head: PyObject,
    /// Null while ranks add theirs to it.
    sum: *mut Kept,
}

/// `upcall.mpi.ExactSum`, around which its part in Python is.
pub fn sum_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiExactSum")
        .slot(ffi::Py_tp_new, new as *const ())
        .slot(ffi::Py_tp_dealloc, dealloc as *const ())
        .method(c"_add", method!(add as "add"(number), 1), c"Adds a number.")
        .method(c"_add_all", method!(add_all as "add"(numbers), 1), c"Adds numbers.")
        .method(c"_merge", method!(merge as "merge"(other), 1), c"Adds what another has.")
        .action(c"_value", action!(value), c"The number that is nearest to the sum.")
        .flag(ffi::Py_TPFLAGS_BASETYPE)
        .make(None)
}

/// Of whether its numbers have 64 bits.
unsafe extern "C" fn new(
    of: *mut ffi::PyTypeObject,
    given: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a type of ours and a tuple.
    returned(unsafe {
        let given = Ref::share(given);
        py::item(&given, 0).and_then(|double| truth(double.as_ptr())).and_then(|double| {
            let made = make::new(&Ref::share(of.cast()))?;
            let sum = if double { Kept::Double(ExactSum::new()) } else { Kept::Single(ExactSum::new()) };
            (*made.as_ptr().cast::<Object>()).sum = Box::into_raw(Box::new(sum));
            Ok(made)
        })
    })
}

/// The sum of an object, where nobody adds to it meanwhile.
unsafe fn kept<'a>(object: *mut PyObject) -> Outcome<&'a mut Kept> {
    // SAFETY: the caller's promise: one that stays alive, which attached threads use one at a time.
    unsafe { (*object.cast::<Object>()).sum.as_mut() }.ok_or_else(|| {
        raise_as("usage", "use an exact sum: ranks add theirs to it meanwhile, on another thread")
    })
}

fn is_sum(object: *mut PyObject) -> Outcome<()> {
    // SAFETY: the caller's object is alive.
    if unsafe { ffi::PyObject_TypeCheck(object, types().sum.as_ptr().cast()) } != 0 {
        return Ok(());
    }
    Err(py::raise(py::Kind::Type, "give an mpi.ExactSum"))
}

unsafe fn add(this: *mut PyObject, [number]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: a sum and an argument that live until this returns, here and below.
    unsafe {
        let number = ffi::PyFloat_AsDouble(number);
        if number == -1.0 && !ffi::PyErr_Occurred().is_null() {
            return Err(Raised);
        }
        match kept(this)? {
            Kept::Single(sum) => sum.add(number as f32),
            Kept::Double(sum) => sum.add(number),
        }
    }
    Ok(py::none())
}

unsafe fn add_all(this: *mut PyObject, [from]: [*mut PyObject; 1]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let data = Buffer::read(from, "add")?;
        match (kept(this)?, numbers_of(&data, "add")?) {
            (Kept::Single(sum), Numbers::Single) => sum.add_all(&numbers::<f32>(data.bytes())),
            (Kept::Double(sum), Numbers::Double) => sum.add_all(&numbers::<f64>(data.bytes())),
            _ => {
                return Err(raise_as(
                    "type",
                    "add numbers to an exact sum: it is one of another size of them",
                ));
            }
        }
    }
    Ok(py::none())
}

unsafe fn merge(this: *mut PyObject, [other]: [*mut PyObject; 1]) -> Outcome<Ref> {
    is_sum(other)?;
    if ptr::eq(this, other) {
        return Err(raise_as("usage", "merge an exact sum with itself: make another"));
    }
    // SAFETY: as above; two sums.
    match unsafe { (kept(this)?, kept(other)?) } {
        (Kept::Single(sum), Kept::Single(other)) => sum.merge(other),
        (Kept::Double(sum), Kept::Double(other)) => sum.merge(other),
        _ => return Err(raise_as("type", "merge exact sums: they are of numbers of different sizes")),
    }
    Ok(py::none())
}

unsafe fn value(this: *mut PyObject) -> Outcome<Ref> {
    // SAFETY: as above.
    float(match unsafe { kept(this)? } {
        Kept::Single(sum) => sum.value().into(),
        Kept::Double(sum) => sum.value(),
    })
}

unsafe fn all_reduce_exact(this: *mut PyObject, [sum]: [*mut PyObject; 1]) -> Outcome<Ref> {
    own_process()?;
    is_sum(sum)?;
    // SAFETY: as above. The sum is taken out: no other thread uses it while this one has no lock.
    unsafe {
        let comm = of(this)?;
        kept(sum)?;
        let object = sum.cast::<Object>();
        let taken = std::mem::replace(&mut (*object).sum, ptr::null_mut());
        let reduced = unlocked(|| match &mut *taken {
            Kept::Single(sum) => comm.all_reduce_exact(std::slice::from_mut(sum)),
            Kept::Double(sum) => comm.all_reduce_exact(std::slice::from_mut(sum)),
        });
        (*object).sum = taken;
        reduced.map(|()| py::none()).map_err(raise)
    }
}

unsafe extern "C" fn dealloc(this: *mut PyObject) {
    // SAFETY: CPython calls it with a sum that nobody refers to.
    unsafe {
        let sum = (*this.cast::<Object>()).sum;
        if !sum.is_null() {
            drop(Box::from_raw(sum));
        }
        super::communicator::free(this);
    }
}
