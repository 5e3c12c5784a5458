//! What is dropped on a thread that may not call MPI, as finalisers do in other languages, and memory that others keep.

use crate::ranks;
use crate::support::{LAUNCHERS, launch};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use upcall_mpi::{Communicator, Environment, ErrorKind, Lent, Operation, Sending, Threads};

/// Says how often it was dropped.
struct Keeper(Arc<AtomicUsize>);

impl Drop for Keeper {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

/// Runs `body` where one thread may call MPI, which `on_ranks` does not.
fn funneled(test: &str, sizes: &[usize], body: fn(&Environment)) {
    if std::env::var_os("UPCALL_MPI_TEST").is_some() {
        let mpi = Environment::start(Threads::Funneled).unwrap();
        assert_eq!(mpi.threads(), Threads::Funneled);
        body(&mpi);
        return mpi.finish().unwrap();
    }
    for launcher in LAUNCHERS {
        for &size in sizes {
            let output = launch(launcher, size, &format!("left::{test}")).output().unwrap();
            let said =
                [String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)].concat();
            assert!(output.status.success(), "{size} ranks of {launcher}: {}\n{said}", output.status);
            assert_eq!(said.matches("1 passed").count(), size, "{said}");
        }
    }
}

fn on_another_thread<T: Send>(dropped: T) {
    std::thread::scope(|scope| scope.spawn(move || drop(dropped)).join()).unwrap();
}

#[test]
fn a_request_that_a_thread_may_not_wait_for_goes_on() {
    funneled("a_request_that_a_thread_may_not_wait_for_goes_on", &[2], |mpi| {
        let world = mpi.world();
        let other = 1 - world.rank();
        let mut receive = world.start_receive(vec![0u32; 3], other, 4).unwrap();
        std::thread::scope(|scope| {
            let refused = scope.spawn(|| (receive.has_ended(), receive.wait_in_place())).join().unwrap();
            assert_eq!(refused.0.unwrap_err().kind(), ErrorKind::Usage);
            assert_eq!(refused.1.unwrap_err().kind(), ErrorKind::Usage);
        });
        world.send(&[7u32, 8, 9], other, 4).unwrap();
        receive.wait_in_place().unwrap();
        assert!(receive.has_ended().unwrap());
        assert_eq!(receive.wait().unwrap().0, [7, 8, 9]);
    });
}

#[test]
fn what_a_finaliser_drops_is_freed_at_the_next_call() {
    funneled("what_a_finaliser_drops_is_freed_at_the_next_call", &[1, 2, 3], |mpi| {
        let (world, dropped) = (mpi.world(), Arc::new(AtomicUsize::new(0)));
        let seen = |times| assert_eq!(dropped.load(Ordering::SeqCst), times);
        let (next, mut memory) = ((world.rank() + 1) % world.size(), [0u8; 8]);
        let keeper = || Keeper(dropped.clone());
        // SAFETY: the array outlives both requests.
        let mut lent = |keeper| unsafe { Lent::new((&raw mut memory).cast(), 8, keeper) };
        // Nobody sends with this tag.
        let receive = world.start_receive_lent(lent(keeper()), 0, 9).unwrap();
        on_another_thread(receive);
        seen(0);
        world.barrier().unwrap();
        seen(1);

        // A send that nobody has received goes on.
        let send = world.start_send_lent(lent(keeper()), next, 1, Sending::Synchronous).unwrap();
        on_another_thread(send);
        world.barrier().unwrap();
        seen(1);
        assert_eq!(world.receive::<u8>(before(world), 1).unwrap().0, [0; 8]);
        while dropped.load(Ordering::SeqCst) < 2 {
            // Each send looks for what has ended.
            drop(world.start_send(vec![1u8], world.rank(), 2).unwrap());
            world.receive::<u8>(world.rank(), 2).unwrap();
        }

        // A message that was matched is received and thrown away.
        let sent = world.start_send(vec![1.5f64; 100_000], next, 3).unwrap();
        on_another_thread(world.matched(before(world), 3).unwrap());
        sent.wait().unwrap();
        world.barrier().unwrap();
        assert!(world.try_matched(before(world), 3).unwrap().is_none());
    });
}

#[test]
fn requests_of_every_sort_that_finalisers_drop_are_freed() {
    funneled("requests_of_every_sort_that_finalisers_drop_are_freed", &[1, 2, 3], |mpi| {
        let (world, next) = (mpi.world(), (mpi.world().rank() + 1) % mpi.world().size());
        let sum = Operation::each(|a: u64, b: u64| a.wrapping_add(b)).unwrap();
        let sum = Arc::new(sum);
        for round in 0..20u64 {
            let begun = world.start_all_reduce(vec![round; 3000], Arc::clone(&sum)).unwrap();
            let mut active = world.all_reduce_init(vec![round; 100], Arc::clone(&sum)).unwrap();
            active.start().unwrap();
            let at_rest = world.all_reduce_init(vec![round; 100], Arc::clone(&sum)).unwrap();
            // Nobody sends with this tag.
            let mut waits = world.receive_init(vec![0u64; 10], next, 9).unwrap();
            waits.start().unwrap();
            let rests = world.send_init(vec![round], next, 9).unwrap();
            let looks = world.start_receive_any_size::<u64>(next, 9).unwrap();
            on_another_thread((begun, active, at_rest, waits, rests, looks));
            world.barrier().unwrap();
            // They have ended for the others too.
            let end = world.start_all_reduce(vec![round], Arc::clone(&sum)).unwrap();
            assert_eq!(end.wait().unwrap().0, [round * world.size() as u64]);
        }
        let begun = std::time::Instant::now();
        while Arc::strong_count(&sum) > 1 && begun.elapsed().as_secs() < 60 {
            // Each send looks for what has ended.
            drop(world.start_send(vec![1u8], world.rank(), 2).unwrap());
            world.receive::<u8>(world.rank(), 2).unwrap();
        }
        assert_eq!(Arc::strong_count(&sum), 1, "what MPI has ended with is freed");
        world.barrier().unwrap();
    });
}

#[test]
fn partitions_that_finalisers_drop_are_sent() {
    funneled("partitions_that_finalisers_drop_are_sent", &[2], |mpi| {
        let (world, other) = (mpi.world(), 1 - mpi.world().rank());
        let Ok(mut send) = world.partitioned_send_init(vec![7u8; 1000], 4, other, 1) else {
            // Open MPI 4.1 has none: what it says then is tested elsewhere.
            assert!(std::env::var_os("OMPI_COMM_WORLD_SIZE").is_some());
            return;
        };
        let mut receive = world.partitioned_receive_init(vec![0u8; 1000], 4, other, 1).unwrap();
        receive.start().unwrap();
        send.start().unwrap().remove(1).ready().unwrap();
        on_another_thread(send);
        receive.wait().unwrap();
        assert_eq!(receive.data().unwrap(), [7; 1000]);
        on_another_thread(receive);
        world.barrier().unwrap();
    });
}

fn before(world: &Communicator) -> usize {
    (world.rank() + world.size() - 1) % world.size()
}

#[test]
fn communicators_that_finalisers_drop_do_not_use_up_those_of_mpi() {
    funneled("communicators_that_finalisers_drop_do_not_use_up_those_of_mpi", &[1], |mpi| {
        // MPICH has 2,048.
        for _ in 0..2_100 {
            on_another_thread(mpi.world().duplicate().unwrap());
        }
        let late = mpi.world().duplicate().unwrap();
        std::thread::scope(|scope| {
            let told = scope.spawn(|| late.barrier().unwrap_err()).join().unwrap();
            assert_eq!(told.kind(), ErrorKind::Usage);
        });
    });
}

ranks! {
    fn memory_that_others_keep_is_sent_and_received(world: [1, 2, 5]) {
        let dropped = Arc::new(AtomicUsize::new(0));
        let mut sent: Vec<u8> = (0..100).map(|index| index + world.rank() as u8).collect();
        let mut got = vec![0u8; 200];
        let next = (world.rank() + 1) % world.size();
        // SAFETY: both outlive their requests.
        let (from, into) = unsafe {
            (Lent::new(sent.as_mut_ptr(), 100, Keeper(dropped.clone())), Lent::new(got.as_mut_ptr(), 200, Keeper(dropped.clone())))
        };
        let receive = world.start_receive_lent(into, before(world), 1).unwrap();
        let send = world.start_send_lent(from, next, 1, Sending::Standard).unwrap();
        let (kept, status) = receive.wait().unwrap();
        assert_eq!((status.source().unwrap(), status.bytes().unwrap()), (before(world), 100));
        assert_eq!(status.envelope().unwrap(), (Some(before(world)), 1, false));
        assert!(got[..100].iter().enumerate().all(|(index, byte)| *byte == index as u8 + before(world) as u8));
        drop((kept, send.wait().unwrap()));
        assert_eq!(dropped.load(Ordering::SeqCst), 2);

        // SAFETY: as above.
        let idle = unsafe { Lent::new(got.as_mut_ptr(), 200, Keeper(dropped.clone())) };
        let mut idle = world.start_receive_lent(idle, before(world), 2).unwrap();
        idle.cancel().unwrap();
        let (idle, status) = idle.wait().unwrap();
        assert!(status.is_cancelled().unwrap());
        drop(idle.into_keeper());
        assert_eq!(dropped.load(Ordering::SeqCst), 3);

        // SAFETY: as above.
        let nobody = unsafe { Lent::new(got.as_mut_ptr(), 200, Keeper(dropped.clone())) };
        assert_eq!(world.start_receive_lent(nobody, world.size(), 2).unwrap_err().kind(), ErrorKind::Rank);
        assert_eq!(dropped.load(Ordering::SeqCst), 4);
    }

    fn a_message_can_be_looked_at_before_it_is_received(world: [1, 2, 3]) {
        let next = (world.rank() + 1) % world.size();
        assert!(world.try_probe(before(world), 7).unwrap().is_none());
        // Until all have looked, nobody sends.
        world.barrier().unwrap();
        let sent = world.start_send(vec![1u32; 12], next, 7).unwrap();
        let seen = world.probe(before(world), 7).unwrap();
        assert_eq!((seen.source().unwrap(), seen.tag().unwrap(), seen.count::<u32>().unwrap()), (before(world), 7, 12));
        assert_eq!(world.try_probe(before(world), 7).unwrap().unwrap().bytes().unwrap(), 48);
        assert_eq!(world.receive::<u32>(before(world), 7).unwrap().0, [1; 12]);
        sent.wait().unwrap();
    }
}
