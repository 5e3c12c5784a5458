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
const PACKAGE: [(&str, &str); 7] = [
    ("upcall._form", include_str!("../upcall/_form.py")),
    ("upcall._compiled", include_str!("../upcall/_compiled.py")),
    ("upcall._folders", include_str!("../upcall/_folders.py")),
    ("upcall._over", include_str!("../upcall/_over.py")),
    ("upcall._vertex", include_str!("../upcall/_vertex.py")),
    ("upcall._support", include_str!("../upcall/_support.py")),
    ("upcall", include_str!("../upcall/__init__.py")),
];

/// Parts that no handler has to wait for who does not import them: the first one imports `asyncio`.
const LATER: [(&CStr, &str); 3] = [
    (c"upcall._later", include_str!("../upcall/_later.py")),
    (c"upcall.compiled", include_str!("../upcall/compiled.py")),
    (c"upcall.graph", include_str!("../upcall/graph.py")),
];

/// Runs a package module from its text, now or when it is imported.
const BOOT: &CStr = c"
import sys, types
from _frozen_importlib import ModuleSpec

def add(name, source):
    module = types.ModuleType(name)
    module.__file__ = '<' + name + '>'
    module.__package__ = 'upcall'
    if name == 'upcall':
        module.__path__ = []
    sys.modules[name] = module
    exec(compile(source, module.__file__, 'exec'), module.__dict__)

later = {}

class Later:
    @staticmethod
    def find_spec(name, path=None, target=None):
        return ModuleSpec(name, Later, origin='<' + name + '>') if name in later else None

    @staticmethod
    def create_module(spec):
        return None

    @staticmethod
    def exec_module(module):
        exec(compile(later[module.__name__], '<' + module.__name__ + '>', 'exec'), module.__dict__)

sys.meta_path.append(Later)
";

/// Starts Python, once per process: the first line is the interpreter to be, the second `line by line` where what is printed is
/// passed on so, the others its module path.
pub fn start(lines: &str) -> Result<(), String> {
    static STARTED: Mutex<bool> = Mutex::new(false);
    let mut started = STARTED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if *started {
        return Ok(());
    }
    let mut lines = lines.lines();
    let interpreter = lines.next().unwrap_or_default();
    let by_line = lines.next() == Some("line by line");
    // SAFETY: once, before any other call into Python; the lock is given up at the end.
    unsafe {
        if ffi::Py_IsInitialized() != 0 {
            return Err("this process runs a Python already that Upcall did not start".into());
        }
        let version = CStr::from_ptr(ffi::Py_GetVersion()).to_string_lossy();
        supported(&version)?;
        initialize(&program(interpreter)?)?;
        let outcome = module::fits().and_then(|()| install(lines, by_line)).map_err(failure::take);
        ffi::PyEval_SaveThread();
        let text =
            |failure: Failure| format!("{}: {}\n{}", failure.type_name, failure.message, failure.stack);
        outcome.map_err(text)?;
    }
    *started = true;
    Ok(())
}

/// Adds the package and the module path, routes `logging`, and has output passed on line by line where that is said.
fn install<'a>(paths: impl Iterator<Item = &'a str>, by_line: bool) -> Outcome<()> {
    let native = module::make()?;
    // SAFETY: borrowed from the interpreter, which has it.
    let modules = unsafe { Ref::share(ffi::PyImport_GetModuleDict()) };
    set(&modules, c"upcall._upcall", &native)?;
    let boot = boot()?;
    let add = item(&boot, c"add");
    for (name, source) in PACKAGE {
        add.call(&[&py::text(name.as_bytes())?, &py::text(source.as_bytes())?])?;
    }
    let later = item(&boot, c"later");
    for (name, source) in LATER {
        set(&later, name, &py::text(source.as_bytes())?)?;
    }
    let paths: Vec<&str> = paths.collect();
    let paths = py::list(paths.len(), |index| py::text(paths[index].as_bytes()))?;
    crate::support::call(c"embedded", &[&paths])?;
    if by_line { crate::support::call(c"print_by_line", &[]).map(drop) } else { Ok(()) }
}

fn set(dict: &Ref, name: &CStr, object: &Ref) -> Outcome<()> {
    // SAFETY: all are alive; SetItem takes its own reference.
    match unsafe { ffi::PyDict_SetItemString(dict.as_ptr(), name.as_ptr(), object.as_ptr()) } {
        0 => Ok(()),
        _ => Err(Raised),
    }
}

/// The names of [`BOOT`].
fn boot() -> Outcome<Ref> {
    // SAFETY: a new dict; what is borrowed from the interpreter is shared.
    let (globals, builtins) =
        unsafe { (Ref::steal(ffi::PyDict_New())?, Ref::share(ffi::PyEval_GetBuiltins())) };
    set(&globals, c"__builtins__", &builtins)?;
    py::run(BOOT, c"<upcall boot>", &globals)?;
    Ok(globals)
}

fn item(dict: &Ref, name: &CStr) -> Ref {
    // SAFETY: borrowed from the dict, which holds it.
    unsafe { Ref::share(ffi::PyDict_GetItemString(dict.as_ptr(), name.as_ptr())) }
}
