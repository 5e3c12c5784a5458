//! Operations beside the plain ones, against plain loops over what all ranks have.

use crate::support::Stream;
use proptest::arbitrary::any;
use proptest::prop_oneof;
use proptest::strategy::{Just, Strategy};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use upcall_mpi::{
    BitAnd, BitOr, BitXor, Communicator, ErrorKind, ExactSum, LogicalAnd, LogicalOr, LogicalXor, Max,
    MaxWithPlace, Min, MinWithPlace, Named, Operation, Placed, Product, Source, Sum, Value, Window,
};

const ROUNDS: usize = 4;

/// Few values, so that there are ties, and as many places.
fn placed<S: Strategy>(of: S) -> impl Strategy<Value = Placed<S::Value>> {
    (of, -5i32..5).prop_map(|(value, place)| Placed { value, place })
}

/// What is to be chosen of pairs: the first in the order of values, and of equal ones that of the lowest place.
fn chosen<T: Copy + PartialOrd>(pairs: &[Placed<T>], largest: bool) -> Placed<T> {
    let is_number = |pair: &&Placed<T>| pair.value.partial_cmp(&pair.value).is_some();
    let numbers: Vec<Placed<T>> = pairs.iter().filter(is_number).copied().collect();
    let candidates = if numbers.is_empty() { pairs } else { &numbers };
    let beats = |a: &Placed<T>, b: &Placed<T>| if largest { a.value > b.value } else { a.value < b.value };
    let best = candidates.iter().filter(|pair| !candidates.iter().any(|other| beats(other, pair)));
    *best.min_by_key(|pair| pair.place).unwrap()
}

fn placed_values_are_chosen<S: Strategy>(world: &Communicator, name: &str, of: S)
where
    S::Value: Value + Copy + PartialOrd + std::fmt::Debug,
    Placed<S::Value>: upcall_abi::Blit,
{
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    let of = placed(of);
    let is_none = |pair: &Placed<S::Value>| pair.value.partial_cmp(&pair.value).is_none();
    let same = |a: &Placed<S::Value>, b: &Placed<S::Value>| {
        a.place == b.place && (a.value == b.value || (is_none(a) && is_none(b)))
    };
    for _ in 0..ROUNDS {
        let count = stream.draw(0..50usize);
        let all: Vec<Vec<_>> = (0..size).map(|_| (0..count).map(|_| stream.draw(&of)).collect()).collect();
        for largest in [false, true] {
            let column = |at: usize, upto: usize| all[..upto].iter().map(|rank| rank[at]).collect::<Vec<_>>();
            let wanted: Vec<_> = (0..count).map(|at| chosen(&column(at, size), largest)).collect();
            let (found, scanned) = if largest {
                (
                    world.all_reduce(&all[me], MaxWithPlace).unwrap(),
                    world.scan(&all[me], MaxWithPlace).unwrap(),
                )
            } else {
                (
                    world.all_reduce(&all[me], MinWithPlace).unwrap(),
                    world.scan(&all[me], MinWithPlace).unwrap(),
                )
            };
            assert!(
                found.iter().zip(&wanted).all(|(a, b)| same(a, b)),
                "{name}: {all:?}: {found:?}, {wanted:?}"
            );
            let wanted: Vec<_> = (0..count).map(|at| chosen(&column(at, me + 1), largest)).collect();
            assert!(scanned.iter().zip(&wanted).all(|(a, b)| same(a, b)), "{name}: {scanned:?}, {wanted:?}");
        }
    }
    // The same, of a type known at run time: zeroes, of which the first rank has the first.
    let mut bytes = vec![0u8; size_of::<Placed<S::Value>>()];
    let place = std::mem::offset_of!(Placed<S::Value>, place);
    bytes[place..place + 4].copy_from_slice(&(me as i32 + 1).to_ne_bytes());
    let found = world.all_reduce(&bytes, Named::new("MinWithPlace", name).unwrap()).unwrap();
    assert_eq!(found[place..place + 4], 1i32.to_ne_bytes(), "{name}");
}

/// Numbers of all magnitudes, some of which are none.
fn wild() -> impl Strategy<Value = f64> + Clone {
    prop_oneof![
        20 => any::<f64>(),
        20 => (any::<i32>(), -40i32..40).prop_map(|(number, scale)| f64::from(number) * 2f64.powi(scale)),
        1 => Just(0.0),
        1 => Just(-0.0),
        1 => Just(5e-324),
    ]
}

/// Every way to sum numbers that were cut in some way, on so many of the ranks as there are.
fn summed<T: upcall_mpi::Real + PartialEq + std::fmt::Debug>(
    world: &Communicator,
    of: &(impl Strategy<Value = T> + Clone),
    bits: fn(T) -> u64,
) {
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    for round in 0..ROUNDS {
        let root = stream.draw(0..size);
        // Cut in parts of any size.
        let parts = stream.elements(of, size, false);
        let mut all = ExactSum::new();
        all.add_all(&parts.concat());
        let sum = world.sum_reproducible(&parts[me]).unwrap();
        assert_eq!(bits(sum), bits(all.value()));
        // And in others, in another order, on fewer ranks.
        let mut turned = parts.concat();
        turned.reverse();
        let fewer = stream.draw(1..=size);
        let each = turned.len().div_ceil(fewer);
        let part = turned.get(each * me..).unwrap_or_default();
        let sum = world.sum_reproducible(&part[..each.min(part.len())]).unwrap();
        assert_eq!(bits(sum), bits(all.value()));
        // Element by element.
        let mut even = stream.elements(of, size, true);
        if round == 0 {
            even.iter_mut().for_each(|rank| rank.truncate(0));
        }
        let wanted: Vec<u64> = (0..even[0].len())
            .map(|at| {
                let mut sum = ExactSum::new();
                sum.extend(even.iter().map(|rank| rank[at]));
                bits(sum.value())
            })
            .collect();
        let to_bits = |sums: Vec<T>| sums.into_iter().map(bits).collect::<Vec<u64>>();
        assert_eq!(to_bits(world.all_reduce_reproducible(&even[me]).unwrap()), wanted);
        let reduced = world.reduce_reproducible(&even[me], root).unwrap();
        assert_eq!(reduced.map(to_bits), (me == root).then_some(wanted));
        let mut sums: Vec<ExactSum<T>> = vec![ExactSum::new(); 3];
        for (at, number) in parts[me].iter().enumerate() {
            sums[at % 3].add(*number);
        }
        world.all_reduce_exact(&mut sums).unwrap();
        let mut wanted: Vec<ExactSum<T>> = vec![ExactSum::new(); 3];
        for (at, number) in parts.iter().flat_map(|part| part.iter().enumerate()) {
            wanted[at % 3].add(*number);
        }
        assert!(sums.iter().zip(&wanted).all(|(a, b)| bits(a.value()) == bits(b.value())));
    }
}

crate::ranks! {
    fn the_smallest_and_the_largest_have_their_places(world: [1, 2, 3, 5]) {
        macro_rules! integers {
            ($($type:ident)*) => {$(
                let ends = prop_oneof![Just($type::MIN), Just($type::MAX), Just(1), Just(2)];
                placed_values_are_chosen(world, stringify!($type), ends);
            )*};
        }
        integers!(i8 i16 i32 i64 u8 u16 u32 u64);
        placed_values_are_chosen(world, "f32", prop_oneof![Just(f32::NAN), Just(-0.0), Just(0.0), Just(f32::MIN), Just(f32::INFINITY)]);
        placed_values_are_chosen(world, "f64", prop_oneof![Just(f64::NAN), Just(-0.0), Just(0.0), Just(f64::MIN), Just(f64::INFINITY)]);
        // NaN alone.
        let found = world.all_reduce(&[Placed { value: f64::NAN, place: world.rank() as i32 }], MaxWithPlace).unwrap();
        assert!(found[0].value.is_nan() && found[0].place == 0);
        let refused = Named::new("MaxWithPlace", "bool").unwrap_err();
        assert!(refused.to_string().starts_with("make the operation MaxWithPlace on bool: the numbers are i8"), "{refused}");
    }

    // Found: unsigned numbers were compared with a sign, and sums of small ones stopped at their ends.
    fn every_operation_is_right_at_the_ends_of_every_integer(world: [2, 3]) {
        macro_rules! check {
            ($($type:ident)*) => {$({
                let mut stream = Stream::new();
                let ends = || prop_oneof![any::<$type>(), Just($type::MAX), Just($type::MIN), Just(0), Just(1)];
                let all: Vec<Vec<$type>> =
                    (0..world.size()).map(|_| (0..100).map(|_| stream.draw(ends())).collect()).collect();
                let fold = |combine: fn($type, $type) -> $type| -> Vec<$type> {
                    (0..100).map(|at| all.iter().map(|rank| rank[at]).reduce(combine).unwrap()).collect()
                };
                fn is(truth: bool) -> $type { $type::from(truth) }
                let mine = &all[world.rank()];
                assert_eq!(world.all_reduce(mine, Sum).unwrap(), fold($type::wrapping_add));
                assert_eq!(world.all_reduce(mine, Product).unwrap(), fold($type::wrapping_mul));
                assert_eq!(world.all_reduce(mine, Min).unwrap(), fold($type::min));
                assert_eq!(world.all_reduce(mine, Max).unwrap(), fold($type::max));
                assert_eq!(world.all_reduce(mine, BitAnd).unwrap(), fold(|a, b| a & b));
                assert_eq!(world.all_reduce(mine, BitOr).unwrap(), fold(|a, b| a | b));
                assert_eq!(world.all_reduce(mine, BitXor).unwrap(), fold(|a, b| a ^ b));
                assert_eq!(world.all_reduce(mine, LogicalAnd).unwrap(), fold(|a, b| is(a != 0 && b != 0)));
                assert_eq!(world.all_reduce(mine, LogicalOr).unwrap(), fold(|a, b| is(a != 0 || b != 0)));
                assert_eq!(world.all_reduce(mine, LogicalXor).unwrap(), fold(|a, b| is((a != 0) != (b != 0))));
            })*};
        }
        check!(i8 i16 i32 i64 u8 u16 u32 u64);
    }

    fn reproducible_sums_have_the_same_bits_however_they_are_cut(world: [1, 2, 3, 5]) {
        summed(world, &wild(), f64::to_bits);
        let beyond = prop_oneof![8 => wild(), 1 => Just(f64::INFINITY), 1 => Just(f64::NEG_INFINITY), 1 => Just(f64::NAN)];
        summed(world, &beyond.boxed().clone(), f64::to_bits);
        summed(world, &any::<f32>(), |number| u64::from(number.to_bits()));
        // More than a block of them.
        let many: Vec<f64> = (0..40_000).map(|at| f64::from(at) * 0.1).collect();
        let sums = world.all_reduce_reproducible(&many).unwrap();
        let ranks = world.size();
        for (sum, number) in sums.iter().zip(&many) {
            let mut exact = ExactSum::new();
            (0..ranks).for_each(|_| exact.add(*number));
            assert_eq!(*sum, exact.value());
        }
    }

    fn ranks_with_different_numbers_of_elements_are_all_told(world: [2, 3]) {
        let mine = vec![1.0f64; world.rank() + 1];
        let refused = world.all_reduce_reproducible(&mine).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Usage);
        assert!(refused.to_string().contains("elements of each rank reproducibly: another rank has"), "{refused}");
        assert_eq!(world.reduce_reproducible(&[1.0], 9).unwrap_err().kind(), ErrorKind::Rank);
        world.barrier().unwrap();
    }

    fn a_closure_is_called_once_per_chunk_by_every_reduction(world: [2, 3, 5]) {
        static CALLS: AtomicUsize = AtomicUsize::new(0);
        static ELEMENTS: AtomicUsize = AtomicUsize::new(0);
        let add = Operation::new(|from: &[u64], into: &mut [u64]| {
            CALLS.fetch_add(1, Ordering::Relaxed);
            ELEMENTS.fetch_add(into.len(), Ordering::Relaxed);
            into.iter_mut().zip(from).for_each(|(into, from)| *into += from);
        })
        .unwrap();
        let size = world.size();
        let mine = vec![1 + world.rank() as u64; 60 * 1000];
        let each = |upto: usize| (1..=upto as u64).sum::<u64>();
        let counted = |what: &str, combine: &dyn Fn()| {
            CALLS.store(0, Ordering::Relaxed);
            ELEMENTS.store(0, Ordering::Relaxed);
            combine();
            let (calls, elements) = (CALLS.load(Ordering::Relaxed), ELEMENTS.load(Ordering::Relaxed));
            // MPI cuts long arrays into chunks for its network; a rank combines what each other has at most twice.
            assert!(calls <= 2 * size * mine.len().div_ceil(1000), "{what}: {calls} calls for {elements} elements");
            assert!(calls == 0 || elements / calls >= 1000, "{what}: {calls} calls for {elements} elements");
            calls
        };
        let calls = [
            counted("reduce", &|| {
                let sum = world.reduce(&mine, &add, size - 1).unwrap();
                assert!(sum.is_none_or(|sum| sum == vec![each(size); mine.len()]));
            }),
            counted("all_reduce", &|| {
                assert_eq!(world.all_reduce(&mine, &add).unwrap(), vec![each(size); mine.len()]);
            }),
            counted("reduce_scatter", &|| {
                let mut counts = vec![mine.len() / size; size];
                counts[0] += mine.len() % size;
                let part = world.reduce_scatter(&mine, &counts, &add).unwrap();
                assert_eq!(part, vec![each(size); counts[world.rank()]]);
            }),
            counted("scan", &|| {
                assert_eq!(world.scan(&mine, &add).unwrap(), vec![each(world.rank() + 1); mine.len()]);
            }),
        ];
        // Every reduction combines somewhere.
        let calls: Vec<u64> = calls.iter().map(|calls| *calls as u64).collect();
        let all = world.all_reduce(&calls, upcall_mpi::Sum).unwrap();
        assert!(all.iter().all(|calls| *calls > 0), "{all:?}");
    }

    // Found: a barrier in an operation hung.
    fn an_operation_that_calls_mpi_is_refused_and_its_reduction_ends(world: [1, 2, 3]) {
        let twin = world.duplicate().unwrap();
        let begun = Mutex::new(Some(world.start_receive(vec![0u8; 8], Source::Any, 999).unwrap()));
        let calls_mpi = Operation::fallible(move |_: &[u32], _: &mut [u32]| {
            // What is dropped here is given up at the next call that may.
            drop(begun.lock().unwrap().take());
            let refused = twin.barrier().unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Usage);
            let reduced = twin.all_reduce(&[1u32], Sum).unwrap_err();
            assert_eq!(reduced.kind(), ErrorKind::Usage);
            assert!(twin.start_send(vec![0u8], 0, 0).is_err() && Window::<u8>::allocate(&twin, 1).is_err());
            Err(refused.to_string())
        })
        .unwrap();
        let why = "wait for all ranks: an operation must not call MPI, which is in a reduction until the operation has returned";
        // Some MPIs call it on some ranks only, and none where there is one rank.
        let told = |outcome: Result<Vec<u32>, upcall_mpi::Error>| {
            let failed = outcome.is_err();
            if let Err(error) = outcome {
                assert!(error.kind() == ErrorKind::Operation && error.to_string().contains(why), "{error}");
            }
            let ranks = world.all_reduce(&[u32::from(failed)], Sum).unwrap()[0];
            assert_eq!(ranks > 0, world.size() > 1);
        };
        told(world.all_reduce(&[1u32], &calls_mpi));
        let checked = world.all_reduce_checked(&[1u32], &calls_mpi);
        assert_eq!(checked.is_err(), world.size() > 1);
        std::thread::scope(|scope| scope.spawn(|| told(world.all_reduce(&[1u32], &calls_mpi))).join().unwrap());
        let begun = world.start_all_reduce(vec![1u32], calls_mpi).unwrap();
        told(begun.wait().map(|(sums, _)| sums));
        world.barrier().unwrap();
    }
}
