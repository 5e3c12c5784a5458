//! Python handlers that several threads load at the same time.
#![cfg(feature = "python")]

use std::fs;
use std::path::{Path, PathBuf};
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host};

/// A file that takes a while to run.
const SLOW: &str = "
import time
time.sleep(0.2)

class Slow:
    def on_object(self, obj, emit): ...
";

#[test]
fn a_file_that_another_thread_is_still_running_is_waited_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = Some(std::env::var_os("UPCALL_HOME").map_or(root, PathBuf::from));
    let python = Python::start(&PythonOptions { interpreter: None, home }).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("loading-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let file = folder.join("slow.py");
    fs::write(&file, SLOW).unwrap();
    let spec = HandlerSpec::new("slow", "python", file, "Slow");
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| python.load(&spec).map(drop).unwrap_or_else(|error| panic!("{error}")));
        }
    });
    fs::remove_dir_all(&folder).unwrap();
}
