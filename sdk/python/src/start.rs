//! Starting Python inside a program that is not Python's.

use crate::failure::{self, Failure};
use crate::ffi;
use crate::initialize::{initialize, program};
use crate::module;
use crate::py::{self, Outcome, Raised, Ref};
use std::ffi::CStr;
use std::sync::Mutex;
use upcall_glue_python::supported::supported;

/// The Python part of the package, carried along so that it always fits this library.
const PACKAGE: [(&str, &str); 4] = [
    ("upcall._folders", include_str!("../upcall/_folders.py")),
    ("upcall._over", include_str!("../upcall/_over.py")),
    ("upcall._support", include_str!("../upcall/_support.py")),
    ("upcall", include_str!("../upcall/__init__.py")),
];

/// The part for handlers that answer later, which no other has to wait for: it imports `asyncio`.
const LATER: (&str, &str) = ("upcall._later", include_str!("../upcall/_later.py"));

/// Runs a package module from its text.
const BOOT: &CStr = c"
import sys, types
def add(name, source):
    module = types.ModuleType(name)
    module.__file__ = '<' + name + '>'
    module.__package__ = 'upcall'
    if name == 'upcall':
        module.__path__ = []
    sys.modules[name] = module
    exec(compile(source, module.__file__, 'exec'), module.__dict__)
";

/// Starts Python, once per process: the first line is the interpreter to be, the others its module path.
pub fn start(lines: &str) -> Result<(), String> {
    static STARTED: Mutex<bool> = Mutex::new(false);
    let mut started = STARTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if *started {
        return Ok(());
    }
    let mut lines = lines.lines();
    let interpreter = lines.next().unwrap_or_default();
    // SAFETY: once, before any other call into Python; the lock is given up at the end.
    unsafe {
        if ffi::Py_IsInitialized() != 0 {
            return Err("this process runs a Python already that Upcall did not start".into());
        }
        let version = CStr::from_ptr(ffi::Py_GetVersion()).to_string_lossy();
        supported(&version)?;
        initialize(&program(interpreter)?)?;
        let outcome = module::fits().and_then(|()| install(lines)).map_err(failure::take);
        ffi::PyEval_SaveThread();
        let text =
            |failure: Failure| format!("{}: {}\n{}", failure.type_name, failure.message, failure.stack);
        outcome.map_err(text)?;
    }
    *started = true;
    Ok(())
}

/// Adds the package and the module path, and routes `logging`.
fn install<'a>(paths: impl Iterator<Item = &'a str>) -> Outcome<()> {
    let native = module::make()?;
    // SAFETY: borrowed from the interpreter, which has it.
    let modules = unsafe { Ref::share(ffi::PyImport_GetModuleDict()) };
    set(&modules, c"upcall._upcall", &native)?;
    let add = add()?;
    for (name, source) in PACKAGE {
        add.call(&[&py::text(name.as_bytes())?, &py::text(source.as_bytes())?])?;
    }
    let paths: Vec<&str> = paths.collect();
    let paths = py::list(paths.len(), |index| py::text(paths[index].as_bytes()))?;
    crate::support::call(c"embedded", &[&paths]).map(drop)
}

fn set(dict: &Ref, name: &CStr, object: &Ref) -> Outcome<()> {
    // SAFETY: all are alive; SetItem takes its own reference.
    match unsafe { ffi::PyDict_SetItemString(dict.as_ptr(), name.as_ptr(), object.as_ptr()) } {
        0 => Ok(()),
        _ => Err(Raised),
    }
}

/// What runs a package module from its text.
fn add() -> Outcome<Ref> {
    // SAFETY: a new dict; what is borrowed from the interpreter is shared.
    let (globals, builtins) =
        unsafe { (Ref::steal(ffi::PyDict_New())?, Ref::share(ffi::PyEval_GetBuiltins())) };
    set(&globals, c"__builtins__", &builtins)?;
    py::run(BOOT, c"<upcall boot>", &globals)?;
    // SAFETY: borrowed from the dict, which holds it.
    Ok(unsafe { Ref::share(ffi::PyDict_GetItemString(globals.as_ptr(), c"add".as_ptr())) })
}

/// The module `upcall._later`.
pub fn later() -> Outcome<Ref> {
    let name = py::text(LATER.0.as_bytes())?;
    // SAFETY: a `str`; looks it up.
    if let Ok(there) = unsafe { Ref::steal(ffi::PyImport_GetModule(name.as_ptr())) } {
        return Ok(there);
    }
    failure::forget(Raised);
    let package = py::import(c"upcall")?;
    let path = package.get(c"__path__")?;
    // SAFETY: it is alive.
    if unsafe { ffi::PyObject_IsTrue(path.as_ptr()) } == 1 {
        return py::import(c"upcall._later");
    }
    add()?.call(&[&name, &py::text(LATER.1.as_bytes())?])?;
    // SAFETY: as above.
    unsafe { Ref::steal(ffi::PyImport_GetModule(name.as_ptr())) }
}
