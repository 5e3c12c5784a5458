//! What all ranks begin together and wait for later, each in an order of its own, against plain loops over what all of them have.

use crate::collectives::padded;
use crate::support::Stream;
use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use upcall_mpi::{Communicator, ErrorKind, Max, Min, Operation, Request, Sum, Withdrawn};

/// What is checked of a request when it has ended.
type Check<'a> = Box<dyn FnOnce() + 'a>;

/// One that is to give this.
fn gives<'a, B: PartialEq + std::fmt::Debug + Send + 'static>(request: Request<B>, wanted: B) -> Check<'a> {
    Box::new(move || assert_eq!(request.wait().unwrap().0, wanted))
}

/// Waits for them, in another order on each rank.
fn in_any_order(me: usize, stream: &mut Stream, mut checks: Vec<Check>) {
    for turn in 0..checks.len() {
        let at = (stream.draw(any::<usize>()).wrapping_mul(me + 1) + turn) % checks.len();
        checks.swap_remove(at)();
    }
}

/// Every call that moves elements, for one type, all of them under way at once.
pub fn moved<S: Strategy + Clone>(world: &Communicator, of: &S, rounds: usize)
where
    S::Value: upcall_abi::Blit + PartialEq + std::fmt::Debug + Send,
{
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    for _ in 0..rounds {
        let root = stream.draw(0..size);
        let even = stream.elements(of, size, true);
        let uneven = stream.elements(of, size, false);
        let pairs: Vec<Vec<Vec<S::Value>>> = (0..size).map(|_| stream.elements(of, size, false)).collect();
        let (all, parts) = (even.concat(), uneven.concat());
        let counts: Vec<usize> = uneven.iter().map(Vec::len).collect();
        let mine = || even[me].clone();
        let at_root = |data: &Vec<S::Value>| if me == root { data.clone() } else { Vec::new() };
        let given = even[if me == root { root } else { me }].clone();
        let mut checks: Vec<Check> = vec![
            gives(world.start_barrier().unwrap(), ()),
            gives(world.start_broadcast(given, root).unwrap(), even[root].clone()),
            gives(world.start_gather(mine(), root).unwrap(), (me == root).then(|| all.clone())),
            gives(world.start_all_gather(mine()).unwrap(), all.clone()),
            gives(world.start_scatter(at_root(&all), even[0].len(), root).unwrap(), mine()),
            gives(world.start_scatter_parts(at_root(&parts), &counts, root).unwrap(), uneven[me].clone()),
        ];
        let gathered = world.start_gather_parts(uneven[me].clone(), &counts, root).unwrap();
        let everywhere = world.start_all_gather_parts(uneven[me].clone(), &counts).unwrap();
        let (sent, got): (Vec<usize>, Vec<usize>) =
            (0..size).map(|rank| (pairs[me][rank].len(), pairs[rank][me].len())).unzip();
        let exchanged = world.start_all_to_all_parts(pairs[me].concat(), &sent, &got).unwrap();
        let (counts, parts) = (&counts, &parts);
        checks.push(Box::new(move || {
            let gathered = gathered.wait().unwrap().0;
            assert_eq!(gathered.is_some(), me == root);
            if let Some(gathered) = gathered {
                assert_eq!((&gathered.data, &gathered.counts), (parts, counts));
            }
        }));
        checks.push(Box::new(move || assert_eq!(&everywhere.wait().unwrap().0.data, parts)));
        let wanted: Vec<_> = pairs.iter().map(|from| from[me].clone()).collect();
        checks.push(Box::new(move || {
            let exchanged = exchanged.wait().unwrap().0;
            assert_eq!(exchanged.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), wanted);
        }));
        if let Some(square) = all.get(..size * size) {
            let wanted = (0..size).map(|from| square[from * size + me]).collect();
            checks.push(gives(world.start_all_to_all(square[me * size..][..size].to_vec()).unwrap(), wanted));
        }
        in_any_order(me, &mut stream, checks);
    }
}

/// Reductions, whose order does not matter.
fn reduced(world: &Communicator) {
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    for _ in 0..4 {
        let root = stream.draw(0..size);
        let all = stream.elements(&any::<u32>(), size, true);
        let fold = |upto: usize, combine: fn(u32, u32) -> u32| -> Vec<u32> {
            let mut ranks = all[..upto].iter().cloned();
            let first = ranks.next().unwrap_or_default();
            ranks.fold(first, |sum, next| sum.iter().zip(next).map(|(a, b)| combine(*a, b)).collect())
        };
        let mine = || all[me].clone();
        let mut counts: Vec<usize> = (0..size).map(|rank| (all[me].len() + rank) / size).collect();
        let sum: usize = counts.iter().sum();
        counts[0] += all[me].len() - sum;
        let begin: usize = counts[..me].iter().sum();
        let part = fold(size, u32::wrapping_add)[begin..begin + counts[me]].to_vec();
        let before = (me > 0).then(|| fold(me, u32::wrapping_add));
        let checks = vec![
            gives(world.start_all_reduce(mine(), Sum).unwrap(), fold(size, u32::wrapping_add)),
            gives(world.start_all_reduce(mine(), Min).unwrap(), fold(size, u32::min)),
            gives(world.start_reduce(mine(), Max, root).unwrap(), (me == root).then(|| fold(size, u32::max))),
            gives(world.start_reduce_scatter(mine(), &counts, Sum).unwrap(), part),
            gives(world.start_scan(mine(), Sum).unwrap(), fold(me + 1, u32::wrapping_add)),
            gives(world.start_exclusive_scan(mine(), Sum).unwrap(), before),
        ];
        in_any_order(me, &mut stream, checks);
    }
}

/// Affine maps, `a * x + b` modulo 2^64: composing them is associative and not commutative.
pub fn composed(calls: &'static AtomicUsize) -> Operation<[u64; 2]> {
    let operation = Operation::new(move |from: &[[u64; 2]], into: &mut [[u64; 2]]| {
        calls.fetch_add(1, Ordering::Relaxed);
        for (into, from) in into.iter_mut().zip(from) {
            *into = one_after_the_other(*from, *into);
        }
    });
    operation.unwrap().not_commutative()
}

pub fn one_after_the_other(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [a[0].wrapping_mul(b[0]), a[0].wrapping_mul(b[1]).wrapping_add(a[1])]
}

crate::ranks! {
    fn numbers_structs_and_arrays_are_moved_while_others_are(world: [1, 2, 3, 5]) {
        moved(world, &any::<u8>(), 3);
        moved(world, &any::<[u16; 3]>(), 3);
        moved(world, &padded(), 3);
    }

    fn numbers_are_reduced_while_others_are(world: [1, 2, 3, 5]) {
        reduced(world);
    }

    fn an_operation_lives_as_long_as_its_request_and_keeps_the_order(world: [1, 2, 3, 5]) {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        for round in 1..=4usize {
            let all: Vec<Vec<[u64; 2]>> =
                (0..size).map(|_| (0..round * 70).map(|_| stream.draw(any::<[u64; 2]>())).collect()).collect();
            let wanted = |upto: usize| -> Vec<[u64; 2]> {
                (0..round * 70)
                    .map(|at| all[..upto].iter().map(|rank| rank[at]).reduce(one_after_the_other).unwrap())
                    .collect()
            };
            CALLS.store(0, Ordering::Relaxed);
            // One owns it, and one has it from the two that share it.
            let shared = Arc::new(composed(&CALLS));
            let checks = vec![
                gives(world.start_all_reduce(all[me].clone(), composed(&CALLS)).unwrap(), wanted(size)),
                gives(world.start_scan(all[me].clone(), Arc::clone(&shared)).unwrap(), wanted(me + 1)),
                gives(world.start_reduce(all[me].clone(), shared, 0).unwrap(), (me == 0).then(|| wanted(size))),
            ];
            in_any_order(me, &mut stream, checks);
            let calls = CALLS.load(Ordering::Relaxed);
            assert!(calls <= 24 * size, "{calls} calls for {} elements", round * 70);
        }
        // Their places are free again.
        let all: Vec<_> = (0..64).map(|_| composed(&CALLS)).collect();
        assert!(Operation::<u8>::each(|a, _| a).is_err());
        drop(all);
    }

    fn an_operation_that_fails_is_the_error_of_the_wait(world: [2, 4]) {
        let fails = || Operation::fallible(|_: &[f64], _: &mut [f64]| Err("no such sum".to_owned())).unwrap();
        let request = world.start_all_reduce(vec![world.rank() as f64; 10], fails()).unwrap();
        // Not every rank has to combine something, but one has.
        let failed = request.wait().err();
        let failures = world.all_reduce(&[u64::from(failed.is_some())], Sum).unwrap();
        assert!(failures[0] > 0);
        if let Some(error) = failed {
            assert_eq!(error.kind(), ErrorKind::Operation);
            let wanted = "begin to reduce 10 elements of each rank everywhere: its operation failed: no such sum";
            assert_eq!(error.to_string(), wanted);
        }
        assert_eq!(world.start_all_reduce(vec![1u64], Sum).unwrap().wait().unwrap().0, [world.size() as u64]);
    }

    fn one_that_is_given_up_ends_all_the_same_for_the_others(world: [2, 3]) {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let (me, size) = (world.rank(), world.size());
        for round in 0..20u8 {
            let sum = world.start_all_reduce(vec![[u64::from(round), 1]; 5000], composed(&CALLS)).unwrap();
            let all = world.start_all_gather(vec![round; 3000]).unwrap();
            let twin = world.duplicate().unwrap();
            let seen = twin.start_broadcast(vec![if me == 0 { round } else { 0 }; 70_000], 0).unwrap();
            // The communicator lives until its request has ended.
            drop(twin);
            if me == usize::from(round) % size {
                drop((sum, all, seen));
            } else {
                assert_eq!(sum.wait().unwrap().0.len(), 5000);
                assert_eq!(all.wait().unwrap().0, vec![round; 3000 * size]);
                assert_eq!(seen.wait().unwrap().0, vec![round; 70_000]);
            }
        }
    }

    fn one_that_goes_on_cannot_be_taken_back(world: [2]) {
        let request = if world.rank() == 0 {
            let request = match world.start_barrier().unwrap().withdraw().unwrap() {
                Withdrawn::GoesOn(request) => request,
                ended => panic!("{ended:?}"),
            };
            world.send(&[1u8], 1, 1).unwrap();
            request
        } else {
            world.receive::<u8>(0, 1).unwrap();
            world.start_barrier().unwrap()
        };
        request.wait().unwrap();
    }

    fn what_is_wrong_is_told_before_anything_is_begun(world: [2]) {
        let error = world.start_gather(vec![1u8], 7).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Rank);
        assert!(error.to_string().starts_with("begin to gather 1 byte of this rank at rank 7: there is no rank 7"), "{error}");
        let error = world.start_all_to_all(vec![1u8; 3]).unwrap_err();
        assert_eq!(error.to_string(), "begin to exchange 3 bytes with all ranks: that is no multiple of the 2 ranks");
        for counts in [vec![3], vec![2, 2], vec![usize::MAX, 4]] {
            assert_eq!(world.start_all_gather_parts(vec![1u8; 3], &counts).unwrap_err().kind(), ErrorKind::Usage);
            assert_eq!(world.start_reduce_scatter(vec![1u8; 3], &counts, Sum).unwrap_err().kind(), ErrorKind::Usage);
            let error = world.start_all_to_all_parts(vec![1u8; 3], &counts, &counts).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
        }
        world.barrier().unwrap();
    }

    fn several_threads_have_calls_of_their_own_under_way(world: [2, 3]) {
        let twins: Vec<Communicator> = (0..3).map(|_| world.duplicate().unwrap()).collect();
        std::thread::scope(|scope| {
            for (thread, twin) in twins.iter().enumerate() {
                scope.spawn(move || {
                    for round in 0..30u64 {
                        let mine = round * 10 + thread as u64;
                        let sum = twin.start_all_reduce(vec![mine; 500], Sum).unwrap();
                        let all = twin.start_all_gather(vec![mine]).unwrap();
                        assert_eq!(all.wait().unwrap().0, vec![mine; twin.size()]);
                        assert_eq!(sum.wait().unwrap().0, vec![mine * twin.size() as u64; 500]);
                    }
                });
            }
        });
    }
}
