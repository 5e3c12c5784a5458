//! Programs in other languages with a flow inside: the examples, compiled as their READMEs say.

use crate::support::{self, root};
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What a command prints; it must succeed.
fn printed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let (printed, errors) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{printed}\n{errors}", output.status);
    printed.into_owned()
}

const TOP: &str = "  63919  the\n  51696  and\n  34618  of\n";

fn c_program(folder: &Path) -> PathBuf {
    compiled(folder, &root().join("examples/embedded/c/wordcount.c"))
}

fn compiled(folder: &Path, source: &Path) -> PathBuf {
    let (root, program) = (root(), folder.join("program"));
    let library = root.join("build");
    assert!(library.join("libupcall.so").exists(), "there is no build/libupcall.so: run cargo xtask build");
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-g", "-Wall", "-Wextra", "-pedantic", "-Werror", "-I"])
        .arg(root.join("sdk/c"))
        .arg(source)
        .arg("-o")
        .arg(&program)
        .arg("-L")
        .arg(&library)
        .arg("-lupcall")
        .arg(format!("-Wl,-rpath,{}", library.display()));
    printed(&mut cc);
    program
}

#[test]
fn a_program_in_c_counts_the_words_of_the_book() {
    let folder = tempfile::tempdir().unwrap();
    let counted = printed(Command::new(c_program(folder.path())).arg(support::example("wordcount/kjv.txt")));
    assert!(counted.starts_with(TOP), "{counted}");
}

#[test]
fn a_program_in_c_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let program = c_program(folder.path());
    let few = folder.path().join("few.txt");
    let book = std::fs::read_to_string(support::example("wordcount/kjv.txt")).unwrap();
    let lines: Vec<&str> = book.lines().take(200).collect();
    std::fs::write(&few, lines.join("\n")).unwrap();
    let kinds = "--errors-for-leak-kinds=definite,indirect,possible";
    printed(
        Command::new("valgrind")
            .args(["--leak-check=full", kinds, "--error-exitcode=9"])
            .args([&program, &few]),
    );
}

#[test]
fn a_program_in_c_is_told_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(c_program(folder.path())).arg("no such file").output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("which must be there"));
}

#[test]
fn a_failure_in_c_whose_text_is_not_utf_8_fails_its_object_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path(), &root().join("crates/cli/tests/handlers/fails.c"));
    let letters: serde_json::Value = serde_json::from_str(&printed(&mut Command::new(program))).unwrap();
    assert_eq!(letters[0]["cause"]["message"], "no number: \u{fffd}\u{fffd}!", "{letters}");
}

#[test]
fn a_handler_in_c_that_is_given_twice_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path(), &root().join("crates/cli/tests/handlers/twice.c"));
    assert_eq!(printed(&mut Command::new(program)), "give handler parse: it is given twice; give it once\n");
}

/// What `edges.c` prints at this edge.
fn at_the_edge(word: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path(), &root().join("crates/cli/tests/handlers/edges.c"));
    printed(Command::new(program).arg(word))
}

#[test]
fn many_objects_are_taken_up_to_the_one_that_fails_which_fails_the_next_call() {
    assert_eq!(at_the_edge("many"), "the first bad value\nthe first bad value\n");
}

#[test]
fn a_handler_that_is_given_after_the_start_is_refused_and_released() {
    assert_eq!(at_the_edge("late"), "refused 1\nrefused\n");
}

#[test]
fn who_waits_for_a_second_stop_has_one_waker() {
    assert_eq!(at_the_edge("stops"), "999 of 1000 wakers released\n");
}

#[test]
fn a_wait_of_no_time_does_not_wait_for_a_waker() {
    assert_eq!(at_the_edge("wait"), "ended in time\n");
}

#[test]
fn a_function_in_c_is_named_by_its_guest_and_what_it_may_not_wait_for() {
    let folder = tempfile::tempdir().unwrap();
    let program = compiled(folder.path(), &root().join("crates/cli/tests/handlers/given.c"));
    let printed = printed(&mut Command::new(program));
    let mut lines: Vec<&str> = printed.lines().collect();
    let report: serde_json::Value = serde_json::from_str(lines.pop().expect("a report")).unwrap();
    assert_eq!(report["handlers"][0]["guest"], "c", "{report}");
    let why = " from inside a handler of the same flow: it would wait for itself; let another thread wait";
    let calls: Vec<&str> = lines.iter().map(|line| line.strip_suffix(why).unwrap_or(line)).collect();
    let expected = [
        "put into pool /out",
        "put on condition into pool /out",
        "remove from pool /out",
        "drain a flow",
        "wait for a flow",
    ];
    assert_eq!(calls, expected);
}

/// The `dotnet` that compiled the examples.
pub fn dotnet() -> PathBuf {
    let own = root().join(".setup/dotnet/dotnet");
    let named = std::env::var_os("DOTNET_ROOT").map(|folder| PathBuf::from(folder).join("dotnet"));
    named.into_iter().chain([own]).find(|file| file.exists()).unwrap_or_else(|| "dotnet".into())
}

#[test]
fn a_program_in_csharp_watches_the_words_of_the_book() {
    let program = support::example("embedded/build/embedded.dll");
    let counted = printed(Command::new(dotnet()).arg(program).arg(support::example("wordcount/kjv.txt")));
    let (first, top) = counted.split_once('\n').expect("two lines");
    assert!(first.ends_with("was the first word that was found more than 100 times"), "{counted}");
    assert_eq!(top, TOP);
}

/// What a server answers to a request for this path.
fn get(address: &str, path: &str) -> String {
    let mut server = TcpStream::connect(address).unwrap();
    write!(server, "GET {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    server.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn a_server_in_node_answers_from_its_flow_until_a_signal_stops_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = folder.path().join("server.mjs");
    std::fs::copy(support::example("embedded/node/server.mjs"), &server).unwrap();
    // As `npm install` would.
    std::fs::create_dir(folder.path().join("node_modules")).unwrap();
    std::os::unix::fs::symlink(root().join("sdk/node"), folder.path().join("node_modules/upcall")).unwrap();
    for signal in ["INT", "TERM"] {
        let mut node = Command::new("node");
        let mut node =
            node.arg(&server).arg("0").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut printed = BufReader::new(node.stdout.take().unwrap());
        let mut line = String::new();
        printed.read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("http://").expect("it says where it listens").to_owned();

        assert!(get(&address, "/a").ends_with("visit 1 of /a\n"));
        let clients: Vec<_> = (0..20)
            .map(|client| {
                let address = address.clone();
                std::thread::spawn(move || get(&address, &format!("/{}", client % 2)))
            })
            .collect();
        let answers: Vec<String> = clients.into_iter().map(|client| client.join().unwrap()).collect();
        for visit in 1..=10 {
            let found = answers.iter().filter(|answer| answer.ends_with(&format!("visit {visit} of /0\n")));
            assert_eq!(found.count(), 1, "visit {visit}: {answers:?}");
        }
        let failed = get(&address, "/fail");
        assert!(failed.starts_with("HTTP/1.1 500 "), "{failed}");
        assert!(failed.ends_with("RangeError: /fail is not to be visited\n"), "{failed}");

        let status = Command::new("kill").args(["-s", signal, &node.id().to_string()]).status();
        assert!(status.unwrap().success());
        let mut rest = String::new();
        printed.read_to_string(&mut rest).unwrap();
        let output = node.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(rest, "10 to /0\n10 to /1\n1 to /a\n");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}
