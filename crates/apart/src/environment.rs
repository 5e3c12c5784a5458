//! What a process keeps of our environment.

use crate::protocol::SANDBOX_VARIABLE;
use std::env;
use std::ffi::{CString, OsStr, OsString, c_char};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::ptr;
use upcall_host::program::environ;

/// What every process keeps: where things are, in which language and time zone, and what a runtime is found by.
const KEPT: [&str; 19] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "TMPDIR",
    "TZ",
    "LANG",
    "LANGUAGE",
    "LD_LIBRARY_PATH",
    "DOTNET_ROOT",
    "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT",
    "JAVA_HOME",
    "VIRTUAL_ENV",
    "UPCALL_HOME",
    "UPCALL_PYTHON_DRIVER",
    "UPCALL_PROGRAM",
    "UPCALL_WASM_CACHE",
    "UPCALL_WASM_LARGEST",
    "XDG_CACHE_HOME",
];

/// The language and its parts, which every process keeps too.
const LOCALES: [&str; 13] = [
    "LC_ALL", "LC_ADDRESS", "LC_COLLATE", "LC_CTYPE", "LC_IDENTIFICATION", "LC_MEASUREMENT", "LC_MESSAGES",
    "LC_MONETARY", "LC_NAME", "LC_NUMERIC", "LC_PAPER", "LC_TELEPHONE", "LC_TIME",
];

/// Those of our variables that a process keeps, which keeps the `named` too. Each is asked for by its name: in Node, which has
/// an `environ` of its own, a list of all is empty.
pub(crate) fn kept(named: &[String]) -> impl Iterator<Item = (OsString, OsString)> {
    let names = KEPT.into_iter().chain(LOCALES).chain(named.iter().map(String::as_str));
    // `var_os` takes no name that is empty or has one of these in it.
    let names = names.filter(|name| !name.is_empty() && !name.contains(['=', '\0']));
    names.filter_map(|name| Some((name.into(), env::var_os(name)?)))
}

/// The environment of a process that is about to be started, where exec finds it: in the [program's](upcall_host::program::environ).
pub(crate) struct Environment {
    place: *mut *const *const c_char,
    variables: Vec<*const c_char>,
    /// What the variables point to.
    _texts: Vec<CString>,
}

// SAFETY: the texts are its own and never change; the place is static.
unsafe impl Send for Environment {}
// SAFETY: as above.
unsafe impl Sync for Environment {}

impl Environment {
    /// What this command is started with, all of which it has been given.
    pub(crate) fn of(command: &Command) -> io::Result<Environment> {
        let place = environ();
        let given = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        let text = |(name, value): (&OsStr, &OsStr)| {
            CString::new([name.as_bytes(), b"=", value.as_bytes()].concat())
        };
        let texts = given.map(text).collect::<Result<Vec<_>, _>>()?;
        let variables = texts.iter().map(|text| text.as_ptr()).chain([ptr::null()]).collect();
        Ok(Environment { place, variables, _texts: texts })
    }

    /// In the child, between fork and exec.
    pub(crate) fn enter(&self) {
        if !self.place.is_null() {
            // SAFETY: the child has one thread; what it points to lives until exec.
            unsafe { self.place.write(self.variables.as_ptr()) };
        }
    }
}

/// What a process gets that is in a sandbox: it says so, and .NET makes no socket for its debuggers, which would fail.
pub(crate) const SANDBOXED: [(&str, &str); 2] = [(SANDBOX_VARIABLE, "1"), ("DOTNET_EnableDiagnostics", "0")];
