//! Memory that other ranks read and write, against a `Vec` for each rank.

use crate::support::{GIB, Stream, for_real, many};
use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use std::fmt::Debug;
use upcall::Blit;
use upcall_abi::Blit as Blittable;
use upcall_mpi::{Communicator, ErrorKind, Lock, SharedWindow, Sum, Window};

#[repr(C)]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Padded {
    small: u8,
    large: u64,
    last: u16,
}

fn padded() -> impl Strategy<Value = Padded> + Clone {
    (any::<u8>(), any::<u64>(), any::<u16>()).prop_map(|(small, large, last)| Padded { small, large, last })
}

const ROUNDS: usize = 12;

/// The bytes of elements, padding included.
fn bytes<T: Blittable>(elements: &[T]) -> Vec<u8> {
    let size = size_of_val(elements);
    // SAFETY: so many bytes, padding too: in a window, and in what is got from one, it is written.
    unsafe { std::slice::from_raw_parts(elements.as_ptr().cast::<u8>(), size) }.to_vec()
}

/// What one rank does in a round: at a rank's elements, from one on.
#[derive(Clone, Debug)]
struct Plan<T> {
    rank: usize,
    at: usize,
    data: Vec<T>,
    gets: bool,
}

/// For each rank something to do, none of which overlaps: rank `r` has the `r`th part of each window.
fn plans<S: Strategy + Clone>(stream: &mut Stream, of: &S, lengths: &[usize]) -> Vec<Plan<S::Value>> {
    let size = lengths.len();
    (0..size)
        .map(|me| {
            let rank = stream.draw(0..size);
            let (begin, end) = (lengths[rank] * me / size, lengths[rank] * (me + 1) / size);
            let at = stream.draw(begin..=end);
            let count = stream.draw(0..=end - at);
            let data = (0..count).map(|_| stream.draw(of.clone())).collect();
            Plan { rank, at, data, gets: stream.draw(any::<bool>()) }
        })
        .collect()
}

/// Puts and gets in every kind of epoch, in a window made in both ways.
fn moved<S: Strategy + Clone>(world: &Communicator, of: &S)
where
    S::Value: Blittable + PartialEq + Debug,
{
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    for allocated in [false, true] {
        let lengths: Vec<usize> = (0..size).map(|_| stream.draw(0..60usize)).collect();
        let mut model: Vec<Vec<S::Value>> =
            lengths.iter().map(|length| (0..*length).map(|_| stream.draw(of.clone())).collect()).collect();
        let window = if allocated {
            let window = Window::allocate(world, lengths[me]).unwrap();
            assert!(bytes(&window.local().unwrap()).iter().all(|byte| *byte == 0));
            window.local().unwrap().copy_from_slice(&model[me]);
            window
        } else {
            Window::create(world, model[me].clone()).unwrap()
        };
        assert_eq!((window.rank(), window.size()), (me, size));
        assert_eq!(window.length(size - 1), Some(lengths[size - 1]));
        assert_eq!(window.length(size), None);
        world.barrier().unwrap();
        for round in 0..ROUNDS {
            let plans = plans(&mut stream, of, &lengths);
            let Plan { rank, at, data, gets } = &plans[me];
            let mut got = data.clone();
            if *gets && !got.is_empty() {
                got.reverse();
            }
            let (there, at) = (*rank, *at);
            // All that is got is from before the round, as nobody else has the place.
            let wanted = model[there][at..at + data.len()].to_vec();
            match round % 6 {
                0 => {
                    window
                        .fence(|epoch| {
                            if *gets { epoch.get(&mut got, there, at) } else { epoch.put(data, there, at) }
                        })
                        .unwrap()
                }
                1 => {
                    let mine: Vec<usize> = (0..size).filter(|other| plans[*other].rank == me).collect();
                    let exposed = window.expose(&mine).unwrap();
                    window
                        .access(&[there], |epoch| {
                            if *gets {
                                epoch.get(&mut got, there, at)
                            } else {
                                epoch.put_owned(data.clone(), there, at)
                            }
                        })
                        .unwrap();
                    exposed.wait().unwrap();
                }
                2 => {
                    let lock = if *gets { Lock::Shared } else { Lock::Exclusive };
                    window
                        .lock(lock, there, |epoch| {
                            if *gets { epoch.get(&mut got, there, at) } else { epoch.put(data, there, at) }
                        })
                        .unwrap();
                }
                3 => window
                    .lock_all(|epoch| {
                        if *gets {
                            got = epoch.fetch(there, at, data.len())?;
                        } else {
                            epoch.put(data, there, at)?;
                            epoch.flush(there)?;
                            // Behind a flush it is there.
                            assert_eq!(epoch.fetch(there, at, data.len())?, *data);
                        }
                        epoch.flush_local_all()?;
                        epoch.flush_all()
                    })
                    .unwrap(),
                4 => window
                    .lock_all(|epoch| {
                        if *gets {
                            got = epoch.start_get(there, at, data.len())?.wait()?;
                        } else {
                            let transfer = epoch.start_put(data.clone(), there, at)?;
                            epoch.flush_local(there)?;
                            assert_eq!(bytes(&transfer.wait()?).len(), size_of_val(data.as_slice()));
                        }
                        Ok(())
                    })
                    .unwrap(),
                _ if *gets && at % 2 == 0 => got = window.get(there, at, data.len()).unwrap(),
                _ if *gets => window.get_into(&mut got, there, at).unwrap(),
                _ => window.put(data, there, at).unwrap(),
            }
            if *gets {
                assert_eq!(got, wanted, "round {round}");
            }
            for Plan { rank, at, data, .. } in plans.iter().filter(|plan| !plan.gets) {
                model[*rank][*at..][..data.len()].copy_from_slice(data);
            }
            world.barrier().unwrap();
            assert_eq!(window.local().unwrap()[..], model[me][..], "round {round}");
            world.barrier().unwrap();
        }
        // Whatever was written, its padding is zero: nothing leaves that no field has.
        let all = window.lock_all(|epoch| epoch.fetch(0, 0, lengths[0])).unwrap();
        let mut clean = vec![0; size_of_val(all.as_slice())];
        let fields = S::Value::FIELDS;
        for (element, seen) in
            clean.chunks_exact_mut(size_of::<S::Value>()).zip(bytes(&all).chunks_exact(size_of::<S::Value>()))
        {
            for field in fields {
                element[field.offset..][..field.size].copy_from_slice(&seen[field.offset..][..field.size]);
            }
        }
        assert!(fields.is_empty() || clean == bytes(&all));
        assert_eq!(window.free().unwrap(), model[me]);
    }
}

crate::ranks! {
    fn elements_are_put_and_got_in_every_kind_of_epoch(world: [1, 2, 3, 5]) {
        moved(world, &any::<u8>());
        moved(world, &any::<i64>());
        moved(world, &any::<[u16; 3]>());
        moved(world, &padded());
    }

    fn what_others_put_before_a_window_is_freed_is_in_what_freeing_returns(world: [2, 3]) {
        let window = Window::<u32>::allocate(world, 4).unwrap();
        let held = Window::create(world, vec![0u32; 4]).unwrap();
        if world.rank() != 0 {
            // The first rank frees it already.
            std::thread::sleep(std::time::Duration::from_millis(100));
            for window in [&window, &held] {
                window.lock(Lock::Exclusive, 0, |epoch| epoch.put(&[7], 0, world.rank())).unwrap();
            }
        }
        let all = window.free().unwrap();
        assert!(world.rank() != 0 || all[1..world.size()].iter().all(|found| *found == 7), "{all:?}");
        let all = held.free().unwrap();
        assert!(world.rank() != 0 || all[1..world.size()].iter().all(|found| *found == 7), "{all:?}");
    }

    fn memory_of_one_machine_is_reached_in_place(world: [1, 2, 4]) {
        let (me, size) = (world.rank(), world.size());
        let table = SharedWindow::<u32>::allocate(world, 10 * (me + 1)).unwrap();
        assert_eq!((table.communicator().size(), table.length(size - 1)), (size, Some(10 * size)));
        table.local().unwrap().fill(me as u32);
        let sums = table.together(|all| {
            assert_eq!(all.of(size), None);
            all.iter().map(|part| part.iter().sum::<u32>()).collect::<Vec<_>>()
        }).unwrap();
        assert_eq!(sums, (0..size as u32).map(|rank| rank * 10 * (rank + 1)).collect::<Vec<_>>());
        // Each rank counts at the first, in place: the lock keeps the others out.
        for _ in 0..50 {
            let mut first = table.memory_of(0).unwrap();
            first[0] += 1;
        }
        let count = table.together(|all| all.of(0).unwrap()[0]).unwrap();
        assert_eq!(count as usize, 50 * size);
        // And by locks, as any window.
        table.lock_all(|epoch| epoch.fetch_and_op(1, size - 1, 9, Sum)).unwrap();
        table.lock(Lock::Exclusive, 0, |epoch| epoch.put_owned(vec![7], 0, 1)).unwrap();
        let ends = table.together(|all| (all.of(size - 1).unwrap()[9], all.of(0).unwrap()[1])).unwrap();
        let nine = if size == 1 { 1 } else { size as u32 - 1 + size as u32 };
        assert_eq!(ends, (nine, 7));
        let refused = table.memory_of(size).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Rank);
        assert_eq!(table.free().unwrap().len(), 10 * (me + 1));
    }

    fn what_is_wrong_with_a_window_is_told_before_mpi_sees_it(world: [2]) {
        let (me, other) = (world.rank(), 1 - world.rank());
        let window = Window::create(world, vec![0u32; 4]).unwrap();
        let error = window.put(&[1; 3], other, 2).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Range);
        assert_eq!(error.to_string(), format!("put 3 elements at 2 of rank {other}: that rank's window has 4 elements"));
        assert_eq!(window.get(other, usize::MAX, 2).unwrap_err().kind(), ErrorKind::Range);
        assert_eq!(window.get(other, 4, 0).unwrap(), [0u32; 0]);
        let error = window.get(2, 0, 1).unwrap_err();
        assert_eq!(error.to_string(), "lock the memory of rank 2: there is no rank 2; this window has 2, from 0 on");
        let error = window.lock(Lock::Shared, 0, |epoch| epoch.put_owned(vec![1], 1, 0)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Synchronization);
        assert_eq!(error.to_string(), "put 1 elements at 0 of rank 1: this epoch is not with that rank");
        // Epochs that MPI would mix up.
        window.lock(Lock::Shared, other, |_| {
            let twice = window.get(other, 0, 1).unwrap_err();
            assert_eq!(twice.to_string(), format!("lock the memory of rank {other}: rank {other} is locked; end that first"));
            assert_eq!(window.fence(|_| Ok(())).unwrap_err().kind(), ErrorKind::Synchronization);
            assert_eq!(window.lock_all(|_| Ok(())).unwrap_err().kind(), ErrorKind::Synchronization);
            Ok(())
        }).unwrap();
        window.fence(|_| {
            assert_eq!(window.local().unwrap_err().to_string(), format!("lock the memory of rank {me}: a fence epoch is open; end that first"));
            assert_eq!(window.expose(&[other]).unwrap_err().kind(), ErrorKind::Synchronization);
            assert_eq!(window.access(&[other], |_| Ok(())).unwrap_err().kind(), ErrorKind::Synchronization);
            Ok(())
        }).unwrap();
        {
            let local = window.local().unwrap();
            assert_eq!(window.local().unwrap_err().kind(), ErrorKind::Synchronization);
            assert_eq!(window.expose(&[other]).unwrap_err().kind(), ErrorKind::Synchronization);
            assert_eq!(local.len(), 4);
        }
        assert_eq!(window.expose(&[0, 0]).unwrap_err().kind(), ErrorKind::Rank);
        assert_eq!(window.access(&[5], |_| Ok(())).unwrap_err().kind(), ErrorKind::Rank);
        // Whatever the closure says, the others go on.
        let own = window.fence(|epoch| {
            if me == 0 { return window.get(1, 0, 1).map(drop); }
            epoch.put_owned(vec![5], 0, 0)
        });
        assert_eq!(own.is_err(), me == 0);
        assert_eq!(window.local().unwrap()[0], if me == 0 { 5 } else { 0 });
        world.barrier().unwrap();
        // Another type at each rank, or one whose padding is not known: told to all.
        let error = if me == 0 {
            Window::create(world, vec![1u8; 8]).unwrap_err()
        } else {
            Window::create(world, vec![1u16; 4]).unwrap_err()
        };
        assert_eq!(error.kind(), ErrorKind::Type);
        let error = Window::create(world, vec![[Padded { small: 1, large: 2, last: 3 }; 2]]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage);
        let lengths = if me == 0 { usize::MAX } else { 1 };
        assert_eq!(Window::<u64>::allocate(world, lengths).unwrap_err().kind(), ErrorKind::Count);
        world.barrier().unwrap();
    }

    fn guards_that_are_forgotten_or_dropped_early_leave_nothing_behind(world: [2, 3]) {
        let (me, size) = (world.rank(), world.size());
        let window = Window::create(world, vec![me as u64; 100]).unwrap();
        // A transfer that nobody waits for, and buffers of the epoch's own.
        window.lock_all(|epoch| {
            drop(epoch.start_put(vec![7; 50], (me + 1) % size, 0)?);
            drop(epoch.start_get((me + 1) % size, 50, 50)?);
            epoch.put_owned(vec![8; 10], (me + 1) % size, 90)
        }).unwrap();
        world.barrier().unwrap();
        assert_eq!(window.local().unwrap()[..50], [7; 50]);
        assert_eq!(window.local().unwrap()[90..], [8; 10]);
        // A closure that panics ends its epoch all the same.
        let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            window.fence(|epoch| -> Result<(), upcall_mpi::Error> {
                epoch.put_owned(vec![9], (me + 1) % size, 0)?;
                panic!("in the middle");
            })
        }));
        assert!(panicked.is_err());
        assert_eq!(window.local().unwrap()[0], 9);
        world.barrier().unwrap();
        std::mem::forget(window.local().unwrap());
        assert_eq!(window.local().unwrap_err().kind(), ErrorKind::Synchronization);
        assert_eq!(window.free().unwrap()[0], 9);
        let window = Window::create(world, vec![me as u64; 100]).unwrap();
        let next = (me + 1) % size;
        std::mem::forget(window.expose(&[(me + size - 1) % size]).unwrap());
        window.access(&[next], |epoch| epoch.put_owned(vec![3; 3], next, 0)).unwrap();
        assert_eq!(window.expose(&[next]).unwrap_err().kind(), ErrorKind::Synchronization);
        assert_eq!(window.free().unwrap()[..3], [3; 3]);
        // Dropped in another order than made.
        let (first, second) = (Window::<u8>::allocate(world, 5).unwrap(), Window::create(world, vec![1u8; 5]).unwrap());
        drop(first);
        second.put(&[2], next, 0).unwrap();
        drop(second);
        // One that is forgotten is finalized with MPI.
        std::mem::forget(Window::create(world, vec![1u8; 5]).unwrap());
    }

    fn locks_keep_ranks_apart(world: [2, 3]) {
        let (me, size) = (world.rank(), world.size());
        for allocated in [false, true] {
            let window = if allocated { Window::<u64>::allocate(world, 1).unwrap() } else { Window::create(world, vec![0]).unwrap() };
            for _ in 0..30 {
                if me == 0 {
                    let mut counter = window.local().unwrap();
                    let before = counter[0];
                    std::thread::yield_now();
                    counter[0] = before + 1;
                } else {
                    window.lock(Lock::Exclusive, 0, |epoch| {
                        let before = epoch.fetch(0, 0, 1)?[0];
                        epoch.put_owned(vec![before + 1], 0, 0)
                    }).unwrap();
                }
            }
            // The first rank is there for those that need it.
            world.barrier().unwrap();
            assert_eq!(window.get(0, 0, 1).unwrap(), [30 * size as u64]);
            world.barrier().unwrap();
        }
    }

    fn an_exposure_is_looked_at_until_all_have_ended(world: [2]) {
        let window = Window::create(world, vec![0u16; 10]).unwrap();
        if world.rank() == 0 {
            let mut exposure = window.expose(&[1]).unwrap();
            world.barrier().unwrap();
            while let Some(goes_on) = exposure.test().unwrap() {
                exposure = goes_on;
                std::thread::yield_now();
            }
            assert_eq!(window.local().unwrap()[..], [4; 10]);
        } else {
            world.barrier().unwrap();
            window.access(&[0], |epoch| epoch.put_owned(vec![4; 10], 0, 0)).unwrap();
        }
        world.barrier().unwrap();
    }

    fn threads_share_a_window(world: [2]) {
        let window = Window::<u64>::allocate(world, 64).unwrap();
        let other = 1 - world.rank();
        window.lock_all(|epoch| {
            std::thread::scope(|scope| {
                for thread in 0..3u64 {
                    scope.spawn(move || {
                        for _ in 0..30 {
                            epoch.fetch_and_op(1, 0, 0, Sum).unwrap();
                            epoch.fetch_and_op(thread, other, 1, Sum).unwrap();
                        }
                    });
                }
            });
            Ok(())
        }).unwrap();
        world.barrier().unwrap();
        assert_eq!(window.get(0, 0, 1).unwrap(), [180]);
        assert_eq!(window.local().unwrap()[1], 90);
        world.barrier().unwrap();
    }
}

#[test]
fn a_window_that_outlives_mpi_is_an_error_and_no_crash() {
    crate::support::on_ranks(
        "mpi::windows::a_window_that_outlives_mpi_is_an_error_and_no_crash",
        &[2],
        |world| {
            // The environment ends before these are used again, as a thread's storage does.
            thread_local!(static KEPT: std::cell::RefCell<Vec<Window<u32>>> = const { std::cell::RefCell::new(Vec::new()) });
            let window = Window::create(world, vec![1u32; 3]).unwrap();
            // Nobody can be told when it is used: an allocated one's memory is no more.
            let kept = Window::<u32>::allocate(world, 3).unwrap();
            KEPT.with(|all| all.borrow_mut().push(kept));
            window.put(&[4], 0, 0).unwrap();
            world.barrier().unwrap();
            KEPT.with(|kept| kept.borrow_mut().push(window));
        },
    );
}

#[test]
fn more_bytes_than_31_bits_count_are_put_and_got() {
    let name = concat!(module_path!(), "::more_bytes_than_31_bits_count_are_put_and_got");
    for_real(name, &[1], 9 * GIB, |world| {
        let data = many();
        let window = Window::<u64>::allocate(world, data.len()).unwrap();
        window.lock_all(|epoch| epoch.put(&data, 0, 0)).unwrap();
        assert!(window.local().unwrap()[..] == data);
        window.local().unwrap().fill(0);
        let data = window.lock_all(|epoch| epoch.start_put(data, 0, 0)?.wait()).unwrap();
        let got = window.lock_all(|epoch| epoch.start_get(0, 1, data.len() - 1)?.wait()).unwrap();
        assert!(got == data[1..]);
    });
}
