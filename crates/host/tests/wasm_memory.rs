//! What is said, and done, where a module's memory is full.
#![cfg(feature = "wasm")]

mod wasm_support;

use upcall::{Failed, Harness};
use upcall_host::{ErrorKind, HandlerSpec, Host, Limits};
use wasm_support::{handlers, made, module, wasm, with_batch, written};

const MIB: u64 = 1 << 20;

/// A handler that does this with a batch, in so much memory.
fn hand_written(module: &str, memory: u64) -> (tempfile::TempDir, HandlerSpec) {
    let (folder, file) = written(module);
    let limits = Limits { memory: Some(memory), ..Limits::default() };
    (folder, HandlerSpec { limits, ..HandlerSpec::new("hand", "wasm", file, "any") })
}

fn harness(spec: &HandlerSpec) -> Harness {
    Harness::of(made(spec)).emits(&["/out"])
}

#[test]
fn output_in_pages_behind_the_modules_own_is_found_again_by_the_next_batch() {
    // The module takes a page of its own between what goes in and what comes out.
    let body = "(if (i32.eqz (i32.load8_u (i32.const 9)))
                    (then (drop (memory.grow (i32.const 1))) (i32.store8 (i32.const 9) (i32.const 1))))
                (call $grow (i64.const 0x100000) (i32.const 16))";
    let (_folder, spec) = hand_written(&with_batch(body), 6 * MIB);
    let mut harness = harness(&spec);
    for round in 0..20 {
        let value = vec![1; 3 << 20];
        harness.put(b"a", &value).unwrap_or_else(|failed| panic!("round {round}: {failed:?}"));
    }
}

/// What is told where a batch of so many bytes goes into a module that declares its memory so.
fn told(declared: &str, memory: u64, bytes: usize) -> Failed {
    let text = with_batch("(i32.const 0)")
        .replace("(export \"memory\") 2", &format!("(export \"memory\") {declared}"));
    let (_folder, spec) = hand_written(&text, memory);
    harness(&spec).put(b"a", &vec![0; bytes]).unwrap_err()
}

#[test]
fn a_batch_that_does_not_fit_is_told_by_the_limit_that_counts() {
    for (declared, memory, said) in [
        ("2", 4 * MIB, ", and `memory` gives it 4 MiB): raise `memory` of the handler"),
        ("2 32", 4 * MIB, ", and the module itself declares 2 MiB at most; link it with more"),
        ("2 1600", 4 * MIB, ", and `memory` gives it 4 MiB): raise `memory` of the handler"),
    ] {
        let failed = told(declared, memory, 8 << 20);
        assert!(
            failed.message.starts_with("the module's memory has no room for the batch")
                && failed.message.ends_with(said),
            "{declared}: {failed:?}"
        );
    }
}

#[test]
fn memory_that_the_module_itself_does_not_declare_is_told_with_its_trap() {
    let text = with_batch("(drop (memory.grow (i32.const 1000))) unreachable");
    let (_folder, spec) = hand_written(&text.replace("\"memory\") 2", "\"memory\") 2 64"), 1 << 30);
    let failed = harness(&spec).put(b"a", b"one").unwrap_err();
    let said = "asked to have 63 MiB, and the module itself declares 4 MiB at most; link it with more";
    assert!(failed.message.ends_with(said), "{failed:?}");
}

#[test]
fn a_module_without_room_for_its_handlers_name_is_told_what_to_do() {
    let refused = |declared: &str, memory: u64| {
        let text = module("(i32.const 0)").replace("\"memory\") 2", &format!("\"memory\") {declared}"));
        let (_folder, spec) = hand_written(&text, memory);
        let error = wasm().load(&spec).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::ConstructorFailed);
        error.to_string()
    };
    let said = refused("2 2", MIB);
    let wanted = "hand.wasm: the module's memory has no room for the handler's name: it had 1 MiB and asked to have 1 MiB, \
                  and the module itself declares 1 MiB at most; link it with more";
    assert!(said.ends_with(wanted), "{said}");
    let said = refused("2", 2 << 16);
    assert!(said.ends_with("and `memory` gives it 1 MiB): raise `memory` of the handler"), "{said}");
}

#[test]
fn output_that_the_memory_does_not_hold_fails_the_item_with_the_numbers() {
    let (_folder, spec) =
        hand_written(&with_batch("(call $grow (i64.const 0x80000000) (i32.const 16))"), MIB);
    let mut harness = harness(&spec);
    let failed = harness.put(b"a", b"one").unwrap_err();
    let said = "the module's memory has no room for more (it had 1 MiB and asked to have 2049 MiB, and `memory` gives it \
                1 MiB): raise `memory` of the handler";
    assert!(failed.message == said, "{failed:?}");
}

#[test]
fn what_is_read_without_room_for_it_is_told_so_and_not_as_a_pool_that_is_not_declared() {
    let file = |name: &str| handlers().with_file_name(name);
    let value = vec![0; 16 << 20];
    for (name, class) in [("kinds.wasm", "adds"), ("assemblyscript.wasm", "adds")] {
        let limits = Limits { memory: Some(8 * MIB), ..Limits::default() };
        let spec = HandlerSpec { limits, ..HandlerSpec::new("reads", "wasm", file(name), class) };
        let harness = Harness::of(made(&spec)).emits(&["/second"]);
        let failed = harness.reads("/sums", &[(b"k", &value)]).put(b"k", b"1").unwrap_err();
        let said = "read k: the handler's memory has no room for it; raise its `memory`, or read less in one call; the module's \
                    memory has no room for more (it had ";
        assert!(failed.message.starts_with(said), "{name}: {failed:?}");
    }
}

#[test]
fn keys_without_room_for_them_are_told_so() {
    let limits = Limits { memory: Some(2 * MIB), ..Limits::default() };
    let spec = HandlerSpec {
        limits,
        ..HandlerSpec::new("lists", "wasm", handlers().with_file_name("kinds.wasm"), "history")
    };
    let keys: Vec<String> = (0..40_000).map(|key| format!("{key:0100}")).collect();
    let names: Vec<(&[u8], &[u8])> = keys.iter().map(|key| (key.as_bytes(), &b"1"[..])).collect();
    let failed = Harness::of(made(&spec)).emits(&["/out"]).reads("/names", &names).put(b"", b"").unwrap_err();
    let said =
        "list keys: the handler's memory has no room for them; raise its `memory`, or read less in one call";
    assert!(failed.message.starts_with(said), "{failed:?}");
}

#[test]
fn a_folder_is_told_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let error = wasm().load(&HandlerSpec::new("bad", "wasm", folder.path(), "any")).err().unwrap();
    assert!(error.to_string().ends_with("; name the .wasm file in this folder"), "{error}");
}
