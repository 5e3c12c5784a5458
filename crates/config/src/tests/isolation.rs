//! Handlers in processes of their own, as a flow's file says it.

use super::mistakes::wrong_handler;
use crate::Config;
use insta::assert_snapshot;
use std::time::Duration;
use upcall_host::Isolation;

fn isolation(lines: &str) -> Option<Isolation> {
    let text = format!(
        "[pool.\"/lines\"]\n[[handler]]\nname = \"split\"\non = \"/lines\"\npython = \"a.py\"\nclass = \"A\"\n{lines}"
    );
    let config = Config::parse(&text, "flow.toml").unwrap_or_else(|error| panic!("{error}"));
    config.flow.handlers[0].code.clone().expect("it has code").isolation
}

#[test]
fn a_handler_runs_in_a_process_of_its_own_where_it_says_so() {
    assert_eq!(isolation(""), None);
    assert_eq!(isolation("isolation = \"none\""), None);
    assert_eq!(isolation("isolation = \"process\""), Some(Isolation::default()));
    let all = "isolation = \"process\"\nworkers = 4\ndeadline = \"5 s\"\nstart_deadline = \"10 s\"\n\
               memory = \"512 MiB\"\nrestarts = 1\nenv = [\"HOME\", \"TZ\"]\nsandbox = true";
    let expected = Isolation {
        workers: 4,
        deadline: Some(Duration::from_secs(5)),
        start_deadline: Duration::from_secs(10),
        memory: Some(512 << 20),
        restarts: 1,
        env: vec!["HOME".into(), "TZ".into()],
        sandbox: true,
    };
    assert_eq!(isolation(all), Some(expected));
}

#[test]
fn a_handler_in_javascript_is_isolated_whether_it_says_so_or_not() {
    let node = |lines: &str| {
        let text = format!(
            "[pool.\"/lines\"]\n[[handler]]\nname = \"split\"\non = \"/lines\"\nnode = \"a.mjs\"\nclass = \"A\"\n{lines}"
        );
        let config = Config::parse(&text, "flow.toml").unwrap_or_else(|error| panic!("{error}"));
        config.flow.handlers[0].code.clone().expect("it has code").isolation
    };
    assert_eq!(node(""), Some(Isolation::default()));
    assert_eq!(node("isolation = \"process\""), Some(Isolation::default()));
    assert_eq!(node("workers = 2"), Some(Isolation { workers: 2, ..Isolation::default() }));
    assert_snapshot!(wrong_handler("node = \"a.mjs\"\nclass = \"b\"\nisolation = \"none\""), @r#"
    error: handler split cannot run in the flow's own process
     --> flow.toml:8:13
      |
    8 | isolation = "none"
      |             ^^^^^^
      |
      = help: remove it: handlers in JavaScript always run in processes of their own
    "#);
}

#[test]
fn a_handler_in_javascript_is_known_to_be_isolated_by_the_text_also_where_it_says_the_defaults() {
    let isolated = |lines: &str| {
        let text = format!(
            "[pool.\"/lines\"]\n[[handler]]\nname = \"split\"\non = \"/lines\"\nnode = \"a.mjs\"\nclass = \"A\"\n{lines}"
        );
        Config::parse(&text, "flow.toml").unwrap_or_else(|error| panic!("{error}")).isolated
    };
    assert!(isolated("retry = 1").is_empty());
    for line in ["isolation = \"process\"", "workers = 1", "memory = \"1 GiB\"", "deadline = \"5 s\""] {
        assert_eq!(isolated(line), ["split"], "{line}");
    }
}

#[test]
fn keys_of_isolation_without_it() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nworkers = 2\nisolation = \"none\"\nsandbox = true"), @r#"
    error: `workers` of handler split is for a handler in processes of its own
     --> flow.toml:8:11
      |
    8 | workers = 2
      |           ^
      |
      = help: write isolation = "process" too, or move it up, above the first line in brackets, where it is one of the flow, or remove it

    error: `sandbox` of handler split is for a handler in processes of its own
      --> flow.toml:10:11
       |
    10 | sandbox = true
       |           ^^^^
       |
       = help: write isolation = "process" too, or remove it
    "#);
}

#[test]
fn a_misspelt_isolation_is_one_mistake() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nisolation = \"proces\"\nworkers = 2"), @r#"
    error: `isolation` of a handler cannot be "proces"
     --> flow.toml:8:13
      |
    8 | isolation = "proces"
      |             ^^^^^^^^ did you mean `process`?
    "#);
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nisolatoin = \"process\"\nworkers = 2"), @r#"
    error: `isolatoin` is not a key of a handler
     --> flow.toml:8:1
      |
    8 | isolatoin = "process"
      | ^^^^^^^^^ did you mean `isolation`?
    "#);
}

#[test]
fn isolation_that_makes_no_sense() {
    assert_snapshot!(wrong_handler("native = \"a\"\nclass = \"b\"\nisolation = \"process\"\norder = \"single\"\nworkers = 2\ndeadline = 0\nenv = [\"TZ\", \"A=b\"]"), @r#"
    error: handler split has 2 `workers`, but `order` "single"
      --> flow.toml:10:11
       |
    10 | workers = 2
       |           ^
       |
       = help: one item after the other is for one worker: remove `workers`, or give it another `order`

    error: `deadline` of handler split is 0
      --> flow.toml:11:12
       |
    11 | deadline = 0
       |            ^
       |
       = help: every call would be late: leave it out to let it take as long as it likes

    error: `env` of handler split names "A=b", which is no variable
      --> flow.toml:12:14
       |
    12 | env = ["TZ", "A=b"]
       |              ^^^^^
       |
       = help: give names alone: the values are those that this process has
    "#);
}

/// The error of a program's flow whose handler names no code and has these keys.
fn wrong_given(lines: &str) -> String {
    let text = format!("[pool.\"/lines\"]\n[[handler]]\nname = \"split\"\non = \"/lines\"\n{lines}");
    Config::parse_with_given(&text, "flow.toml").expect_err("it has a mistake").to_string()
}

#[test]
fn a_handler_that_the_program_gives_cannot_be_isolated() {
    assert_snapshot!(wrong_given("workers = 2\nisolation = \"process\"\nmemory = \"1 GiB\""), @r#"
    error: handler split is given by the program, and cannot be in a process of its own
     --> flow.toml:6:13
      |
    6 | isolation = "process"
      |             ^^^^^^^^^
      |
      = help: name its code, or remove `isolation`, `workers`, `memory`
    "#);
    assert_snapshot!(wrong_given("isolation = \"proces\"\nworkers = 2"), @r#"
    error: `isolation` of a handler cannot be "proces"
     --> flow.toml:5:13
      |
    5 | isolation = "proces"
      |             ^^^^^^^^ did you mean `process`?
    "#);
}

#[test]
fn keys_of_isolation_of_a_handler_that_the_program_gives() {
    assert_snapshot!(wrong_given("workers = 2\nisolation = \"none\"\nsandbox = true"), @r#"
    error: `workers` of handler split is for a handler in processes of its own, and this one is given by the program
     --> flow.toml:5:11
      |
    5 | workers = 2
      |           ^
      |
      = help: name its code and write isolation = "process", or move it up, above the first line in brackets, where it is one of the flow, or remove it

    error: `sandbox` of handler split is for a handler in processes of its own, and this one is given by the program
     --> flow.toml:7:11
      |
    7 | sandbox = true
      |           ^^^^
      |
      = help: name its code and write isolation = "process", or remove it
    "#);
    for line in ["start_deadline = \"1 s\"", "memory = \"1 GiB\"", "restarts = 1", "env = [\"TZ\"]"] {
        let said = wrong_given(line);
        assert!(said.contains("this one is given by the program") && said.contains(":5:"), "{line}: {said}");
    }
    // Those it may have.
    let text = "[pool.\"/lines\"]\n[[handler]]\nname = \"split\"\non = \"/lines\"\nisolation = \"none\"\ndeadline = \"5 s\"";
    let given = Config::parse_with_given(text, "flow.toml").unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(given.flow.handlers[0].deadline, Some(Duration::from_secs(5)));
}
