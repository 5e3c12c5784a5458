//! Calls over memory that others keep: until MPI needs it no more, whatever becomes of the request.

use crate::ranks;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use upcall_mpi::{ErrorKind, Lent, LentCall, LentOperation, Named, Operation, Sending, Together};

/// Counts what is kept.
struct Keeper(Arc<AtomicUsize>);

impl Keeper {
    fn new(kept: &Arc<AtomicUsize>) -> Keeper {
        kept.fetch_add(1, Ordering::SeqCst);
        Keeper(Arc::clone(kept))
    }
}

impl Drop for Keeper {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

fn lent<T>(memory: &mut [T], kept: &Arc<AtomicUsize>) -> Lent<Keeper> {
    // SAFETY: the tests keep their memory until MPI has ended with it.
    unsafe { Lent::new(memory.as_mut_ptr().cast(), size_of_val(memory), Keeper::new(kept)) }
}

fn call(what: Together, operation: Option<LentOperation>) -> LentCall<'static> {
    LentCall { what, root: 0, element: 8, counts: &[], into_counts: &[], operation }
}

ranks! {
    fn lent_memory_is_kept_until_a_call_of_all_ranks_has_ended(world: [1, 3]) {
        let kept = Arc::new(AtomicUsize::new(0));
        let sum = || Some(LentOperation::Named(Named::new("Sum", "f64").unwrap()));
        let (mut data, mut into) = ([world.rank() as f64; 5], [0.0f64; 5]);
        let request = world
            .start_together_lent(call(Together::AllReduce, sum()), lent(&mut data, &kept), lent(&mut into, &kept))
            .unwrap();
        assert_eq!(kept.load(Ordering::SeqCst), 2);
        drop(request.wait().unwrap());
        assert_eq!(kept.load(Ordering::SeqCst), 0);
        let total = (0..world.size()).sum::<usize>() as f64;
        assert_eq!(into, [total; 5]);

        // An operation that nobody else keeps, in rounds.
        let longest = Operation::<u8>::of_size(8, |from, into| {
            into.copy_from_slice(&from.iter().zip(&*into).map(|(a, b)| *a.max(b)).collect::<Vec<u8>>());
            Ok::<(), String>(())
        });
        let by = Some(LentOperation::Made(Arc::new(longest.unwrap())));
        let (mut bytes, mut most) = ([0u8; 16], [0u8; 16]);
        let made = world.together_init_lent(
            call(Together::AllReduce, by), lent(&mut bytes, &kept), lent(&mut most, &kept));
        let mut rounds = made.unwrap();
        let at = bytes.as_mut_ptr();
        for round in 0..3u8 {
            // SAFETY: no round is under way, and nobody else has the array.
            unsafe { at.write_bytes(round + world.rank() as u8, 16) };
            rounds.start().unwrap();
            assert_eq!(rounds.start().unwrap_err().kind(), ErrorKind::Usage);
            rounds.wait().unwrap();
            assert_eq!(most, [round + world.size() as u8 - 1; 16]);
            assert_eq!(kept.load(Ordering::SeqCst), 2);
        }
        drop(rounds);
        assert_eq!(kept.load(Ordering::SeqCst), 0);

        // One that is dropped while a round is under way keeps it: nobody sends.
        let mut room = Box::leak(Box::new([0u8; 8]));
        let mut idle = world.receive_init_lent(lent(&mut room[..], &kept), world.rank(), 7).unwrap();
        idle.start().unwrap();
        drop(idle);
        world.barrier().unwrap();
        // A later call finds that it was cancelled.
        drop(world.start_send(vec![1u8], world.rank(), 8).unwrap());
        world.receive::<u8>(world.rank(), 8).unwrap();
        assert_eq!(kept.load(Ordering::SeqCst), 0);
        room = Box::leak(Box::new([1u8; 8]));
        let mut send = world.send_init_lent(lent(&mut room[..], &kept), world.rank(), 9, Sending::Synchronous).unwrap();
        send.start().unwrap();
        assert_eq!(world.receive::<u8>(world.rank(), 9).unwrap().0, [1; 8]);
        send.wait().unwrap();
        drop(send);
        assert_eq!(kept.load(Ordering::SeqCst), 0);
    }

    fn lent_memory_that_does_not_fit_is_given_back_with_an_error(world: [1, 3]) {
        let kept = Arc::new(AtomicUsize::new(0));
        let sum = || Some(LentOperation::Named(Named::new("Sum", "i64").unwrap()));
        let (mut four, mut five) = ([0i64; 4], [0i64; 5]);
        let mut refused = |call: LentCall<'_>, data: usize, into: usize, kind: ErrorKind, says: &str| {
            let (data, into) = (lent(&mut four[..data], &kept), lent(&mut five[..into], &kept));
            let error = world.start_together_lent(call, data, into).unwrap_err();
            assert_eq!(error.kind(), kind, "{error}");
            assert!(error.to_string().contains(says), "{error}");
            assert_eq!(kept.load(Ordering::SeqCst), 0);
        };
        refused(call(Together::AllReduce, sum()), 4, 5, ErrorKind::Usage, "32");
        refused(call(Together::AllReduce, None), 4, 4, ErrorKind::Usage, "none is given");
        refused(call(Together::AllGather, None), 4, 3, ErrorKind::Usage, "come");
        let parts = LentCall { counts: &[8; 7], ..call(Together::AllGatherParts, None) };
        refused(parts, 1, 4, ErrorKind::Usage, "7 counts");
        let nobody = LentCall { root: world.size(), ..call(Together::Broadcast, None) };
        refused(nobody, 0, 4, ErrorKind::Rank, "no rank");
        let (data, into) = (lent(&mut four, &kept), lent(&mut four, &kept));
        let same = world.start_together_lent(call(Together::AllReduce, sum()), data, into).unwrap_err();
        assert!(same.to_string().contains("same memory"), "{same}");
        let mut bytes = [0u64; 4];
        // SAFETY: as in `lent`.
        let odd = unsafe { Lent::new(bytes.as_mut_ptr().cast::<u8>().add(1), 8, Keeper::new(&kept)) };
        let odd = world.start_together_lent(call(Together::AllReduce, sum()), odd, lent(&mut five[..1], &kept));
        assert!(odd.unwrap_err().to_string().contains("multiples of their size"));
        assert_eq!(kept.load(Ordering::SeqCst), 0);
        world.barrier().unwrap();
    }
}
