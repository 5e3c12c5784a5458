//! What is kept with communicators.

use crate::support::{is_rank, passes_on_ranks};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use upcall_mpi::{Environment, ErrorKind, Key, Threads};

/// Values that count those that are alive.
#[derive(Debug, PartialEq)]
struct Counted(u32);
static ALIVE: AtomicUsize = AtomicUsize::new(0);

impl Counted {
    fn new(number: u32) -> Counted {
        ALIVE.fetch_add(1, Ordering::SeqCst);
        Counted(number)
    }
}

impl Clone for Counted {
    fn clone(&self) -> Counted {
        Counted::new(self.0)
    }
}

impl Drop for Counted {
    fn drop(&mut self) {
        ALIVE.fetch_sub(1, Ordering::SeqCst);
    }
}

static STAYS: Key<Counted> = Key::new();
static COPIED: Key<Counted> = Key::copied();
static NEXT: Key<u32> = Key::copied_by(|number| number.checked_sub(1));
static FAILS: Key<u32> = Key::copied_by(|_| panic!("it is Monday"));

crate::ranks! {
    fn values_are_copied_and_dropped_with_communicators(world: [1, 3]) {
        let alive = || ALIVE.load(Ordering::SeqCst);
        assert!(world.get(&STAYS).unwrap().is_none());
        let comm = world.duplicate().unwrap();
        comm.set(&STAYS, Counted::new(1)).unwrap();
        comm.set(&COPIED, Counted::new(2)).unwrap();
        comm.set(&NEXT, 1).unwrap();
        assert_eq!(comm.get(&STAYS).unwrap().unwrap().0, 1);
        assert_eq!(alive(), 2);
        comm.set(&STAYS, Counted::new(3)).unwrap();
        assert_eq!((comm.get(&STAYS).unwrap().unwrap().0, alive()), (3, 2));
        let twin = comm.duplicate().unwrap();
        assert!(twin.get(&STAYS).unwrap().is_none());
        assert_eq!((twin.get(&COPIED).unwrap().unwrap().0, alive()), (2, 3));
        assert_eq!(twin.get(&NEXT).unwrap().as_deref(), Some(&0));
        assert!(twin.duplicate().unwrap().get(&NEXT).unwrap().is_none());
        assert_eq!(alive(), 3);
        // A split one has none.
        assert!(comm.split(Some(0), 0).unwrap().unwrap().get(&COPIED).unwrap().is_none());
        let taken = comm.remove(&STAYS).unwrap().unwrap();
        assert_eq!((taken.0, alive()), (3, 3));
        assert!(comm.remove(&STAYS).unwrap().is_none());
        drop(taken);
        assert_eq!(alive(), 2);
        let held = twin.get(&COPIED).unwrap().unwrap();
        drop(twin);
        // It lives as long as somebody has it.
        assert_eq!((held.0, alive()), (2, 2));
        drop(held);
        drop(comm);
        assert_eq!(alive(), 0);
    }

    fn a_copy_that_panics_is_an_error_of_the_duplicate(world: [2]) {
        let comm = world.duplicate().unwrap();
        comm.set(&FAILS, 1).unwrap();
        let refused = comm.duplicate().unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Mpi);
        assert!(refused.to_string().starts_with("duplicate a communicator: "), "{refused}");
        comm.remove(&FAILS).unwrap();
        comm.duplicate().unwrap().barrier().unwrap();
    }

    fn threads_set_and_get_what_is_kept(world: [2]) {
        static SHARED: Key<Vec<usize>> = Key::new();
        std::thread::scope(|scope| {
            for thread in 0..4 {
                scope.spawn(move || {
                    for round in 0..200 {
                        world.set(&SHARED, vec![thread; round % 7]).unwrap();
                        let found: Arc<Vec<usize>> = world.get(&SHARED).unwrap().unwrap();
                        assert!(found.iter().all(|one| *one == found[0]));
                    }
                });
            }
        });
        let (half, other) = (world.rank(), 1 - world.rank());
        let inter = world.split(Some(half as u32), 0).unwrap().unwrap().intercommunicator(0, world, other, 1).unwrap();
        inter.set(&SHARED, vec![half]).unwrap();
        assert_eq!(*inter.get(&SHARED).unwrap().unwrap(), [half]);
        assert_eq!(*inter.remove(&SHARED).unwrap().unwrap(), [half]);
    }
}

#[test]
fn what_is_kept_for_the_process_alone_is_dropped_when_mpi_ends() {
    if !is_rank() {
        return passes_on_ranks(
            "mpi::attributes::what_is_kept_for_the_process_alone_is_dropped_when_mpi_ends",
            &[1, 2],
        );
    }
    let mpi = Environment::start(Threads::Multiple).unwrap();
    mpi.own().set(&STAYS, Counted::new(1)).unwrap();
    let twin = mpi.own().duplicate().unwrap();
    assert_eq!(ALIVE.load(Ordering::SeqCst), 1);
    mpi.finish().unwrap();
    assert_eq!(ALIVE.load(Ordering::SeqCst), 0);
    assert_eq!(twin.set(&NEXT, 1).unwrap_err().kind(), ErrorKind::Lifecycle);
    assert_eq!(twin.get(&STAYS).unwrap_err().kind(), ErrorKind::Lifecycle);
}
