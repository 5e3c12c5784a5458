//! Room for memory that ranks share. It lies in a file, in a folder that has only so much: where that is full, Open MPI's ranks wait
//! for one another for ever, and MPICH's end when they first access what there is no room for. So it is looked at before.

use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::machine::free;
use std::ffi::{CStr, c_char};
use std::path::PathBuf;

/// Bytes of each rank for what an MPI adds: its own words and the rest of a page, with room to spare.
const EACH: u64 = 16 << 10;

/// What there is no room for, in one machine's words.
#[derive(Clone, Copy)]
struct Lack {
    ranks: u64,
    wanted: u64,
    free: u64,
}

/// Whether the ranks of each machine find room for so many bytes of theirs; all ranks are told. `machine` is those of this one.
pub(super) fn found(
    comm: &Communicator,
    machine: &Communicator,
    bytes: u64,
    what: impl Fn() -> String,
) -> Result<(), Error> {
    let library = comm.library;
    let (open_mpi, all_here) = (library.name().starts_with("Open MPI"), machine.size() == comm.size());
    // Alone a rank has memory of its own; and of several machines Open MPI tells all ranks itself.
    if comm.size() == 1 || (open_mpi && !all_here) {
        return Ok(());
    }
    let folder = folder(library)?;
    let mut lack = None;
    if machine.size() > 1 {
        // Where it cannot be known, it is left to MPI.
        let mine = [bytes.saturating_add(EACH), free(&folder).unwrap_or(u64::MAX)];
        let all = machine.all_gather(&mine)?;
        let of = |which: usize| all.chunks_exact(2).map(move |rank| rank[which]);
        let wanted = of(0).fold(0, u64::saturating_add);
        // Open MPI leaves a twentieth.
        let wanted = if open_mpi { wanted.saturating_add(wanted / 20) } else { wanted };
        let free = of(1).min().unwrap_or(u64::MAX);
        lack = (wanted > free).then_some(Lack { ranks: machine.size() as u64, wanted, free });
    }
    if !all_here {
        let mine = lack.map_or([0; 3], |lack| [lack.ranks, lack.wanted, lack.free]);
        let all = comm.all_gather(&mine)?;
        let first = all.chunks_exact(3).find(|rank| rank[0] > 0);
        lack = lack.or(first.map(|rank| Lack { ranks: rank[0], wanted: rank[1], free: rank[2] }));
    }
    let Some(Lack { ranks, wanted, free }) = lack else { return Ok(()) };
    let place = if open_mpi { ", or name another folder in OMPI_MCA_osc_sm_backing_directory" } else { "" };
    let message = format!(
        "{}: {ranks} ranks of a machine want {} of shared memory in all, and {} has {} free; take less, free other windows, or give \
         that folder more room (`mount -o remount,size=…`, or Docker's `--shm-size`){place}",
        what(),
        size(wanted),
        folder.display(),
        size(free)
    );
    Err(Error::new(ErrorKind::NoSpace, message))
}

/// Where shared memory lies: where the MPI says, or where both put it else.
fn folder(library: &Library) -> Result<PathBuf, Error> {
    let mut folder = [0 as c_char; 4096];
    library.call(
        // SAFETY: there is as much room as is said.
        |table| unsafe { (table.win_folder)(folder.as_mut_ptr(), folder.len() as i32) },
        || "ask where shared memory is".to_owned(),
    )?;
    // SAFETY: a text that ends with 0.
    let said = unsafe { CStr::from_ptr(folder.as_ptr()) }.to_string_lossy().into_owned();
    Ok(PathBuf::from(if said.is_empty() { "/dev/shm" } else { &said }))
}

/// In the larger unit of the two of which there are many.
fn size(bytes: u64) -> String {
    if bytes < 10 << 20 { format!("{} KiB", bytes >> 10) } else { format!("{} MiB", bytes >> 20) }
}
