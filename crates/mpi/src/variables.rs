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

/// Keeps UCX, under MPICH, from writing jumps over the beginning of libc's functions for memory, which threads may be in, where
/// there are other threads: <https://github.com/openucx/ucx/pull/11795>. What is there stays. Without them UCX does not keep
/// memory registered with a network card; a program that has only its own threads, at rest, may say `bistro`.
pub(crate) fn keep_functions_of_memory() {
    let threads = std::fs::read_dir("/proc/self/task").map_or(2, Iterator::count);
    if threads > 1 {
        // SAFETY: two texts that end with 0. That nobody reads variables meanwhile is said of MPI's start, which sets some itself.
        unsafe { libc::setenv(c"UCX_MEM_MMAP_HOOK_MODE".as_ptr(), c"none".as_ptr(), 0) };
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
