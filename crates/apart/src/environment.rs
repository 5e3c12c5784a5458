//! What a process keeps of our environment.

use crate::protocol::SANDBOX_VARIABLE;
use std::env;
use std::ffi::{OsStr, OsString};

/// What every process keeps: where things are, in which language and time zone, and what a runtime is found by.
const KEPT: [&str; 15] = [
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
    "VIRTUAL_ENV",
    "UPCALL_HOME",
    "UPCALL_PYTHON_DRIVER",
    "UPCALL_PROGRAM",
];

/// Those of our variables that a process keeps, which keeps the `named` too.
pub(crate) fn kept(named: &[String]) -> impl Iterator<Item = (OsString, OsString)> {
    env::vars_os().filter(move |(name, _)| {
        KEPT.iter().any(|kept| name == OsStr::new(kept))
            || name
                .to_str()
                .is_some_and(|name| name.starts_with("LC_") || named.iter().any(|kept| kept == name))
    })
}

/// What a process gets that is in a sandbox: it says so, and .NET makes no socket for its debuggers, which would fail.
pub(crate) const SANDBOXED: [(&str, &str); 2] = [(SANDBOX_VARIABLE, "1"), ("DOTNET_EnableDiagnostics", "0")];
