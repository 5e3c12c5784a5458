//! Signals and failures: how a running flow is stopped, with each guest and with all of them.

use crate::support::{Folder, GUESTS, code, example, fed, handler, pools, root, upcall};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

/// A flow whose handlers, in these languages, all watch `/in` and print.
fn printers(guests: &[&str]) -> Folder {
    let mut flow = "[pool.\"/in\"]\n[pool.\"/out\"]\n".to_owned();
    for guest in guests {
        let (key, file, class) = match *guest {
            "native" => ("native", example("console-printer/build/libconsole-printer.so"), "printer"),
            "csharp" => ("csharp", example("console-printer/build/console-printer.dll"), "Printer"),
            class => ("python", root().join("crates/cli/tests/handlers/handlers.py"), class),
        };
        flow +=
            &format!("[[handler]]\nname = \"{guest}\"\non = \"/in\"\nto = \"/out\"\norder = \"single\"\n");
        flow += &format!("{key} = \"{}\"\nclass = \"{class}\"\n", file.display());
    }
    Folder::new(&flow)
}

/// The command, running, with its standard input open.
struct Running {
    child: Child,
    out: BufReader<ChildStdout>,
}

impl Running {
    fn start(folder: &Folder, arguments: &[&str]) -> Running {
        let mut command = upcall(&["run", &folder.path("flow.toml"), "--input", "/in=-", "--report", "none"]);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        command.stderr(fs::File::create(folder.path("err")).unwrap());
        let mut child = command.spawn().unwrap();
        let out = BufReader::new(child.stdout.take().unwrap());
        Running { child, out }
    }

    fn put(&mut self, line: &str) {
        let pipe = self.child.stdin.as_mut().unwrap();
        pipe.write_all(line.as_bytes())
            .and_then(|()| pipe.write_all(b"\n"))
            .and_then(|()| pipe.flush())
            .unwrap();
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.out.read_line(&mut line).unwrap();
        line
    }

    fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(status.unwrap().success());
    }

    /// The exit code, and what was still printed. Standard input stays open until then.
    fn end(mut self) -> (Option<i32>, String) {
        let mut rest = String::new();
        self.out.read_to_string(&mut rest).unwrap();
        (self.child.wait().unwrap().code(), rest)
    }
}

/// One signal stops the input; what was read is handled, flushed and dumped.
#[track_caller]
fn stops_cleanly(guests: &[&str]) {
    for (signal, code) in [("INT", 130), ("TERM", 143), ("HUP", 129)] {
        let folder = printers(guests);
        let dump = format!("/in={}", folder.path("dumped"));
        let mut running = Running::start(&folder, &["--dump", &dump, "--as", "text"]);
        for line in ["first", "second"] {
            running.put(line);
            for _ in guests {
                let printed = running.line();
                assert!(printed.ends_with(&format!("{line}\n")), "{printed}");
            }
        }
        running.signal(signal);
        let (ended, rest) = running.end();
        assert_eq!(ended, Some(code), "{guests:?} {signal}");
        assert_eq!(rest, if guests.contains(&"Say") { "python flushed\n" } else { "" });
        assert_eq!(folder.read("dumped"), "1\tfirst\n2\tsecond\n");
    }
}

#[test]
fn a_signal_stops_a_flow_of_native_handlers_cleanly() {
    stops_cleanly(&["native"]);
}

#[test]
fn a_signal_stops_a_flow_of_csharp_handlers_cleanly() {
    stops_cleanly(&["csharp"]);
}

#[test]
fn a_signal_stops_a_flow_of_python_handlers_cleanly() {
    stops_cleanly(&["Say"]);
}

#[test]
fn a_signal_stops_a_flow_of_all_guests_cleanly() {
    stops_cleanly(&["csharp", "Say", "native"]);
}

#[test]
fn a_signal_while_handlers_are_opened_ends_the_command_whichever_runtimes_have_started() {
    const OPENS: &str = "
import time

class Opens:
    def open(self, ctx):
        print('opening', flush=True)
        time.sleep(60)

    def on_object(self, obj, emit):
        pass
";
    for guest in ["native", "csharp"] {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            let folder = Folder::new("");
            let opens = folder.write("opens.py", OPENS);
            let flow = pools(&["/in", "/out"])
                + &handler(guest, "Raises", "/in", "/out", "")
                + &code("python", opens.as_ref(), "Opens", "/in", "/out", "");
            folder.write("flow.toml", flow);
            let mut running = Running::start(&folder, &[]);
            assert_eq!(running.line(), "opening\n");
            // SAFETY: a signal to a process that we have started and not waited for.
            unsafe { libc::kill(running.child.id() as i32, signal) };
            assert_eq!(
                running.child.wait().unwrap().signal(),
                Some(signal),
                "{guest}: {}",
                folder.read("err")
            );
        }
    }
}

#[test]
fn a_second_signal_ends_a_handler_that_does_not_come_back() {
    for guests in [&["Sleep"][..], &["Sleep", "csharp"]] {
        let folder = printers(guests);
        let mut running = Running::start(&folder, &[]);
        running.put("a");
        let mut said = running.line();
        while said != "asleep\n" {
            assert_ne!(said, "", "it ended before it slept");
            said = running.line();
        }
        running.signal("INT");
        running.signal("TERM");
        let (ended, _) = running.end();
        // Both may be seen in either order when they come at once.
        assert!(matches!(ended, Some(130 | 143)), "{ended:?}");
    }
}

#[test]
fn a_signal_during_a_handlers_run_lets_it_finish() {
    for guest in GUESTS {
        let flow = pools(&["/in", "/out"]) + &handler(guest, "Slow", "/in", "/out", "order = \"single\"");
        let folder = Folder::new(&flow);
        let dump = format!("/out={}", folder.path("dumped"));
        let mut running = Running::start(&folder, &["--dump", &dump]);
        running.put("first");
        assert_eq!(running.line(), "busy\n", "{guest}");
        // It sleeps; the second line waits behind it.
        running.put("second");
        running.signal("INT");
        let (ended, _) = running.end();
        assert_eq!(ended, Some(130), "{guest}");
        let said = fs::read_to_string(folder.path("err")).unwrap();
        // The second line may not have been read when the signal came.
        let left = ["1 item", "2 items"].map(|items| format!("stopping: {items} left; a second Ctrl-C"));
        assert!(left.iter().any(|left| said.starts_with(left)), "{said}");
        let dumped = folder.read("dumped");
        assert!(dumped.starts_with("1\tfirst\n"), "{guest}: {dumped:?}");
    }
}

#[test]
fn a_signal_lets_nothing_wait_for_its_retry_and_what_is_buried_is_dumped() {
    let retry = "retry = 5\nretry_delay = \"1 h\"";
    let flow = pools(&["/in", "/out"])
        + &handler("python", "Say", "/in", "/out", "")
        + &handler("native", "Raises", "/in", "/out", retry);
    let folder = Folder::new(&flow);
    let dump = format!("/dead/in={}", folder.path("dead"));
    let mut running = Running::start(&folder, &["--dump", &dump]);
    running.put("fail");
    assert_eq!(running.line(), "python 1 fail\n");
    running.signal("INT");
    let (ended, _) = running.end();
    assert_eq!(ended, Some(130));
    assert!(folder.read("dead").contains("\"attempts\":6"), "{}", folder.read("dead"));
}

#[test]
fn a_signal_that_the_command_was_started_to_ignore_does_not_stop_it() {
    let folder = Folder::new(&pools(&["/in"]));
    let mut command = Command::new("sh");
    command.args(["-c", "trap '' HUP; echo ready; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_upcall"), "run"]);
    command.args([&folder.path("flow.toml"), "--input", "/in=-", "--report", "none"]);
    command.args(["--dump", &format!("/in={}", folder.path("dumped"))]);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut String::new()).unwrap();
    pipe.write_all(b"first\n").unwrap();
    let status = Command::new("kill").args(["-s", "HUP", &child.id().to_string()]).status();
    assert!(status.unwrap().success());
    pipe.write_all(b"second\n").unwrap();
    drop(pipe);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(folder.read("dumped"), "1\tfirst\n2\tsecond\n");
}

/// As `multiprocessing` ends its workers: by SIGTERM, and waits for them.
const FORKS: &str = r#"
import os, signal, time

class Forks:
    def on_object(self, obj, emit):
        ready, told = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(told, b"1")
            while True:
                time.sleep(60)
        os.read(ready, 1)
        os.kill(child, signal.SIGTERM)
        for _ in range(1000):
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                break
            time.sleep(0.01)
        else:
            os.kill(child, signal.SIGKILL)
            _, status = os.waitpid(child, 0)
        emit(obj.key, str(os.WTERMSIG(status)))
"#;

#[test]
fn a_process_that_a_handler_forks_ends_at_sigterm_and_the_flow_goes_on() {
    let handler = code("python", Path::new("forks.py"), "Forks", "/in", "/out", "");
    let folder = Folder::new(&(pools(&["/in", "/out"]) + &handler));
    folder.write("forks.py", FORKS);
    let flow = folder.path("flow.toml");
    let arguments =
        ["run", &flow, "--input", "/in=-", "--dump", "/out=-", "--as", "text", "--report", "none"];
    let outcome = fed(&mut upcall(&arguments), b"a\nb\n");
    assert_eq!((outcome.code, &*outcome.out), (Some(0), "1\t15\n2\t15\n"), "{}", outcome.err);
}

#[test]
fn items_that_fail_are_told_and_kept_and_the_flow_goes_on() {
    let folder = printers(&["Refuse"]);
    let flow = folder.path("flow.toml");
    let dump = format!("/dead/in={}", folder.path("dead"));
    let arguments = [
        "run", &flow, "--input", "/in=-", "--dump", &dump, "--dump", "/out=-", "--as", "text", "--report",
        "none",
    ];
    let outcome = fed(&mut upcall(&arguments), b"a\nb\nc\n");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(outcome.out, "1\ta\n3\tc\n");
    let warning = "warning: 1 item is in /dead/in; the oldest, key 2, failed in handler Refuse: ValueError: no b, please";
    assert!(outcome.err.contains(warning), "{}", outcome.err);
    let dead = folder.read("dead");
    let letter: serde_json::Value = serde_json::from_str(dead.split_once('\t').unwrap().1).unwrap();
    assert_eq!(letter["cause"]["type"], "ValueError");
    assert!(letter["cause"]["stack"].as_str().unwrap().contains("handlers.py"), "{letter}");
}
