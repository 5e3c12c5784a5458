//! The three ends of an item that nobody waits for any more.

use crate::{Done, hangs, ms};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;
use upcall::{AsyncHandler, Emit, Ended, Failed, Harness, Log, Object, Open, later};

/// Logs, when it is dropped, why.
struct Logs<'a>(&'a RefCell<Option<Log>>);

impl Drop for Logs<'_> {
    fn drop(&mut self) {
        if let Some(log) = &*self.0.borrow() {
            log.info(&format!("{:?}", Ended::reason()));
        }
    }
}

/// Emits and hangs, but for the key `quick`.
#[derive(Default)]
struct Hangs {
    /// How many objects it has begun with.
    begun: Arc<AtomicUsize>,
    log: RefCell<Option<Log>>,
    /// Not for another thread.
    _own: Rc<()>,
}

impl AsyncHandler for Hangs {
    async fn open(&mut self, open: &Open<'_>) -> Done {
        self.log.replace(Some(open.log()));
        Ok(())
    }

    async fn on_object(&self, object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        let _logs = Logs(&self.log);
        self.begun.fetch_add(1, SeqCst);
        emit.put(object.key(), object.value());
        sleep(ms(1)).await;
        if object.key() != b"quick" {
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}

fn hanging() -> Harness {
    hanging_from(Arc::default())
}

fn hanging_from(begun: Arc<AtomicUsize>) -> Harness {
    Harness::new(later(|| Hangs { begun, ..Hangs::default() })).emits(&["/out"])
}

/// Waits until so many objects are begun.
fn until(begun: &AtomicUsize, count: usize) {
    while begun.load(SeqCst) < count {
        std::thread::yield_now();
    }
}

/// What the handler has said, and what is left of it.
fn said(harness: &Harness) -> (Vec<&str>, usize) {
    (harness.logged().iter().map(|(_, text)| text.as_str()).collect(), harness.emitted().len())
}

fn shown(failed: &Failed) -> (&str, &str, Option<Ended>) {
    (&failed.type_name, &failed.message, failed.ended)
}

#[test]
#[cfg_attr(miri, ignore = "its time is too short there")]
fn an_item_that_takes_longer_than_the_deadline_has_timed_out() {
    let mut harness = hanging().deadline(ms(300));
    let outcomes = harness.each(&[(b"slow", b""), (b"quick", b""), (b"slower", b"")]);
    let message = "the handler has not answered within its deadline";
    for late in [&outcomes[0], &outcomes[2]] {
        let timed_out = ("upcall::Ended::TimedOut", message, Some(Ended::TimedOut));
        assert_eq!(shown(late.as_ref().unwrap_err()), timed_out);
    }
    assert_eq!(outcomes[1], Ok(()));
    assert_eq!(said(&harness), (vec!["None", "Some(TimedOut)", "Some(TimedOut)"], 1));
    // Its thread goes on.
    harness.put(b"quick", b"").unwrap();
}

#[test]
fn an_item_that_is_cancelled_from_outside_says_so() {
    let begun = Arc::<AtomicUsize>::default();
    let mut harness = hanging_from(begun.clone());
    let (slow, other) = (harness.start(b"slow", b"").unwrap(), harness.start(b"quick", b"").unwrap());
    harness.cancel(&slow);
    let message = "the item was cancelled from outside before the handler answered";
    let cancelled = ("upcall::Ended::Cancelled", message, Some(Ended::Cancelled));
    assert_eq!(shown(&harness.wait(slow).unwrap_err()), cancelled);
    harness.wait(other).unwrap();
    // That one may not have begun.
    let before = begun.load(SeqCst);
    let slow = harness.start(b"slow", b"").unwrap();
    until(&begun, before + 1);
    harness.cancel(&slow);
    assert_eq!(shown(&harness.wait(slow).unwrap_err()), cancelled);
    assert_eq!((said(&harness).0.last(), said(&harness).1), (Some(&"Some(Cancelled)"), 1));
}

#[test]
fn an_item_that_is_cancelled_when_it_is_answered_is_answered() {
    let mut harness = Harness::new(later(async |_: Object<'_>, _: &mut Emit<'_>| -> Done { Ok(()) }));
    let quick = harness.start(b"1", b"").unwrap();
    // They are begun in their order, and answered at once.
    harness.put(b"2", b"").unwrap();
    harness.cancel(&quick);
    harness.wait(quick).unwrap();
}

#[test]
fn a_handler_that_is_closed_ends_what_is_open_with_the_log_still_there() {
    let begun = Arc::<AtomicUsize>::default();
    let mut harness = hanging_from(begun.clone());
    let slow = [harness.start(b"1", b"").unwrap(), harness.start(b"2", b"").unwrap()];
    until(&begun, 2);
    harness.close();
    for slow in slow {
        let message = "the handler was closed before it answered";
        let closed = ("upcall::Ended::Closed", message, Some(Ended::Closed));
        assert_eq!(shown(&harness.wait(slow).unwrap_err()), closed);
    }
    assert_eq!(said(&harness), (vec!["Some(Closed)"; 2], 0));
    let failed = harness.put(b"quick", b"").unwrap_err();
    assert!(failed.message.contains("after CLOSE"), "{failed:?}");
}

#[test]
fn a_harness_that_is_dropped_closes_what_is_open() {
    let mut harness = Harness::new(later(hangs));
    let _unanswered = harness.start(b"1", b"").unwrap();
}

#[test]
#[cfg_attr(miri, ignore = "its time is too short there")]
fn what_ignores_that_it_is_dropped_delays_its_answer_and_no_other() {
    struct Slow;
    impl Drop for Slow {
        fn drop(&mut self) {
            panic!("a destructor that panics");
        }
    }
    let handler = async |object: Object<'_>, _: &mut Emit<'_>| -> Done {
        let slow = (object.key() == b"bad").then(|| Slow);
        sleep(Duration::from_millis(if slow.is_some() { 60_000 } else { 1 })).await;
        Ok(())
    };
    let mut harness = Harness::new(later(handler)).deadline(ms(300));
    let outcomes = harness.each(&[(b"bad", b""), (b"good", b"")]);
    assert_eq!(outcomes[0].as_ref().unwrap_err().ended, Some(Ended::TimedOut));
    assert_eq!(outcomes[1], Ok(()));
    harness.put(b"good", b"").unwrap();
}

#[test]
fn what_the_handler_has_left_behind_ends_with_it() {
    static ENDED: Mutex<Vec<&str>> = Mutex::new(Vec::new());
    struct Guard(&'static str);
    impl Drop for Guard {
        fn drop(&mut self) {
            ENDED.lock().unwrap().push(self.0);
        }
    }
    let handler = async |_: Object<'_>, _: &mut Emit<'_>| -> Done {
        tokio::task::spawn_local(async {
            let _guard = Guard("local task");
            std::future::pending::<()>().await;
        });
        tokio::spawn(async {
            let _guard = Guard("task");
            std::future::pending::<()>().await;
        });
        sleep(ms(1)).await;
        Ok(())
    };
    let mut harness = Harness::new(later(handler));
    harness.put(b"k", b"").unwrap();
    harness.close();
    let mut ended = ENDED.lock().unwrap().clone();
    ended.sort_unstable();
    assert_eq!(ended, ["local task", "task"]);
}
