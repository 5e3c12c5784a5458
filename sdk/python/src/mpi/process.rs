//! Processes that are started, and programs that find each other.

use super::between::object;
use super::communicator::of;
use super::failure::raise;
use super::{method, number, rank_or, unlocked};
use crate::ffi;
use crate::py::{self, Outcome, PyObject, Ref};
use crate::types::TypeOf;
use upcall_mpi::Program;

pub fn methods(of: TypeOf) -> TypeOf {
    of.method(c"_spawn", method!(spawn as "spawn"(programs, root, of), 3), c"Starts processes.")
        .method(
            c"_accept",
            method!(accept as "accept"(port, root, of), 3),
            c"Waits for another program at a port.",
        )
        .method(
            c"_connect",
            method!(connect as "connect"(port, root, of), 3),
            c"Joins another program at a port.",
        )
}

/// The items of a sequence.
///
/// # Safety
/// The object must be alive.
unsafe fn items(object: *mut PyObject) -> Outcome<Vec<Ref>> {
    // SAFETY: the caller's promise.
    let all = unsafe { Ref::steal(ffi::PySequence_Tuple(object))? };
    (0..py::len(&all)?).map(|index| py::item(&all, index)).collect()
}

/// (path, processes, arguments, directory, hosts, pairs of names and values), as `upcall.mpi` gives them.
///
/// # Safety
/// As [`items`].
unsafe fn program(object: *mut PyObject) -> Outcome<Program> {
    // SAFETY: the caller's promise, and what it keeps.
    unsafe {
        let parts = items(object)?;
        // None at all is as wrong as less.
        let processes = usize::try_from(number(parts[1].as_ptr(), "processes")?).unwrap_or(0);
        let mut program = Program::new(parts[0].text()?, processes);
        for argument in items(parts[2].as_ptr())? {
            program = program.argument(argument.text()?);
        }
        if !parts[3].is_none() {
            program = program.directory(parts[3].text()?);
        }
        for host in items(parts[4].as_ptr())? {
            program = program.hosts([host.text()?]);
        }
        for pair in items(parts[5].as_ptr())? {
            program = program.info(py::item(&pair, 0)?.text()?, py::item(&pair, 1)?.text()?);
        }
        Ok(program)
    }
}

unsafe fn spawn(this: *mut PyObject, [programs, root, with]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: a communicator and arguments that live until this returns, here and below.
    unsafe {
        let (comm, root) = (of(this)?, rank_or(root, 0, "root")?);
        let described = items(programs)?;
        let programs = described.iter().map(|one| program(one.as_ptr())).collect::<Outcome<Vec<_>>>()?;
        object(with, unlocked(|| comm.spawn_multiple(&programs, root)).map_err(raise)?)
    }
}

unsafe fn accept(this: *mut PyObject, [port, root, with]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, port, root) = (of(this)?, py::utf8(port)?, rank_or(root, 0, "root")?);
        object(with, unlocked(|| comm.accept(port, root)).map_err(raise)?)
    }
}

unsafe fn connect(this: *mut PyObject, [port, root, with]: [*mut PyObject; 3]) -> Outcome<Ref> {
    // SAFETY: as above.
    unsafe {
        let (comm, port, root) = (of(this)?, py::utf8(port)?, rank_or(root, 0, "root")?);
        object(with, unlocked(|| comm.connect(port, root)).map_err(raise)?)
    }
}
