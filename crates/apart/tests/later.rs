//! A handler in a process of its own that answers later: many items are with it at the same time.

#[path = "support/flow.rs"]
mod flow;

use std::collections::HashMap;
use std::time::{Duration, Instant};
use upcall_flow::{Flow, OnSpec, Pool};
use upcall_host::Isolation;

fn on(isolation: Isolation) -> OnSpec {
    OnSpec::new("later", "/in").to("/out").code("rust", "nowhere", "Later").isolation(isolation)
}

/// A flow of the handler, with a pool that it may read.
fn flow(on: OnSpec) -> Flow {
    flow::flow(on).pool(Pool::new("/stored")).start().unwrap()
}

/// What the handler has emitted for a key, as text.
fn out(flow: &Flow, key: &str) -> String {
    let found = flow.pool("/out").unwrap().get(key).unwrap();
    found.map_or("none".to_owned(), |found| String::from_utf8_lossy(&found.value).into_owned())
}

/// Puts one object and waits until it has been handled.
fn ask(flow: &Flow, key: &str, value: &str) -> String {
    flow.pool("/in").unwrap().put(key, value).unwrap();
    flow.settle().unwrap();
    out(flow, key)
}

/// Why items were buried, by key.
fn causes(flow: &Flow) -> Vec<(String, String, String)> {
    let letters = flow.dead_letters("/in").unwrap().into_iter();
    let mut causes: Vec<_> =
        letters.map(|letter| (letter.key, letter.cause.type_name, letter.cause.message)).collect();
    causes.sort();
    causes
}

#[test]
fn a_hundred_items_are_handled_at_the_same_time() {
    let flow = flow(on(Isolation::default()));
    let input = flow.pool("/in").unwrap();
    let begun = Instant::now();
    (0..100).for_each(|key| input.put_and_forget(key.to_string(), "after 100").unwrap());
    flow.settle().unwrap();
    let took = begun.elapsed();
    assert_eq!(flow.pool("/out").unwrap().list(b"").unwrap().len(), 100);
    assert!(took < Duration::from_secs(5), "one after the other they take 10 s: {took:?}");
    let most: usize = ask(&flow, "most", "most").parse().unwrap();
    assert!(most > 50, "{most}");
    flow.stop().unwrap();
}

#[test]
fn a_thousand_items_are_handled_at_the_same_time_and_no_more() {
    let start = |most| flow::flow(on(Isolation::default()).in_flight(most)).start();
    let flow = start(1000).unwrap();
    let input = flow.pool("/in").unwrap();
    (0..3000).for_each(|key| input.put_and_forget(key.to_string(), "after 200").unwrap());
    flow.settle().unwrap();
    assert_eq!(flow.pool("/out").unwrap().list(b"").unwrap().len(), 3000);
    let most: usize = ask(&flow, "most", "most").parse().unwrap();
    assert!((500..=1000).contains(&most), "{most}");
    flow.stop().unwrap();
    let refused = start(1001).err().unwrap().to_string();
    assert!(refused.contains("may have 1000 items open at most: lower `in_flight`"), "{refused}");
}

#[test]
fn values_of_any_size_arrive_and_come_back() {
    let flow = flow(on(Isolation { sandbox: true, ..Isolation::default() }));
    let input = flow.pool("/in").unwrap();
    let mut random = 42u64;
    let mut next = || {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) as usize
    };
    // Up to 1 MiB; small ones are more.
    let put: Vec<(String, Vec<u8>)> = (0..1500)
        .map(|number| {
            let (width, len) = (number % 40, next() % (1 << (next() % 21)));
            (format!("{number:width$}"), vec![b'a' + (number % 23) as u8; len])
        })
        .collect();
    put.iter().for_each(|(key, value)| input.put_and_forget(key, value).unwrap());
    flow.settle().unwrap();
    assert_eq!(causes(&flow), []);
    for (key, value) in put {
        let found = flow.pool("/out").unwrap().get(&key).unwrap().unwrap();
        assert!(*found.value == *value, "{key}: {} of {}", found.value.len(), value.len());
    }
    flow.stop().unwrap();
}

#[test]
fn answers_that_come_at_once_and_failures_are_what_they_are() {
    let flow = flow(on(Isolation::default()));
    assert_eq!(ask(&flow, "a", "now"), "at once");
    assert_eq!(ask(&flow, "b", "fail it was told to"), "none");
    assert_eq!(ask(&flow, "c", "anything"), "anything");
    assert_eq!(causes(&flow), [("b".into(), "Later".into(), "it was told to".into())]);
    flow.stop().unwrap();
}

#[test]
fn what_is_emitted_goes_on_in_other_chunks() {
    let flow = flow(on(Isolation::default()));
    let input = flow.pool("/in").unwrap();
    for (key, value) in [("a", "many 3 3000000"), ("b", "many 10000 20"), ("c", "many 100 5000")] {
        input.put_and_forget(key, value).unwrap();
    }
    flow.settle().unwrap();
    for (count, len) in [(3, 3_000_000), (10_000, 20), (100, 5000)] {
        for number in 0..count {
            let found = flow.pool("/out").unwrap().get(format!("{count} {len} {number}")).unwrap().unwrap();
            assert!(found.value.len() == len && found.value.iter().all(|byte| *byte == number as u8));
        }
    }
    flow.drain().unwrap();
    assert_eq!((out(&flow, "seen"), out(&flow, "flushed").len()), ("3".to_owned(), 3 << 20));
}

#[test]
fn threads_of_the_handler_read_list_and_log() {
    let flow = flow(on(Isolation::default()).read("/stored"));
    let stored = flow.pool("/stored").unwrap();
    (0..500).for_each(|key| drop(stored.put(format!("{key:03}"), vec![b'v'; key * 50]).unwrap()));
    let input = flow.pool("/in").unwrap();
    for key in 0..500 {
        input.put_and_forget(format!("read {key}"), format!("read {key:03}")).unwrap();
        input.put_and_forget(format!("list {key}"), format!("list {:02}", key % 50)).unwrap();
        input.put_and_forget(format!("log {key}"), format!("log line {key}")).unwrap();
    }
    flow.settle().unwrap();
    for key in 0..500 {
        assert_eq!(out(&flow, &format!("read {key}")).len(), key * 50, "{key}");
        let listed = (0..10).map(|last| format!("{:02}{last}", key % 50)).collect::<Vec<_>>().join(",");
        assert_eq!(out(&flow, &format!("list {key}")), listed);
    }
    assert_eq!(ask(&flow, "none", "read elsewhere"), "nothing");
    flow.stop().unwrap();
}

#[test]
fn an_item_that_takes_too_long_is_cancelled_and_the_others_go_on() {
    let isolation = Isolation::default();
    let flow = flow(on(isolation).deadline(Duration::from_secs(1)));
    let input = flow.pool("/in").unwrap();
    input.put_and_forget("slow", "never").unwrap();
    let begun = Instant::now();
    (0..200).for_each(|key| input.put_and_forget(key.to_string(), "after 5").unwrap());
    flow.settle().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    assert_eq!(flow.pool("/out").unwrap().list(b"").unwrap().len(), 200);
    let said = "no answer within its `deadline` of 1s".to_owned();
    assert_eq!(causes(&flow), [("slow".into(), "timed out".into(), said)]);
    let pid = ask(&flow, "pid", "pid");
    assert!(std::path::Path::new("/proc").join(pid).exists(), "its process lives");
    flow.stop().unwrap();
}

#[test]
fn a_handler_that_hangs_is_killed_and_what_it_had_is_delivered_again() {
    let isolation = Isolation { restarts: 1, ..Isolation::default() };
    let flow = flow(on(isolation).deadline(Duration::from_millis(300)));
    let input = flow.pool("/in").unwrap();
    (0..20).for_each(|key| input.put_and_forget(key.to_string(), "after 100").unwrap());
    input.put_and_forget("hangs", "hang").unwrap();
    (20..40).for_each(|key| input.put_and_forget(key.to_string(), "after 100").unwrap());
    flow.settle().unwrap();
    let out = flow.pool("/out").unwrap();
    for key in 0..40 {
        assert_eq!(out.versions(key.to_string().as_bytes()).unwrap().len(), 1, "{key}");
    }
    let causes = causes(&flow);
    assert_eq!(causes.len(), 1, "{causes:?}");
    assert_eq!((causes[0].0.as_str(), causes[0].1.as_str()), ("hangs", "lost"), "{causes:?}");
    assert!(
        causes[0].2.contains("killed, as it did not hear within 1s that it was to cancel a call"),
        "{causes:?}"
    );
    flow.stop().unwrap();
}

#[test]
fn a_flow_that_stops_cancels_what_is_open_and_closes_what_hears_nothing() {
    let flow = flow(on(Isolation::default()));
    let input = flow.pool("/in").unwrap();
    (0..50).for_each(|key| input.put_and_forget(key.to_string(), "never").unwrap());
    (50..60).for_each(|key| input.put_and_forget(key.to_string(), "deaf").unwrap());
    (60..70).for_each(|key| input.put_and_forget(key.to_string(), "after 2000").unwrap());
    assert_ne!(ask_beside(&flow, "pid", "pid"), "none");
    let begun = Instant::now();
    flow.stop().unwrap();
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
}

/// As [`ask`], where other items are open and stay so.
fn ask_beside(flow: &Flow, key: &str, value: &str) -> String {
    flow.pool("/in").unwrap().put(key, value).unwrap();
    let begun = Instant::now();
    while out(flow, key) == "none" && begun.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(1));
    }
    out(flow, key)
}

#[test]
fn nothing_is_left_of_processes_that_are_stopped() {
    let files = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let threads = || std::fs::read_dir("/proc/self/task").unwrap().count();
    let maps = || std::fs::read_to_string("/proc/self/maps").unwrap();
    let mut before = None;
    for round in 0..6 {
        let flow = flow(on(Isolation::default()));
        let pid = ask_beside(&flow, "pid", "pid");
        (0..20).for_each(|key| flow.pool("/in").unwrap().put_and_forget(key.to_string(), "never").unwrap());
        if round % 2 == 1 {
            kill(&pid);
        }
        flow.stop().unwrap();
        assert!(!std::path::Path::new("/proc").join(pid).exists());
        assert!(!maps().contains("memfd:upcall-segment"));
        // The first round starts what stays.
        assert_eq!(*before.get_or_insert_with(|| (files(), threads())), (files(), threads()), "{round}");
    }
}

fn kill(pid: &str) {
    // SAFETY: a signal to a process that we have started.
    assert_eq!(unsafe { libc::kill(pid.parse().unwrap(), libc::SIGKILL) }, 0);
}

/// How often a process is killed: many times in long runs.
fn kills() -> u32 {
    std::env::var("UPCALL_KILLS").map_or(20, |kills| kills.parse().unwrap())
}

#[test]
fn whatever_kills_the_process_everything_is_handled_once_and_in_order() {
    let isolation = Isolation { restarts: u32::MAX, ..Isolation::default() };
    let flow = flow(on(isolation));
    let input = flow.pool("/in").unwrap();
    let (mut random, mut put, keys) = (7u64, HashMap::<u64, u64>::new(), 97);
    for round in 0..kills() {
        let pid = ask_beside(&flow, &format!("pid {round}"), "pid");
        for _ in 0..300 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let key = (random >> 33) % keys;
            let number = put.entry(key).or_default();
            *number += 1;
            input.put_and_forget(format!("key {key}"), format!("{number:08}")).unwrap();
        }
        std::thread::sleep(Duration::from_micros((random >> 40) % 20_000));
        kill(&pid);
    }
    flow.drain().unwrap();
    let mut handled = HashMap::<String, Vec<u64>>::new();
    for found in flow.pool("/out").unwrap().all_versions().unwrap() {
        let [key, value] =
            [&*found.key, &*found.value].map(|text| String::from_utf8_lossy(text).into_owned());
        handled.entry(key).or_default().push(value.parse().unwrap_or_default());
    }
    for (key, count) in put {
        let all: Vec<u64> = (1..=count).collect();
        assert_eq!(handled[&format!("key {key}")], all, "key {key}");
    }
    assert_eq!(causes(&flow), []);
}

#[test]
fn one_that_does_not_complete_what_it_is_to_cancel_is_killed_and_the_rest_is_delivered_again() {
    let isolation = Isolation { restarts: 1, ..Isolation::default() };
    let flow = flow(on(isolation).deadline(Duration::from_millis(300)));
    let input = flow.pool("/in").unwrap();
    input.put_and_forget("deaf", "deaf").unwrap();
    (0..20).for_each(|key| input.put_and_forget(key.to_string(), "after 100").unwrap());
    flow.settle().unwrap();
    let causes = causes(&flow);
    assert_eq!(causes.len(), 1, "{causes:?}");
    assert_eq!((causes[0].0.as_str(), causes[0].1.as_str()), ("deaf", "lost"), "{causes:?}");
    assert!(causes[0].2.contains("did not hear within 1s that it was to cancel a call"), "{causes:?}");
    assert_eq!(flow.pool("/out").unwrap().list(b"").unwrap().len(), 20);
    flow.stop().unwrap();
}
