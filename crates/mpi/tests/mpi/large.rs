//! More elements than 31 bits count: with a limit that is lower, and once for real, where there is memory for it.

use crate::collectives::{self, padded};
use crate::support::{GIB, for_real};
use crate::{begun, persistent};
use proptest::arbitrary::any;
use upcall_mpi::{Source, Sum};

/// What is at some places of many elements, among them those around the limits of 31 and 32 bits.
fn places(elements: usize) -> impl Iterator<Item = usize> {
    let limits = [31, 32].map(|bits| 1usize << bits).map(|limit| limit.saturating_sub(2)..limit + 2);
    let limits = limits.into_iter().flatten().filter(move |at| *at < elements);
    (0..elements).step_by(1 << 18).chain(limits).chain([elements - 1])
}

fn marked(elements: usize, seed: usize) -> Vec<u8> {
    let mut data = vec![0u8; elements];
    places(elements).for_each(|at| data[at] = mark(at, seed));
    data
}

fn mark(at: usize, seed: usize) -> u8 {
    (at / 7 + seed + 1) as u8
}

fn is_marked(data: &[u8], elements: usize, seed: usize) {
    assert_eq!(data.len(), elements);
    for at in places(elements) {
        assert_eq!(data[at], mark(at, seed), "at {at} of {elements}");
    }
}

crate::ranks! {
    fn little_is_much_where_the_limit_is_low(world: [1, 2, 3]) {
        // Some counts and places are below it, and some above.
        world.limit_counts(100).unwrap();
        collectives::moved(world, &any::<u16>());
        begun::moved(world, &any::<u16>(), 3);
        begun::moved(world, &padded(), 2);
        persistent::moved(world, &any::<u32>());
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        for elements in [100usize, 101, 202, 1000, 4099] {
            let data: Vec<u8> = (0..elements).map(|at| (at + me) as u8).collect();
            let wanted: Vec<u8> = (0..elements).map(|at| (at + before) as u8).collect();
            let sent = world.start_send(data.clone(), next, 1).unwrap();
            assert_eq!(world.receive::<u8>(Source::Any, 1).unwrap().0, wanted);
            sent.wait().unwrap();
            let mut into = vec![0u8; elements];
            let status = world.send_receive(&data, next, 2, &mut into, before, 2).unwrap();
            assert_eq!((into, status.bytes().unwrap()), (wanted.clone(), elements));
            let mut send = world.send_init(data, next, 3).unwrap();
            send.start().unwrap();
            assert_eq!(world.start_receive(vec![0; elements], before, 3).unwrap().wait().unwrap().0, wanted);
            send.wait().unwrap();
        }
        // Each part by itself.
        let counts: Vec<usize> = (0..size).map(|rank| 90 + rank).collect();
        let part = world.reduce_scatter(&vec![1u64 << me; counts.iter().sum()], &counts, Sum).unwrap();
        assert_eq!(part, vec![(1u64 << size) - 1; 90 + me]);
        world.limit_counts(i64::from(i32::MAX)).unwrap();
        begun::moved(world, &any::<u16>(), 1);
        assert!(world.limit_counts(0).is_err());
    }

    fn wrong_counts_of_one_rank_are_an_error_of_all(world: [2, 3]) {
        let counts = if world.rank() == 1 { vec![1; world.size() + 1] } else { vec![1; world.size()] };
        let error = world.all_to_all_parts(&vec![1u8; world.size()], &counts).unwrap_err();
        let wanted = if world.rank() == 1 { "there is one count for each rank" } else { "rank 1 gives wrong counts" };
        assert!(error.to_string().contains(wanted), "{error}");
        world.barrier().unwrap();
    }
}

#[test]
fn a_message_of_3_gib_arrives() {
    for_real(concat!(module_path!(), "::a_message_of_3_gib_arrives"), &[2], 6 * GIB, |world| {
        if world.rank() == 0 {
            let data = marked(3 * GIB, 1);
            world.send(&data, 1, 1).unwrap();
            drop(data);
            let mut numbers = vec![0u64; 3 * GIB / 8];
            places(numbers.len()).for_each(|at| numbers[at] = at as u64 + 1);
            world.start_send(numbers, 1, 2).unwrap().wait().unwrap();
        } else {
            let (data, status) = world.receive::<u8>(0, 1).unwrap();
            assert_eq!(status.bytes().unwrap(), 3 * GIB);
            is_marked(&data, 3 * GIB, 1);
            drop(data);
            let (numbers, status) =
                world.start_receive(vec![0u64; 3 * GIB / 8], 0, 2).unwrap().wait().unwrap();
            assert_eq!(status.count::<u64>().unwrap(), numbers.len());
            places(numbers.len()).for_each(|at| assert_eq!(numbers[at], at as u64 + 1));
        }
    });
}

#[test]
fn a_broadcast_of_more_than_31_bits_count_arrives() {
    for_real(
        concat!(module_path!(), "::a_broadcast_of_more_than_31_bits_count_arrives"),
        &[2],
        5 * GIB,
        |world| {
            let elements = 2 * GIB + 12_345;
            let mut data = if world.rank() == 0 { marked(elements, 2) } else { vec![0u8; elements] };
            world.broadcast(&mut data, 0).unwrap();
            is_marked(&data, elements, 2);
        },
    );
}

#[test]
fn parts_of_more_than_31_bits_count_arrive() {
    for_real(concat!(module_path!(), "::parts_of_more_than_31_bits_count_arrive"), &[2], 7 * GIB, |world| {
        // Rank 0 has little, and rank 1 more than 31 bits count.
        let counts = [1000, 2 * GIB + 54_321];
        let data = marked(counts[world.rank()], 3 + world.rank());
        let parts = world.gather_parts(&data, 0).unwrap();
        if let Some(parts) = parts {
            assert_eq!(parts.counts, counts);
            is_marked(&parts.data[..1000], 1000, 3);
            is_marked(&parts.data[1000..], counts[1], 4);
        }
        world.barrier().unwrap();
        let exchange = if world.rank() == 1 { [counts[1], 0] } else { [0, 1000] };
        let parts = world.all_to_all_parts(&data, &exchange).unwrap();
        let (elements, seed) = if world.rank() == 0 { (counts[1], 4) } else { (1000, 3) };
        is_marked(&parts.data, elements, seed);
    });
}
