//! Objects that the library made and takes back: the address in an object, and the calls that use it.
//!
//! A call without the GIL may still be on its way to the library when another thread closes its handle. So the
//! handles of such calls are recorded, and released when the last of these calls has returned.

use super::class::{Made, slot};
use super::ffi::*;
use super::view;
use std::ffi::CStr;
use std::mem::offset_of;

/// The part of a handle that the extension knows; the package's classes derive from it.
#[repr(C)]
struct Handle {
    head: PyObject,
    /// 0 after it was closed.
    address: usize,
}

const _: () = {
    const HEADER: usize = size_of::<PyObject>();
    const WORD: usize = size_of::<usize>();
    assert!(size_of::<Handle>() == HEADER + WORD && align_of::<Handle>() == WORD);
    assert!(offset_of!(Handle, head) == 0);
    assert!(offset_of!(Handle, address) == HEADER);
};

/// A class of handles.
pub struct HandleType {
    /// Its name, for messages.
    pub name: &'static CStr,
    /// The package's class.
    pub class: Class,
}

/// The base of all handles.
static BASE: Class = Class::new();

/// How to release an address.
type Release = fn(usize);

/// Addresses in use by calls.
static HELD: Guarded<Vec<usize>> = Guarded::new(Vec::new());
/// Those that were released meanwhile, and how to release each.
static LEFT: Guarded<Vec<(usize, Release)>> = Guarded::new(Vec::new());

/// Makes the class `_Address` and adds it to the module.
pub unsafe fn make(module: Obj, package: &'static CStr) -> Outcome<()> {
    // SAFETY: all zeros are a member that ends the list.
    let end: PyMemberDef = unsafe { std::mem::zeroed() };
    let address = PyMemberDef {
        name: c"_address".as_ptr(),
        type_code: Py_T_PYSSIZET,
        offset: offset_of!(Handle, address) as isize,
        ..end
    };
    let made = Made {
        name: c"_Address",
        package,
        size: size_of::<Handle>(),
        flags: Py_TPFLAGS_BASETYPE,
        docs: c"An address.",
        methods: Vec::new(),
        slots: vec![slot(Py_tp_members, vec![address, end].leak().as_ptr().cast())],
    };
    // SAFETY: the members are those of a `Handle`.
    unsafe { made.add(module, &BASE) }
}

/// Learns the classes that the package has derived from it.
pub unsafe fn learn(types: &[&'static HandleType], classes: Obj) -> Outcome<()> {
    // SAFETY: the classes are a tuple.
    unsafe {
        for (of, index) in types.iter().zip(0..) {
            of.class.set(Ref::to(owned(PyTuple_GetItem(classes, index))?).give());
        }
        Ok(())
    }
}

unsafe fn is_of(object: Obj, class: Obj) -> bool {
    // SAFETY: the object is alive; classes are there once the package is.
    unsafe {
        Py_TYPE(object).cast() == class
            || !class.is_null() && PyType_IsSubtype(Py_TYPE(object), class.cast()) != 0
    }
}

/// The address in a handle of this class, or an `int`, or `None` where null is allowed. `give` takes it out of
/// the handle: the library owns it from now on.
#[inline(always)]
pub unsafe fn take(
    object: Obj,
    of: &'static HandleType,
    nullable: bool,
    give: bool,
    at: &'static At,
) -> Outcome<*mut u8> {
    // SAFETY: the object is alive.
    unsafe {
        if !is_of(object, of.class.get()) {
            return other(object, of, nullable, at);
        }
        let handle = object.cast::<Handle>();
        let address = (*handle).address;
        if address == 0 {
            return Err(raise(PyExc_ValueError, &format!("the {} was closed", of.name.to_string_lossy())));
        }
        if give {
            (*handle).address = 0;
        }
        Ok(address as *mut u8)
    }
}

#[cold]
unsafe fn other(object: Obj, of: &'static HandleType, nullable: bool, at: &'static At) -> Outcome<*mut u8> {
    // SAFETY: the object is alive.
    unsafe {
        if is_of(object, BASE.get()) {
            return Err(at.wrong_type(of.name, object));
        }
        view::take_address(object, None, nullable, at)
    }
}

/// Records what a call uses.
#[inline]
pub unsafe fn hold(addresses: &[usize]) {
    if !addresses.is_empty() {
        // SAFETY: the GIL is held.
        unsafe { HELD.with(|held| held.extend_from_slice(addresses)) };
    }
}

/// After the call: releases what was closed meanwhile and no other call uses.
#[inline]
pub unsafe fn let_go(addresses: &[usize]) {
    for address in addresses {
        // SAFETY: the GIL is held.
        let left = unsafe {
            let is_used = HELD.with(|held| {
                if let Some(place) = held.iter().rposition(|held| held == address) {
                    held.swap_remove(place);
                }
                held.contains(address)
            });
            if is_used {
                continue;
            }
            LEFT.with(|left| {
                left.iter().position(|(left, _)| left == address).map(|place| left.swap_remove(place))
            })
        };
        // It may run anything.
        if let Some((address, release)) = left {
            release(address);
        }
    }
}

/// Whether a call uses it, and so will release it.
pub unsafe fn leave<T>(address: *const T, release: Release) -> bool {
    let address = address as usize;
    // SAFETY: the GIL is held.
    unsafe {
        let held = HELD.with(|held| held.contains(&address));
        if held {
            LEFT.with(|left| left.push((address, release)));
        }
        held
    }
}
