//! What the tests of Java handlers share.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::path::PathBuf;
use upcall::Harness;
use upcall_host::java::Java;
use upcall_host::{HandlerSpec, Host, JavaOptions};

pub fn home() -> PathBuf {
    let named = std::env::var_os("UPCALL_HOME").map(PathBuf::from);
    named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into())
}

pub fn built(name: &str) -> PathBuf {
    let file = home().join("build").join(name);
    assert!(file.is_file(), "there is no {}: run cargo xtask build", file.display());
    file
}

pub fn java() -> Java {
    java_with(&[])
}

/// With these options of the virtual machine.
pub fn java_with(options: &[&str]) -> Java {
    let options = options.iter().map(|option| option.to_string()).collect();
    Java::start(&JavaOptions { home: Some(home()), options, ..JavaOptions::default() }).unwrap()
}

pub fn spec(class: &str) -> HandlerSpec {
    HandlerSpec::new("test", "java", built("tests/upcall-tests.jar"), format!("upcall.tests.{class}"))
}

/// Runs `test` with a handler on a worker's thread.
pub fn with(class: &str, test: impl FnOnce(Harness) + Send + 'static) {
    let spec = spec(class);
    let worker = move || {
        let (java, mut test) = (java(), Some(test));
        let module = java.load(&spec).unwrap();
        java.worker(&mut || {
            let instance = module.instantiate().unwrap();
            test.take().unwrap()(Harness::of(instance).emits(&["/out"]));
        });
    };
    std::thread::spawn(worker).join().unwrap();
}
