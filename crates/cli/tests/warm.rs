//! The sample object of a handler, in each guest.

use crate::support::{Folder, GUESTS, Outcome, fed, handler, pools, upcall};

/// A flow of one handler, which fails at the value `fail`, with one line of input.
fn warmed(guest: &str, warm: &str) -> Outcome {
    let flow = pools(&["/in", "/out"]) + &handler(guest, "Raises", "/in", "/out", &format!("warm = {warm}"));
    let folder = Folder::new(&flow);
    let arguments =
        ["run", &folder.path("flow.toml"), "--input", "/in=-", "--dump", "/out=-", "--report", "json"];
    fed(&mut upcall(&arguments), b"line\n")
}

#[test]
fn a_sample_is_handled_before_the_input_and_leaves_nothing_behind() {
    for guest in GUESTS {
        let outcome = warmed(guest, "{ key = \"7\", value = \"sample\" }");
        assert_eq!(outcome.code, Some(0), "{guest}: {}", outcome.err);
        let (dumped, report) = outcome.out.split_once('\n').unwrap();
        assert_eq!(dumped, "1\tline", "{guest}");
        let report: serde_json::Value = serde_json::from_str(report).unwrap();
        let handler = &report["handlers"][0];
        assert_eq!((&handler["items"], &handler["emitted"]), (&1.into(), &1.into()), "{guest}: {handler}");
    }
}

#[test]
fn a_handler_that_fails_with_its_sample_stops_the_flow_before_the_input() {
    for guest in GUESTS {
        let outcome = warmed(guest, "{ key = \"7\", value = \"fail\" }");
        assert_eq!(outcome.code, Some(1), "{guest}: {}", outcome.err);
        assert_eq!(outcome.out, "", "{guest}");
        let error = outcome.err.lines().find(|line| line.starts_with("error: ")).unwrap();
        assert!(error.starts_with("error: warm up handler Raises on /in: "), "{guest}: {error}");
        assert!(error.contains("will not pass on 7"), "{guest}: {error}");
    }
}
