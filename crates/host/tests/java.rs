//! Java handlers in a virtual machine in this process: what goes well and what goes wrong.
#![cfg(feature = "java")]

use std::path::PathBuf;
use upcall::Harness;
use upcall_host::java::Java;
use upcall_host::{HandlerSpec, Host, JavaOptions};

fn home() -> PathBuf {
    let named = std::env::var_os("UPCALL_HOME").map(PathBuf::from);
    named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into())
}

fn built(name: &str) -> PathBuf {
    let file = home().join("build").join(name);
    assert!(file.is_file(), "there is no {}: run cargo xtask build", file.display());
    file
}

fn java() -> Java {
    Java::start(&JavaOptions { home: Some(home()), ..JavaOptions::default() }).unwrap()
}

fn spec(class: &str) -> HandlerSpec {
    HandlerSpec::new("test", "java", built("tests/upcall-tests.jar"), format!("upcall.tests.{class}"))
}

/// Runs `test` with a handler on a worker's thread.
fn with(class: &str, test: impl FnOnce(Harness) + Send + 'static) {
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

#[test]
fn the_probe_runs_and_a_second_start_is_the_same_runtime() {
    let java = java();
    java.probe().unwrap();
    assert_eq!(Java::start(&JavaOptions::default()).unwrap().runtime(), java.runtime());
}

#[test]
fn a_handler_emits_what_it_makes_of_each_object() {
    with("Shout", |mut harness| {
        harness.batch(&[(b"one", b"1"), (b"", b""), ("größe".as_bytes(), b"3")]).unwrap();
        let keys: Vec<_> =
            harness.emitted().iter().map(|e| String::from_utf8(e.key.clone()).unwrap()).collect();
        assert_eq!(keys, ["ONE", "", "GRÖSSE"]);
        assert_eq!(harness.emitted()[2].value, b"3");
    });
}

#[test]
fn an_exception_arrives_with_its_type_message_and_stack() {
    with("Shout", |mut harness| {
        let failed = harness.put(b"it", b"fail").unwrap_err();
        assert_eq!(failed.type_name, "java.lang.IllegalStateException");
        assert_eq!(failed.message, "will not shout it");
        assert!(failed.stack.contains("at upcall.tests.Shout.explode(Shout.java:"), "{}", failed.stack);
        assert_eq!((failed.done, failed.item), (0, Some(0)));
        harness.put(b"on", b"").unwrap();
    });
}
