//! MPI's own operations, by the type of what is combined.

use super::buffer::Buffer;
use super::failure::{raise, raise_as};
use super::types;
use crate::ffi;
use crate::number::Number;
use crate::py::{self, Outcome, PyObject, Raised, Ref, returned};
use crate::types::{self as make, TypeOf};
use std::sync::OnceLock;
use upcall_mpi::Named;

/// Their names in Rust, by which one is made.
const NAMES: [&str; 12] = [
    "Sum", "Product", "Min", "Max", "LogicalAnd", "LogicalOr", "LogicalXor", "BitAnd", "BitOr", "BitXor",
    "MinWithPlace", "MaxWithPlace",
];
/// Those on numbers with places.
const WITH_PLACE: [&str; 2] = ["MinWithPlace", "MaxWithPlace"];
/// Those that combine the real and the imaginary parts of complex numbers on their own.
const BY_PARTS: [&str; 1] = ["Sum"];
/// Those that make no truth of two.
const NOT_OF_TRUTH: [&str; 2] = ["Sum", "Product"];

#[repr(C)]
struct Object {
    head: PyObject,
    index: usize,
}

/// What `upcall.mpi.Operator` is derived from.
pub fn operator_type() -> Outcome<Ref> {
    TypeOf::new::<Object>(c"upcall._upcall.MpiOperator")
        .flag(ffi::Py_TPFLAGS_BASETYPE)
        .slot(ffi::Py_tp_new, new as *const ())
        .slot(ffi::Py_tp_dealloc, super::communicator::free as *const ())
        .make(None)
}

/// Of its name in Rust, and whatever what is derived from it takes.
unsafe extern "C" fn new(
    of: *mut ffi::PyTypeObject,
    given: *mut PyObject,
    _: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes a type that is derived from ours, and a tuple.
    returned(unsafe {
        let given = Ref::share(given);
        py::item(&given, 0).and_then(|name| {
            let name = name.text()?;
            let Some(index) = NAMES.iter().position(|known| *known == name) else {
                let message = format!("MPI has no operation {name}: there are {}", NAMES.join(", "));
                return Err(py::raise(py::Kind::Value, message));
            };
            let made = make::new(&Ref::share(of.cast()))?;
            (*made.as_ptr().cast::<Object>()).index = index;
            Ok(made)
        })
    })
}

/// Which of them an object is.
///
/// # Safety
/// It must be alive.
#[inline]
pub unsafe fn known(object: *mut PyObject) -> Option<usize> {
    // SAFETY: the caller's promise; it is one of ours where its type says so.
    unsafe {
        let is = ffi::PyObject_TypeCheck(object, types().operator.as_ptr().cast()) != 0;
        is.then(|| (*object.cast::<Object>()).index)
    }
}

/// What a buffer's elements are to MPI.
#[derive(PartialEq)]
enum Element {
    Number(Number),
    Truth,
    Complex(Number),
    Swapped,
    Other,
}

impl Element {
    fn of(buffer: &Buffer) -> Element {
        let (format, size) = (buffer.format(), buffer.element() as u8);
        let (swapped, format) = match format {
            [b'>' | b'!', rest @ ..] => (cfg!(target_endian = "little") && size > 1, rest),
            [b'<', rest @ ..] => (cfg!(target_endian = "big") && size > 1, rest),
            [b'@' | b'=' | b'^', rest @ ..] => (false, rest),
            _ => (false, format),
        };
        match format {
            [_] | [b'Z', _] if swapped => Element::Swapped,
            b"b" | b"h" | b"i" | b"l" | b"q" | b"n" => Element::Number(Number::Signed(size)),
            b"B" | b"H" | b"I" | b"L" | b"Q" | b"N" => Element::Number(Number::Unsigned(size)),
            b"f" | b"d" => Element::Number(Number::Float(size)),
            b"Zf" | b"Zd" => Element::Complex(Number::Float(size / 2)),
            b"?" => Element::Truth,
            _ => Element::Other,
        }
    }
}

/// Whether two buffers have numbers of different kinds. What is no number is told apart by nothing here, and neither are bytes.
pub fn unlike(a: &Buffer, b: &Buffer) -> bool {
    if a.element() == 1 || b.element() == 1 {
        return false;
    }
    let (a, b) = (Element::of(a), Element::of(b));
    a != Element::Other && b != Element::Other && a != b
}

/// Which of MPI's operations it is on elements as a buffer has them.
pub fn on(index: usize, buffer: &Buffer, what: &str) -> Outcome<Named> {
    let name = NAMES[index];
    let refused = |why: &str| {
        let format = String::from_utf8_lossy(buffer.format());
        Err(raise_as("type", format!("{what}: {name} of elements of format {format:?}: {why}")))
    };
    if WITH_PLACE.contains(&name) {
        let Some(number) = placed(buffer.format()) else {
            return refused("it is for numbers with places; give an array of dtype mpi.placed(...)");
        };
        let named = named(index, number)?;
        if named.size() != buffer.element() {
            return refused(
                "a number with its place is laid out as C does; give an array of dtype mpi.placed(...)",
            );
        }
        return Ok(named);
    }
    match Element::of(buffer) {
        Element::Number(number) => named(index, number),
        Element::Truth if NOT_OF_TRUTH.contains(&name) => {
            refused("the sum of truths is a number: view them as numpy.uint8, or use LOGICAL_OR")
        }
        Element::Truth => named(index, Number::Unsigned(1)),
        Element::Complex(parts) if BY_PARTS.contains(&name) => named(index, parts),
        Element::Complex(_) => refused("MPI has none for complex numbers; give a function of two arrays"),
        Element::Swapped => {
            refused("their bytes are in the order of another machine; give array.astype of it")
        }
        Element::Other => {
            refused("MPI has none for them; give a function of two arrays, or their fields as arrays")
        }
    }
}

/// The number of a pair with a place, as numpy says a struct: `T{d:value:i:place:4x}`.
fn placed(format: &[u8]) -> Option<Number> {
    let fields = format.strip_prefix(b"T{")?.strip_suffix(b"}")?;
    let fields = std::str::from_utf8(fields).ok()?;
    let mut parts = fields.split(':');
    let (number, value, place, called) = (parts.next()?, parts.next()?, parts.next()?, parts.next()?);
    // Bytes between them are padding, and an order of bytes may be said; the size of all says whether the places are right.
    let letter = |text: &str| {
        let mut letters =
            text.chars().filter(|letter| !matches!(letter, '0'..='9' | 'x' | '@' | '=' | '<' | '^'));
        let letter = letters.next()?;
        letters.next().is_none().then_some(letter)
    };
    let is_place = (value, called) == ("value", "place") && matches!(letter(place)?, 'i' | 'l');
    let number = match letter(number)? {
        'b' => Number::Signed(1),
        'h' => Number::Signed(2),
        'i' => Number::Signed(4),
        'l' | 'q' => Number::Signed(8),
        'B' => Number::Unsigned(1),
        'H' => Number::Unsigned(2),
        'I' => Number::Unsigned(4),
        'L' | 'Q' => Number::Unsigned(8),
        'f' => Number::Float(4),
        'd' => Number::Float(8),
        _ => return None,
    };
    is_place.then_some(number)
}

/// One that was looked up before, or is now.
#[inline]
fn named(index: usize, number: Number) -> Outcome<Named> {
    static NAMED: [[OnceLock<Named>; 12]; NAMES.len()] =
        [const { [const { OnceLock::new() }; 12] }; NAMES.len()];
    let kept = match number {
        Number::Unsigned(size) => size.trailing_zeros(),
        Number::Signed(size) => 4 + size.trailing_zeros(),
        Number::Float(size) => 8 + size.trailing_zeros(),
    };
    let kept = &NAMED[index][kept as usize];
    match kept.get() {
        Some(named) => Ok(*named),
        None => looked_up(index, number).map(|named| *kept.get_or_init(|| named)),
    }
}

#[cold]
fn looked_up(index: usize, number: Number) -> Result<Named, Raised> {
    Named::new(NAMES[index], number.name()).map_err(raise)
}
