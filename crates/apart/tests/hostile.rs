//! What a process says that keeps to nothing harms nobody: it is killed, or what it says is taken for what it is.

#[path = "support/flow.rs"]
mod flow;
#[path = "support/instance.rs"]
mod instance;

use flow::flow;
use instance::instance;
use std::time::Duration;
use upcall_flow::{OnSpec, Pool};
use upcall_handler::Harness;
use upcall_host::Isolation;

fn harness(what: &str) -> Harness {
    let hostile = instance("hostile", what, Isolation::default()).unwrap();
    Harness::of(hostile).emits(&["/out"]).reads("/stored", &[(b"key", b"value")])
}

#[test]
fn what_no_driver_says_is_the_end_of_the_process() {
    for (what, why) in [
        ("output beyond", "its output ends outside its chunk"),
        ("output before", "its output ends outside its chunk"),
        ("output crooked", "its output ends at an offset that is not a multiple of 8"),
        ("chunk unknown", "its output names a chunk that was never opened"),
        ("babbles later", "it says what no guest says"),
        ("answers pending", "it answers a call as no guest does"),
        ("progress elsewhere", "killed by SIGKILL, from outside"),
        ("answers lost", "it answers a call as no guest does"),
    ] {
        let failed = harness(what).put(b"key", b"value").unwrap_err();
        assert_eq!(failed.message.trim_start_matches("killed: "), why, "{what}");
    }
}

#[test]
fn what_says_too_much_is_heard_as_far_as_there_is_anything() {
    for what in ["lengths", "error elsewhere"] {
        let failed = harness(what).put(b"key", b"value").unwrap_err();
        assert!(failed.message.len() < 64 << 10, "{what}: {}", failed.message.len());
    }
    for what in [
        "done too many", "grows for ever", "grows often", "logs at length", "logs rubbish",
        "reads at length", "fills the segment",
    ] {
        let mut harness = harness(what);
        harness.put(b"key", b"value").unwrap();
        assert!(harness.emitted().is_empty(), "{what}");
    }
}

#[test]
fn a_flow_takes_no_record_that_is_none_and_goes_on() {
    for what in ["records torn", "item unknown", "pool unknown", "pools unknown, items in no order"] {
        let on = OnSpec::new("hostile", "/in")
            .to("/out")
            .code("hostile", "nowhere", what)
            .isolation(Isolation::default());
        let flow = flow(on).start().unwrap();
        let input = flow.pool("/in").unwrap();
        (0..10).for_each(|key| drop(input.put(key.to_string(), "value").unwrap()));
        flow.settle().unwrap();
        assert_eq!(flow.pool("/out").unwrap().list(b"").unwrap().len(), 0, "{what}");
        // Of an unknown pool only the items that are said to have emitted to it.
        assert!(!flow.pool("/dead/in").unwrap().list(b"").unwrap().is_empty(), "{what}");
        let buried = flow.report().handlers[0].buried;
        assert!(buried <= 20, "{what}: {buried} letters of ten items");
        flow.stop().unwrap();
    }
}

/// Found by the frames that are written over at random.
#[test]
fn a_harness_says_what_a_driver_wrote_wrongly() {
    for (what, why) in [
        ("records torn", "the driver wrote a record that does not fit"),
        ("pool unknown", "and 3 are declared"),
    ] {
        let mut harness = harness(what);
        let failed = harness.put(b"key", b"value").unwrap_err();
        assert!(failed.type_name == "driver" && failed.message.ends_with(why), "{what}: {failed:?}");
        assert_eq!(harness.emitted().len(), 0, "{what}");
    }
}

#[test]
fn a_refusal_of_any_length_is_one() {
    let error = instance("hostile", "refuses at length", Isolation::default()).unwrap_err();
    assert!(error.to_string().len() <= 64 << 20);
    let error = instance("hostile", "babbles", Isolation::default()).unwrap_err();
    assert!(error.to_string().ends_with("killed: it says what no guest says"), "{error}");
}

#[test]
fn a_frame_that_is_written_over_at_random_does_no_harm() {
    for _ in 0..50 {
        let _ = harness("wild").put(b"key", b"value");
    }
}

const SOON: Duration = Duration::from_millis(500);

/// What becomes of an item that such a guest is handed over on a lane, by kind: whether it was emitted, and the causes.
fn on_lane(what: &str, deadline: Duration) -> String {
    let isolation = Isolation { restarts: 1, ..Isolation::default() };
    let on = OnSpec::new("hostile", "/in")
        .to("/out")
        .read("/stored")
        .code("hostile", "nowhere", format!("later: {what}"))
        .isolation(isolation)
        .deadline(deadline);
    let flow = flow(on).pool(Pool::new("/stored")).start().unwrap();
    flow.pool("/in").unwrap().put("key", "value").unwrap();
    flow.settle().unwrap();
    let causes = flow.dead_letters("/in").unwrap().into_iter().map(|letter| letter.cause);
    let said = causes.map(|cause| format!("{}: {}", cause.type_name, cause.message)).collect();
    flow.stop().unwrap();
    said
}

#[test]
fn what_no_driver_says_on_lanes_is_the_end_of_the_process() {
    for (what, why) in [
        ("rings elsewhere", "it rings for a lane that has no call"),
        ("rings for the first", "it rings for a lane that has no call"),
        ("rings unpassed", "it rings for a lane that it has not passed"),
        ("rings for a service", "it rings for a lane that it has not passed"),
        ("rings on", "it rings and rings, and says nothing"),
        ("returns all", ""),
        ("answers pending", "it answers a call as no guest does"),
        ("answers lost", "it answers a call as no guest does"),
        ("babbles", "it says what no guest says"),
        ("babbles for a service", "it says what no guest says"),
        ("returns a service", "it says what no guest says"),
        ("asks on its lane", "it says what no guest says"),
        ("output beyond", "its output ends outside its chunk"),
        ("chunk unknown", "its output names a chunk that was never opened"),
        ("grows from elsewhere", "its output ends outside its chunk"),
        ("hears nothing", "killed, as it did not hear within 1s that it was to cancel a call"),
    ] {
        // Most are found out at once, however long it takes on a machine with much to do.
        let waits = matches!(what, "returns all" | "hears nothing");
        let said = on_lane(what, if waits { SOON } else { Duration::from_secs(60) });
        assert!(said.ends_with(why), "{what}: {said}");
        assert!(
            why.is_empty()
                || said.starts_with("lost: the guest died once with this item alone: process: killed"),
            "{what}: {said}"
        );
    }
}

#[test]
fn what_a_dead_process_has_left_behind_keeps_nobody_waiting() {
    let begin = std::time::Instant::now();
    let said = on_lane("leaves one that rings", SOON);
    assert!(said.starts_with("lost: the guest died once with this item alone: process: "), "{said}");
    assert!(begin.elapsed() < Duration::from_secs(6), "it rings for 8 s");
}

#[test]
fn what_returns_a_call_twice_is_killed_and_the_next_item_has_another_process() {
    for _ in 0..3 {
        assert_eq!(on_lane("returns twice", SOON), "");
    }
}

#[test]
fn what_asks_too_much_on_lanes_is_heard_as_far_as_there_is_anything() {
    for what in ["grows for ever", "asks at length"] {
        // With nothing to say of it.
        assert_eq!(on_lane(what, Duration::from_secs(30)), ": ", "{what}");
    }
}

#[test]
fn lanes_and_bells_that_are_written_over_at_random_do_no_harm() {
    for _ in 0..10 {
        on_lane("wild", SOON);
    }
}
