//! Modules that do what no driver does: the engine's process lives, and says what was wrong.
#![cfg(feature = "wasm")]

mod wasm_support;

use std::time::{Duration, Instant};
use upcall::{Failed, Harness};
use upcall_host::wasm::{Wasm, WasmOptions};
use upcall_host::{ErrorKind, HandlerSpec, Host, Limits};
use wasm_support::{handlers, made, module, spec, wasm, with_batch, written};

/// What is told of three objects, when a handler does this with them. It is called again, as a handler is that fails.
#[track_caller]
fn told(body: &str) -> Failed {
    let (_folder, file) = written(&with_batch(body));
    let instance = made(&HandlerSpec::new("hostile", "wasm", &file, "any"));
    let mut harness = Harness::of(instance).emits(&["/out"]).reads("/sums", &[(b"a", b"1")]);
    let mut batch = || harness.batch(&[(b"a", b"one"), (b"b", b"two"), (b"c", b"three")]).unwrap_err();
    let failed = batch();
    assert_eq!(batch(), failed, "the instance after it does the same");
    failed
}

#[track_caller]
fn breaks_the_rules(body: &str, said: &str) {
    let failed = told(body);
    assert_eq!(failed.message, format!("it broke the rules of the boundary: {said}"));
    assert_eq!((failed.item, failed.done), (None, 0));
}

#[track_caller]
fn traps(body: &str, said: &str) {
    let failed = told(body);
    assert_eq!((failed.type_name.as_str(), failed.message.as_str()), ("trap", said));
}

#[test]
fn output_that_ends_where_it_cannot() {
    for (place, said) in [
        ("(i64.const 0x7fff_ffff_ffff_fff0)", "its output ends outside its chunk"),
        ("(i64.const 0)", "its output ends outside its chunk"),
        ("(i64.const -8)", "its output ends outside its chunk"),
        (
            "(i64.add (i64.load offset=120 (local.get $frame)) (i64.const 4))",
            "its output ends at an offset that is not a multiple of 8",
        ),
    ] {
        breaks_the_rules(&format!("(i64.store offset=120 (local.get $frame) {place}) (i32.const 0)"), said);
    }
    let chunk = "(i32.store offset=136 (local.get $frame) (i32.const 1000)) (i32.const 0)";
    breaks_the_rules(chunk, "its output names a chunk that was never opened");
}

#[test]
fn an_answer_that_is_none_for_a_module() {
    for status in [2, 3] {
        breaks_the_rules(&format!("(i32.const {status})"), "it answers a call as no guest does");
    }
}

#[test]
fn a_failure_that_lies_about_its_lengths() {
    let failed = told(
        "(i32.store offset=56 (local.get $frame) (i32.const -1))
         (i32.store offset=60 (local.get $frame) (i32.const -1))
         (i32.store offset=64 (local.get $frame) (i32.const 0x7fff_ffff))
         (i64.store offset=40 (local.get $frame) (i64.const -1))
         (i32.store offset=68 (local.get $frame) (i32.const 12345))
         (i32.store offset=152 (local.get $frame) (i32.const -1))
         (i32.const 1)",
    );
    assert!(failed.done <= 3, "{failed:?}");
}

#[test]
fn records_that_do_not_fit() {
    let (_folder, file) = written(&with_batch(
        "(i32.store (i32.wrap_i64 (i64.load offset=120 (local.get $frame))) (i32.const 1))
         (i32.store offset=8 (i32.wrap_i64 (i64.load offset=120 (local.get $frame))) (i32.const -1))
         (i64.store offset=120 (local.get $frame) (i64.add (i64.load offset=120 (local.get $frame)) (i64.const 16)))
         (i32.const 0)",
    ));
    let mut harness = Harness::of(made(&HandlerSpec::new("hostile", "wasm", &file, "any"))).emits(&["/out"]);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| harness.put(b"a", b"one")));
    // The harness says of a driver what an engine says: it does not take it.
    let said = match outcome {
        Ok(failed) => failed.unwrap_err().message,
        Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
    };
    assert!(said.contains("a record that does not fit"), "{said}");
}

#[test]
fn places_outside_its_memory() {
    for (call, what) in [
        ("(drop (call $grow (i64.const 1000000) (i32.const -8)))", "the place for output"),
        ("(call $log (i32.const 3) (i32.const -1) (i32.const 100))", "the text of a log"),
        ("(call $log (i32.const 3) (i32.const 0) (i32.const -1))", "the text of a log"),
        ("(drop (call $read (i32.const -16) (i32.const 0)))", "a query"),
        ("(drop (call $read (i32.const 2) (i32.const 0)))", "a query"),
        ("(drop (call $list (i32.const 0) (i32.const -1)))", "the place for a pool's keys"),
        ("(drop (call $read (i32.const 0) (i32.const -1)))", "the place for what a pool has"),
        ("(call $failed (i32.const -1) (i32.const 9) (i32.const 0) (i32.const 0))", "the text of a failure"),
        (
            "(i32.store (i32.const 0) (i32.const -2)) (i32.store offset=8 (i32.const 0) (i32.const 16))
             (drop (call $read (i32.const 0) (i32.const 64)))",
            "the key of a query",
        ),
    ] {
        // The pool that may be listed and read is the third.
        let pool = "(i32.store offset=16 (i32.const 0) (i32.const 2))";
        traps(&format!("{pool} {call} (i32.const 0)"), &format!("{what} lies outside its memory"));
    }
    let long = "(i32.store offset=12 (i32.const 0) (i32.const 1)) (drop (call $read (i32.const 0) (i32.const 64))) (i32.const 0)";
    traps(long, "the key of a query has 4294967296 bytes, and 1048576 is the most");
}

#[test]
fn more_output_than_there_is() {
    // Refused, as a driver is told that goes on without it.
    let body = "(i32.eqz (call $grow (i64.const -1) (i32.const 0)))";
    let (_folder, file) = written(&with_batch(body));
    let mut harness = Harness::of(made(&HandlerSpec::new("hostile", "wasm", &file, "any"))).emits(&["/out"]);
    harness.put(b"a", b"one").unwrap();
}

#[test]
fn traps_have_their_names() {
    for (body, said) in [
        ("(i32.div_u (i32.const 1) (local.get $zero))", "integer divide by zero"),
        ("(i32.trunc_f32_s (f32.const nan))", "invalid conversion to integer"),
        ("unreachable", "it reached an `unreachable` instruction"),
        ("(i32.load (i32.const -4))", "out of bounds memory access"),
        ("(call_indirect (type $nothing) (local.get $zero)) (i32.const 0)", "uninitialized element"),
        (
            "(call_indirect (type $nothing) (i32.const 77)) (i32.const 0)",
            "undefined element: out of bounds table access",
        ),
        ("(call $deep (local.get $zero))", "call stack exhausted: it calls itself too deeply"),
    ] {
        traps(body, said);
    }
}

#[test]
fn a_module_that_says_it_gets_on_has_no_more_time_than_its_items() {
    let (_folder, file) = written(&with_batch(
        "(loop $on (i32.store offset=152 (local.get $frame) (i32.add (i32.load offset=152 (local.get $frame)) (i32.const 1)))
         (br $on)) (i32.const 0)",
    ));
    let limits = Limits { deadline: Some(Duration::from_millis(50)), ..Limits::default() };
    let spec = HandlerSpec { limits, ..HandlerSpec::new("hostile", "wasm", &file, "any") };
    let mut harness = Harness::of(made(&spec)).emits(&["/out"]);
    let begun = Instant::now();
    let failed = harness.batch(&[(b"a", b"one"), (b"b", b"two")]).unwrap_err();
    assert_eq!(failed.type_name, "timed out");
    assert!(
        begun.elapsed() < Duration::from_secs(20),
        "it would have gone on for 30 s for each of 4 billion"
    );
}

/// Why a file is not loaded.
#[track_caller]
fn refused(bytes: &[u8]) -> (ErrorKind, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("hand.wasm");
    std::fs::write(&file, bytes).unwrap();
    let error = wasm().load(&HandlerSpec::new("bad", "wasm", &file, "any")).err().expect("it was loaded");
    (error.kind(), error.to_string())
}

#[track_caller]
fn refused_for(text: &str, kind: ErrorKind, said: &str) {
    let found = refused(&wat::parse_str(text).unwrap_or_else(|error| panic!("{error}\n{text}")));
    assert!(found.0 == kind && found.1.contains(said), "{said:?} is not in {found:?}");
}

#[test]
fn files_that_are_no_modules() {
    let missing = HandlerSpec::new("bad", "wasm", "/nowhere/count.wasm", "any");
    let error = wasm().load(&missing).err().unwrap();
    assert_eq!(error.to_string(), "open /nowhere/count.wasm: there is no such file; build the handler first");
    for (bytes, said) in [
        (&b""[..], "it is no WebAssembly module; name the .wasm file"),
        (b"(module)", "it is no WebAssembly module"),
        (b"\0asm\x01", "it is cut short"),
        (b"\0asm\x0d\0\x01\0", "it is a component"),
        (b"\0asm\x01\0\0\0\xff\xff\xff\xff", "not a module that can be run here"),
    ] {
        let (kind, message) = refused(bytes);
        assert!(kind == ErrorKind::FileInvalid && message.contains(said), "{message}");
    }
}

#[test]
fn a_module_that_is_cut_anywhere() {
    let whole = wat::parse_str(module("(i32.const 0)")).unwrap();
    let names = whole.windows(4).position(|at| at == b"name").unwrap() - 1;
    for len in 0..whole.len() {
        // The names of functions may be missing: a section's kind and length come before its name.
        if len != names - 1 && len != names - 2 {
            let (kind, message) = refused(&whole[..len]);
            assert_eq!(kind, ErrorKind::FileInvalid, "{len}: {message}");
        }
    }
    let real = std::fs::read(handlers()).unwrap();
    for part in 1..8 {
        assert_eq!(refused(&real[..real.len() * part / 8]).0, ErrorKind::FileInvalid);
    }
}

#[test]
fn imports_that_are_not_given() {
    let import = |of: &str, name: &str, ty: &str| {
        module("(i32.const 0)").replacen("(import", &format!("(import \"{of}\" \"{name}\" {ty}) (import"), 1)
    };
    let wasi = import("wasi_snapshot_preview1", "fd_write", "(func (param i32 i32 i32 i32) (result i32))");
    refused_for(
        &wasi,
        ErrorKind::FileInvalid,
        "it imports `fd_write` of `wasi_snapshot_preview1`, and no handler is given that: a handler has no files, clock or network",
    );
    refused_for(&import("env", "now", "(func)"), ErrorKind::FileInvalid, "it imports `now` of `env`");
    refused_for(
        &import("upcall", "lod", "(func)"),
        ErrorKind::FileInvalid,
        "which has no such function, but `log`: use the version",
    );
    refused_for(
        &import("upcall", "log", "(func (param i64))"),
        ErrorKind::FileInvalid,
        "as (i64) -> (), and it is (i32, i32, i32) -> ()",
    );
}

#[test]
fn exports_that_are_not_there_or_of_another_type() {
    let whole = module("(i32.const 0)");
    refused_for("(module)", ErrorKind::FileInvalid, "it exports no `memory` of 32 bits");
    refused_for(
        &whole.replace("upcall_make", "make"),
        ErrorKind::FileInvalid,
        "it exports no `upcall_make`; write `upcall::handlers!`",
    );
    refused_for(&whole.replace("(export \"memory\")", "(export \"memory\") i64"), ErrorKind::FileInvalid, "");
    refused_for(
        &whole
            .replace("(param i32 i32) (result i32) (i32.const 1)", "(param i32) (result i32) (i32.const 1)"),
        ErrorKind::FileInvalid,
        "it exports `upcall_make` as (i32) -> i32, and it has to be (i32, i32) -> i32",
    );
    refused_for(
        &whole.replace("(i32.const 2))", "(i32.const 1))"),
        ErrorKind::AbiMismatch,
        "built for ABI 1, this is ABI 2",
    );
}

#[test]
fn modules_that_end_while_they_are_made() {
    let whole = module("(i32.const 0)");
    let make = |body: &str| {
        whole.replace(
            "(param i32 i32) (result i32) (i32.const 1)",
            &format!("(param i32 i32) (result i32) {body}"),
        )
    };
    refused_for(
        &make("unreachable"),
        ErrorKind::ConstructorFailed,
        "its constructor failed: it reached an `unreachable` instruction",
    );
    // A refusal that says nothing, and one that lies about its length.
    refused_for(&make("(i32.const 0)"), ErrorKind::RuntimeFailed, "make WebAssembly handler any of");
    refused_for(
        &make(
            "(i32.store (local.get 1) (i32.const 5)) (i64.store offset=24 (local.get 1) (i64.const -1)) (i32.const 0)",
        ),
        ErrorKind::ConstructorFailed,
        "make WebAssembly handler any of",
    );
    let start = whole.replace("(memory (export", "(func $start unreachable) (start $start) (memory (export");
    refused_for(&start, ErrorKind::ConstructorFailed, "it reached an `unreachable` instruction");
    refused_for(
        &whole.replace("\"memory\") 2", "\"memory\") 40000"),
        ErrorKind::ConstructorFailed,
        "it had 0 MiB and asked to have 2500 MiB, and `memory` gives it 1024 MiB",
    );
}

#[test]
fn a_constructor_without_end_is_ended() {
    let whole = module("(i32.const 0)").replace(
        "(param i32 i32) (result i32) (i32.const 1)",
        "(param i32 i32) (result i32) (loop $on (br $on)) (i32.const 1)",
    );
    let (_folder, file) = written(&whole);
    let limits = Limits { deadline: Some(Duration::from_millis(50)), ..Limits::default() };
    let error = wasm()
        .load(&HandlerSpec { limits, ..HandlerSpec::new("hostile", "wasm", &file, "any") })
        .err()
        .unwrap();
    let said = "its constructor failed: it took longer than its `deadline` of 50ms";
    assert!(error.to_string().ends_with(said), "{error}");
}

#[test]
fn a_start_without_end_is_told_as_the_start() {
    let endless = "(func $start (loop $on (br $on))) (start $start) (memory (export";
    let (_folder, file) = written(&module("(i32.const 0)").replace("(memory (export", endless));
    let limits = Limits { deadline: Some(Duration::from_millis(50)), ..Limits::default() };
    let spec = HandlerSpec { limits, ..HandlerSpec::new("hostile", "wasm", &file, "any") };
    let error = wasm().load(&spec).err().unwrap();
    let said = "hand.wasm: its start function took longer than its `deadline` of 50ms";
    assert!(error.to_string().ends_with(said), "{error}");
}

#[test]
fn an_opening_without_end_is_told_as_the_opening() {
    let endless = "(if (i32.eq (i32.load16_u offset=2 (local.get $frame)) (i32.const 1)) (then (loop $on (br $on)))) \
                   (i32.const 0)";
    let (_folder, file) = written(&module(endless));
    let limits = Limits { deadline: Some(Duration::from_millis(50)), ..Limits::default() };
    let spec = HandlerSpec { limits, ..HandlerSpec::new("hostile", "wasm", &file, "any") };
    let failed = Harness::of(made(&spec)).batch(&[(b"a", b"one")]).unwrap_err();
    assert_eq!(failed.message, "its opening took longer than its `deadline` of 50ms", "{failed:?}");
}

#[test]
fn a_module_larger_than_may_be_compiled_is_told_with_the_way_out() {
    let (_folder, file) = written(&module("(i32.const 0)"));
    // A section of its own, which nobody reads.
    let mut bytes = std::fs::read(&file).unwrap();
    bytes.extend(b"\0\x80\x80\xc0\0\x04none");
    bytes.resize(bytes.len() + (1 << 20) - 5, 0);
    std::fs::write(&file, bytes).unwrap();
    let spec = HandlerSpec::new("hostile", "wasm", &file, "any");
    wasm().load(&spec).unwrap();
    let small = WasmOptions { largest: Some(1 << 20), ..WasmOptions::default() };
    let error = Wasm::start(&small).unwrap().load(&spec).err().unwrap();
    assert_eq!(error.kind(), ErrorKind::FileInvalid);
    let said = "it has 2 MiB, and 1 MiB are the most that is compiled: remove what is for debuggers (`strip = true`, \
                `wasm-strip`), or set UPCALL_WASM_LARGEST to 2";
    assert!(error.to_string().ends_with(said), "{error}");
    // Nor is one without end read to its end.
    let endless = HandlerSpec::new("hostile", "wasm", "/dev/zero", "any");
    let error = Wasm::start(&small).unwrap().load(&endless).err().unwrap();
    assert!(error.to_string().contains("1 MiB are the most that is compiled"), "{error}");
}

#[test]
fn a_file_of_another_guest_is_no_module() {
    let error = wasm().load(&HandlerSpec {
        file: concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml").into(),
        ..spec("any")
    });
    assert!(error.err().unwrap().to_string().contains("it is no WebAssembly module"));
}
