//! The environment of this process, for the processes that it starts.

use std::env;
use std::ffi::{CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use upcall_host::program::environ;

/// Gives a command all variables of this process.
///
/// It has them anyway, but where Rust has another `environ` than the [program](upcall_host::program::environ).
pub(crate) fn inherit(command: &mut Command) {
    if env::vars_os().next().is_some() {
        return;
    }
    for (name, value) in programs() {
        command.env(name, value);
    }
}

/// The variables that the program itself has.
fn programs() -> Vec<(&'static OsStr, &'static OsStr)> {
    let (mut found, place) = (Vec::new(), environ());
    // SAFETY: what `environ` points to is null, or pointers to C strings up to one that is null. Nobody changes variables while
    // others may read them: that is the rule for all of a process.
    unsafe {
        if place.is_null() || (*place).is_null() {
            return found;
        }
        let mut next = *place;
        while !(*next).is_null() {
            let text = CStr::from_ptr(*next).to_bytes();
            if let Some(at) = text.iter().position(|byte| *byte == b'=').filter(|at| *at > 0) {
                found.push((OsStr::from_bytes(&text[..at]), OsStr::from_bytes(&text[at + 1..])));
            }
            next = next.add(1);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_programs_variables_are_those_of_the_process() {
        let mut found = programs();
        let mut own: Vec<_> = env::vars_os().collect();
        found.sort();
        own.sort();
        assert!(!own.is_empty());
        assert!(
            found.iter().copied().eq(own.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str())))
        );
    }
}
