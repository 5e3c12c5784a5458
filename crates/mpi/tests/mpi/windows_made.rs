//! Windows that cannot be made: all ranks are told, whichever is wrong.

use crate::support::{in_jobs, is_rank, launch};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use upcall_mpi::{Communicator, Error, ErrorKind, Lent, OpenWindow, SharedWindow, Sum, Window};

/// More bytes than any machine has for what its ranks share.
const MORE: usize = 1 << 50;

/// Counts those that are dropped.
#[derive(Debug)]
struct Keeper(Arc<AtomicUsize>);

impl Drop for Keeper {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn has_no_room<T: std::fmt::Debug>(made: Result<T, Error>, folder: &str) {
    let refused = made.unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::NoSpace);
    let (said, wanted) = (refused.to_string(), "MiB of shared memory in all, and ");
    assert!(said.contains(wanted) && said.contains(folder) && said.contains(" free; take less"), "{said}");
}

/// A window over so many of a rank's bytes.
fn over(
    world: &Communicator,
    memory: &mut [u64],
    bytes: usize,
    element: usize,
    dropped: &Arc<AtomicUsize>,
) -> Result<OpenWindow<Keeper>, Error> {
    assert!(bytes <= size_of_val(memory));
    // SAFETY: the memory is there for longer than the window, and used by nobody meanwhile.
    let lent = unsafe { Lent::new(memory.as_mut_ptr().cast(), bytes, Keeper(Arc::clone(dropped))) };
    OpenWindow::create(world, lent, element)
}

crate::ranks! {
    // Found: Open MPI's ranks waited for each other for ever, and MPICH's ended by a signal.
    fn more_memory_than_ranks_can_share_is_an_error_on_all(world: [2, 3]) {
        let last = world.rank() + 1 == world.size();
        let mine = if last { MORE } else { 1 };
        has_no_room(Window::<u8>::allocate(world, mine), "/dev/shm");
        has_no_room(Window::<u64>::allocate(world, mine / 8), "/dev/shm");
        has_no_room(SharedWindow::<u8>::allocate(world, mine), "/dev/shm");
        has_no_room(OpenWindow::<Keeper>::allocate(world, mine, 4), "/dev/shm");
        has_no_room(OpenWindow::<Keeper>::shared(world, mine, 4), "/dev/shm");
        let window = Window::<u64>::allocate(world, 1000).unwrap();
        window.fence(|epoch| epoch.accumulate(&[1], 0, 999, Sum)).unwrap();
        let found = window.free().unwrap()[999];
        assert_eq!(found, if world.rank() == 0 { world.size() as u64 } else { 0 });
    }

    fn a_window_that_one_rank_gets_wrong_is_made_by_none_and_its_memory_let_go(world: [1, 2, 3]) {
        let (dropped, mut memory) = (Arc::new(AtomicUsize::new(0)), [0u64; 4]);
        let last = world.rank() + 1 == world.size();
        let wrong = world.size() - 1;
        let partial = over(world, &mut memory, if last { 7 } else { 8 }, 4, &dropped).unwrap_err();
        assert_eq!(partial.kind(), ErrorKind::Usage);
        let said = format!("the memory of rank {wrong} is no whole number of elements of 4 bytes");
        assert!(partial.to_string().ends_with(&said), "{partial}");
        let nothing = over(world, &mut memory, 8, if last { 0 } else { 4 }, &dropped).unwrap_err();
        assert!(nothing.to_string().ends_with(&format!("and has none at rank {wrong}")), "{nothing}");
        let nothing = OpenWindow::<Keeper>::allocate(world, 8, if last { 0 } else { 4 }).unwrap_err();
        assert_eq!(nothing.kind(), ErrorKind::Usage);
        assert_eq!(dropped.load(Ordering::SeqCst), 2);
        if world.size() > 1 {
            let types = over(world, &mut memory, 8, if last { 2 } else { 4 }, &dropped).unwrap_err();
            assert_eq!((types.kind(), dropped.load(Ordering::SeqCst)), (ErrorKind::Type, 3));
        }
        let kept = dropped.load(Ordering::SeqCst);
        let window = over(world, &mut memory, 32, 4, &dropped).unwrap();
        assert_eq!(dropped.load(Ordering::SeqCst), kept);
        window.free().unwrap();
        assert_eq!(dropped.load(Ordering::SeqCst), kept + 1);
    }
}

#[test]
fn room_is_looked_for_where_open_mpi_is_told_to_put_what_ranks_share() {
    let test = "windows_made::room_is_looked_for_where_open_mpi_is_told_to_put_what_ranks_share";
    let folder = env!("CARGO_TARGET_TMPDIR");
    if is_rank() {
        return in_jobs(test, &[], |mpi| {
            has_no_room(SharedWindow::<u8>::allocate(mpi.world(), MORE), folder);
            assert!(SharedWindow::<u8>::allocate(mpi.world(), 100).is_ok());
        });
    }
    let mut command = launch("mpirun.openmpi", 2, test);
    let output = command.env("OMPI_MCA_osc_sm_backing_directory", folder).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}
