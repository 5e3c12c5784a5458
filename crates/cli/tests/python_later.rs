//! Python handlers that answer later, in a flow.

use crate::support::root;
use std::fs;
use std::path::PathBuf;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};
use upcall_flow::{DeadLetter, Flow, FlowBuilder, OnSpec, Pool};
use upcall_host::python::{Python, PythonOptions};

/// A flow of one handler in Python: `/in`, `/out`, and what else its handlers use.
fn flow(class: &str, with: impl FnOnce(OnSpec) -> OnSpec) -> FlowBuilder {
    let home = Some(std::env::var_os("UPCALL_HOME").map_or(root(), PathBuf::from));
    let python = Python::start(&PythonOptions { interpreter: None, home }).unwrap();
    let file = root().join("crates/cli/tests/handlers/later.py");
    let on = OnSpec::new("later", "/in").code("python", file.to_str().unwrap(), class);
    Flow::builder()
        .workers(2)
        .pool(Pool::trigger("/in"))
        .pool(Pool::new("/out"))
        .pool(Pool::new("/most"))
        .pool(Pool::of::<i64>("/accounts"))
        .host(Arc::new(python))
        .on_guest(with(on))
}

/// Runs `body`, which must not take for ever.
fn within<R: Send + 'static>(body: impl FnOnce() -> R + Send + 'static) -> R {
    let (send, receive) = mpsc::channel();
    thread::spawn(move || send.send(body()));
    receive.recv_timeout(Duration::from_secs(30)).expect("it hangs or has panicked")
}

fn keys(flow: &Flow, pool: &str) -> Vec<String> {
    let keys = flow.pool(pool).unwrap().list(b"").unwrap();
    keys.iter().map(|key| String::from_utf8_lossy(key).into_owned()).collect()
}

fn letters(flow: &Flow) -> Vec<DeadLetter> {
    flow.dead_letters("/in").unwrap()
}

#[test]
fn many_items_are_in_flight_at_once_and_a_failure_is_of_one() {
    within(|| {
        let flow = flow("Slow", |on| on.to("/out").to("/most").warm("sample", "")).start().unwrap();
        let input = flow.pool("/in").unwrap();
        let begun = Instant::now();
        (0..99).for_each(|n| input.put_and_forget(format!("{n:02}"), b"v").unwrap());
        input.put_and_forget(b"bad", b"v").unwrap();
        flow.drain().unwrap();
        assert!(begun.elapsed() < Duration::from_millis(900), "{:?}", begun.elapsed());
        let expected: Vec<String> = (0..99).map(|n| format!("{n:02}")).collect();
        assert_eq!(keys(&flow, "/out"), expected);
        let most = flow.pool("/most").unwrap().get(b"most").unwrap().unwrap().value;
        assert!(String::from_utf8_lossy(&most).parse::<u32>().unwrap() > 50);
        let [letter] = &letters(&flow)[..] else { panic!("{:?}", letters(&flow)) };
        assert_eq!((&*letter.key, &*letter.cause.message), ("bad", "'bad after an await'"));
        assert!(letter.cause.stack.contains("in on_object"), "{}", letter.cause.stack);
    });
}

#[test]
fn items_that_are_answered_at_once_or_after_a_turn_of_the_loop_all_arrive() {
    for class in ["AtOnce", "Awaits"] {
        within(move || {
            let flow = flow(class, |on| on.to("/out")).start().unwrap();
            let input = flow.pool("/in").unwrap();
            (0..20_000).for_each(|n| input.put_and_forget(n.to_string(), b"v").unwrap());
            flow.drain().unwrap();
            assert_eq!((keys(&flow, "/out").len(), letters(&flow).len()), (20_000, 0));
            flow.stop().unwrap();
        });
    }
}

#[test]
fn an_account_is_read_before_an_await_and_emitted_on_condition_after_it() {
    within(|| {
        let on = |on: OnSpec| on.to("/accounts").read("/accounts").retry(1000).retry_delay(Duration::ZERO);
        let flow = flow("Deposit", on).start().unwrap();
        let input = flow.pool("/in").unwrap();
        (0..30).for_each(|n| input.put_and_forget(n.to_string(), b"ada 10").unwrap());
        flow.drain().unwrap();
        let stored = flow.pool("/accounts").unwrap().get(b"ada").unwrap();
        let letters = letters(&flow);
        let value: [u8; 8] = stored.unwrap_or_else(|| panic!("{letters:?}")).value[..].try_into().unwrap();
        assert_eq!((i64::from_le_bytes(value), letters.len()), (300, 0));
    });
}

/// What `Hangs` has written down, without what has begun.
fn seen(file: &std::path::Path) -> Vec<String> {
    let text = fs::read_to_string(file).unwrap();
    text.lines().filter(|line| !line.starts_with("begun")).map(str::to_owned).collect()
}

#[test]
fn an_item_that_takes_longer_than_its_deadline_has_timed_out() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("seen");
    let seen_in = file.clone();
    within(move || {
        let with = |on: OnSpec| {
            let file = file.to_str().unwrap();
            on.to("/out").deadline(Duration::from_millis(50)).setting("file", file)
        };
        let flow = flow("Hangs", with).start().unwrap();
        let input = flow.pool("/in").unwrap();
        for key in ["a", "hang", "b", "hang on", "c"] {
            input.put_and_forget(key, b"").unwrap();
        }
        flow.drain().unwrap();
        assert_eq!(keys(&flow, "/out"), ["a", "b", "c"]);
        for letter in letters(&flow) {
            assert_eq!(letter.cause.type_name, "timed out");
            let stack = &letter.cause.stack;
            assert!(stack.starts_with("upcall.TimedOut: ") && stack.contains("in on_object"), "{stack}");
        }
        assert_eq!(letters(&flow).len(), 2);
        flow.stop().unwrap();
    });
    let mut seen = seen(&seen_in);
    seen.sort();
    let expected = ["cancelled TimedOut", "emit TimedOut", "reason TimedOut"].map(|line| [line; 2]);
    assert_eq!(seen, expected.concat());
}

#[test]
fn a_loop_that_is_blocked_answers_nothing_until_it_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let [file, go] = ["seen", "go"].map(|name| folder.path().join(name));
    within(move || {
        let with = |on: OnSpec| {
            let (file, go) = (file.to_str().unwrap(), go.to_str().unwrap());
            on.to("/out").deadline(Duration::from_millis(20)).setting("file", file).setting("go", go)
        };
        let flow = flow("Blocks", with).start().unwrap();
        let input = flow.pool("/in").unwrap();
        input.put_and_forget(b"block", b"").unwrap();
        while !file.exists() {
            thread::sleep(Duration::from_millis(1));
        }
        ["a", "b", "c"].iter().for_each(|key| input.put_and_forget(*key, b"").unwrap());
        thread::sleep(Duration::from_millis(200));
        assert_eq!((letters(&flow).len(), keys(&flow, "/out").len()), (0, 0));
        fs::write(&go, "").unwrap();
        flow.drain().unwrap();
        // What it has answered then is too late.
        assert_eq!(keys(&flow, "/out"), Vec::<String>::new());
        let mut letters = letters(&flow);
        letters.sort_by(|a, b| a.key.cmp(&b.key));
        assert_eq!(letters.iter().map(|letter| &*letter.key).collect::<Vec<_>>(), ["a", "b", "block", "c"]);
        for DeadLetter { key, cause, .. } in &letters {
            assert_eq!(cause.type_name, "timed out");
            if key == "block" {
                continue;
            }
            assert_eq!(cause.stack.trim_end(), "upcall.TimedOut: the object timed out");
        }
        assert_eq!(fs::read_to_string(&file).unwrap(), "begun block\n");
        flow.stop().unwrap();
    });
}

#[test]
fn a_flow_that_stops_cancels_what_is_open_from_outside() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("seen");
    let seen_in = file.clone();
    within(move || {
        let with = |on: OnSpec| on.to("/out").setting("file", file.to_str().unwrap());
        let flow = flow("Hangs", with).start().unwrap();
        flow.pool("/in").unwrap().put_and_forget(b"hang", b"").unwrap();
        while !fs::read_to_string(&file).is_ok_and(|text| text.contains("begun")) {
            thread::sleep(Duration::from_millis(1));
        }
        let begun = Instant::now();
        flow.stop().unwrap();
        assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    });
    assert_eq!(seen(&seen_in), ["cancelled Cancelled", "reason Cancelled", "emit Cancelled"]);
}

#[test]
fn what_a_handler_cancels_itself_is_a_failure_of_its_own() {
    within(|| {
        let flow = flow("Own", |on| on.to("/out").deadline(Duration::from_secs(20))).start().unwrap();
        flow.pool("/in").unwrap().put_and_forget(b"a", b"").unwrap();
        flow.drain().unwrap();
        let [letter] = &letters(&flow)[..] else { panic!("{:?}", letters(&flow)) };
        assert_eq!(letter.cause.type_name, "asyncio.exceptions.CancelledError");
        assert_eq!(letter.cause.message, "mine");
    });
}

#[test]
fn answers_and_deadlines_at_the_same_time_lose_no_item() {
    within(|| {
        let with = |on: OnSpec| on.to("/out").to("/most").deadline(Duration::from_millis(3));
        let flow = flow("Jitters", with).start().unwrap();
        let input = flow.pool("/in").unwrap();
        (0..3000).for_each(|n| input.put_and_forget(n.to_string(), b"v").unwrap());
        flow.drain().unwrap();
        let (done, dead) = (keys(&flow, "/out"), letters(&flow));
        assert_eq!((done.len() + dead.len(), done), (3000, keys(&flow, "/most")));
        assert!(dead.iter().all(|letter| letter.cause.type_name == "timed out"));
        flow.stop().unwrap();
    });
}
