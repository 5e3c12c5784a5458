//! Handlers in a sandbox, with the real command: each runtime starts in there, and what is forbidden is the handler's error.

mod support;

use std::path::Path;
use support::{Folder, GUESTS, code, fed, handler, pools, upcall};

const SANDBOXED: &str = "isolation = \"process\"\nsandbox = true";

#[test]
fn every_guest_runs_in_a_sandbox() {
    for guest in GUESTS {
        let folder =
            Folder::new(&(pools(&["/in", "/out"]) + &handler(guest, "Raises", "/in", "/out", SANDBOXED)));
        let (out, dead) =
            (format!("/out={}", folder.path("out")), format!("/dead/in={}", folder.path("dead")));
        let run = ["run", &folder.path("flow.toml"), "--input", "/in=-", "--dump", &out, "--dump", &dead];
        let outcome = fed(&mut upcall(&run), b"a\nfail\nc\n");
        assert_eq!(outcome.code, Some(0), "{guest}: {}", outcome.err);
        assert_eq!(folder.read("out"), "1\ta\n3\tc\n", "{guest}: {}", outcome.err);
        assert!(folder.read("dead").contains("will not pass on"), "{guest}: {}", outcome.err);
    }
}

#[test]
fn a_fork_bomb_and_a_file_fail_in_the_handler_and_the_flow_goes_on() {
    let python = "\
import os

class Tries:
    def on_object(self, obj, emit):
        if obj.value == b'fork':
            while True:
                os.fork()
        if obj.value == b'write':
            open('written', 'w')
        emit(obj.key, obj.value)
";
    let flow =
        pools(&["/in", "/out"]) + &code("python", Path::new("tries.py"), "Tries", "/in", "/out", SANDBOXED);
    let folder = Folder::new(&flow);
    folder.write("tries.py", python);
    let (out, dead) = (format!("/out={}", folder.path("out")), format!("/dead/in={}", folder.path("dead")));
    let run = ["run", &folder.path("flow.toml"), "--input", "/in=-", "--dump", &out, "--dump", &dead];
    let outcome = fed(&mut upcall(&run), b"first\nfork\nwrite\nlast\n");
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(folder.read("out"), "1\tfirst\n4\tlast\n", "{}", outcome.err);
    let dead = folder.read("dead");
    for error in ["Operation not permitted", "Permission denied: 'written'"] {
        assert!(dead.contains(error), "{error}: {dead}");
    }
}
