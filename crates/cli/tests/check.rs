//! `upcall check` and `upcall doctor`, and what is refused before anything starts.

use crate::support::{Folder, fed, run, upcall};
use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};

/// A flow with three pools and a native handler, whose library is none.
const FLOW: &str = r#"
[pool."/lines"]
kind = "trigger"
[pool."/words"]
[pool."/counts"]
type = "u64"
[[handler]]
name = "split"
on = "/lines"
to = "/words"
native = "nowhere"
class = "splitter"
"#;

/// A folder with that flow and that library.
fn flow() -> Folder {
    let folder = Folder::new(FLOW);
    folder.write(&format!("{DLL_PREFIX}nowhere{DLL_SUFFIX}"), "no library");
    folder
}

/// Exit code 2, nothing on standard output, and all of these on standard error.
#[track_caller]
fn refused(arguments: &[&str], said: &[&str]) {
    let outcome = run(&mut upcall(arguments));
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(2), ""), "{}", outcome.err);
    for said in said {
        assert!(outcome.err.contains(said), "{said:?} is not in:\n{}", outcome.err);
    }
}

#[test]
fn the_flows_of_the_examples_are_right() {
    for flow in ["flow", "flow.rust", "flow.csharp", "flow.python"] {
        let outcome = run(&mut upcall(&["check", &format!("examples/wordcount/{flow}.toml")]));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert!(outcome.out.contains("may run: 3 pools and 3 handlers"), "{}", outcome.out);
    }
    for flow in ["rust", "csharp", "python"] {
        let outcome = run(&mut upcall(&["check", &format!("examples/console-printer/flow.{flow}.toml")]));
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    }
}

#[test]
fn every_mistake_of_a_file_is_shown_at_its_place() {
    let folder = Folder::new("wokers = 2\n[pool.\"/a\"]\nkind = \"triger\"\n");
    let path = folder.path("flow.toml");
    let said = [
        &format!("{path}:1:1"),
        "1 | wokers = 2\n  | ^^^^^^ did you mean `workers`?",
        &format!("{path}:3:8"),
        "^^^^^^^^ did you mean `trigger`?",
    ];
    refused(&["check", &path], &said);
    refused(&["run", &path], &said);
}

#[test]
fn a_file_that_is_not_there_is_said_so() {
    refused(&["check", "no/flow.toml"], &["read the flow's file no/flow.toml: No such file"]);
}

#[test]
fn loading_shows_what_checking_cannot_know() {
    let folder = flow();
    let path = folder.path("flow.toml");
    assert_eq!(run(&mut upcall(&["check", &path])).code, Some(0));
    let outcome = run(&mut upcall(&["check", "--load", &path]));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("load handler split: open "), "{}", outcome.err);
    assert!(outcome.err.contains("nowhere"), "{}", outcome.err);
}

#[test]
fn a_file_that_a_flow_names_and_that_is_missing_is_a_mistake_with_its_place() {
    let folder = Folder::new(
        &FLOW.replace("[pool.\"/words\"]", "[pool.\"/words\"]\n[input]\n\"/lines\" = \"book.txt\""),
    );
    let path = folder.path("flow.toml");
    let (library, input) =
        ("handler split: there is no file nowhere", "input for /lines: there is no file book.txt");
    let code = &format!("{path}:13:10");
    refused(&["check", &path], &[library, code, "build it first", input, &format!("{path}:6:12")]);
    refused(&["run", &path], &[library, input]);
    // Other input takes the place of the file's.
    folder.write(&format!("{DLL_PREFIX}nowhere{DLL_SUFFIX}"), "no library");
    refused(&["run", &path], &[input]);
    let outcome = fed(&mut upcall(&["run", &path, "--input", "/lines=-"]), b"");
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("load handler split"), "{}", outcome.err);
}

#[test]
fn input_is_checked_before_the_flow_starts() {
    let folder = flow();
    let path = folder.path("flow.toml");
    let wrong = |input: &str, said: &str| refused(&["run", &path, "--input", input], &[said]);
    wrong("/line=-", "--input /line=…: flow flow has no such pool; did you mean /lines?");
    wrong("lines=-", "the path of a pool begins with `/`: write /lines=FILE");
    wrong("/lines", "write it as POOL=FILE");
    wrong("/lines=no/such.txt", "read the input no/such.txt: No such file");
    wrong("/lines=.", "read the input .: it is a folder");
    let twice = ["run", &path, "--input", "/lines=-", "--input", "/words=-"];
    refused(&twice, &["standard input can be put into one pool only"]);
}

#[test]
fn a_dump_is_checked_before_the_flow_starts() {
    let folder = flow();
    let path = folder.path("flow.toml");
    let wrong = |dump: &str, said: &str| refused(&["run", &path, "--dump", dump], &[said]);
    wrong("/count=x", "--dump /count=…: flow flow has no such pool; did you mean /counts?");
    wrong("/lines=x", "--dump /lines=…: it is a trigger pool, which stores nothing");
    wrong("/words=x", "its values are plain bytes; say how to print them, --as text, u64, hex or base64");
    wrong("/counts=no/such/x", "there is no folder no/such");
    // A pool that has a type is not told to take one.
    for (of, said) in [
        ("packed = \"Order\"", "packed as Order"),
        ("blittable = \"Reading\", size = 16", "of the type Reading"),
    ] {
        let typed = Folder::new(&format!("[pool.\"/typed\"]\ntype = {{ {of} }}\n"));
        let outcome = run(&mut upcall(&["run", &typed.path("flow.toml"), "--dump", "/typed=x"]));
        let said = format!("its values are {said}; say how to print them, --as text, u64, hex or base64\n");
        assert_eq!(outcome.code, Some(2));
        assert!(outcome.err.contains(&said), "{}", outcome.err);
    }
    refused(
        &["run", &path, "--dump", "/words=x", "--as", "binary"],
        &["[possible values: text, u64, hex, base64]"],
    );
}

#[test]
fn a_wrong_option_is_a_mistake_of_the_command_line() {
    let folder = flow();
    let path = folder.path("flow.toml");
    refused(&["run", &path, "--wrokers", "2"], &["a similar argument exists: '--workers'"]);
    refused(&["run", &path, "--workers", "0"], &["0 is not in 1..=1024"]);
    refused(&["run", &path, "--log", "x=y=z"], &["--log x=y=z", "give error, warn, info, debug or trace"]);
    refused(&["walk"], &["unrecognized subcommand 'walk'"]);
    refused(&[], &["Usage: upcall"]);
}

#[test]
fn help_teaches_with_examples() {
    for command in ["new", "build", "test", "run", "check", "doctor", "explain"] {
        let outcome = run(&mut upcall(&[command, "--help"]));
        assert_eq!(outcome.code, Some(0));
        assert!(outcome.out.contains(&format!("Examples:\n  upcall {command}")), "{}", outcome.out);
        assert!(outcome.out.contains("Exit codes: 0"), "{}", outcome.out);
    }
}

#[test]
fn a_key_is_explained_with_its_type_default_unit_and_an_example() {
    let explain = |key: &str| run(&mut upcall(&["explain", key]));
    let retry = explain("on.retry");
    assert_eq!(retry.code, Some(0), "{}", retry.err);
    assert!(
        retry.out.starts_with("handler.retry: how often an item that failed is tried again"),
        "{}",
        retry.out
    );
    for said in [
        "type     a whole number from 0 to 1000",
        "default  0",
        "unit     tries",
        "    [[handler]]\n    retry = 3",
    ] {
        assert!(retry.out.contains(said), "{said:?} is not in:\n{}", retry.out);
    }
    let all = run(&mut upcall(&["explain"]));
    assert!(
        all.out.contains("\n  pool.keep               how many versions of each key are kept\n"),
        "{}",
        all.out
    );
    refused(
        &["explain", "handler.retyr"],
        &["explain handler.retyr: a flow's file has no such key; did you mean handler.retry?"],
    );
    refused(&["explain", "compression"], &["`upcall explain` lists all"]);
}

#[test]
fn a_flow_without_handlers_stores_its_input_and_dumps_it() {
    let folder = Folder::new("[pool.\"/a\"]\n[pool.\"/n\"]\ntype = \"i32\"\n");
    let path = folder.path("flow.toml");
    let dump = folder.path("dumped");
    let mut command =
        upcall(&["run", &path, "--input", "/a=-", "--dump", &format!("/a={dump}"), "--as", "hex"]);
    let outcome = fed(&mut command, b"ab\n\nc\\\xff");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(folder.read("dumped"), "1\t6162\n2\t\n3\t635cff\n");
    assert_eq!(folder.names(), ["dumped", "flow.toml"]);
    // Files for one pool are numbered on; numbers are read and printed as such.
    let (one, two) = (folder.write("one", "7\n-8"), folder.write("two", "2147483647\n"));
    let (one, two) = (format!("/n={one}"), format!("/n={two}"));
    let arguments = ["run", &path, "--input", &one, "--input", &two, "--dump", "/n=-", "--report", "none"];
    let outcome = run(&mut upcall(&arguments));
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), "1\t7\n2\t-8\n3\t2147483647\n"));
}

#[test]
fn a_line_that_does_not_fit_the_pool_is_named() {
    let flow = "on_error = \"stop\"\n[pool.\"/n\"]\ntype = \"u8\"\n[pool.\"/t\"]\ntype = \"text\"\n";
    let folder = Folder::new(flow);
    let path = folder.path("flow.toml");
    let outcome = fed(&mut upcall(&["run", &path, "--input", "/n=-"]), b"255\n256\n");
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("standard input, line 2: \"256\" is not a u8"), "{}", outcome.err);
    let bytes = folder.write("bytes", b"good\n\xff\n");
    let outcome = run(&mut upcall(&["run", &path, "--input", &format!("/t={bytes}")]));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.err.contains("bytes, line 2: put into pool /t"), "{}", outcome.err);
}

#[test]
fn a_flow_without_input_ends_well() {
    let folder = Folder::new("[pool.\"/a\"]");
    let outcome = run(&mut upcall(&["run", &folder.path("flow.toml"), "--report", "json"]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.starts_with("{\"flow\":\"flow\""), "{}", outcome.out);
    assert_eq!(outcome.out.lines().count(), 1);
}

#[test]
fn doctor_runs_a_native_handler() {
    let outcome = run(&mut upcall(&["doctor", "native"]));
    assert_eq!(outcome.code, Some(0));
    assert!(outcome.out.contains("works: a handler ran"), "{}", outcome.out);
}

#[test]
fn doctor_makes_a_module_of_a_handler_in_c_and_asks_what_runs_it() {
    let outcome = run(&mut upcall(&["doctor", "c"]));
    assert_eq!(outcome.err, "");
    for said in ["c\n  handlers in C are modules of WebAssembly", " made a module of a handler\nwasm\n"] {
        assert!(outcome.out.contains(said), "{said:?} is not in:\n{}", outcome.out);
    }
    // Whether this command has the guest that runs it, it says itself.
    let works = outcome.out.ends_with("  works: a handler ran\n");
    assert_eq!(outcome.code, Some(i32::from(!works)), "{}", outcome.out);
    let outcome = run(upcall(&["doctor", "c"]).env("PATH", "/nowhere"));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.out.contains("run clang (install clang, Debian's package `clang`)"), "{}", outcome.out);
}

#[test]
fn a_java_home_that_holds_no_java_is_told_where_another_is_found() {
    let outcome = run(upcall(&["doctor", "java"]).env("JAVA_HOME", "/nope"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.out);
    let warning = "  warning: JAVA_HOME names no Java 17 or later: no /nope/release: ";
    assert!(outcome.out.contains(warning), "{}", outcome.out);
    assert!(outcome.out.contains(": correct it, or unset it\n"), "{}", outcome.out);
    let outcome = run(upcall(&["doctor", "java"]).env_remove("JAVA_HOME"));
    assert!(!outcome.out.contains("warning"), "{}", outcome.out);
}

#[test]
fn doctor_says_where_it_looked_and_what_to_do() {
    let mut command = upcall(&["doctor", "csharp"]);
    command.env("UPCALL_HOME", "/nowhere").env("PATH", "/nowhere").env_remove("DOTNET_ROOT");
    let outcome = run(&mut command);
    assert_eq!(outcome.code, Some(1));
    for said in ["DOTNET_ROOT: not set", "dotnet on PATH: none", "does not work", "cargo xtask setup"] {
        assert!(outcome.out.contains(said), "{said:?} is not in:\n{}", outcome.out);
    }
    let outcome = run(&mut upcall(&["doctor", "python", "--python", "/nowhere/python3"]));
    assert_eq!(outcome.code, Some(1));
    assert!(outcome.out.contains("/nowhere/python3"), "{}", outcome.out);
}

#[test]
fn a_file_that_is_no_text_is_told_where_it_ceases_to_be() {
    let folder = Folder::new("");
    folder.write("flow.toml", b"name = \"x\"\n# caf\xe9\n");
    let outcome = run(&mut upcall(&["check", &folder.path("flow.toml")]));
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.err.contains("error: this is not UTF-8 text"), "{}", outcome.err);
    assert!(outcome.err.contains("flow.toml:2:6\n"), "{}", outcome.err);
}

#[test]
fn what_a_file_says_cannot_control_the_terminal() {
    let flow = "name = \"\\u001b[1m\"\n[pool.\"/a\\u001b[2m\"]\nkind = \"\\u001b[3m\"\n[[handler]]\nname = \"\\u001b[4m\"\n\
                on = \"/b\\u001b[5m\"\npython = \"c\\u001b[6m.py\"\nclass = \"d\"\n";
    let outcome = run(&mut upcall(&["check", &Folder::new(flow).path("flow.toml")]));
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.err.contains("there is no file"), "{}", outcome.err);
    assert!(!outcome.err.contains('\u{1b}'), "{:?}", outcome.err);
}
