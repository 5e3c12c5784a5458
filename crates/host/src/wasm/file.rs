//! A module's file, read as far as it may be compiled.

use crate::{Error, ErrorKind};
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The variable that says how large a module may be, in MiB.
const VARIABLE: &str = "UPCALL_WASM_LARGEST";

/// Bytes of a module unless something else is said: thirty times what Rust's standard library makes of a handler.
const LARGEST: u64 = 64 << 20;

/// Bytes of a module at most, as the variable says them.
pub(super) fn largest() -> Result<u64, Error> {
    let Some(said) = std::env::var_os(VARIABLE).filter(|said| !said.is_empty()) else { return Ok(LARGEST) };
    let mebibytes =
        said.to_str().and_then(|said| said.trim().parse::<u64>().ok()).filter(|number| *number > 0);
    mebibytes.and_then(|number| number.checked_mul(1 << 20)).ok_or_else(|| {
        let what =
            format!("start wasm: {VARIABLE} is {said:?}: give the MiB of a module at most, as a number");
        Error::new(ErrorKind::RuntimeFailed, what)
    })
}

/// What a module's file holds.
///
/// # Errors
/// Which kind of error it is, and why it is not read.
pub(super) fn read(file: &Path, largest: u64) -> Result<Vec<u8>, (ErrorKind, String)> {
    let mut bytes = Vec::new();
    // As far as one byte too many: a file may be without end.
    let read = File::open(file).and_then(|file| file.take(largest.saturating_add(1)).read_to_end(&mut bytes));
    match read {
        Ok(_) if bytes.len() as u64 <= largest => Ok(bytes),
        Ok(_) => {
            let has = file.metadata().map_or(0, |found| found.len()).max(largest + 1);
            let [has, largest] = [has, largest].map(|bytes| bytes.div_ceil(1 << 20));
            let why = format!(
                "it has {has} MiB, and {largest} MiB are the most that is compiled: remove what is for debuggers \
                 (`strip = true`, `wasm-strip`), or set {VARIABLE} to {has}"
            );
            Err((ErrorKind::FileInvalid, why))
        }
        Err(error) if file.is_dir() => {
            Err((ErrorKind::FileMissing, format!("read it: {error}; name the .wasm file in this folder")))
        }
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            let why = format!("read it: {error}; let the user whom this process runs as read it");
            Err((ErrorKind::FileMissing, why))
        }
        Err(error) if file.exists() => {
            Err((ErrorKind::FileMissing, format!("read it: {error}; try again, or build the handler again")))
        }
        Err(_) => Err((ErrorKind::FileMissing, "there is no such file; build the handler first".to_owned())),
    }
}
