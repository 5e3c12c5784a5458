//! Numbers that are combined in other ranks' memory, against plain loops.

use crate::support::Stream;
use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use std::fmt::Debug;
use upcall_mpi::{
    Accumulate, BitAnd, BitOr, BitXor, Communicator, ErrorKind, Lock, LogicalAnd, LogicalOr, LogicalXor, Max,
    Min, Product, Replace, Sum, Window,
};

/// Every rank combines into every element of every rank at once, in epochs of three kinds.
fn combined<T, O>(
    world: &Communicator,
    of: impl Strategy<Value = T> + Clone,
    operator: O,
    fold: fn(T, T) -> T,
) where
    T: upcall_mpi::Number + PartialEq + Debug,
    O: Accumulate<T> + Copy,
{
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    let mut draw = |count: usize| -> Vec<T> { (0..count).map(|_| stream.draw(of.clone())).collect() };
    let count = 37;
    let mut model: Vec<Vec<T>> = (0..size).map(|_| draw(count)).collect();
    let window = Window::create(world, model[me].clone()).unwrap();
    for round in 0..4 {
        // What rank `from` has for the elements of each rank.
        let all: Vec<Vec<T>> = (0..size).map(|_| draw(count)).collect();
        let mine = &all[me];
        match round {
            0 => window
                .fence(|epoch| (0..size).try_for_each(|to| epoch.accumulate(mine, to, 0, operator)))
                .unwrap(),
            1 => window
                .lock_all(|epoch| {
                    (0..size).try_for_each(|to| epoch.accumulate_owned(mine.clone(), to, 0, operator))
                })
                .unwrap(),
            2 => window
                .lock_all(|epoch| {
                    (0..size).try_for_each(|to| {
                        match epoch.start_accumulate(mine.clone(), to, 0, operator) {
                            Ok(begun) => begun.wait().map(|back| assert_eq!(back, *mine)),
                            // Small integers, in an MPI that adds them rightly only one by one.
                            Err(error) if error.kind() == ErrorKind::Unsupported => {
                                assert!(error.to_string().contains("rightly only one by one"), "{error}");
                                epoch.accumulate(mine, to, 0, operator)
                            }
                            Err(error) => Err(error),
                        }
                    })
                })
                .unwrap(),
            _ => {
                for to in 0..size {
                    window.lock(Lock::Shared, to, |epoch| epoch.accumulate(mine, to, 0, operator)).unwrap();
                }
            }
        }
        world.barrier().unwrap();
        for rank in &mut model {
            for from in &all {
                for (into, from) in rank.iter_mut().zip(from) {
                    *into = fold(*into, *from);
                }
            }
        }
        assert_eq!(window.local().unwrap()[..], model[me][..], "round {round}");
        world.barrier().unwrap();
    }
}

macro_rules! all_integers {
    ($world:ident: $($type:ident)*) => {$(
        combined($world, any::<$type>(), Sum, $type::wrapping_add);
        combined($world, any::<$type>(), Product, $type::wrapping_mul);
        combined($world, any::<$type>(), BitAnd, |a, b| a & b);
        combined($world, any::<$type>(), BitOr, |a, b| a | b);
        combined($world, any::<$type>(), BitXor, |a, b| a ^ b);
        combined($world, (0 as $type)..3, LogicalAnd, |a, b| $type::from(a != 0 && b != 0));
        combined($world, (0 as $type)..3, LogicalOr, |a, b| $type::from(a != 0 || b != 0));
        combined($world, (0 as $type)..3, LogicalXor, |a, b| $type::from((a != 0) != (b != 0)));
    )*};
}

crate::ranks! {
    fn numbers_are_accumulated_by_all_ranks_at_once(world: [1, 2, 3]) {
        all_integers!(world: u8 i64);
        combined(world, any::<i16>(), Sum, i16::wrapping_add);
        combined(world, any::<u32>(), Product, u32::wrapping_mul);
        combined(world, -1000i32..1000, Min, i32::min);
        combined(world, any::<i8>(), Max, i8::max);
        combined(world, any::<i64>(), Max, i64::max);
        combined(world, (-1000i32..1000).prop_map(f64::from), Sum, |a, b| a + b);
        combined(world, (-1000i16..1000).prop_map(f32::from), Max, f32::max);
        combined(world, any::<[u32; 2]>(), Sum, |a, b| [a[0].wrapping_add(b[0]), a[1].wrapping_add(b[1])]);
    }

    fn unsigned_numbers_are_compared_rightly_or_not_at_all(world: [2]) {
        macro_rules! ends {
            ($($type:ident)*) => {$(
                let window = Window::create(world, vec![$type::MAX - 1, 1]).unwrap();
                let outcome = window.fence(|epoch| {
                    let smaller = epoch.accumulate_owned(vec![1], 1, 0, Min);
                    smaller.and_then(|()| epoch.accumulate_owned(vec![$type::MAX - 1], 1, 1, Max))
                });
                match outcome {
                    Ok(()) if world.rank() == 1 => assert_eq!(window.local().unwrap()[..], [1, $type::MAX - 1]),
                    Ok(()) => {}
                    Err(error) => {
                        assert_eq!(error.kind(), ErrorKind::Unsupported);
                        let said = error.to_string();
                        assert!(said.starts_with(concat!("compare ", stringify!($type), " in another rank's memory: ")), "{said}");
                        assert_eq!(window.local().unwrap()[..], [$type::MAX - 1, 1]);
                    }
                }
                drop(window);
            )*};
        }
        ends!(u8 u16 u32 u64);
    }

    fn one_number_is_fetched_and_combined_at_once(world: [1, 2, 4]) {
        let (me, size) = (world.rank(), world.size());
        const EACH: u64 = 100;
        let window = Window::<u64>::allocate(world, 3).unwrap();
        // Tickets: each number once.
        let mine: Vec<u64> = window.lock_all(|epoch| (0..EACH).map(|_| epoch.fetch_and_op(1, 0, 0, Sum)).collect()).unwrap();
        assert!(mine.is_sorted());
        let mut all = world.all_gather(&mine).unwrap();
        all.sort_unstable();
        assert_eq!(all, (0..EACH * size as u64).collect::<Vec<_>>());
        // A lock by compare-and-swap around a sum that is none.
        for _ in 0..20 {
            window.lock_all(|epoch| {
                while epoch.compare_and_swap(0, me as u64 + 1, 0, 1)? != 0 {
                    std::thread::yield_now();
                }
                let sum = epoch.fetch(0, 2, 1)?[0];
                epoch.put_owned(vec![sum + 1], 0, 2)?;
                epoch.flush(0)?;
                let unlocked = epoch.fetch_and_op(0, 0, 1, Replace)?;
                assert_eq!(unlocked, me as u64 + 1);
                Ok(())
            }).unwrap();
        }
        world.barrier().unwrap();
        assert_eq!(window.lock_all(|epoch| epoch.load(0, 2)).unwrap(), 20 * size as u64);
        assert_eq!(window.lock_all(|epoch| epoch.load_all(0, 1, 2)).unwrap(), [0, 20 * size as u64]);
        world.barrier().unwrap();
        // In epochs of all ranks, what was there is here when they have ended.
        let (mut before, mut swapped) = (7, 7);
        let mut taken = vec![7; 2];
        window.fence(|epoch| {
            if me == 0 {
                epoch.fetch_and_op_into(5, &mut before, size - 1, 0, Replace)?;
            }
            if me == size - 1 {
                epoch.compare_and_swap_into(0, 9, &mut swapped, 0, 1)?;
            }
            Ok(())
        }).unwrap();
        let added = [1, 2];
        window.fence(|epoch| {
            if me == 0 { epoch.get_accumulate(&added, &mut taken, size - 1, 0, Sum) } else { Ok(()) }
        }).unwrap();
        let tickets = if size == 1 { EACH } else { 0 };
        if me == 0 {
            assert_eq!(before, tickets);
            assert_eq!(taken, [5, if size == 1 { 9 } else { 0 }]);
        }
        if me == size - 1 {
            assert_eq!(swapped, 0);
        }
        world.barrier().unwrap();
        let got = window.lock_all(|epoch| epoch.fetch_and_accumulate(&[1, 1, 1], size - 1, 0, Sum)).unwrap();
        assert!((6..6 + size as u64).contains(&got[0]), "{got:?}");
        world.barrier().unwrap();
    }
}
