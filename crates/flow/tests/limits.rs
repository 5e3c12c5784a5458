//! Memory, cycles, large and empty values: a flow stays within its limits or says which one it left.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use upcall::{Batch, BatchHandler, Emit, Failure, Object};
use upcall_flow::{Credit, Error, ErrorKind, Flow, OnSpec, Order, Pool};

type Done = Result<(), Box<dyn std::error::Error>>;

const SMALL: Credit = Credit { bytes: 1 << 20, items: 1 << 10 };

fn nothing() -> impl Fn() -> fn(Object<'_>, &mut Emit<'_>) -> Result<(), upcall::Failure> {
    || |_, _| Ok(())
}

#[test]
fn a_fast_producer_waits_for_a_slow_handler_and_memory_stays_bounded() -> Done {
    let credit = Credit { bytes: 64 << 10, items: 1 << 20 };
    let flow = Flow::builder()
        .credit(credit)
        .batch(8)
        .pool(Pool::trigger("/in"))
        .handler(OnSpec::new("slow", "/in"), || {
            |_: Object<'_>, _: &mut Emit<'_>| {
                std::thread::sleep(Duration::from_micros(200));
                Ok(())
            }
        })
        .start()?;
    let pool = flow.pool("/in")?;
    for number in 0..2000u32 {
        pool.put_and_forget(number.to_string().as_bytes(), [0; 1024])?;
    }
    flow.drain()?;
    let peak = flow.report().peak_in_flight_bytes;
    assert!(peak <= credit.bytes + 2048, "2 MB were put, {peak} bytes were in flight at most");
    Ok(())
}

#[test]
fn behind_a_slow_handler_only_a_few_objects_wait_however_large_the_credit() -> Done {
    let flow = Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/out"))
        .handler(OnSpec::new("quick", "/in").to("/out"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), b"");
                Ok(())
            }
        })
        .handler(OnSpec::new("slow", "/out").order(Order::Single), || {
            |_: Object<'_>, _: &mut Emit<'_>| {
                std::thread::sleep(Duration::from_millis(1));
                Ok(())
            }
        })
        .start()?;
    let pool = flow.pool("/in")?;
    for number in 0..1000u32 {
        pool.put_and_forget(number.to_string().as_bytes(), b"")?;
    }
    flow.drain()?;
    let slow = &flow.report().handlers[1];
    // It begins with 256.
    assert!(slow.peak_queued <= 512, "{}", slow.peak_queued);
    Ok(())
}

#[test]
fn a_flow_of_little_memory_and_the_usual_credit_handles_whatever_is_put() -> Done {
    // Several workers that emit to one, which lags behind.
    for (order, batch) in [(Order::Key, 4096), (Order::Any, 1)] {
        let seen = Arc::new(AtomicU64::new(0));
        let counted = seen.clone();
        let flow = Flow::builder()
            .workers(2)
            .memory(2 << 20)
            .credit(Credit { bytes: 2 << 20, ..Credit::default() })
            .batch(batch)
            .pool(Pool::trigger("/in"))
            .pool(Pool::trigger("/out"))
            .handler(OnSpec::new("pass", "/in").to("/out").order(order), || {
                |object: Object<'_>, emit: &mut Emit<'_>| {
                    emit.put(object.key(), object.value());
                    Ok(())
                }
            })
            .handler(OnSpec::new("count", "/out").order(Order::Single), move || {
                let seen = counted.clone();
                move |_: Object<'_>, _: &mut Emit<'_>| {
                    seen.fetch_add(1, SeqCst);
                    Ok(())
                }
            })
            .start()?;
        let pool = flow.pool("/in")?;
        for number in 0..100_000u32 {
            pool.put_and_forget(number.to_string().as_bytes(), &[7; 100][..number as usize % 100])?;
        }
        flow.drain()?;
        assert_eq!(seen.load(SeqCst), 100_000);
    }
    Ok(())
}

#[test]
fn without_credit_try_put_says_so() -> Done {
    let gate = Arc::new(Mutex::new(()));
    let (held, inner) = (gate.lock().unwrap(), gate.clone());
    let flow = Flow::builder()
        .credit(Credit { bytes: 1 << 20, items: 4 })
        .pool(Pool::trigger("/in"))
        .handler(OnSpec::new("gated", "/in"), move || {
            let gate = inner.clone();
            move |_: Object<'_>, _: &mut Emit<'_>| {
                drop(gate.lock());
                Ok(())
            }
        })
        .start()?;
    let pool = flow.pool("/in")?;
    let error = (0..5).map(|_| pool.try_put(b"k", b"")).find_map(Result::err).expect("4 fit");
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
    drop(held);
    flow.drain()?;
    Ok(())
}

#[test]
fn a_cycle_that_ends_does_not_deadlock_however_small_the_credit() -> Done {
    let rounds = Arc::new(AtomicU64::new(0));
    let seen = rounds.clone();
    let step = |object: Object<'_>, emit: &mut Emit<'_>| {
        let left = object.value()[0];
        if left > 0 {
            emit.put(object.key(), &[left - 1]);
            emit.put(format!("{}x", object.key_str()).as_bytes(), &[left - 1]);
        }
        Ok(())
    };
    let flow = Flow::builder()
        .workers(3)
        .credit(Credit { bytes: 1, items: 1 })
        .pool(Pool::trigger("/a"))
        .pool(Pool::trigger("/b"))
        .handler(OnSpec::new("there", "/a").to("/b").cycle(), move || step)
        .handler(OnSpec::new("back", "/b").to("/a"), move || {
            let seen = seen.clone();
            move |object: Object<'_>, emit: &mut Emit<'_>| {
                seen.fetch_add(1, SeqCst);
                step(object, emit)
            }
        })
        .start()?;
    flow.pool("/a")?.put_and_forget(b"k", [12])?;
    flow.drain()?;
    assert_eq!(rounds.load(SeqCst), (1..=11u64).step_by(2).map(|level| 1 << level).sum::<u64>());
    Ok(())
}

#[test]
fn a_cycle_that_amplifies_beyond_its_memory_stops_with_an_error_that_names_it() -> Done {
    let flow = Flow::builder()
        .name("loop")
        .memory(8 << 20)
        .credit(SMALL)
        .pool(Pool::trigger("/a"))
        .pool(Pool::trigger("/b"))
        .handler(OnSpec::new("there", "/a").to("/b").cycle(), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), object.value());
                emit.put(b"more", object.value());
                Ok(())
            }
        })
        .handler(OnSpec::new("back", "/b").to("/a").cycle(), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), object.value());
                Ok(())
            }
        })
        .start()?;
    flow.pool("/a")?.put_and_forget(b"k", [0; 100])?;
    let error = flow.drain().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    let text = error.to_string();
    assert!(text.contains("/a -> handler there -> /b -> handler back -> /a"), "{text}");
    assert!(text.contains("8388608"), "{text}");
    // Puts that come later are told the same.
    assert_eq!(flow.pool("/a")?.put_and_forget(b"k", b"").unwrap_err(), error);
    assert_eq!(flow.stop().unwrap_err(), error);
    Ok(())
}

#[test]
fn an_item_whose_output_exceeds_the_memory_stops_the_flow_with_the_handlers_name() -> Done {
    let flow = Flow::builder()
        .memory(4 << 20)
        .credit(SMALL)
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/out"))
        .handler(OnSpec::new("gusher", "/in").to("/out"), || {
            |_: Object<'_>, emit: &mut Emit<'_>| {
                (0..100_000).for_each(|_| emit.put(b"k", &[0; 100]));
                Ok(())
            }
        })
        .handler(OnSpec::new("sink", "/out"), nothing())
        .start()?;
    flow.pool("/in")?.put_and_forget(b"k", b"")?;
    let error = flow.drain().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(error.to_string().contains("handler gusher"), "{error}");
    Ok(())
}

#[test]
fn what_pools_store_counts_against_the_memory() -> Done {
    let flow = Flow::builder()
        .memory(1 << 20)
        .credit(Credit { bytes: 1 << 16, items: 1 << 10 })
        .pool(Pool::new("/direct"))
        .pool(Pool::new("/owned"))
        .handler(OnSpec::new("sees", "/owned"), nothing())
        .start()?;
    let owned = flow.pool("/owned")?;
    for number in 0..400u32 {
        owned.put_and_forget(number.to_string().as_bytes(), [0; 1000])?;
    }
    flow.drain()?;
    let stored = flow.report().stored_bytes;
    assert!((400_000..600_000).contains(&stored), "{stored}");
    // The same again replaces what is there.
    for number in 0..400u32 {
        owned.put_and_forget(number.to_string().as_bytes(), [1; 1000])?;
    }
    flow.drain()?;
    assert_eq!(flow.report().stored_bytes, stored);
    let direct = flow.pool("/direct")?;
    let put = |number: u32| direct.put_and_forget(number.to_string().as_bytes(), [0; 1000]);
    let error = (0..2000).map(put).find_map(Result::err).expect("2 MB do not fit");
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(error.to_string().contains("when pool /direct stored an object"), "{error}");
    Ok(())
}

#[test]
fn an_object_that_waits_keeps_no_more_than_the_chunk_it_lies_in() -> Done {
    let handled = Arc::new(AtomicU64::new(0));
    let (counted, seen) = (handled.clone(), handled.clone());
    let flow = Flow::builder()
        .workers(2)
        .batch(1)
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/big"))
        .pool(Pool::trigger("/small"))
        .handler(OnSpec::new("both", "/in").to("/big").to("/small"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put_to("/small", b"k", b"");
                emit.put_to("/big", object.key(), &[0; 1 << 20]);
                Ok(())
            }
        })
        .handler(OnSpec::new("sink", "/big"), move || {
            let counted = counted.clone();
            move |_: Object<'_>, _: &mut Emit<'_>| {
                counted.fetch_add(1, SeqCst);
                Ok(())
            }
        })
        .handler(OnSpec::new("slow", "/small"), move || {
            let seen = seen.clone();
            // Blocks the worker of `k` until the other one has handled what is its.
            move |_: Object<'_>, _: &mut Emit<'_>| {
                while seen.load(SeqCst) < 24 {
                    std::thread::yield_now();
                }
                Ok(())
            }
        })
        .start()?;
    let pool = flow.pool("/in")?;
    for number in 0..128u32 {
        pool.put_and_forget(number.to_string().as_bytes(), b"")?;
    }
    flow.drain()?;
    let held = flow.report().peak_held_bytes;
    assert!(held < 12 << 20, "24 MiB were sent beside what waits, {held} bytes were held");
    Ok(())
}

#[test]
fn one_item_may_emit_100_megabytes() -> Done {
    let sum = Arc::new(AtomicU64::new(0));
    let total = sum.clone();
    let flow = Flow::builder()
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/out"))
        .handler(OnSpec::new("much", "/in").to("/out"), || {
            |_: Object<'_>, emit: &mut Emit<'_>| {
                for number in 0..100_000u32 {
                    emit.put(&number.to_string().into_bytes(), &[1; 1000]);
                }
                Ok(())
            }
        })
        .handler(OnSpec::new("sum", "/out"), move || {
            let total = total.clone();
            move |object: Object<'_>, _: &mut Emit<'_>| {
                total.fetch_add(object.value().iter().map(|byte| u64::from(*byte)).sum(), SeqCst);
                Ok(())
            }
        })
        .start()?;
    flow.pool("/in")?.put_and_forget(b"k", b"")?;
    flow.drain()?;
    assert_eq!(sum.load(SeqCst), 100_000_000);
    Ok(())
}

/// A batch handler that emits one copy of a megabyte for each object and says so at the end only.
struct Whole;

impl upcall::BatchHandler for Whole {
    fn on_batch(
        &mut self,
        batch: &mut upcall::Batch<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), upcall::Failure> {
        batch.iter().for_each(|object| emit.put(object.key(), &[0; 1 << 20]));
        Ok(())
    }
}

#[test]
fn a_batch_that_would_emit_more_than_the_memory_is_handed_over_in_parts() -> Done {
    let handled = Arc::new(AtomicU64::new(0));
    let counted = handled.clone();
    let flow = Flow::builder()
        .workers(1)
        .memory(10 << 20)
        .credit(SMALL)
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/out"))
        .handler(OnSpec::new("whole", "/in").to("/out"), || upcall::batch(Whole))
        .handler(OnSpec::new("sink", "/out"), move || {
            let handled = counted.clone();
            move |_: Object<'_>, _: &mut Emit<'_>| {
                handled.fetch_add(1, SeqCst);
                Ok(())
            }
        })
        .start()?;
    let pool = flow.pool("/in")?;
    for number in 0..200u32 {
        pool.put_and_forget(number.to_string().as_bytes(), b"")?;
    }
    flow.drain()?;
    assert_eq!(handled.load(SeqCst), 200);
    let report = flow.report();
    assert_eq!((report.handlers[0].items, report.handlers[0].failed), (200, 0), "a part is no failure");
    Ok(())
}

#[test]
fn a_handler_has_batches_of_its_own_size() -> Done {
    let largest = Arc::new(AtomicU64::new(0));
    let seen = largest.clone();
    struct Sizes(Arc<AtomicU64>);
    impl upcall::BatchHandler for Sizes {
        fn on_batch(
            &mut self,
            batch: &mut upcall::Batch<'_>,
            _: &mut Emit<'_>,
        ) -> Result<(), upcall::Failure> {
            self.0.fetch_max(batch.len() as u64, SeqCst);
            Ok(())
        }
    }
    let flow = Flow::builder()
        .pool(Pool::trigger("/in"))
        .handler(OnSpec::new("three", "/in").batch(3), move || upcall::batch(Sizes(seen.clone())))
        .start()?;
    let pool = flow.pool("/in")?;
    for number in 0..500u32 {
        pool.put_and_forget(number.to_string().as_bytes(), b"")?;
    }
    flow.drain()?;
    assert!(largest.load(SeqCst) <= 3);
    Ok(())
}

#[test]
fn values_of_no_bytes_and_of_64_megabytes_travel_whole() -> Done {
    let flow = Flow::builder()
        .pool(Pool::new("/in"))
        .pool(Pool::new("/out"))
        .handler(OnSpec::new("copy", "/in").to("/out"), || {
            |object: Object<'_>, emit: &mut Emit<'_>| {
                emit.put(object.key(), object.value());
                Ok(())
            }
        })
        .start()?;
    let pool = flow.pool("/in")?;
    let large: Vec<u8> = (0..64u32 << 20).map(|index| (index % 251) as u8).collect();
    pool.put_and_forget(b"large", &large)?;
    pool.put_and_forget(b"empty", b"")?;
    flow.drain()?;
    let out = flow.pool("/out")?;
    assert!(*out.get(b"large")?.unwrap().value == *large);
    assert!(out.get(b"empty")?.unwrap().value.is_empty());
    Ok(())
}

#[test]
fn a_flow_without_input_drains_and_flushes() -> Done {
    let flow = Flow::builder()
        .pool(Pool::trigger("/in"))
        .handler(OnSpec::new("idle", "/in").order(Order::Single), nothing())
        .start()?;
    flow.drain()?;
    flow.stop()?;
    Ok(())
}

/// Says that all items of a batch are done, then emits so many objects of 1 MiB.
struct Afterwards(usize);

impl BatchHandler for Afterwards {
    fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        batch.done(batch.len(), emit);
        (0..self.0).for_each(|_| emit.put(b"k", &[0; 1 << 20]));
        Ok(())
    }
}

/// Puts one object, behind which so many are emitted. Returns how many have arrived.
fn afterwards(objects: usize) -> Result<u64, Error> {
    let arrived = Arc::new(AtomicU64::new(0));
    let seen = arrived.clone();
    let flow = Flow::builder()
        .workers(1)
        .memory(8 << 20)
        .credit(SMALL)
        .pool(Pool::trigger("/in"))
        .pool(Pool::trigger("/out"))
        .handler(OnSpec::new("sums", "/in").to("/out"), move || upcall::batch(Afterwards(objects)))
        .handler(OnSpec::new("takes", "/out"), move || {
            let seen = seen.clone();
            move |_: Object<'_>, _: &mut Emit<'_>| {
                seen.fetch_add(1, SeqCst);
                Ok(())
            }
        })
        .start()?;
    flow.pool("/in")?.put_and_forget(b"k", b"")?;
    flow.drain()?;
    Ok(arrived.load(SeqCst))
}

#[test]
fn what_is_emitted_behind_the_last_item_may_have_what_is_left_of_the_memory() -> Done {
    assert_eq!(afterwards(5)?, 5);
    Ok(())
}

#[test]
fn what_is_emitted_behind_the_last_item_and_has_no_room_stops_the_flow() {
    let error = afterwards(9).expect_err("9 MiB do not fit into 8");
    assert_eq!(error.kind(), ErrorKind::OutOfMemory);
    assert!(error.to_string().contains("handler sums"), "{error}");
}
