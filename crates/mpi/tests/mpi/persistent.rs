//! What is made ready once and started again and again.

use crate::begun::{composed, one_after_the_other};
use crate::collectives::padded;
use crate::support::Stream;
use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use upcall_mpi::{Communicator, ErrorKind, Max, Operation, Persistent, Source, Sum};

/// Every call that moves elements, for one type: each in several rounds with other elements.
pub fn moved<S: Strategy + Clone>(world: &Communicator, of: &S)
where
    S::Value: upcall_abi::Blit + PartialEq + std::fmt::Debug + Send,
{
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    let root = stream.draw(0..size);
    // Elements of round 0, of whose shape all rounds are.
    let even = stream.elements(of, size, true);
    let uneven = stream.elements(of, size, false);
    let pairs: Vec<Vec<Vec<S::Value>>> = (0..size).map(|_| stream.elements(of, size, false)).collect();
    let counts: Vec<usize> = uneven.iter().map(Vec::len).collect();
    let square = vec![even[0].first().map_or_else(Vec::new, |one| vec![*one; size * 3]); size];
    let (sent, got): (Vec<usize>, Vec<usize>) =
        (0..size).map(|rank| (pairs[me][rank].len(), pairs[rank][me].len())).unzip();
    let at_root = |data: Vec<S::Value>| if me == root { data } else { Vec::new() };
    let mut barrier = world.barrier_init().unwrap();
    let mut calls = [
        world.broadcast_init(even[me].clone(), root).unwrap(),
        world.gather_init(even[me].clone(), root).unwrap(),
        world.all_gather_init(even[me].clone()).unwrap(),
        world.scatter_init(at_root(even.concat()), even[0].len(), root).unwrap(),
        world.gather_parts_init(uneven[me].clone(), &counts, root).unwrap(),
        world.all_gather_parts_init(uneven[me].clone(), &counts).unwrap(),
        world.scatter_parts_init(at_root(uneven.concat()), &counts, root).unwrap(),
        world.all_to_all_parts_init(pairs[me].concat(), &sent, &got).unwrap(),
        world.all_to_all_init(square[me].clone()).unwrap(),
    ];
    for _ in 0..4 {
        let mut again = |shape: &[Vec<S::Value>]| -> Vec<Vec<S::Value>> {
            shape.iter().map(|rank| rank.iter().map(|_| stream.draw(of.clone())).collect()).collect()
        };
        let (even, uneven) = (again(&even), again(&uneven));
        let pairs: Vec<_> = pairs.iter().map(|rank| again(rank)).collect();
        let squares = again(&square);
        let given = [
            even[me].clone(),
            even[me].clone(),
            even[me].clone(),
            at_root(even.concat()),
            uneven[me].clone(),
            uneven[me].clone(),
            at_root(uneven.concat()),
            pairs[me].concat(),
            squares[me].clone(),
        ];
        for (call, given) in calls.iter_mut().zip(given) {
            call.data_mut().unwrap().copy_from_slice(&given);
        }
        barrier.start().unwrap();
        Persistent::start_all(&mut calls).unwrap();
        barrier.wait().unwrap();
        Persistent::wait_all(&mut calls).unwrap();
        let part = |of: &[Vec<S::Value>]| {
            of.iter()
                .map(|rank| if rank.is_empty() { Vec::new() } else { rank[me * 3..][..3].to_vec() })
                .collect::<Vec<_>>()
                .concat()
        };
        let wanted = [
            even[root].clone(),
            at_root(even.concat()),
            even.concat(),
            even[me].clone(),
            at_root(uneven.concat()),
            uneven.concat(),
            uneven[me].clone(),
            pairs.iter().map(|from| from[me].clone()).collect::<Vec<_>>().concat(),
            part(&squares),
        ];
        for (call, wanted) in calls.iter().zip(wanted) {
            assert_eq!(call.result().unwrap(), wanted);
        }
    }
    for call in calls {
        let _ = call.free().unwrap();
    }
}

crate::ranks! {
    fn messages_are_sent_again_and_again_in_every_mode(world: [1, 2, 3]) {
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        let mut stream = Stream::new();
        let mut receives: Vec<_> =
            (0..3).map(|tag| world.receive_init(vec![0u64; 300], before, tag).unwrap()).collect();
        let mut sends = [
            world.send_init(vec![0u64; 200], next, 0).unwrap(),
            world.send_synchronous_init(vec![0u64; 200], next, 1).unwrap(),
            world.send_ready_init(vec![0u64; 200], next, 2).unwrap(),
        ];
        for _ in 0..10 {
            let all: Vec<Vec<u64>> = (0..size).map(|_| (0..200).map(|_| stream.draw(any::<u64>())).collect()).collect();
            Persistent::start_all(&mut receives).unwrap();
            // The receives are there, as the last mode wants it.
            world.barrier().unwrap();
            for send in &mut sends {
                send.data_mut().unwrap().copy_from_slice(&all[me]);
            }
            Persistent::start_all(&mut sends).unwrap();
            let mut seen = Vec::new();
            while let Some((index, status)) = Persistent::wait_any(&mut receives).unwrap() {
                assert_eq!((status.count::<u64>().unwrap(), status.tag().unwrap()), (200, index as i32));
                assert_eq!(receives[index].result().unwrap()[..200], all[before]);
                seen.push(index);
            }
            seen.sort_unstable();
            assert_eq!(seen, [0, 1, 2]);
            Persistent::wait_all(&mut sends).unwrap();
        }
        for send in sends {
            assert_eq!(send.free().unwrap().0.len(), 200);
        }
        assert_eq!(receives.pop().unwrap().free().unwrap().1.len(), 300);
    }

    fn calls_of_all_ranks_are_started_again_and_again(world: [1, 2, 3, 5]) {
        moved(world, &any::<u16>());
        moved(world, &padded());
    }

    fn reductions_are_started_again_and_again(world: [1, 2, 3]) {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let counts: Vec<usize> = (0..size).map(|rank| 10 + rank).collect();
        let count: usize = counts.iter().sum();
        let start = |rank: usize| vec![rank as u64; count];
        let mut calls = [
            world.reduce_init(start(me), Max, size - 1).unwrap(),
            world.all_reduce_init(start(me), Sum).unwrap(),
            world.reduce_scatter_init(start(me), &counts, Sum).unwrap(),
            world.scan_init(start(me), Sum).unwrap(),
            world.exclusive_scan_init(start(me), Sum).unwrap(),
        ];
        let compose = Arc::new(composed(&CALLS));
        let mut maps = world.all_reduce_init(vec![[0u64; 2]; 20], compose).unwrap();
        for _ in 0..5 {
            let all: Vec<Vec<u64>> = (0..size).map(|_| (0..count).map(|_| stream.draw(0..1u64 << 40)).collect()).collect();
            let sum = |upto: usize| (0..count).map(|at| all[..upto].iter().map(|rank| rank[at]).sum()).collect::<Vec<u64>>();
            let most: Vec<u64> = (0..count).map(|at| all.iter().map(|rank| rank[at]).max().unwrap()).collect();
            for call in &mut calls {
                call.data_mut().unwrap().copy_from_slice(&all[me]);
            }
            let pairs: Vec<Vec<[u64; 2]>> = (0..size).map(|_| (0..20).map(|_| stream.draw(any::<[u64; 2]>())).collect()).collect();
            maps.data_mut().unwrap().copy_from_slice(&pairs[me]);
            Persistent::start_all(&mut calls).unwrap();
            maps.start().unwrap();
            maps.wait().unwrap();
            Persistent::wait_all(&mut calls).unwrap();
            let composed: Vec<_> = (0..20).map(|at| pairs.iter().map(|rank| rank[at]).reduce(one_after_the_other).unwrap()).collect();
            assert_eq!(maps.result().unwrap(), composed);
            let begin: usize = counts[..me].iter().sum();
            assert!(me != size - 1 || calls[0].result().unwrap() == most);
            assert_eq!(calls[1].result().unwrap(), sum(size));
            assert_eq!(calls[2].result().unwrap(), &sum(size)[begin..][..counts[me]]);
            assert_eq!(calls[3].result().unwrap(), sum(me + 1));
            assert!(me == 0 || calls[4].result().unwrap() == sum(me));
        }
    }

    fn what_is_under_way_is_not_touched(world: [2]) {
        let other = 1 - world.rank();
        let mut receive = world.receive_init(vec![0u8; 4], other, 1).unwrap();
        assert_eq!(receive.wait().unwrap_err().to_string(), "wait for a persistent request: it was not started");
        receive.start().unwrap();
        let under_way = "use a persistent request: it is under way; wait for it first";
        assert!(receive.is_active());
        assert_eq!(receive.result().unwrap_err().to_string(), under_way);
        assert_eq!(receive.data_mut().unwrap_err().to_string(), under_way);
        assert_eq!(receive.start().unwrap_err().kind(), ErrorKind::Usage);
        assert!(receive.test().unwrap().is_none());
        world.barrier().unwrap();
        world.send(&[world.rank() as u8; 3], other, 1).unwrap();
        assert_eq!(receive.wait().unwrap().count::<u8>().unwrap(), 3);
        assert_eq!(receive.result().unwrap()[..3], [other as u8; 3]);
        // Too large: this round has failed, and the next goes well.
        receive.start().unwrap();
        world.barrier().unwrap();
        world.send(&[1u8; 5], other, 1).unwrap();
        assert_eq!(receive.wait().unwrap_err().kind(), ErrorKind::Truncated);
        assert_eq!(receive.result().unwrap().len(), 4);
        if let Err(error) = receive.start() {
            let wanted = "start a persistent request: a round has failed, and the MPI has freed it; make it again";
            assert_eq!(error.to_string(), wanted);
            receive = world.receive_init(receive.free().unwrap().1, other, 1).unwrap();
            receive.start().unwrap();
        }
        world.send(&[4u8; 4], other, 1).unwrap();
        receive.wait().unwrap();
        assert_eq!(receive.free().unwrap().1, [4; 4]);
        let error = world.send_init(vec![1u8], 5, 0).unwrap_err();
        assert!(error.to_string().starts_with("make a send of 1 byte to rank 5 with tag 0 ready: there is no rank 5"), "{error}");
    }

    fn an_operation_that_fails_is_the_error_of_its_round(world: [2]) {
        use std::sync::atomic::{AtomicBool, Ordering};
        static FAILS: AtomicBool = AtomicBool::new(true);
        FAILS.store(true, Ordering::Relaxed);
        let sum = Operation::fallible(|from: &[u64], into: &mut [u64]| {
            into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
            if FAILS.load(Ordering::Relaxed) { Err("not yet".to_owned()) } else { Ok(()) }
        })
        .unwrap();
        let mut call = world.all_reduce_init(vec![2u64; 3], sum).unwrap();
        call.start().unwrap();
        // Not every rank has to combine something.
        if let Err(error) = call.wait() {
            assert!(error.to_string().ends_with("its operation failed: not yet"), "{error}");
        }
        world.barrier().unwrap();
        FAILS.store(false, Ordering::Relaxed);
        call.start().unwrap();
        call.wait().unwrap();
        assert_eq!(call.result().unwrap(), [4; 3]);
    }

    fn they_are_dropped_in_every_state(world: [2]) {
        let other = 1 - world.rank();
        for round in 0..10u8 {
            drop(world.receive_init(vec![0u8; 10], other, 1).unwrap());
            let mut never = world.receive_init(vec![0u8; 10], other, 50).unwrap();
            never.start().unwrap();
            let mut sent = world.send_init(vec![round; 1 << 17], other, 2).unwrap();
            sent.start().unwrap();
            let twin = world.duplicate().unwrap();
            let mut all = twin.all_gather_init(vec![round; 1000]).unwrap();
            drop(twin);
            all.start().unwrap();
            if round % 2 == world.rank() as u8 {
                all.wait().unwrap();
                assert_eq!(all.result().unwrap(), vec![round; 2000]);
            }
            drop((never, sent, all));
            assert_eq!(world.receive::<u8>(Source::Any, 2).unwrap().0, vec![round; 1 << 17]);
        }
    }
}
