//! Python handlers, as an engine meets them: a real interpreter, the real driver.
#![cfg(feature = "python")]

mod python_support;

use python_support::{options, python, spec, turn, written};
use std::path::{Path, PathBuf};
use upcall::{Failed, Harness};
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{Error, ErrorKind, Host};

fn handlers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/handlers.py")
}

/// Runs `body` on a worker, with a harness around an instance of a class of `handlers.py`.
fn with(class: &str, mut body: impl FnMut(&mut Harness)) {
    let _turn = turn();
    let python = python();
    let module = python.load(&spec(handlers(), class)).unwrap_or_else(|error| panic!("{error}"));
    python.worker(&mut || {
        let instance = module.instantiate().unwrap_or_else(|error| panic!("{error}"));
        let harness = Harness::of(instance);
        body(&mut harness.emits(&["/out"]).setting("colour", "blue"));
    });
}

fn failure(class: &str) -> Failed {
    let mut failed = None;
    with(class, |harness| {
        failed = harness.put(b"key", b"value").err();
        assert!(harness.emitted().is_empty());
    });
    failed.expect("the handler fails")
}

fn refused(file: impl Into<PathBuf>, class: &str) -> Error {
    match python().load(&spec(file, class)) {
        Ok(_) => panic!("{class} was loaded"),
        Err(error) => error,
    }
}

#[test]
fn the_interpreter_runs_a_handler_of_our_own() {
    let _turn = turn();
    python().probe().unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn the_interpreter_is_the_one_that_was_chosen_with_its_home_and_module_path() {
    let interpreter = python().interpreter().clone();
    with("Interpreter", |harness| {
        harness.put(b"", b"").unwrap();
        let text: Vec<&str> =
            harness.emitted().iter().map(|emitted| std::str::from_utf8(&emitted.value).unwrap()).collect();
        let [executable, version, home, stdlib, path, encoding] = text[..] else { panic!("{text:?}") };
        assert_eq!(Path::new(executable), interpreter.executable);
        assert_eq!(version, interpreter.version);
        assert_eq!(Path::new(home), interpreter.home);
        assert!(Path::new(stdlib).starts_with(&interpreter.home), "{stdlib}");
        assert!(interpreter.path.iter().all(|folder| path.lines().any(|there| there == folder)), "{path}");
        assert_eq!(encoding, "utf-8");
    });
}

#[test]
fn recursion_without_end_is_an_exception_and_not_the_end_of_the_process() {
    with("Nests", |harness| {
        harness.put(b"", b"").unwrap();
        assert_eq!(harness.emitted().len(), 2);
    });
}

#[test]
fn an_exception_fails_the_item_with_type_message_and_traceback() {
    let failed = failure("Broken");
    assert_eq!((failed.type_name.as_str(), failed.message.as_str()), ("KeyError", "'nothing for key'"));
    assert_eq!((failed.done, failed.item), (0, Some(0)));
    for line in ["Traceback (most recent call last):", "in on_object", "in deeper", "raise KeyError("] {
        assert!(failed.stack.contains(line), "{}", failed.stack);
    }
}

#[test]
fn a_failure_of_the_seventh_item_keeps_the_six_before_it_and_nothing_of_its_own() {
    let keys: Vec<String> = (0..10).map(|n| n.to_string()).collect();
    let objects: Vec<(&[u8], &[u8])> = keys.iter().map(|key| (key.as_bytes(), &b"v"[..])).collect();
    with("Seventh", |harness| {
        let failed = harness.batch(&objects).unwrap_err();
        assert_eq!((failed.done, failed.item, failed.message.as_str()), (6, Some(6), "not yet"));
        assert_eq!(harness.emitted().len(), 6);
        harness.batch(&objects[failed.done..]).unwrap();
        let emitted: Vec<&[u8]> = harness.emitted().iter().map(|emitted| &*emitted.key).collect();
        assert_eq!(emitted, keys.iter().map(|key| key.as_bytes()).collect::<Vec<_>>());
    });
}

#[test]
fn a_batch_keeps_what_it_reported_and_nothing_beyond() {
    let keys: Vec<String> = (0..10).map(|n| n.to_string()).collect();
    let objects: Vec<(&[u8], &[u8])> = keys.iter().map(|key| (key.as_bytes(), &b"v"[..])).collect();
    with("Half", |harness| {
        let failed = harness.batch(&objects).unwrap_err();
        assert_eq!((failed.done, failed.item), (5, None));
        assert_eq!(harness.emitted().len(), 5);
    });
}

#[test]
fn one_item_may_emit_100_mb() {
    with("Large", |harness| {
        harness.put(b"key", b"").unwrap();
        assert_eq!(harness.emitted().len(), 100);
        assert!(harness.emitted().iter().all(|emitted| emitted.value.len() == 1 << 20));
        assert!(harness.emitted()[99].value.iter().all(|byte| *byte == b'x'));
    });
}

#[test]
fn values_of_0_bytes_and_of_64_mb_arrive_whole() {
    let large: Vec<u8> = (0..64 << 20).map(|n: u32| n.to_le_bytes()[1]).collect();
    with("Same", |harness| {
        for value in [&b""[..], &large, &large[..4095], &large[..4096]] {
            harness.put(b"key", value).unwrap();
            assert!(harness.emitted().last().unwrap().value == value, "{} bytes", value.len());
        }
    });
}

#[test]
fn a_view_that_is_kept_fails_its_item_and_so_does_a_slice_of_it() {
    let large = vec![7; 10_000];
    for class in ["Views", "Slices"] {
        with(class, |harness| {
            harness.put(b"small", b"copied").unwrap();
            let failed = harness.put(b"large", &large).unwrap_err();
            assert_eq!(failed.type_name, "BufferError");
            assert!(failed.message.contains("bytes(view)"), "{}", failed.message);
            assert_eq!(harness.emitted().len(), 1);
        });
    }
}

#[test]
fn an_object_that_is_kept_raises_when_it_is_used_after_its_call() {
    with("Objects", |harness| {
        harness.put(b"a", b"1").unwrap();
        let failed = harness.put(b"b", b"2").unwrap_err();
        assert_eq!(failed.type_name, "RuntimeError");
        assert!(failed.message.contains("ended with its call"), "{}", failed.message);
    });
}

#[test]
fn logging_reaches_the_engine_with_its_levels() {
    with("Logs", |harness| {
        harness.put(b"key", b"").unwrap();
        let logged = harness.logged();
        assert_eq!(logged[0], (3, "opened handler with blue".into()));
        assert_eq!(logged[1], (2, "library: from a library".into()));
        assert_eq!(logged[2].0, 1);
        assert!(logged[2].1.starts_with("divided\nTraceback"), "{}", logged[2].1);
        assert!(logged[2].1.ends_with("ZeroDivisionError: division by zero"), "{}", logged[2].1);
    });
}

#[test]
fn a_record_of_another_thread_arrives_with_the_next_frame() {
    with("Threads", |harness| {
        harness.put(b"key", b"").unwrap();
        harness.put(b"key", b"").unwrap();
        assert!(harness.logged().contains(&(3, "from a thread".into())), "{:?}", harness.logged());
    });
}

#[test]
fn an_undeclared_pool_fails_the_item_and_names_those_there_are() {
    let failed = failure("Undeclared");
    let expected = "pool /elsewhere is not declared by this handler; it has /out: add /elsewhere to its `to`";
    assert_eq!(failed.message, expected);
}

#[test]
fn a_number_into_a_pool_of_bytes_fails_the_item_and_says_what_to_declare() {
    let failed = failure("Number");
    assert_eq!(failed.type_name, "TypeError");
    assert!(failed.message.contains("declare the pool's value type"), "{}", failed.message);
}

#[test]
fn flush_may_emit() {
    with("Flushes", |harness| {
        harness.batch(&[(b"a", b""), (b"b", b"")]).unwrap();
        harness.flush().unwrap();
        assert_eq!(harness.emitted()[0].value, b"2");
    });
}

#[test]
fn an_instance_may_be_used_on_a_thread_that_is_no_worker() {
    let _turn = turn();
    let module = python().load(&spec(handlers(), "Same")).unwrap();
    let mut harness = Harness::of(module.instantiate().unwrap()).emits(&["/out"]);
    harness.put(b"a", b"b").unwrap();
    assert_eq!(harness.emitted().len(), 1);
}

#[test]
fn a_second_start_is_the_same_python_and_another_interpreter_is_refused() {
    let first = python();
    assert_eq!(python().interpreter(), first.interpreter());
    let named = PythonOptions { interpreter: Some(first.interpreter().executable.clone()), ..options() };
    assert_eq!(Python::start(&named).unwrap().interpreter(), first.interpreter());
    let other = PythonOptions { interpreter: Some("/nowhere/python3".into()), ..options() };
    let error = Python::start(&other).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::RuntimeMissing);
    assert!(error.to_string().contains("/nowhere/python3 does not run"), "{error}");
}

#[test]
fn a_missing_file_is_an_error_that_names_it() {
    let error = refused("/nowhere/handlers.py", "Same");
    assert_eq!(error.kind(), ErrorKind::FileMissing);
    assert_eq!(
        error.to_string(),
        "load Python handler Same from /nowhere/handlers.py: there is no such file; write it, or correct its path"
    );
}

#[test]
fn a_missing_class_is_an_error_that_lists_the_classes_and_the_nearest_name() {
    let error = refused(handlers(), "Flushs");
    assert_eq!(error.kind(), ErrorKind::HandlerMissing);
    let text = error.to_string();
    assert!(text.contains("there is no such class; it holds Broken, Seventh"), "{text}");
    assert!(text.ends_with("did you mean Flushes?"), "{text}");
    assert!(!text.contains("Neither,"), "{text}");
}

#[test]
fn a_class_of_the_wrong_shape_is_told_what_to_write_and_of_no_other() {
    for (class, expected) in [
        (
            "Neither",
            "neither on_object(self, obj, emit) nor on_batch(self, batch, emit) nor combine(self, source, into) nor update(self, vertex, context) nor apply(self, vertex, gathered, context) nor \
             interval(self, vertices, context): write one",
        ),
        ("Several", "it has both on_batch and combine: keep one"),
        ("Silent", "it does not say what it combines: write element = \"f64\", or another of "),
        (
            "Awaits",
            "on_batch is async, and a batch has one answer: write async def on_object, which is handed one object at a time",
        ),
        ("Yields", "on_object is an asynchronous generator: emit with emit(key, value) instead of yield"),
        ("Alone", "on_object must take (self, obj, emit), and takes (self, obj)"),
        ("NUMBER", "NUMBER is of type int, not a class"),
    ] {
        let error = refused(handlers(), class);
        assert_eq!(error.kind(), ErrorKind::FileInvalid);
        assert!(error.to_string().contains(expected), "{error}");
        assert!(!error.to_string().contains("it holds"), "{error}");
    }
}

#[test]
fn a_file_without_handlers_is_told_what_to_write() {
    let error = refused(written("none.py", "import collections\n"), "Any");
    assert_eq!(error.kind(), ErrorKind::HandlerMissing);
    let expected = "there is no such class: write one with on_object, on_batch, combine, update, apply or interval; it holds no handlers";
    assert!(error.to_string().ends_with(expected), "{error}");
}

#[test]
fn a_constructor_that_raises_is_an_error_with_its_traceback() {
    let python = python();
    let module = python.load(&spec(handlers(), "Constructor")).unwrap();
    python.worker(&mut || {
        let error = module.instantiate().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::ConstructorFailed);
        let text = error.to_string();
        assert!(text.contains("OSError: no such device"), "{text}");
        assert!(text.contains("in __init__"), "{text}");
    });
}

#[test]
fn a_file_with_a_syntax_error_is_an_error_with_its_line() {
    let error = refused(written("unfinished.py", "class Half:\n    def on_object(self, obj\n"), "Half");
    assert_eq!(error.kind(), ErrorKind::FileInvalid);
    assert!(error.to_string().contains("unfinished.py\", line 2"), "{error}");
    assert!(error.to_string().contains("SyntaxError"), "{error}");
}

#[test]
fn a_file_whose_import_fails_is_an_error_that_names_the_module() {
    let error = refused(written("imports.py", "import a_module_that_is_nowhere\n"), "Any");
    assert_eq!(error.kind(), ErrorKind::FileInvalid);
    assert!(error.to_string().contains("No module named 'a_module_that_is_nowhere'"), "{error}");
}

#[test]
fn a_file_finds_the_modules_beside_it_and_may_have_the_name_of_one_of_pythons() {
    written("beside_it.py", "WORD = b'found'\n");
    let text = "from beside_it import WORD\nclass Finds:\n    def on_object(self, obj, emit):\n        emit(WORD, b'')\n";
    let (_turn, python) = (turn(), python());
    let module =
        python.load(&spec(written("json.py", text), "Finds")).unwrap_or_else(|error| panic!("{error}"));
    python.worker(&mut || {
        let mut harness = Harness::of(module.instantiate().unwrap()).emits(&["/out"]);
        harness.put(b"", b"").unwrap();
        assert_eq!(harness.emitted()[0].key, b"found");
    });
}
