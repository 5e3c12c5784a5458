//! Starting Python inside a program that is not Python's.

use crate::failure::{self, Failure};
use crate::ffi;
use crate::initialize::{initialize, program};
use crate::module;
use crate::py::{self, Outcome, Raised, Ref};
use crate::supported::supported;
use std::ffi::CStr;
use std::sync::Mutex;

/// The Python part of the package, carried along so that it always fits this library.
const PACKAGE: [(&str, &str); 3] = [
    ("upcall._folders", include_str!("../upcall/_folders.py")),
    ("upcall._support", include_str!("../upcall/_support.py")),
    ("upcall", include_str!("../upcall/__init__.py")),
];

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
    // SAFETY: borrowed from the interpreter, which has both; a new dict.
    let (modules, globals) =
        unsafe { (Ref::share(ffi::PyImport_GetModuleDict()), Ref::steal(ffi::PyDict_New())?) };
    let set = |dict: &Ref, name: &CStr, object: &Ref| {
        // SAFETY: all are alive; SetItem takes its own reference.
        match unsafe { ffi::PyDict_SetItemString(dict.as_ptr(), name.as_ptr(), object.as_ptr()) } {
            0 => Ok(()),
            _ => Err(Raised),
        }
    };
    set(&modules, c"upcall._upcall", &native)?;
    // SAFETY: borrowed from the interpreter.
    set(&globals, c"__builtins__", &unsafe { Ref::share(ffi::PyEval_GetBuiltins()) })?;
    py::run(BOOT, c"<upcall boot>", &globals)?;
    // SAFETY: borrowed from the dict, which holds it.
    let add = unsafe { Ref::share(ffi::PyDict_GetItemString(globals.as_ptr(), c"add".as_ptr())) };
    for (name, source) in PACKAGE {
        add.call(&[&py::text(name.as_bytes())?, &py::text(source.as_bytes())?])?;
    }
    let paths: Vec<&str> = paths.collect();
    let paths = py::list(paths.len(), |index| py::text(paths[index].as_bytes()))?;
    crate::support::call(c"embedded", &[&paths]).map(drop)
}
