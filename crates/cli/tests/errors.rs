//! Items that fail, in each language: the process lives, the item is kept with its cause, nothing else is lost.

use crate::support;
use crate::support::{Folder, GUESTS_AND_WASM, Outcome, fed, handler, pools, upcall};
use serde_json::Value;

/// What a run left behind.
struct Left {
    folder: Folder,
    outcome: Outcome,
}

impl Left {
    /// The dumped pool, a line a key.
    fn out(&self) -> String {
        self.folder.read("out")
    }

    /// The only letter in the dead pool.
    #[track_caller]
    fn letter(&self) -> Value {
        let dead = self.folder.read("dead");
        assert_eq!(dead.lines().count(), 1, "{dead}");
        serde_json::from_str(dead.split_once('\t').unwrap().1).unwrap()
    }
}

/// Runs a flow on these lines, and dumps a pool and the dead pool of another.
#[track_caller]
fn run(flow: &str, lines: &str, out: &str, dead: &str) -> Left {
    let folder = Folder::new(flow);
    let (out, dead) =
        (format!("{out}={}", folder.path("out")), format!("/dead{dead}={}", folder.path("dead")));
    let path = folder.path("flow.toml");
    let arguments = ["run", &path, "--input", "/in=-", "--dump", &out, "--dump", &dead, "--report", "json"];
    let outcome = fed(&mut upcall(&arguments), lines.as_bytes());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    Left { folder, outcome }
}

/// One handler from `/in` to `/out`, which fails on the second of three lines.
#[track_caller]
fn fails_on_the_second(guest: &str, class: &str) -> (Left, Value) {
    let flow = pools(&["/in", "/out"]) + &handler(guest, class, "/in", "/out", "");
    let left = run(&flow, "a\nfail\nc\n", "/out", "/in");
    assert_eq!(left.out(), "1\ta\n3\tc\n", "{guest}: what the failed item emitted is taken back");
    let letter = left.letter();
    assert_eq!(letter["key"], "2");
    assert_eq!(letter["value"], "ZmFpbA==");
    assert_eq!(letter["trace"], serde_json::json!(["input", "/in", format!("{class} on /in")]));
    let warning = format!("1 item is in /dead/in; the oldest, key 2, failed in handler {class} on /in: ");
    assert!(left.outcome.err.contains(&warning), "{}", left.outcome.err);
    assert!(left.outcome.err.contains("--dump /dead/in=FILE"), "{}", left.outcome.err);
    (left, letter)
}

/// Whether the letter's cause is this one, with its stack naming where it was raised.
#[track_caller]
fn caused(letter: &Value, type_name: &str, message: &str, stack: &str) {
    let cause = &letter["cause"];
    assert_eq!(cause["type"], type_name, "{letter}");
    assert!(cause["message"].as_str().unwrap().contains(message), "{message:?} is not in {letter}");
    assert!(cause["stack"].as_str().unwrap().contains(stack), "{stack:?} is not in {letter}");
}

#[test]
fn a_csharp_exception_buries_its_item_with_the_stack() {
    let (_, letter) = fails_on_the_second("csharp", "Raises");
    caused(&letter, "System.InvalidOperationException", "will not pass on 2", "at Raises.OnObject(");
    caused(&letter, "System.InvalidOperationException", "", "Handlers.cs:line ");
}

#[test]
fn a_csharp_null_reference_buries_its_item_and_the_process_lives() {
    let (_, letter) = fails_on_the_second("csharp", "Dereferences");
    caused(&letter, "System.NullReferenceException", "Object reference", "at Dereferences.OnObject(");
}

#[test]
fn a_python_exception_buries_its_item_with_the_traceback() {
    let (_, letter) = fails_on_the_second("python", "Raises");
    caused(&letter, "ValueError", "will not pass on 2", "in refuse");
    caused(&letter, "ValueError", "", "handlers.py\", line ");
}

#[test]
fn a_rust_panic_buries_its_item_with_its_place() {
    let (_, letter) = fails_on_the_second("native", "Raises");
    caused(&letter, "panic", "will not pass on 2", "plain.rs:");
}

#[test]
fn an_emission_to_a_pool_that_is_not_declared_buries_its_item() {
    for guest in GUESTS_AND_WASM {
        let (_, letter) = fails_on_the_second(guest, "Strays");
        let message = letter["cause"]["message"].as_str().unwrap();
        for said in ["/nowhere", "not declared", "/out"] {
            assert!(message.contains(said), "{guest}: {said:?} is not in {message:?}");
        }
    }
}

#[test]
fn an_emitted_key_that_is_not_utf8_buries_its_item() {
    for guest in GUESTS_AND_WASM {
        let (_, letter) = fails_on_the_second(guest, "BadKey");
        let message = letter["cause"]["message"].as_str().unwrap();
        for said in ["UTF-8", "/out", "encode them"] {
            assert!(message.contains(said), "{guest}: {said:?} is not in {message:?}");
        }
    }
}

/// A handler from a pool that adds to one number which all of them add to.
fn adds(guest: &str, on: &str, retry: u32) -> String {
    let file = support::fixtures(guest);
    format!(
        "[[handler]]\nname = \"{guest}\"\non = \"{on}\"\nto = [\"/sums\", \"/out\"]\nread = \"/sums\"\n\
         {guest} = \"{}\"\nclass = \"Adds\"\nretry = {retry}\n",
        file.display()
    )
}

#[test]
fn an_emission_on_condition_that_is_not_met_buries_its_item() {
    for guest in GUESTS_AND_WASM {
        let flow = pools(&["/in", "/out", "#/sums"]) + &adds(guest, "/in", 1);
        let left = run(&flow, "a\nfail\n", "/out", "/in");
        assert_eq!(left.out(), "1\ta\n", "{guest}: what the failed item emitted is taken back");
        let letter = left.letter();
        caused(&letter, "conflict", "and was to be put if it had version 1099511627776", "");
        assert_eq!(letter["attempts"], 2, "{guest}");
    }
}

#[test]
fn what_handlers_of_all_guests_add_to_one_number_at_once_is_not_lost() {
    let mut flow = format!("workers = 2\n{}", pools(&["/in", "/out", "#/sums"]));
    for (guest, class) in GUESTS_AND_WASM.map(|guest| (guest, "Doubles")) {
        flow += &pools(&[&format!("/for-{guest}")]);
        flow += &handler(guest, class, "/in", &format!("/for-{guest}"), "")
            .replace("Doubles on /in", &format!("feed {guest}"));
        flow += &adds(guest, &format!("/for-{guest}"), 1000);
    }
    let lines: String = (0..100).map(|line| format!("{line}\n")).collect();
    let left = run(&flow, &lines, "/sums", "/for-python");
    assert_eq!(
        left.out(),
        format!("sum\t{}\n", 200 * GUESTS_AND_WASM.len()),
        "100 lines, doubled, by each guest"
    );
}

/// Ten objects on three keys reach the handler as one batch; it fails on the seventh once it has emitted.
fn seventh(guest: &str, more: &str) -> Left {
    let flow = "workers = 1\n".to_owned()
        + &pools(&["/in", "/ten", "/out", "/lists"])
        + &handler("native", "Spread", "/in", "/ten", "")
        + &handler(guest, "Seventh", "/ten", "/out", more)
        + &handler("native", "Lists", "/out", "/lists", "");
    let left = run(&flow, "go\n", "/lists", "/ten");
    let report: Value = serde_json::from_str(&left.outcome.out).unwrap();
    let largest = report["handlers"][1]["batch_sizes"].as_array().unwrap().last().unwrap();
    assert_eq!(*largest, serde_json::json!([8, 1]), "the ten came in one batch: {report}");
    left
}

#[test]
fn a_failure_on_the_seventh_object_loses_and_doubles_nothing() {
    for guest in GUESTS_AND_WASM {
        let left = seventh(guest, "");
        assert_eq!(left.out(), "k0\t 3 6 9\nk1\t 1 4 10\nk2\t 2 5 8\n", "{guest}");
        let letter = left.letter();
        assert_eq!((&letter["key"], &letter["value"]), (&"k1".into(), &"Nw==".into()), "{guest}");
        assert_eq!(letter["attempts"], 1, "{guest}");
        assert!(letter["cause"]["message"].as_str().unwrap().contains("not the seventh"), "{letter}");
    }
}

#[test]
fn a_failure_on_the_seventh_object_is_retried_once_and_succeeds_in_order() {
    for guest in GUESTS_AND_WASM {
        let left = seventh(guest, "retry = 1");
        assert_eq!(left.out(), "k0\t 3 6 9\nk1\t 1 4 7 10\nk2\t 2 5 8\n", "{guest}");
        assert_eq!(left.folder.read("dead"), "", "{guest}");
    }
}
