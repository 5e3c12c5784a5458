//! What a handler's annotations say that its values are: `Object[Reading]`, `Emit[Summary]`.
//!
//! `_support.forms` resolves them once, when the handler is made.

use super::call::Place;
use super::state::{Pool, State};
use crate::failure;
use crate::ffi;
use crate::py::{self, Kind, Outcome, PyObject, Raised, Ref};
use crate::support;
use std::ffi::CStr;
use std::ptr;
use upcall_abi::{DescribeWriter, access};

/// One annotated type.
#[derive(Debug)]
pub struct Form {
    /// The class.
    pub class: Ref,
    how: How,
    /// As a pool declares it.
    name: String,
    /// Bytes of a value, 0 where they differ or are not known.
    pub size: usize,
}

#[derive(Debug)]
enum How {
    /// `int` or `float`: the pool says which.
    Number,
    /// `str`: UTF-8.
    Text,
    /// `bytes`, as without an annotation.
    Bytes,
    /// A class whose objects are buffers, and what makes one of a buffer.
    Blittable(Ref),
    /// A packed class: its `unpack` and `pack`.
    Packed(Ref, Ref),
}

/// What a handler takes, and what it emits: any one of several.
pub struct Forms {
    pub takes: Option<Form>,
    pub emits: Vec<Form>,
}

impl Forms {
    /// What the annotations of a handler's method say.
    pub fn of(handler: &Ref) -> Outcome<Forms> {
        let found = support::call(c"forms", &[handler])?;
        let both = |index| -> Outcome<Vec<Form>> {
            let forms = py::item(&found, index)?;
            (0..py::len(&forms)?).map(|index| Form::of(&py::item(&forms, index)?)).collect()
        };
        Ok(Forms { takes: both(0)?.pop(), emits: both(1)? })
    }

    /// Says what the values are.
    pub fn describe(&self, describe: &mut DescribeWriter<'_>) {
        // Bytes alone are any values, of which nothing is to be said.
        if let Some(takes) = self.takes.as_ref().filter(|form| !form.is_bytes()) {
            let (name, size) = takes.shape();
            describe.takes(name, size);
        }
        if !self.emits.iter().all(Form::is_bytes) {
            self.emits.iter().map(Form::shape).for_each(|(name, size)| describe.gives(name, size));
        }
    }

    /// Raises when a pool declares values of another type.
    pub fn check(&self, pools: &[Pool]) -> Outcome<()> {
        if let Some(takes) = &self.takes {
            let watched = pools.iter().filter(|pool| pool.access & access::WATCH != 0);
            for pool in watched {
                if !takes.agrees(pool) {
                    return Err(disagree(pool, "takes", &[takes]));
                }
            }
        }
        let first = pools.iter().find(|pool| pool.access & access::EMIT != 0);
        match first {
            Some(pool) if !self.emits.is_empty() && !self.emits.iter().any(|form| form.agrees(pool)) => {
                Err(disagree(pool, "emits", &self.emits.iter().collect::<Vec<_>>()))
            }
            _ => Ok(()),
        }
    }
}

impl Form {
    /// Of (kind, class, name, size, read, write).
    fn of(parts: &Ref) -> Outcome<Form> {
        let (kind, name) = (py::item(parts, 0)?, py::item(parts, 2)?);
        let how = match kind.text()? {
            "number" => How::Number,
            "text" => How::Text,
            "bytes" => How::Bytes,
            "blittable" => How::Blittable(py::item(parts, 4)?),
            _ => How::Packed(py::item(parts, 4)?, py::item(parts, 5)?),
        };
        // SAFETY: the size is an int.
        let size = unsafe { ffi::PyLong_AsSsize_t(py::item(parts, 3)?.as_ptr()) };
        Ok(Form { class: py::item(parts, 1)?, how, name: name.text()?.to_owned(), size: size as usize })
    }

    /// Its name, as pools declare it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its name and the bytes of a value, as pools declare it. For `int` and `float` those of Python: which number it is
    /// depends on the pool.
    fn shape(&self) -> (&str, Option<usize>) {
        (if self.is_bytes() { "bytes" } else { &self.name }, Some(self.size).filter(|size| *size > 0))
    }

    /// Whether its values are whatever a pool declares.
    fn is_bytes(&self) -> bool {
        matches!(self.how, How::Bytes)
    }

    /// Raises that a pool to which a value of this form goes declares another type.
    #[cold]
    pub fn refused_by(&self, pool: &Pool) -> Raised {
        disagree(pool, "emits", &[self])
    }

    /// Whether values of a pool may be of this form.
    pub fn agrees(&self, pool: &Pool) -> bool {
        match self.how {
            How::Number => {
                pool.number.is_some_and(|number| number.name().starts_with('f') == (self.name == "float"))
            }
            How::Bytes => true,
            _ => {
                let fits = pool.value_size == 0 || self.size == 0 || self.size == pool.value_size;
                pool.value_type.is_empty() || (pool.value_type == self.name && fits)
            }
        }
    }

    /// Whether the objects are buffers of one size: what numpy can look at.
    pub fn is_blittable(&self) -> bool {
        matches!(self.how, How::Blittable(_))
    }

    /// The value of an item.
    pub fn read(&self, state: &State, place: Place) -> Outcome<Ref> {
        let read = match &self.how {
            How::Bytes => return state.bytes_or_view(place),
            How::Number => {
                let (word, len) = state.call.word(place)?;
                match state.pool_by_id(state.call.item(place)?.pool).and_then(|pool| pool.number) {
                    Some(number) => number.read(word, len),
                    None => state.call.value(place),
                }
            }
            How::Text => match state.call.text(place)? {
                Some(text) => Ok(text),
                None => state.call.value(place).and_then(|bytes| undecoded(&bytes)),
            },
            How::Blittable(_) if state.call.value_len(place)? != self.size => {
                let len = state.call.value_len(place)?;
                Err(py::raise(Kind::Value, format!("it has {len} bytes, not {}", self.size)))
            }
            How::Blittable(read) | How::Packed(read, _) => {
                state.bytes_or_view(place).and_then(|bytes| py::call_one(read, &bytes))
            }
        };
        read.map_err(|raised| self.undecodable(state, place, raised))
    }

    #[cold]
    fn undecodable(&self, state: &State, place: Place, raised: Raised) -> Raised {
        let Some(error) = failure::raised(raised) else { return Raised };
        let again = state.call.key_text(place);
        let again = again.and_then(|key| support::call(c"undecodable", &[&error, &key, &self.class]));
        again.err().unwrap_or(Raised)
    }

    /// Whether the object is a value of this form.
    ///
    /// # Safety
    /// The object must be alive.
    pub unsafe fn takes(&self, object: *mut PyObject) -> bool {
        // SAFETY: the caller's promise.
        unsafe {
            match self.how {
                How::Number => ffi::PyNumber_Check(object) != 0,
                How::Text => ffi::PyUnicode_Check(object) != 0,
                How::Bytes => ffi::PyObject_CheckBuffer(object) != 0,
                How::Blittable(_) | How::Packed(..) => {
                    if ffi::Py_TYPE(object).cast() == self.class.as_ptr() {
                        return true;
                    }
                    let is = ffi::PyObject_IsInstance(object, self.class.as_ptr());
                    if is < 0 {
                        failure::forget(Raised);
                    }
                    is == 1
                }
            }
        }
    }

    /// The object packed, where it has to be: else it is a number or a buffer itself.
    ///
    /// # Safety
    /// The object must be alive.
    pub unsafe fn packed(&self, object: *mut PyObject) -> Outcome<Option<Ref>> {
        match &self.how {
            How::Packed(_, pack) => {
                // SAFETY: the caller's promise.
                let object = unsafe { Ref::share(object) };
                py::call_one(pack, &object).map(Some)
            }
            _ => Ok(None),
        }
    }
}

/// Why an object is none of what a handler emits.
#[cold]
pub fn not_emitted(forms: &[Form], object: *mut PyObject) -> Raised {
    // SAFETY: the object is alive.
    let of = unsafe { Ref::share(ffi::Py_TYPE(object).cast()) };
    let message = format!(
        "emit a value of type {}: this handler emits {}",
        title(&of),
        titles(&forms.iter().collect::<Vec<_>>())
    );
    py::raise(Kind::Type, message)
}

#[cold]
fn disagree(pool: &Pool, side: &str, forms: &[&Form]) -> Raised {
    let of = |size: usize| if size == 0 { String::new() } else { format!(" of {size} bytes") };
    let has = match &pool.value_type[..] {
        "" => "declares no number type".to_owned(),
        name => format!("has the type {name}{}", of(pool.value_size)),
    };
    let (path, size) = (pool.path.text().unwrap_or("?"), forms.first().map_or(0, |form| form.size));
    let message = format!(
        "pool {path} {has}, and the handler {side} {}{}: change the pool's `type` or the annotation",
        titles(forms),
        of(size)
    );
    py::raise(Kind::Type, message)
}

fn titles(forms: &[&Form]) -> String {
    forms.iter().map(|form| title(&form.class)).collect::<Vec<_>>().join(" or ")
}

fn title(class: &Ref) -> String {
    let name = class.get(c"__name__").and_then(|name| name.text().map(str::to_owned));
    name.unwrap_or_else(|raised| {
        failure::forget(raised);
        "?".into()
    })
}

/// Decodes bytes that are not UTF-8, for what Python says of them.
#[cold]
fn undecoded(bytes: &Ref) -> Outcome<Ref> {
    // SAFETY: it is alive; null is "strict".
    unsafe { Ref::steal(ffi::PyUnicode_FromEncodedObject(bytes.as_ptr(), c"utf-8".as_ptr(), ptr::null())) }
}

/// `Object[T]`, `Emit[T]`, `Batch[T]`: for annotations.
pub unsafe extern "C" fn of_type(class: *mut PyObject, argument: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython passes the class and the type argument.
    unsafe { ffi::Py_GenericAlias(class, argument) }
}

/// The name that Python calls [`of_type`] by.
pub const OF_TYPE: &CStr = c"__class_getitem__";
