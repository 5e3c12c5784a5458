//! Columns for another implementation of Arrow: `sdk/python/tests/test_arrow.py`.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use upcall::Soa;
use upcall::soa::arrow::{ArrowArray, ArrowSchema, export};

#[derive(Soa)]
struct Place {
    at: [f32; 3],
    cell: u64,
}

#[derive(Soa)]
struct Body {
    kind: i8,
    awake: bool,
    #[soa(flatten)]
    place: Place,
    marks: [bool; 3],
}

/// The bodies that were exported last.
static LAST: Mutex<Weak<BodySoa>> = Mutex::new(Weak::new());

/// Exports `count` bodies.
///
/// # Safety
/// Schema and array may be written, and are released by the caller.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bodies_to_arrow(count: u32, schema: *mut ArrowSchema, array: *mut ArrowArray) {
    let body = |number: u32| Body {
        kind: number as i8,
        awake: number.is_multiple_of(3),
        place: Place { at: [number as f32, 0.5, -1.0], cell: u64::from(number) << 33 },
        marks: [number.is_multiple_of(2), true, false],
    };
    let bodies: Arc<BodySoa> = Arc::new((0..count).map(body).collect());
    *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Arc::downgrade(&bodies);
    let exported = export(bodies);
    // SAFETY: the caller's promise; what is there needs no dropping.
    unsafe {
        schema.write(exported.0);
        array.write(exported.1);
    }
}

/// Where the kinds of the bodies that were exported last begin; null once nobody has them any more.
#[unsafe(no_mangle)]
pub extern "C" fn bodies_alive() -> *const i8 {
    let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).upgrade();
    last.map_or(std::ptr::null(), |bodies| bodies.kind().as_ptr())
}
