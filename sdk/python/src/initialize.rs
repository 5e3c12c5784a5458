//! Initialising the interpreter so that a failure comes back as an error.
//!
//! `Py_InitializeEx` ends the process when it fails. `Py_InitializeFromConfig` answers with a status, but what it
//! takes is in no stable ABI: its structs grow with every version. Until 3.13 their first fields are the same,
//! behind which only CPython's own functions write; from 3.14 on a configuration is set by names.

use crate::failure;
use crate::ffi;
use crate::py::Raised;
use libc::{c_char, c_int};
use std::ffi::{CStr, CString};
use std::ptr;

/// Starts the interpreter that `program` is: its home and its environment are found as that one finds them,
/// `pyvenv.cfg` beside it included.
///
/// # Safety
/// Once, before any other call into Python but `Py_GetVersion`.
pub unsafe fn initialize(program: &CStr) -> Result<(), String> {
    // SAFETY: the caller's promise.
    unsafe {
        match PyInitConfig::find() {
            Some(functions) => functions.initialize(program),
            None => from_structs(program),
        }?;
        if ffi::Py_IsInitialized() == 0 {
            Err("it did not start, and does not say why".into())
        } else {
            Ok(())
        }
    }
}

/// `PyStatus`.
#[repr(C)]
struct Status {
    /// 0 OK, 1 an error, 2 an exit.
    kind: c_int,
    function: *const c_char,
    message: *const c_char,
    code: c_int,
}

impl Status {
    /// # Safety
    /// Its texts must be CPython's.
    unsafe fn outcome(self) -> Result<(), String> {
        if self.kind == 0 {
            return Ok(());
        }
        // SAFETY: the caller's promise: null or text.
        let message = unsafe {
            match self.message.is_null() {
                true => format!("it ended with exit code {}", self.code),
                false => CStr::from_ptr(self.message).to_string_lossy().into_owned(),
            }
        };
        Err(format!("{message}{}", raised()))
    }
}

/// The exception that is set in an interpreter that started in part.
fn raised() -> String {
    type Current = unsafe extern "C" fn() -> *mut libc::c_void;
    // SAFETY: CPython's functions of these names, the second of which is older, ask for the thread's state only.
    let attached = [c"PyThreadState_GetUnchecked", c"_PyThreadState_UncheckedGet"]
        .iter()
        .any(|name| unsafe { function::<Current>(name).is_ok_and(|current| !current().is_null()) });
    if !attached {
        return String::new();
    }
    // The package is not there yet to describe it.
    failure::raised(Raised).map_or(String::new(), |exception| {
        // SAFETY: alive, on a thread with a state.
        let text = unsafe { crate::py::Ref::steal(ffi::PyObject_Repr(exception.as_ptr())) };
        match text.as_ref().map(|text| text.text()) {
            Ok(Ok(text)) => format!(" ({text})"),
            _ => String::new(),
        }
    })
}

/// `PyPreConfig`, until 3.13, and `PyConfig`'s first fields. Both are larger than here in no version.
#[repr(C, align(16))]
struct Structs {
    pre: [c_int; 64],
    config: [c_int; 1024],
}

/// Places in `PyPreConfig`: `coerce_c_locale` and `utf8_mode`.
const COERCE_C_LOCALE: usize = 5;
const UTF8_MODE: usize = 7;
/// Places in `PyConfig`: `_config_init`, `use_environment` and `install_signal_handlers`.
const CONFIG_INIT: usize = 0;
const USE_ENVIRONMENT: usize = 2;
const INSTALL_SIGNAL_HANDLERS: usize = 4;
/// What `PyConfig_InitPythonConfig` leaves in the first of them.
const PYTHON_CONFIG: c_int = 2;

/// # Safety
/// As [`initialize`].
unsafe fn from_structs(program: &CStr) -> Result<(), String> {
    let mut structs = Box::new(Structs { pre: [0; 64], config: [0; 1024] });
    let (pre, config) = (structs.pre.as_mut_ptr(), structs.config.as_mut_ptr());
    // SAFETY: CPython's functions of these names have these types in 3.11 to 3.13, and write into the structs only,
    // which have room for them; whether the fields are where they are expected is looked at.
    unsafe {
        let init_pre: unsafe extern "C" fn(*mut c_int) = function(c"PyPreConfig_InitPythonConfig")?;
        let preinitialize: unsafe extern "C" fn(*const c_int) -> Status = function(c"Py_PreInitialize")?;
        let init: unsafe extern "C" fn(*mut c_int) = function(c"PyConfig_InitPythonConfig")?;
        let set_argv: unsafe extern "C" fn(*mut c_int, isize, *const *const c_char) -> Status =
            function(c"PyConfig_SetBytesArgv")?;
        let start: unsafe extern "C" fn(*const c_int) -> Status = function(c"Py_InitializeFromConfig")?;
        let clear: unsafe extern "C" fn(*mut c_int) = function(c"PyConfig_Clear")?;
        init_pre(pre);
        if structs.pre[UTF8_MODE] != -1 || structs.pre[COERCE_C_LOCALE] != -1 {
            return Err("its PyPreConfig is not what CPython 3.11 to 3.13 have".into());
        }
        // Text is UTF-8 whatever the locale, as keys are; the locale is the engine's.
        structs.pre[UTF8_MODE] = 1;
        structs.pre[COERCE_C_LOCALE] = 0;
        preinitialize(pre).outcome()?;
        init(config);
        let found = [CONFIG_INIT, USE_ENVIRONMENT, INSTALL_SIGNAL_HANDLERS].map(|at| structs.config[at]);
        if found != [PYTHON_CONFIG, 1, 1] {
            return Err("its PyConfig is not what CPython 3.11 to 3.13 have".into());
        }
        structs.config[INSTALL_SIGNAL_HANDLERS] = 0;
        let outcome = match set_argv(config, 1, [program.as_ptr()].as_ptr()).outcome() {
            Ok(()) => start(config).outcome(),
            failed => failed,
        };
        clear(config);
        outcome
    }
}

/// The functions around `PyInitConfig`, from 3.14 on.
struct PyInitConfig {
    create: unsafe extern "C" fn() -> *mut c_char,
    set_int: unsafe extern "C" fn(*mut c_char, *const c_char, i64) -> c_int,
    set_text: unsafe extern "C" fn(*mut c_char, *const c_char, *const c_char) -> c_int,
    start: unsafe extern "C" fn(*mut c_char) -> c_int,
    error: unsafe extern "C" fn(*mut c_char, *mut *const c_char) -> c_int,
    free: unsafe extern "C" fn(*mut c_char),
}

impl PyInitConfig {
    /// # Safety
    /// The symbols of these names must be CPython's.
    unsafe fn find() -> Option<PyInitConfig> {
        // SAFETY: the caller's promise: they have these types.
        unsafe {
            Some(PyInitConfig {
                create: function(c"PyInitConfig_Create").ok()?,
                set_int: function(c"PyInitConfig_SetInt").ok()?,
                set_text: function(c"PyInitConfig_SetStr").ok()?,
                start: function(c"Py_InitializeFromInitConfig").ok()?,
                error: function(c"PyInitConfig_GetError").ok()?,
                free: function(c"PyInitConfig_Free").ok()?,
            })
        }
    }

    /// # Safety
    /// As [`initialize`].
    unsafe fn initialize(&self, program: &CStr) -> Result<(), String> {
        // A new one is isolated: what differs from that is what an interpreter of a user's own does.
        const NUMBERS: [(&CStr, i64); 8] = [
            (c"isolated", 0),
            (c"use_environment", 1),
            (c"user_site_directory", 1),
            (c"safe_path", 0),
            (c"configure_locale", 1),
            (c"coerce_c_locale", 0),
            (c"utf8_mode", 1),
            (c"install_signal_handlers", 0),
        ];
        // SAFETY: a configuration of `create`, until it is freed; texts that end.
        unsafe {
            let config = (self.create)();
            if config.is_null() {
                return Err("no memory for its configuration".into());
            }
            let set = |(name, number): &(&CStr, i64)| (self.set_int)(config, name.as_ptr(), *number) == 0;
            let started = NUMBERS.iter().all(set)
                && (self.set_text)(config, c"program_name".as_ptr(), program.as_ptr()) == 0
                && (self.start)(config) == 0;
            let mut said = ptr::null();
            let outcome = match () {
                () if started => Ok(()),
                () if (self.error)(config, &mut said) != 0 && !said.is_null() => {
                    Err(format!("{}{}", CStr::from_ptr(said).to_string_lossy(), raised()))
                }
                () => Err("it did not start, and does not say why".into()),
            };
            (self.free)(config);
            outcome
        }
    }
}

/// A function of CPython's that is in no stable ABI.
///
/// # Safety
/// `F` must be the type of the function.
unsafe fn function<F: Copy>(name: &CStr) -> Result<F, String> {
    const { assert!(size_of::<F>() == size_of::<*mut libc::c_void>()) };
    // SAFETY: looks a name up.
    let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
    if found.is_null() {
        return Err(format!("this Python has no {}", name.to_string_lossy()));
    }
    // SAFETY: not null; the caller's promise for the type.
    Ok(unsafe { std::mem::transmute_copy(&found) })
}

/// The path of an interpreter for C.
pub fn program(interpreter: &str) -> Result<CString, String> {
    CString::new(interpreter).map_err(|_| format!("{interpreter:?} cannot be a path: it has a zero byte"))
}
