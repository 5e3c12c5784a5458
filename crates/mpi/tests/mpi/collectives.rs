//! What all ranks do together, against plain loops over what all of them have.

use crate::support::Stream;
use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use upcall::Blit;
use upcall::pack::Pack;
use upcall_mpi::{Communicator, ErrorKind, Max, Min, Named, Operation, Product, Sum};

/// Its size is 32 and its fields have 8 bytes: what a type that is told by its fields alone gets wrong.
#[repr(C, align(32))]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Aligned {
    x: f64,
}

/// No memory of `malloc` has its alignment for sure.
#[repr(C, align(64))]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Wide {
    x: [u64; 8],
}

/// As deep as one likes.
#[derive(Pack, Debug)]
struct Nested {
    next: Option<Box<Nested>>,
}

#[repr(C)]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
pub struct Padded {
    small: u8,
    large: u64,
    last: u16,
}

pub fn padded() -> impl Strategy<Value = Padded> + Clone {
    (any::<u8>(), any::<u64>(), any::<u16>()).prop_map(|(small, large, last)| Padded { small, large, last })
}

const ROUNDS: usize = 4;

/// Every collective that moves elements, for one type.
pub fn moved<S: Strategy + Clone>(world: &Communicator, of: &S)
where
    S::Value: upcall_abi::Blit + PartialEq + std::fmt::Debug,
{
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    for _ in 0..ROUNDS {
        let root = stream.draw(0..size);
        let even = stream.elements(of, size, true);
        let all = even.concat();
        let mut copy = even[if me == root { root } else { me }].clone();
        world.broadcast(&mut copy, root).unwrap();
        assert_eq!(copy, even[root]);
        assert_eq!(world.gather(&even[me], root).unwrap(), (me == root).then(|| all.clone()));
        assert_eq!(world.all_gather(&even[me]).unwrap(), all);
        let mut into = all.clone();
        into.reverse();
        world.all_gather_into(&even[me], &mut into).unwrap();
        assert_eq!(into, all);
        into.reverse();
        let room = if me == root { into.as_mut_slice() } else { &mut [] };
        world.gather_into(&even[me], room, root).unwrap();
        assert!(me != root || into == all);
        let given = if me == root { all.as_slice() } else { &[] };
        let mut part = even[0].clone();
        world.scatter_into(given, &mut part, root).unwrap();
        assert_eq!(part, even[me]);
        assert_eq!(world.scatter(given, root).unwrap(), even[me]);
        // What rank `from` has for rank `to`.
        let pairs: Vec<Vec<Vec<S::Value>>> = (0..size).map(|_| stream.elements(of, size, false)).collect();
        let counts: Vec<usize> = pairs[me].iter().map(Vec::len).collect();
        let parts = world.all_to_all_parts(&pairs[me].concat(), &counts).unwrap();
        let wanted: Vec<_> = pairs.iter().map(|from| from[me].clone()).collect();
        assert_eq!(parts.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), wanted);
        let uneven = &pairs[0];
        let parts = world.gather_parts(&uneven[me], root).unwrap();
        assert_eq!(parts.is_some(), me == root);
        if let Some(parts) = parts {
            assert_eq!(parts.data, uneven.concat());
            assert_eq!(parts.counts, uneven.iter().map(Vec::len).collect::<Vec<_>>());
        }
        assert_eq!(world.all_gather_parts(&uneven[me]).unwrap().data, uneven.concat());
        let lengths: Vec<usize> = uneven.iter().map(Vec::len).collect();
        let (data, lengths) = if me == root { (uneven.concat(), lengths) } else { Default::default() };
        assert_eq!(world.scatter_parts(&data, &lengths, root).unwrap(), uneven[me]);
        // The first elements of what all have, as a square.
        if let Some(square) = all.get(..size * size) {
            let exchanged = world.all_to_all(&square[me * size..][..size]).unwrap();
            assert_eq!(exchanged, (0..size).map(|from| square[from * size + me]).collect::<Vec<_>>());
        }
    }
}

/// Reductions of numbers, whose order does not matter.
pub fn reduced(world: &Communicator) {
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    for _ in 0..ROUNDS {
        let root = stream.draw(0..size);
        let all = stream.elements(&any::<u32>(), size, true);
        let fold = |upto: usize, combine: fn(u32, u32) -> u32| -> Vec<u32> {
            let mut ranks = all[..upto].iter().cloned();
            let first = ranks.next().unwrap_or_default();
            ranks.fold(first, |sum, next| sum.iter().zip(next).map(|(a, b)| combine(*a, b)).collect())
        };
        let mine = &all[me];
        assert_eq!(world.all_reduce(mine, Sum).unwrap(), fold(size, u32::wrapping_add));
        assert_eq!(world.all_reduce(mine, Product).unwrap(), fold(size, u32::wrapping_mul));
        assert_eq!(world.all_reduce(mine, Min).unwrap(), fold(size, u32::min));
        assert_eq!(world.reduce(mine, Max, root).unwrap(), (me == root).then(|| fold(size, u32::max)));
        assert_eq!(world.scan(mine, Sum).unwrap(), fold(me + 1, u32::wrapping_add));
        assert_eq!(world.exclusive_scan(mine, Sum).unwrap(), (me > 0).then(|| fold(me, u32::wrapping_add)));
        let mut into = vec![0; mine.len()];
        world.reduce_into(mine, &mut into, Max, root).unwrap();
        assert_eq!(into, if me == root { fold(size, u32::max) } else { vec![0; mine.len()] });
        world.exclusive_scan_into(mine, &mut into, Min).unwrap();
        assert!(me == 0 || into == fold(me, u32::min));
        let mut place = mine.clone();
        world.all_reduce_in_place(&mut place, Sum).unwrap();
        assert_eq!(place, fold(size, u32::wrapping_add));
        let mut counts: Vec<usize> = (0..size).map(|rank| (mine.len() + rank) / size).collect();
        let sum: usize = counts.iter().sum();
        counts[0] += mine.len() - sum;
        let begin: usize = counts[..me].iter().sum();
        let part = world.reduce_scatter(mine, &counts, Sum).unwrap();
        assert_eq!(part, fold(size, u32::wrapping_add)[begin..begin + counts[me]]);
    }
}

crate::ranks! {
    fn numbers_structs_and_arrays_are_moved(world: [1, 2, 3, 5]) {
        moved(world, &any::<u8>());
        moved(world, &any::<i64>());
        moved(world, &any::<[f32; 3]>().prop_map(|array| array.map(|number| if number.is_nan() { 0.0 } else { number })));
        moved(world, &any::<u32>().prop_map(|x| Aligned { x: f64::from(x) }));
        moved(world, &padded());
    }

    fn numbers_are_reduced(world: [1, 2, 3, 5]) {
        reduced(world);
    }

    fn elements_known_at_run_time_are_bytes_to_rust(world: [1, 3]) {
        let bytes = |numbers: &[i32]| numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>();
        let (me, size) = (world.rank() as i32, world.size() as i32);
        // A `Vec` of bytes may lie anywhere, and MPI and the closure may not.
        let sum = world.all_reduce(&bytes(&[me, -me]), Named::new("Sum", "i32").unwrap()).unwrap();
        let ranks = size * (size - 1) / 2;
        assert_eq!(sum, bytes(&[ranks, -ranks]));
        let smaller = world.all_reduce(&bytes(&[-me, 7]), Named::new("Min", "i32").unwrap()).unwrap();
        assert_eq!(smaller, bytes(&[1 - size, 7]));
        let added = Operation::of_size(4, |from: &[u8], into: &mut [u8]| {
            for (into, from) in into.chunks_exact_mut(4).zip(from.chunks_exact(4)) {
                let read = |bytes: &[u8]| i32::from_ne_bytes(bytes.try_into().unwrap());
                let sum = read(from) + read(into);
                into.copy_from_slice(&sum.to_ne_bytes());
            }
            Ok(())
        })
        .unwrap();
        assert_eq!(world.all_reduce(&bytes(&[me; 1000]), &added).unwrap(), bytes(&[ranks; 1000]));
        let fails = Operation::of_size(4, |_: &[u8], _: &mut [u8]| Err("it is Monday".to_owned())).unwrap();
        if let Err(error) = world.all_reduce_checked(&bytes(&[me]), &fails) {
            let message = error.to_string();
            assert!(message.contains("its operation failed"), "{message}");
        } else {
            assert_eq!(size, 1);
        }
        let refused = Named::new("BitAnd", "f64").unwrap_err();
        assert_eq!(refused.to_string(), "make the operation BitAnd on f64: it is for integers");
    }

    fn bytes_of_run_time_elements_may_lie_anywhere(world: [1, 3]) {
        let (me, size) = (world.rank() as u64, world.size() as u64);
        // No multiple of 8, whatever the memory is.
        let mut room = vec![0u8; 2 * 64];
        let begin = room.as_ptr().align_offset(8) + 1;
        let of = |numbers: [u64; 4]| numbers.map(u64::to_ne_bytes).concat();
        let mut into = room.clone();
        let into_begin = into.as_ptr().align_offset(8) + 3;
        room[begin..begin + 32].copy_from_slice(&of([me, u64::MAX - me, 1, 1]));
        let (data, into) = (&room[begin..begin + 32], &mut into[into_begin..into_begin + 32]);
        world.all_reduce_into(data, into, Named::new("Max", "u64").unwrap()).unwrap();
        assert_eq!(into, of([size - 1, u64::MAX, 1, 1]));
        // Pairs of a number of 8 bytes and a place, with padding: the lowest place of two that are equal.
        world.all_reduce_into(data, into, Named::new("MaxWithPlace", "u64").unwrap()).unwrap();
        assert_eq!(into[..8], (size - 1).to_ne_bytes());
        let first = Operation::of_size(8, |from: &[u8], into: &mut [u8]| {
            into.copy_from_slice(from);
            Ok(())
        });
        world.scan_into(data, into, first.unwrap().not_commutative()).unwrap();
        assert_eq!(into[8..16], u64::MAX.to_ne_bytes());
    }

    fn bytes_that_are_no_whole_elements_are_refused_everywhere(world: [1, 3]) {
        let (sum, size) = (Named::new("Sum", "f64").unwrap(), world.size());
        // Of one rank and of three no multiple of 8.
        let (data, odd, mut into) = (vec![0u8; 12 * size], &[0u8; 13][..], [0u8; 12]);
        let counts = vec![12; size];
        let refused = [
            world.all_reduce(odd, sum).map(drop),
            world.all_reduce_into(&odd[..12], &mut into, sum),
            world.reduce(odd, sum, 0).map(drop),
            world.scan(odd, sum).map(drop),
            world.exclusive_scan(odd, sum).map(drop),
            world.reduce_scatter(&data, &counts, sum).map(drop),
            world.start_all_reduce(odd.to_vec(), sum).map(drop),
            world.start_reduce_scatter(data.clone(), &counts, sum).map(drop),
        ];
        for error in refused.map(Result::unwrap_err) {
            assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
            let why = "are no whole number of the operation's elements, of 8 each";
            assert!(error.to_string().contains(why), "{error}");
        }
        let refused = Operation::of_size(0, |_, _| Ok(())).unwrap_err();
        assert_eq!(refused.to_string(), "make an operation: an element has a byte at least");
        world.barrier().unwrap();
    }

    fn slices_without_elements_are_not_taken_for_those_in_place(world: [2, 5]) {
        world.broadcast::<u8>(&mut [], 0).unwrap();
        assert_eq!(world.all_gather::<u8>(&[]).unwrap(), [0u8; 0]);
        assert_eq!(world.all_reduce::<u8>(&[], Sum).unwrap(), [0u8; 0]);
    }

    fn a_closure_combines_structs_once_per_chunk_and_in_order(world: [1, 2, 3, 5]) {
        use std::sync::atomic::{AtomicUsize, Ordering};
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        static ELEMENTS: AtomicUsize = AtomicUsize::new(0);
        // Affine maps, `a * x + b` modulo 2^64: composing them is associative and not commutative.
        let compose = Operation::new(|from: &[[u64; 2]], into: &mut [[u64; 2]]| {
            CALLS.fetch_add(1, Ordering::Relaxed);
            ELEMENTS.fetch_add(into.len(), Ordering::Relaxed);
            for (into, from) in into.iter_mut().zip(from) {
                *into = [from[0].wrapping_mul(into[0]), from[0].wrapping_mul(into[1]).wrapping_add(from[1])];
            }
        })
        .unwrap()
        .not_commutative();
        let mut stream = Stream::new();
        for round in 1..=ROUNDS {
            let all: Vec<Vec<[u64; 2]>> = (0..world.size())
                .map(|_| (0..round * 100).map(|_| stream.draw(any::<[u64; 2]>())).collect())
                .collect();
            let composed = |upto: usize| -> Vec<[u64; 2]> {
                (0..round * 100).map(|at| all[..upto].iter().map(|rank| rank[at]).reduce(|a, b| {
                    [a[0].wrapping_mul(b[0]), a[0].wrapping_mul(b[1]).wrapping_add(a[1])]
                }).unwrap()).collect()
            };
            CALLS.store(0, Ordering::Relaxed);
            ELEMENTS.store(0, Ordering::Relaxed);
            assert_eq!(world.all_reduce(&all[world.rank()], &compose).unwrap(), composed(world.size()));
            let (calls, elements) = (CALLS.load(Ordering::Relaxed), ELEMENTS.load(Ordering::Relaxed));
            assert!(calls <= 8 * world.size() && elements >= calls, "{calls} calls for {elements} elements");
            assert_eq!(world.scan(&all[world.rank()], &compose).unwrap(), composed(world.rank() + 1));
        }
    }

    fn an_operation_that_panics_is_an_error_of_its_rank_and_checked_of_all(world: [2, 4]) {
        let fails = Operation::new(|_: &[f64], into: &mut [f64]| {
            assert!(into.is_empty(), "no {}", "such sum");
        })
        .unwrap();
        let one = [world.rank() as f64];
        let error = world.all_reduce_checked(&one, &fails).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Operation);
        assert!(error.to_string().contains("its operation panicked: "), "{error}");
        // And the ranks are together again.
        assert_eq!(world.all_reduce(&one, Sum).unwrap(), [(0..world.size()).sum::<usize>() as f64]);
    }

    fn padding_that_is_not_known_is_refused_everywhere(world: [2]) {
        let mut pair = [[Padded { small: 1, large: 2, last: 3 }; 2]];
        assert_eq!(world.broadcast(&mut pair, 0).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(pair, [[Padded { small: 1, large: 2, last: 3 }; 2]]);
        assert_eq!(world.all_gather(&pair).unwrap_err().kind(), ErrorKind::Usage);
        let refused = Operation::<Padded>::each(|_, into| into).unwrap_err();
        assert!(refused.to_string().starts_with("make an operation on Padded: it has padding"), "{refused}");
        let refused = Operation::<Wide>::each(|_, into| into).unwrap_err();
        assert!(refused.to_string().contains("it is aligned to more than 16 bytes"), "{refused}");
        world.barrier().unwrap();
    }

    fn types_with_a_plus_of_their_own_are_added(world: [3]) {
        #[repr(C)]
        #[derive(Blit, Clone, Copy, Debug, PartialEq)]
        struct Complex { re: f64, im: f64 }
        impl std::ops::Add for Complex {
            type Output = Complex;
            fn add(self, other: Complex) -> Complex {
                Complex { re: self.re + other.re, im: self.im + other.im }
            }
        }
        let rank = world.rank() as f64;
        let sum = world.all_reduce(&[Complex { re: rank, im: 1.0 }], Operation::add().unwrap()).unwrap();
        assert_eq!(sum, [Complex { re: 3.0, im: 3.0 }]);
    }

    fn objects_of_any_size_are_moved_and_combined(world: [1, 2, 4]) {
        let (me, size) = (world.rank(), world.size());
        let name = |rank: usize| format!("rank {rank}{}", "!".repeat(rank * 1000));
        assert_eq!(world.broadcast_object((me == 0).then(|| name(7)).as_ref(), 0).unwrap(), name(7));
        let all: Vec<String> = (0..size).map(name).collect();
        assert_eq!(world.all_gather_objects(&name(me)).unwrap(), all);
        assert_eq!(world.gather_objects(&name(me), size - 1).unwrap(), (me == size - 1).then(|| all.clone()));
        assert_eq!(world.scatter_objects(&all, 0).unwrap(), name(me));
        let pairs: Vec<String> = (0..size).map(|to| format!("{me} to {to}")).collect();
        let wanted: Vec<String> = (0..size).map(|from| format!("{from} to {me}")).collect();
        assert_eq!(world.all_to_all_objects(&pairs).unwrap(), wanted);
        let concat = |a: String, b: String| a + &b;
        assert_eq!(world.all_reduce_object(&name(me), concat).unwrap(), all.concat());
        assert_eq!(world.scan_object(&name(me), concat).unwrap(), all[..=me].concat());
    }

    fn an_object_without_a_form_is_an_error_of_all_who_wait_for_it(world: [1, 2, 4]) {
        // One more inside another than pack writes.
        let deep = (0..=upcall_pack::Options::DEPTH).fold(Nested { next: None }, |next, _| {
            Nested { next: Some(Box::new(next)) }
        });
        let (me, last) = (world.rank(), world.size() - 1);
        let mut values: Vec<Nested> = (0..world.size()).map(|_| Nested { next: None }).collect();
        if me == last {
            values[0] = deep;
        }
        let kinds = [
            world.scatter_objects(&values, last).map(drop),
            world.all_to_all_objects(&values).map(drop),
            world.all_gather_objects(&values[0]).map(drop),
            world.gather_objects(&values[0], 0).map(drop),
        ];
        for error in kinds.map(Result::unwrap_err) {
            assert_eq!(error.kind(), if me == last { ErrorKind::Type } else { ErrorKind::Usage }, "{error}");
        }
        let told = world.gather_objects(&values[0], last).unwrap_err().to_string();
        assert!(me == last || told.ends_with(&format!("rank {last} has failed to give one")), "{told}");
        world.barrier().unwrap();
    }

    fn communicators_are_split_and_duplicated(world: [1, 4, 5]) {
        let (me, size) = (world.rank(), world.size());
        let half = world.split(Some((me % 2) as u32), -(me as i32)).unwrap().unwrap();
        let same: Vec<usize> = (0..size).filter(|rank| rank % 2 == me % 2).rev().collect();
        assert_eq!((half.size(), same[half.rank()]), (same.len(), me));
        assert!(world.split((me == 0).then_some(1), 0).unwrap().is_some() == (me == 0));
        let twin = world.duplicate().unwrap();
        assert_eq!(twin.all_reduce(&[1u64], Sum).unwrap(), [size as u64]);
        assert!(twin.largest_tag().unwrap() >= 32767);
    }
}
