//! How a handler is limited, as a flow's file says it.

use super::mistakes::wrong_handler;
use crate::Config;
use insta::assert_snapshot;
use std::time::Duration;
use upcall_flow::OnSpec;

fn handler(lines: &str) -> OnSpec {
    let text = format!(
        "[pool.\"/lines\"]\n[[handler]]\nname = \"split\"\non = \"/lines\"\npython = \"a.py\"\nclass = \"A\"\n{lines}"
    );
    let config = Config::parse(&text, "flow.toml").unwrap_or_else(|error| panic!("{error}"));
    config.flow.handlers[0].clone()
}

#[test]
fn a_handler_is_limited_in_items_at_a_time_and_a_second_and_in_time() {
    let none = handler("");
    assert_eq!((none.in_flight, none.rate, none.deadline), (None, None, None));
    let all = handler("in_flight = 20\nrate = \"600 / min\"\ndeadline = \"2 s\"");
    assert_eq!((all.in_flight, all.rate, all.deadline), (Some(20), Some(10.0), Some(Duration::from_secs(2))));
    assert_eq!(handler("rate = 1_000").rate, Some(1000.0));
    assert_eq!(handler("rate = 0.5").rate, Some(0.5));
}

#[test]
fn the_deadline_of_an_isolated_handler_is_that_of_its_process() {
    let on = handler("isolation = \"process\"\ndeadline = \"2 s\"");
    let isolation = on.code.expect("it has code").isolation.expect("it has isolation");
    assert_eq!((on.deadline, isolation.deadline), (None, Some(Duration::from_secs(2))));
}

#[test]
fn a_handler_in_webassembly_has_memory_and_time_without_a_process() {
    let text = "[pool.\"/lines\"]\n[[handler]]\nname = \"split\"\non = \"/lines\"\nwasm = \"a.wasm\"\nclass = \"a\"\n\
                memory = \"64 MiB\"\ndeadline = \"2 s\"";
    let config = Config::parse(text, "flow.toml").unwrap_or_else(|error| panic!("{error}"));
    let on = &config.flow.handlers[0];
    assert_eq!(on.deadline, Some(Duration::from_secs(2)));
    assert_eq!(on.code.as_ref().expect("it has code").limits.memory, Some(64 << 20));
}

#[test]
fn limits_that_webassembly_cannot_have_are_told_at_their_place() {
    let wrong = |limit: &str| wrong_handler(&format!("wasm = \"a.wasm\"\nclass = \"a\"\n{limit}"));
    for isolation in ["", "isolation = \"process\"\n"] {
        let told = wrong(&format!("{isolation}memory = \"100 GiB\""));
        assert!(told.contains("`memory` of handler split is 100 GiB"), "{told}");
        assert!(
            told.contains("| memory = \"100 GiB\"\n") && told.contains("write \"4 GiB\" or less"),
            "{told}"
        );
        let told = wrong(&format!("{isolation}deadline = \"0 s\""));
        assert!(told.contains("`deadline` of handler split is 0"), "{told}");
        assert!(
            told.contains("| deadline = \"0 s\"\n") && told.contains("or leave it out for 30 s"),
            "{told}"
        );
    }
}

#[test]
fn limits_that_are_none() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nin_flight = 0\nrate = \"5 / sec\"\ndeadline = 5"), @r#"
    error: `in_flight` of a handler must be a number from 1 to 10000
     --> flow.toml:8:13
      |
    8 | in_flight = 0
      |             ^

    error: `rate` of a handler is a rate: "5 / sec" has an unknown unit of time, `sec`
     --> flow.toml:9:8
      |
    9 | rate = "5 / sec"
      |        ^^^^^^^^^
      |
      = help: write it like "100 / s", "600 / min" or "1000 / h"

    error: `deadline` of a handler must be a text like "5 s"
      --> flow.toml:10:12
       |
    10 | deadline = 5
       |            ^ this is a whole number
    "#);
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nrate = 0"), @r#"
    error: `rate` of handler split is 0
     --> flow.toml:8:8
      |
    8 | rate = 0
      |        ^
      |
      = help: it is items a second, more than 0 and no more than 1000000000
    "#);
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nrate = true"), @r#"
    error: `rate` of a handler must be a number, or a text like "600 / min"
     --> flow.toml:8:8
      |
    8 | rate = true
      |        ^^^^ this is true or false
    "#);
}
