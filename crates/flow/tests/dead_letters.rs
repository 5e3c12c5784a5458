//! Dead pools: what they keep, what they drop and say so, and how they are cleared.

use proptest::prelude::*;
use std::sync::{Arc, Mutex};
use upcall::{Emit, Failure, Object};
use upcall_flow::{
    Credit, DeadLetterLimit, DeadLetterReport, ErrorKind, Flow, FlowBuilder, OnSpec, Order, Pool,
};

type Done = Result<(), Box<dyn std::error::Error>>;

/// A flow whose handler fails on each object in /in.
fn failing(limit: DeadLetterLimit) -> FlowBuilder {
    Flow::builder()
        .pool(Pool::trigger("/in"))
        .dead_letters(limit)
        .handler(OnSpec::new("fails", "/in"), || {
            |_: Object<'_>, _: &mut Emit<'_>| Err::<(), _>(Failure::new("always"))
        })
}

fn limit(items: u64) -> DeadLetterLimit {
    DeadLetterLimit { items, ..DeadLetterLimit::default() }
}

fn keys(flow: &Flow) -> Vec<String> {
    flow.dead_letters("/in").unwrap().into_iter().map(|letter| letter.key).collect()
}

fn told(flow: &Flow) -> DeadLetterReport {
    let report = flow.report();
    let dead = report.pools.iter().find(|pool| pool.path == "/dead/in");
    dead.and_then(|pool| pool.dead_letters).expect("something was buried")
}

fn bury(flow: &Flow, keys: &[&str]) -> Result<(), upcall_flow::Error> {
    for key in keys {
        flow.pool("/in")?.put_and_forget(key.as_bytes(), b"")?;
        flow.settle()?;
    }
    Ok(())
}

#[test]
fn a_dead_pool_keeps_its_newest_10_000_and_may_be_watched() -> Done {
    let seen = Arc::new(Mutex::new(0));
    let counts = seen.clone();
    let on = OnSpec::new("undertaker", "/dead/in").order(Order::Single);
    let flow = failing(DeadLetterLimit::default()).handler(on, move || {
        let counts = counts.clone();
        move |_: Object<'_>, _: &mut Emit<'_>| {
            *counts.lock().unwrap() += 1;
            Ok(())
        }
    });
    let flow = flow.workers(1).start()?;
    for number in 0..10_050u32 {
        flow.pool("/in")?.put_and_forget(number.to_string().as_bytes(), b"")?;
    }
    flow.drain()?;
    let keys = keys(&flow);
    assert_eq!((keys.len(), &*keys[0], &*keys[9999]), (10_000, "50", "10049"));
    assert_eq!(flow.pool("/dead/in")?.get(b"49")?, None);
    assert_eq!(*seen.lock().unwrap(), 10_050);
    assert_eq!((told(&flow).kept, told(&flow).dropped), (10_000, 50));
    Ok(())
}

#[test]
fn removing_a_key_from_a_dead_pool_clears_its_letters_and_no_others() -> Done {
    let flow = failing(limit(4)).start()?;
    bury(&flow, &["a", "b", "a", "c"])?;
    let dead = flow.pool("/dead/in")?;
    dead.remove(b"a")?.wait()?;
    assert_eq!(keys(&flow), ["b", "c"]);
    assert_eq!((dead.get(b"a")?, dead.versions(b"a")?.len()), (None, 0));
    dead.remove(b"never there")?.wait()?;
    // There is room again for two.
    bury(&flow, &["d", "a"])?;
    assert_eq!(keys(&flow), ["b", "c", "d", "a"]);
    assert_eq!((told(&flow).kept, told(&flow).dropped), (4, 0));
    let objects = flow.report().pools.iter().find(|pool| pool.path == "/dead/in").map(|pool| pool.objects);
    assert_eq!(objects, Some(6), "a removal is no letter");
    for key in ["a", "b", "c", "d"] {
        dead.remove(key.as_bytes())?.wait()?;
    }
    assert_eq!(told(&flow), DeadLetterReport { kept: 0, bytes: 0, dropped: 0 });
    Ok(())
}

#[test]
fn every_letter_of_a_key_is_kept_and_listed_in_the_order_in_which_they_came() -> Done {
    let flow = failing(limit(5)).start()?;
    bury(&flow, &["a", "b", "a", "a", "b", "a"])?;
    assert_eq!(keys(&flow), ["b", "a", "a", "b", "a"]);
    let all = flow.pool("/dead/in")?.all_versions()?;
    assert!(all.is_sorted_by_key(|object| object.version) && all.len() == 5);
    Ok(())
}

#[test]
fn nothing_is_put_into_a_dead_pool_from_outside() -> Done {
    let flow = failing(limit(4)).start()?;
    let dead = flow.pool("/dead/in")?;
    let errors = [
        dead.put_and_forget(b"k", b"").unwrap_err(),
        dead.put(b"k", b"").err().expect("refused"),
        dead.try_put(b"k", b"").unwrap_err(),
        dead.put_if(b"k", b"", 0).err().expect("refused"),
        dead.trigger(b"k", b"").unwrap_err(),
    ];
    for error in errors {
        assert_eq!(error.kind(), ErrorKind::DeadPool);
        assert!(error.to_string().contains("/dead/in: only the flow itself"), "{error}");
        assert!(error.to_string().contains("put into /in"), "{error}");
    }
    assert_eq!(keys(&flow), [""; 0]);
    Ok(())
}

#[test]
fn a_dead_pool_is_bounded_in_bytes_and_a_letter_larger_than_all_that_pushes_out_no_other() -> Done {
    let flow = failing(DeadLetterLimit { bytes: 16 << 10, ..limit(1000) }).workers(1).start()?;
    let pool = flow.pool("/in")?;
    for number in 0..100u32 {
        pool.put_and_forget(number.to_string().as_bytes(), [0; 1000])?;
        flow.settle()?;
        assert!(told(&flow).bytes <= 16 << 10, "{:?}", told(&flow));
    }
    let before = told(&flow);
    assert!(before.kept >= 5 && before.kept + before.dropped == 100, "{before:?}");
    pool.put_and_forget(b"large", [0; 16 << 10])?;
    flow.settle()?;
    assert_eq!(told(&flow), DeadLetterReport { dropped: before.dropped + 1, ..before });
    assert_eq!(keys(&flow).last().map(String::as_str), Some("99"));
    Ok(())
}

#[test]
fn without_room_for_letters_items_that_fail_are_only_counted() -> Done {
    let flow = failing(limit(0)).start()?;
    bury(&flow, &["a", "b"])?;
    assert_eq!(keys(&flow), [""; 0]);
    assert_eq!(told(&flow), DeadLetterReport { kept: 0, bytes: 0, dropped: 2 });
    assert_eq!(flow.report().handlers[0].buried, 2);
    // A ticket of a removal has its version all the same.
    flow.pool("/dead/in")?.remove(b"a")?.wait()?;
    Ok(())
}

#[test]
fn letters_alone_do_not_stop_a_flow_whose_memory_is_small() -> Done {
    let credit = Credit { bytes: 1 << 20, items: 1 << 10 };
    let flow = failing(DeadLetterLimit::default()).memory(8 << 20).credit(credit).start()?;
    for number in 0..4000u32 {
        flow.pool("/in")?.put_and_forget(number.to_string().as_bytes(), [0; 4000])?;
    }
    flow.drain()?;
    assert!(told(&flow).bytes <= 2 << 20 && told(&flow).dropped > 0, "{:?}", told(&flow));
    Ok(())
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Bury(u8),
    Clear(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![4 => (0..5u8).prop_map(Step::Bury), 1 => (0..5u8).prop_map(Step::Clear)];
    prop::collection::vec(step, 1..60)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 30, ..ProptestConfig::default() })]

    #[test]
    fn a_dead_pool_is_a_queue_that_drops_at_its_front(steps in steps(), items in 0..6u64, watched: bool) {
        let builder = failing(limit(items)).workers(2);
        let builder = if watched {
            builder.handler(OnSpec::new("look", "/dead/in"), || |_: Object<'_>, _: &mut Emit<'_>| Ok(()))
        } else {
            builder
        };
        let flow = builder.start().unwrap();
        let dead = flow.pool("/dead/in").unwrap();
        let (mut model, mut dropped) = (Vec::new(), 0);
        for step in steps {
            match step {
                Step::Bury(key) => {
                    bury(&flow, &[&key.to_string()]).unwrap();
                    model.push(key.to_string());
                }
                Step::Clear(key) => {
                    dead.remove(key.to_string().as_bytes()).unwrap().wait().unwrap();
                    model.retain(|kept| *kept != key.to_string());
                }
            }
            let over = model.len().saturating_sub(items as usize);
            dropped += over;
            model.drain(..over);
            prop_assert_eq!(&keys(&flow), &model);
        }
        flow.drain().unwrap();
        let shown = flow.report().pools.iter().find_map(|pool| pool.dead_letters);
        let shown = shown.map_or((0, 0), |letters| (letters.kept, letters.dropped));
        prop_assert_eq!(shown, (model.len() as u64, dropped as u64));
    }
}

#[test]
fn letters_that_are_buried_dropped_and_cleared_at_once_are_counted_well() -> Done {
    let flow = failing(limit(50)).workers(3).start()?;
    let (pool, dead) = (flow.pool("/in")?, flow.pool("/dead/in")?);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for number in 0..5000u32 {
                pool.put_and_forget((number % 40).to_string().as_bytes(), b"").unwrap();
            }
        });
        scope.spawn(|| {
            for number in 0..2000u32 {
                dead.remove((number % 40).to_string().as_bytes()).unwrap().wait().unwrap();
            }
        });
    });
    flow.drain()?;
    let kept = told(&flow).kept;
    assert!(kept <= 50 && keys(&flow).len() as u64 == kept, "{kept}");
    for number in 0..40u32 {
        dead.remove(number.to_string().as_bytes())?.wait()?;
    }
    assert_eq!((told(&flow).kept, told(&flow).bytes), (0, 0));
    Ok(())
}
