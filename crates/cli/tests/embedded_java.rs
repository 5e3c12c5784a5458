//! Programs in Java with a flow inside: the example, the README's, and one whose handlers are in other languages too.

use crate::support::{self, root};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::thread;

/// A Java program that runs, and what it prints.
struct Program {
    child: Child,
    printed: BufReader<ChildStdout>,
}

impl Program {
    fn start(command: &mut Command) -> Program {
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let printed = BufReader::new(child.stdout.take().unwrap());
        Program { child, printed }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.printed.read_line(&mut line).unwrap();
        line.trim_end().to_owned()
    }

    /// Sends it a signal.
    fn signal(&self, name: &str) {
        let killed = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(killed.success());
    }

    /// What it prints until it ends, and its code.
    fn end(mut self) -> (String, Option<i32>) {
        let mut rest = String::new();
        self.printed.read_to_string(&mut rest).unwrap();
        (rest, self.child.wait().unwrap().code())
    }
}

fn java(classes: &[&Path]) -> Command {
    let jar = root().join("build/upcall.jar");
    assert!(jar.exists(), "there is no build/upcall.jar: run cargo xtask build");
    let classes =
        std::env::join_paths(std::iter::once(jar.as_path()).chain(classes.iter().copied())).unwrap();
    let mut java = Command::new("java");
    java.arg("-cp").arg(classes).env("UPCALL_HOME", root());
    java
}

/// The status and the body of an answer.
fn asked(port: u16, method: &str, account: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} /accounts/{account} HTTP/1.1\r\nHost: here\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {answer:?}"));
    (head.split(' ').nth(1).unwrap().parse().unwrap(), body.trim_end().to_owned())
}

fn service() -> (Program, u16) {
    let jar = support::example("embedded/build/embedded.jar");
    let mut service = Program::start(java(&[&jar]).args(["embedded.Service", "0"]));
    let line = service.line();
    let port = line.strip_prefix("listening on port ").unwrap_or_else(|| panic!("{line:?}"));
    (service, port.parse().unwrap())
}

#[test]
fn a_service_in_java_answers_from_its_flow() {
    let (service, port) = service();
    assert_eq!(asked(port, "GET", "ada", ""), (404, "no account ada".into()));
    assert_eq!(asked(port, "POST", "ada", "10"), (200, "10".into()));
    assert_eq!(asked(port, "POST", "ada", "-11"), (409, "only 10 is there".into()));
    assert_eq!(asked(port, "POST", "ada", "ten"), (400, "not an amount: ten".into()));
    assert_eq!(asked(port, "POST", "ada", "-3"), (200, "7".into()));
    // The answer and the balance come from the same call, to different pools.
    let read = (0..500).map(|_| asked(port, "GET", "ada", "")).find(|answer| answer.1 == "7");
    assert_eq!(read, Some((200, "7".into())));
    service.signal("INT");
    assert_eq!(service.end(), ("stopped after 4 changes, 0 not answered\n".into(), Some(130)));
}

#[test]
fn a_service_in_java_that_is_terminated_answers_what_it_has_begun() {
    let (service, port) = service();
    let asking: Vec<_> = (0..4)
        .map(|account| {
            thread::spawn(move || {
                let account = format!("account{account}");
                let mut answered = 0;
                // Until it listens no more; what was answered is counted by the service itself too.
                while let Ok(mut stream) = TcpStream::connect(("127.0.0.1", port)) {
                    let request = format!("POST /accounts/{account} HTTP/1.0\r\nContent-Length: 1\r\n\r\n1");
                    let mut answer = String::new();
                    let sent = stream.write_all(request.as_bytes());
                    if sent.is_err() || stream.read_to_string(&mut answer).is_err() || answer.is_empty() {
                        break;
                    }
                    if answer.starts_with("HTTP/1.1 503") {
                        break;
                    }
                    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
                    answered += 1;
                }
                answered
            })
        })
        .collect();
    thread::sleep(std::time::Duration::from_millis(300));
    service.signal("TERM");
    let answered: u32 = asking.into_iter().map(|asking| asking.join().unwrap()).sum();
    assert!(answered > 0);
    let (said, code) = service.end();
    assert_eq!((said, code), (format!("stopped after {answered} changes, 0 not answered\n"), Some(143)));
}

#[test]
fn the_program_of_the_java_readme_runs_outside_the_repository() {
    let readme = fs::read_to_string(root().join("sdk/java/README.md")).unwrap();
    let section = readme.split("## A flow inside your program").nth(1).expect("the section");
    let block = |of: &str| {
        let begin = format!("```{of}\n");
        section.split_once(&begin).and_then(|(_, rest)| rest.split_once("```")).expect("a block").0.to_owned()
    };
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new("sh")
        .args(["-ec", &block("sh")])
        .current_dir(folder.path())
        .env("UPCALL_JAR", root().join("build/upcall.jar"))
        .env_remove("UPCALL_HOME")
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), block("text"), "{errors}");
}

/// Its handlers are in C#, in Python and its own; a null is dereferenced in Java, behind the CLR.
const THREE_LANGUAGES: &str = r#"
import upcall.flow.Flow;

public final class Three {
    public static void main(String[] arguments) throws Exception {
        String toml = """
            [pool."/lines"]
            kind = "trigger"
            [pool."/words"]
            kind = "trigger"
            [pool."/counts"]
            type = "u64"
            [pool."/seen"]
            [[handler]]
            name = "split"
            on = "/lines"
            to = "/words"
            csharp = "build/wordcount.dll"
            class = "WordCount.Splitter"
            [[handler]]
            name = "count"
            on = "/words"
            to = "/counts"
            python = "wordcount.py"
            class = "Counter"
            [[handler]]
            name = "see"
            on = "/counts"
            to = "/seen"
            """;
        Flow flow = Flow.fromToml(toml, arguments[0] + "/flow.toml")
                .give("see", (word, out) -> {
                    String none = word.key().contentEquals("earth") ? null : word.keyText();
                    out.put(word.key(), Integer.toString(none.length()));
                })
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            flow.close();
            System.out.println("closed");
        }));
        flow.pool("/lines").put("1", "In the beginning God created the heaven and the earth");
        flow.drain();
        System.out.println(flow.pool("/seen").get("beginning").valueText() + " " + flow.deadLetters("/counts").get(0).typeName());
        Thread.currentThread().join();
    }
}
"#;

#[test]
fn a_program_in_java_runs_handlers_in_other_languages_and_keeps_its_signals() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("Three.java");
    fs::write(&source, THREE_LANGUAGES).unwrap();
    let mut javac = Command::new("javac");
    javac.arg("-cp").arg(root().join("build/upcall.jar")).arg(&source);
    assert!(javac.status().unwrap().success());
    for (signal, code) in [("TERM", 143), ("INT", 130)] {
        let mut program =
            Program::start(java(&[folder.path()]).arg("Three").arg(support::example("wordcount")));
        assert_eq!(program.line(), "9 java.lang.NullPointerException");
        // CoreCLR has started meanwhile, and takes SIGTERM from whoever came before.
        program.signal(signal);
        assert_eq!(program.end(), ("closed\n".into(), Some(code)), "{signal}");
    }
}
