//! Handlers in a sandbox, with the real command: each runtime starts in there, and what is forbidden is the handler's error.

use crate::support::{Folder, GUESTS, code, handler, pools, ran};
use std::path::Path;

const SANDBOXED: &str = "isolation = \"process\"\nsandbox = true";

#[test]
fn every_guest_runs_in_a_sandbox() {
    for guest in GUESTS.into_iter().chain(["node"]) {
        let folder =
            Folder::new(&(pools(&["/in", "/out"]) + &handler(guest, "Raises", "/in", "/out", SANDBOXED)));
        let outcome = ran(&folder, "a\nfail\nc\n");
        let (out, dead) = (folder.read("out"), folder.read("dead"));
        assert_eq!(outcome.code, Some(0), "{guest}: {}", outcome.err);
        assert_eq!(out, "1\ta\n3\tc\n", "{guest}: {}", outcome.err);
        assert!(dead.contains("will not pass on"), "{guest}: {}", outcome.err);
    }
}

#[test]
fn a_fork_bomb_fails_at_its_first_fork_in_every_language_and_the_flow_goes_on() {
    for (guest, error) in [
        ("native", "Operation not permitted"),
        ("csharp", "Operation not permitted"),
        ("python", "Operation not permitted"),
        ("node", "EPERM"),
    ] {
        let folder =
            Folder::new(&(pools(&["/in", "/out"]) + &handler(guest, "Bombs", "/in", "/out", SANDBOXED)));
        let outcome = ran(&folder, "first\nfork\nlast\n");
        let (out, dead) = (folder.read("out"), folder.read("dead"));
        assert_eq!(outcome.code, Some(0), "{guest}: {}", outcome.err);
        assert_eq!(out, "1\tfirst\n3\tlast\n", "{guest}: {}", outcome.err);
        assert!(dead.contains(error) && !dead.contains("\"lost\""), "{guest}: {dead}");
    }
}

#[test]
fn what_is_forbidden_is_the_handlers_own_error() {
    let python = "\
import os

class Tries:
    def on_object(self, obj, emit):
        if obj.value == b'fork':
            os.fork()
        if obj.value == b'write':
            open('written', 'w')
        emit(obj.key, obj.value)
";
    let flow =
        pools(&["/in", "/out"]) + &code("python", Path::new("tries.py"), "Tries", "/in", "/out", SANDBOXED);
    let folder = Folder::new(&flow);
    folder.write("tries.py", python);
    let outcome = ran(&folder, "first\nfork\nwrite\nlast\n");
    let (out, dead) = (folder.read("out"), folder.read("dead"));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    assert_eq!(out, "1\tfirst\n4\tlast\n", "{}", outcome.err);
    for error in ["Operation not permitted", "Permission denied: 'written'"] {
        assert!(dead.contains(error), "{error}: {dead}");
    }
}
