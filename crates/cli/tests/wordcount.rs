//! The word count of the whole book, from end to end, in each of its variants.

use crate::support::{Folder, example, fed, root, run, upcall};
use std::process::Command;

/// What a shell counts: `word`, tab, count, a line each, sorted by word.
pub fn reference() -> String {
    let script = "tr -cs 'A-Za-z' '\\n' < examples/wordcount/kjv.txt | tr 'A-Z' 'a-z' | grep . | \
                  LC_ALL=C sort | uniq -c | awk '{ print $2 \"\\t\" $1 }'";
    let outcome = run(Command::new("sh").args(["-c", script]).current_dir(root()));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    outcome.out
}

#[track_caller]
fn counts_as_a_shell_does(flow: &str, built: &[&str]) {
    built.iter().for_each(|file| drop(example(file)));
    let folder = Folder::new("");
    let (flow, dump) = (format!("examples/wordcount/{flow}"), format!("/counts={}", folder.path("counts")));
    let outcome = run(&mut upcall(&["run", &flow, "--dump", &dump, "--report", "json"]));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let reference = reference();
    assert!(folder.read("counts") == reference, "the counts differ: compare {dump} with the reference");

    let lines: Vec<&str> = outcome.out.lines().collect();
    let (report, words) = lines.split_last().unwrap();
    // What a process prints is under its handler's name.
    let words: Vec<&str> =
        words.iter().map(|line| line.split_once(" | ").map_or(*line, |(_, said)| said)).collect();
    assert_eq!(words[..2], ["  63919 the", "  51696 and"]);
    assert_eq!(words.len(), 10);
    let report: serde_json::Value = serde_json::from_str(report).unwrap();
    let all: u64 =
        reference.lines().map(|line| line.split_once('\t').unwrap().1.parse::<u64>().unwrap()).sum();
    let handlers = report["handlers"].as_array().unwrap();
    let place = |name| handlers.iter().position(|handler| handler["name"] == name).unwrap();
    let items = |index: usize| handlers[index]["items"].as_u64().unwrap();
    let count = place("count");
    assert_eq!((items(place("split")), items(count)), (31_102, all));
    assert_eq!(handlers[count]["emitted"].as_u64(), Some(items(count + 1)));
    assert!(handlers.iter().all(|handler| handler["buried"] == 0));
}

const NATIVE: &str = "wordcount/build/libwordcount.so";
const CSHARP: &str = "wordcount/build/wordcount.dll";
const JAVA: &str = "wordcount/build/wordcount.jar";

#[test]
fn the_mixed_flow_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.toml", &[NATIVE, CSHARP]);
}

#[test]
fn the_rust_flow_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.rust.toml", &[NATIVE]);
}

#[test]
fn the_csharp_flow_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.csharp.toml", &[CSHARP]);
}

#[test]
fn the_java_flow_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.java.toml", &[JAVA]);
}

#[test]
fn the_python_flow_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.python.toml", &[]);
}

#[test]
fn the_flow_in_javascript_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.node.toml", &["wordcount/wordcount.mjs"]);
}

#[cfg(feature = "wasm")]
#[test]
fn the_flow_in_webassembly_from_rust_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.wasm.toml", &[NATIVE, "wordcount/build/wordcount.wasm"]);
}

#[cfg(feature = "wasm")]
#[test]
fn the_flow_in_webassembly_from_c_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.c.toml", &[NATIVE, "wordcount/build/wordcount-c.wasm"]);
}

#[cfg(feature = "wasm")]
#[test]
fn the_flow_in_webassembly_from_assemblyscript_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.assemblyscript.toml", &[NATIVE, "wordcount/build/wordcount-as.wasm"]);
}

#[cfg(feature = "wasm")]
#[test]
fn the_flow_in_six_languages_counts_as_a_shell_does() {
    counts_as_a_shell_does("flow.six.toml", &[NATIVE, CSHARP, JAVA, "wordcount/build/wordcount-c.wasm"]);
}

#[cfg(feature = "wasm")]
#[test]
fn the_flow_in_six_languages_prints_what_its_readme_says() {
    let readme = std::fs::read_to_string(root().join("examples/wordcount/README.md")).unwrap();
    let section = readme.split("## Six languages\n").nth(1).unwrap();
    let command = section.lines().find(|line| line.starts_with("upcall run ")).unwrap();
    let arguments: Vec<&str> = command.split(' ').skip(1).collect();
    let outcome = run(&mut upcall(&arguments));
    let printed = section.split("```text\n").nth(1).unwrap().split("```").next().unwrap();
    assert_eq!((outcome.code, outcome.out.as_str(), outcome.err.as_str()), (Some(0), printed, ""));
}

#[cfg(not(feature = "wasm"))]
#[test]
fn the_flow_in_six_languages_names_the_build_that_runs_it() {
    // Of its module, where that is missing too, or of its handler.
    let outcome = run(&mut upcall(&["run", "examples/wordcount/flow.six.toml"]));
    assert_ne!(outcome.code, Some(0));
    assert!(outcome.err.contains("`cargo xtask build --wasm` builds the `upcall` that"), "{}", outcome.err);
}

#[test]
fn the_report_has_a_line_for_each_handler() {
    example(NATIVE);
    let arguments = ["run", "examples/wordcount/flow.rust.toml", "--input", "/lines=-", "--workers", "1"];
    let outcome = fed(&mut upcall(&arguments), b"In the beginning\nGod created the heaven");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert!(outcome.out.starts_with("      2 the\n      1 beginning\n"), "{}", outcome.out);
    assert!(outcome.out.contains("flow wordcount-rust: "), "{}", outcome.out);
    for handler in ["split    native      2 ", "count    native      7 ", "report   native"] {
        assert!(outcome.out.lines().any(|line| line.starts_with(handler)), "{handler}\n{}", outcome.out);
    }
}

#[test]
fn the_console_printer_prints_the_same_in_each_language() {
    for (flow, built) in [
        ("rust", "console-printer/build/libconsole-printer.so"),
        ("csharp", "console-printer/build/console-printer.dll"),
        ("python", "console-printer/printer.py"),
    ] {
        example(built);
        let flow = format!("examples/console-printer/flow.{flow}.toml");
        let outcome = fed(&mut upcall(&["run", &flow, "--report", "none"]), b"hello\nworld\n");
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert_eq!(outcome.out, "input /console 1 hello\ninput /console 2 world\n", "{flow}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    example(NATIVE);
    let script =
        "\"$UPCALL\" run examples/wordcount/flow.rust.toml --dump /counts=- | head -n 11 | tail -n 1";
    let mut command = Command::new("sh");
    command.args(["-c", script]).current_dir(root()).env("UPCALL", env!("CARGO_BIN_EXE_upcall"));
    let outcome = run(&mut command);
    assert_eq!((outcome.out.as_str(), outcome.err.as_str()), ("a\t8179\n", ""));
}

#[test]
fn isolated_flows_count_as_a_shell_does_in_each_language() {
    let reference = reference();
    let python = "wordcount/wordcount.py";
    for (flow, made) in [("rust", NATIVE), ("csharp", CSHARP), ("java", JAVA), ("python", python)] {
        example(made);
        let here = root().join("examples/wordcount");
        let text = std::fs::read_to_string(here.join(format!("flow.{flow}.toml"))).unwrap();
        let lines = text.lines().map(|line| match line.split_once(" = \"") {
            Some(("class", _)) => format!("{line}\nisolation = \"process\"\n"),
            Some((key @ ("native" | "csharp" | "java" | "python" | "\"/lines\""), file)) => {
                format!("{key} = \"{}/{file}\n", here.display())
            }
            _ => format!("{line}\n"),
        });
        let folder = Folder::new(&lines.collect::<String>());
        let dump = format!("/counts={}", folder.path("counts"));
        let outcome = run(&mut upcall(&["run", &folder.path("flow.toml"), "--dump", &dump]));
        assert_eq!(outcome.code, Some(0), "{flow}: {}", outcome.err);
        assert!(folder.read("counts") == reference, "{flow}: the counts differ");
        assert!(outcome.out.contains("report |   63919 the"), "{flow}: {}", outcome.out);
    }
}
