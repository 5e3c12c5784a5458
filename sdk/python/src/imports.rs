//! `__import__` of a process in which folders with handlers have their own modules (`upcall/_folders.py`).
//!
//! It is native because every `import` statement of the process calls it once it is installed: code that is of
//! no such folder must not pay for those that are.

use crate::arguments;
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Raised, Ref, returned};
use std::ptr;
use std::sync::OnceLock;

/// What starts the `__package__` of a folder's modules.
const PREFIX: &str = "upcall:";

/// What imports for code of a folder, and the name of the global that tells such code.
struct Route {
    import: Ref,
    package: Ref,
}

// SAFETY: both are used by attached threads only, whose lock orders them.
unsafe impl Send for Route {}
// SAFETY: as above.
unsafe impl Sync for Route {}

static ROUTE: OnceLock<Route> = OnceLock::new();

/// `route_imports(import_)`
pub unsafe extern "C" fn route(_: *mut PyObject, import: *mut PyObject) -> *mut PyObject {
    // SAFETY: CPython passes an object that is alive.
    let import = unsafe { Ref::share(import) };
    returned(py::text(b"__package__").map(|package| {
        let _ = ROUTE.set(Route { import, package });
        py::none()
    }))
}

/// `__import__(name, globals=None, locals=None, fromlist=(), level=0)`
pub unsafe extern "C" fn import(
    _: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: CPython passes arguments that live until this returns.
    returned(unsafe {
        Import::of(given, count, keywords).and_then(|import| match ROUTE.get() {
            Some(route) if import.is_of_a_folder(route)? => import.by(&route.import),
            _ => import.elsewhere(),
        })
    })
}

/// `import_elsewhere(...)`: Python's own `__import__`.
pub unsafe extern "C" fn import_elsewhere(
    _: *mut PyObject,
    given: *const *mut PyObject,
    count: isize,
    keywords: *mut PyObject,
) -> *mut PyObject {
    // SAFETY: as `import`.
    returned(unsafe { Import::of(given, count, keywords).and_then(|import| import.elsewhere()) })
}

/// The arguments of an import; null where one is left out. All are alive while it is used.
struct Import {
    name: *mut PyObject,
    globals: *mut PyObject,
    locals: *mut PyObject,
    from: *mut PyObject,
    level: i32,
}

impl Import {
    /// # Safety
    /// As [`arguments::parse`].
    unsafe fn of(given: *const *mut PyObject, count: isize, keywords: *mut PyObject) -> Outcome<Import> {
        let names = ["name", "globals", "locals", "fromlist", "level"];
        // SAFETY: the caller's promise.
        unsafe {
            let [name, globals, locals, from, level] =
                arguments::parse("__import__", names, 1, given, count as usize, keywords)?;
            let level = if level.is_null() { 0 } else { ffi::PyLong_AsLong(level) };
            if level == -1 && !ffi::PyErr_Occurred().is_null() {
                return Err(Raised);
            }
            // Whoever calls `__import__` with a name alone means what an `import` there would find.
            let globals = if globals.is_null() && level == 0 { ffi::PyEval_GetGlobals() } else { globals };
            Ok(Import { name, globals, locals, from, level: level as i32 })
        }
    }

    /// Whether the code that imports is of a folder with handlers.
    unsafe fn is_of_a_folder(&self, route: &Route) -> Outcome<bool> {
        // SAFETY: alive; what is found is borrowed from the globals, and looked at before anything else runs.
        unsafe {
            if self.globals.is_null() || ffi::PyDict_Check(self.globals) == 0 {
                return Ok(false);
            }
            let package = ffi::PyDict_GetItemWithError(self.globals, route.package.as_ptr());
            if package.is_null() {
                return if ffi::PyErr_Occurred().is_null() { Ok(false) } else { Err(Raised) };
            }
            Ok(ffi::PyUnicode_Check(package) != 0 && py::utf8(package)?.starts_with(PREFIX))
        }
    }

    unsafe fn by(&self, import: &Ref) -> Outcome<Ref> {
        // SAFETY: alive.
        unsafe {
            let or_none =
                |object: *mut PyObject| if object.is_null() { py::none() } else { Ref::share(object) };
            let level = Ref::steal(ffi::PyLong_FromLong(self.level.into()))?;
            let (name, globals, locals) =
                (Ref::share(self.name), Ref::share(self.globals), or_none(self.locals));
            import.call(&[&name, &globals, &locals, &or_none(self.from), &level])
        }
    }

    unsafe fn elsewhere(&self) -> Outcome<Ref> {
        let given = |object: *mut PyObject| {
            // SAFETY: `None` is always alive.
            if object == unsafe { ffi::Py_None() } { ptr::null_mut() } else { object }
        };
        // SAFETY: alive, or null, which CPython takes for each but the name.
        unsafe {
            let (name, from) = (self.name, given(self.from));
            Ref::steal(ffi::PyImport_ImportModuleLevelObject(
                name,
                given(self.globals),
                given(self.locals),
                from,
                self.level,
            ))
        }
    }
}
