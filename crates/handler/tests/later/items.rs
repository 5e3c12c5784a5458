//! What a handler does with an item, and what it is given.

use crate::{Done, ms};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::{Duration, Instant};
use tokio::time::sleep;
use upcall::{
    AsyncHandler, AsyncTypedHandler, Describe, Emit, Failure, Harness, Log, Object, Open, PoolId, later,
    typed,
};

fn keys(harness: &Harness) -> Vec<&str> {
    harness.emitted().iter().map(|one| std::str::from_utf8(&one.key).unwrap()).collect()
}

#[test]
fn an_item_may_be_answered_at_once() {
    let handler = async |object: Object<'_>, emit: &mut Emit<'_>| -> Done {
        emit.put(object.key(), object.value());
        Ok(())
    };
    let mut harness = Harness::new(later(handler)).emits(&["/out"]);
    harness.put(b"k", b"v").unwrap();
    assert_eq!(harness.emitted()[0].value, b"v");
}

#[test]
#[cfg_attr(miri, ignore = "its time is too short there")]
fn many_items_are_under_way_at_the_same_time() {
    #[derive(Default)]
    struct Counts {
        open: Cell<usize>,
        most: Cell<usize>,
    }
    impl AsyncHandler for Counts {
        async fn on_object(&self, _: Object<'_>, _: &mut Emit<'_>) -> Done {
            self.open.set(self.open.get() + 1);
            self.most.set(self.most.get().max(self.open.get()));
            sleep(ms(10)).await;
            self.open.set(self.open.get() - 1);
            Ok(())
        }

        async fn flush(&self, emit: &mut Emit<'_>) -> Done {
            emit.of::<u64>().put(b"most", &(self.most.get() as u64));
            Ok(())
        }
    }
    let mut harness = Harness::new(later(Counts::default())).emits(&["/most"]);
    let begin = Instant::now();
    assert!(harness.each(&[(b"k".as_slice(), b"".as_slice()); 100]).iter().all(Result::is_ok));
    assert!(begin.elapsed() < Duration::from_millis(900), "{:?}", begin.elapsed());
    harness.flush().unwrap();
    let most = harness.emitted()[0].value_as::<u64>().unwrap();
    assert!(most > 50, "{most}");
}

#[test]
fn what_is_emitted_before_and_after_an_await_arrives_in_this_order() {
    let handler = async |object: Object<'_>, emit: &mut Emit<'_>| -> Done {
        emit.put(b"before", object.value());
        tokio::task::yield_now().await;
        emit.put(object.key(), object.value());
        sleep(ms(1)).await;
        // More than a chunk.
        emit.put(b"after", &[7; 100_000]);
        Ok(())
    };
    let mut harness = Harness::new(later(handler)).emits(&["/out"]);
    harness.batch(&[(b"1", b""), (b"2", b"")]).unwrap();
    assert_eq!(keys(&harness), ["before", "1", "after", "before", "2", "after"]);
    assert_eq!(harness.emitted()[2].value, [7; 100_000]);
}

#[test]
fn what_an_item_is_given_is_there_across_awaits() {
    let handler = async |object: Object<'_>, emit: &mut Emit<'_>| -> Done {
        let (key, value) = (object.key(), object.text()?);
        sleep(ms(1)).await;
        let said =
            format!("{value} v{} in {} of {}", object.version(), object.pool_path(), object.sender_name());
        assert_eq!(object.key_str().as_bytes(), key);
        emit.put(key, said.as_bytes());
        Ok(())
    };
    let mut harness = Harness::new(later(handler)).emits(&["/out"]);
    harness.batch(&[(b"a", b"one"), (b"b", b"two")]).unwrap();
    let said: Vec<&[u8]> = harness.emitted().iter().map(|one| &*one.value).collect();
    assert_eq!(said, [&b"one v1 in /in of harness"[..], b"two v2 in /in of harness"]);
}

#[test]
fn a_failure_after_an_await_fails_its_item_only_and_forgets_what_it_has_emitted() {
    let handler = async |object: Object<'_>, emit: &mut Emit<'_>| -> Done {
        emit.put(object.key(), b"");
        sleep(ms(1)).await;
        match object.key() {
            b"fails" => Err(Failure::new("it does")),
            b"panics" => panic!("it panics"),
            b"emits" => {
                emit.put_to("/nowhere", b"", b"");
                Ok(())
            }
            _ => Ok(()),
        }
    };
    let mut harness = Harness::new(later(handler)).emits(&["/out"]);
    let outcomes =
        harness.each(&[(b"1", b""), (b"fails", b""), (b"panics", b""), (b"emits", b""), (b"2", b"")]);
    let [first, fails, panics, emits, last] = &outcomes[..] else { panic!("{outcomes:?}") };
    assert!(first.is_ok() && last.is_ok());
    let (fails, panics) = (fails.as_ref().unwrap_err(), panics.as_ref().unwrap_err());
    assert_eq!((&*fails.message, fails.item, fails.done, fails.ended), ("it does", Some(0), 0, None));
    assert_eq!((&*panics.type_name, &*panics.message, panics.ended), ("panic", "it panics", None));
    assert!(panics.stack.contains("later/items.rs"), "{}", panics.stack);
    assert!(emits.as_ref().unwrap_err().message.contains("/nowhere"));
    assert_eq!(keys(&harness), ["1", "2"]);
}

#[test]
fn what_its_own_code_cancels_is_an_ordinary_failure() {
    let handler = async |object: Object<'_>, _: &mut Emit<'_>| -> Done {
        if object.key() == b"aborts" {
            let task = tokio::task::spawn_local(std::future::pending::<()>());
            task.abort();
            task.await?;
        }
        tokio::time::timeout(ms(1), std::future::pending::<()>()).await?;
        Ok(())
    };
    let mut harness = Harness::new(later(handler)).deadline(Duration::from_secs(60));
    let outcomes = harness.each(&[(b"times out", b""), (b"aborts", b"")]);
    let failed: Vec<_> = outcomes.into_iter().map(Result::unwrap_err).collect();
    assert_eq!(failed[0].type_name, "tokio::time::error::Elapsed");
    assert_eq!(failed[1].type_name, "tokio::runtime::task::error::JoinError");
    assert_eq!((failed[0].ended, failed[1].ended), (None, None));
}

/// Reads, logs, and emits on condition, and keeps what no other thread may have.
#[derive(Default)]
struct Reads {
    names: PoolId,
    log: RefCell<Option<Log>>,
    opened: Rc<Cell<bool>>,
}

impl AsyncHandler for Reads {
    fn describe(&self, describe: &mut Describe<'_>) {
        describe.parameter("wait", "u64", Some("1"), None);
    }

    async fn open(&mut self, open: &Open<'_>) -> Done {
        self.names = open.pool("/names")?;
        sleep(ms(1)).await;
        if open.setting("fails").is_some() {
            panic!("as it was told");
        }
        self.log.replace(Some(open.log()));
        self.opened.set(true);
        open.log().info("open");
        Ok(())
    }

    async fn on_object(&self, object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        assert!(self.opened.get());
        let before = emit.read(self.names, object.key())?.ok_or_else(|| Failure::new("no such name"))?;
        let keys: Vec<&[u8]> = emit.list(self.names, b"")?.collect();
        sleep(ms(1)).await;
        // The first view is still there although this thread has asked again.
        let other = emit.read(self.names, b"2")?.ok_or_else(|| Failure::new("no other"))?;
        assert_eq!(other.value, b"Grace");
        let old = emit.read_at(self.names, b"1", 1)?.map(|found| found.value);
        assert_eq!((emit.list(self.names, b"2")?.len(), old), (1, Some(&b"Ada"[..])));
        if let Some(log) = &*self.log.borrow() {
            log.warn(&format!("{} of {keys:?}", before.text()?));
        }
        emit.put_if(object.key(), before.value, before.version);
        sleep(ms(1)).await;
        emit.put(b"others", &keys.concat());
        Ok(())
    }

    async fn flush(&self, emit: &mut Emit<'_>) -> Done {
        sleep(ms(1)).await;
        emit.put(b"flushed", b"");
        Ok(())
    }
}

fn reads() -> Harness {
    let names: &[(&[u8], &[u8])] = &[(b"1", b"Ada"), (b"2", b"Grace"), (b"1", b"Ada L.")];
    Harness::new(later(Reads::default)).emits(&["/out"]).reads("/names", names)
}

#[test]
fn pools_are_read_and_the_log_is_written_after_an_await() {
    let mut harness = reads();
    harness.put(b"1", b"").unwrap();
    let [name, others] = harness.emitted() else { panic!("{:?}", harness.emitted()) };
    assert_eq!((&*name.value, name.previous), (&b"Ada L."[..], Some(3)));
    assert_eq!((&*others.value, others.previous), (&b"12"[..], None));
    assert_eq!(harness.put(b"3", b"").unwrap_err().message, "no such name");
    harness.flush().unwrap();
    assert_eq!(harness.emitted().last().unwrap().key, b"flushed");
    assert_eq!(harness.logged(), [(3, "open".into()), (2, "Ada L. of [[49], [50]]".into())]);
}

#[test]
fn a_handler_that_fails_to_open_says_why() {
    let failed = reads().setting("fails", "").put(b"1", b"").unwrap_err();
    assert_eq!((&*failed.type_name, &*failed.message), ("panic", "as it was told"));
}

#[test]
fn a_second_emission_on_condition_fails_the_item_after_an_await_too() {
    let handler = async |object: Object<'_>, emit: &mut Emit<'_>| -> Done {
        emit.put_if(object.key(), b"", 1);
        sleep(ms(1)).await;
        emit.put_if(object.key(), b"", 1);
        Ok(())
    };
    let failed = Harness::new(later(handler)).emits(&["/out"]).put(b"k", b"").unwrap_err();
    assert!(failed.message.starts_with("emit on condition twice"), "{}", failed.message);
}

/// Halves numbers.
struct Halves;

impl AsyncTypedHandler for Halves {
    type In<'a> = u64;
    type Out = f64;

    async fn on_value(&self, object: Object<'_>, number: &u64, emit: &mut Emit<'_, f64>) -> Done {
        sleep(ms(1)).await;
        emit.put(object.key(), &(*number as f64 / 2.0));
        Ok(())
    }

    async fn flush(&self, emit: &mut Emit<'_, f64>) -> Done {
        emit.put(b"end", &0.5);
        Ok(())
    }
}

#[test]
fn a_typed_handler_has_its_value_across_awaits_and_its_pools_are_compared() {
    let mut harness = Harness::new(later(typed(Halves))).emits(&["/out"]).declares("/in", "u64", 8);
    harness.put_value::<u64>(b"a", &7).unwrap();
    harness.flush().unwrap();
    let halves: Vec<_> = harness.emitted().iter().map(|one| one.value_as::<f64>().unwrap()).collect();
    assert_eq!(halves, [3.5, 0.5]);
    let mut harness = Harness::new(later(typed(Halves)));
    let failed = harness.put(b"a", b"7").unwrap_err();
    assert_eq!(failed.message, "read the value of a as u64: it has 1 bytes, not 8");
    let mut harness = Harness::new(later(typed(Halves))).emits(&["/out"]).declares("/out", "u64", 8);
    let failed = harness.put_value::<u64>(b"a", &7).unwrap_err();
    assert!(failed.message.contains("/out has the type u64 of 8 bytes"), "{failed:?}");
}

#[test]
fn tasks_of_its_own_run_on_its_thread() {
    let handler = async |_: Object<'_>, emit: &mut Emit<'_>| -> Done {
        let here = std::thread::current().id();
        let local = tokio::task::spawn_local(async move { std::thread::current().id() == here });
        let task = tokio::spawn(async move { std::thread::current().id() == here });
        let blocking = tokio::task::spawn_blocking(move || std::thread::current().id() == here);
        assert!(local.await? && task.await? && !blocking.await?);
        emit.put(b"ran", b"");
        Ok(())
    };
    let mut harness = Harness::new(later(handler)).emits(&["/out"]);
    harness.put(b"k", b"").unwrap();
    assert_eq!(keys(&harness), ["ran"]);
}
