//! Handlers in C: as the README of `sdk/c` says, and their tests without an engine.

#[cfg(feature = "wasm")]
use crate::support::readme::prints;
use crate::support::readme::{blocks, shell};
use crate::support::{root, run, upcall};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const README: &str = "sdk/c/README.md";
const TESTS: &str = "Tests, without WebAssembly and without an engine";

fn block(title: &str, of: &str, at: usize) -> String {
    blocks(README, title, of).swap_remove(at)
}

/// A project in C, in a folder of its own.
fn project() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let outcome = run(upcall(&["new", "c", "hello"]).current_dir(folder.path()));
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let here = folder.path().join("hello");
    (folder, here)
}

#[cfg(feature = "wasm")]
#[test]
fn the_walk_of_the_c_readme_works_as_printed() {
    crate::project::walked(README, "c", "greeter.c");
}

#[cfg(feature = "wasm")]
#[test]
fn a_module_in_c_is_made_by_hand_as_the_readme_says() {
    let (_folder, here) = project();
    fs::create_dir(here.join("build")).unwrap();
    prints(&here, &block("By hand", "sh", 0), &block("By hand", "text", 0));
}

#[test]
fn the_test_of_the_c_readme_runs_as_printed() {
    let (_folder, here) = project();
    assert_eq!(block(TESTS, "c", 0), fs::read_to_string(here.join("test_greeter.c")).unwrap());
    let outcome = run(&mut shell(&here, &block(TESTS, "sh", 0)));
    assert_eq!((outcome.code, outcome.out), (Some(0), block(TESTS, "text", 0)), "{}", outcome.err);
    assert_eq!(outcome.err, "", "no warning");
}

#[test]
fn of_a_project_in_c_what_does_not_compile_and_what_fails_is_shown() {
    let (_folder, here) = project();
    let read = |file: &str| fs::read_to_string(here.join(file)).unwrap();
    let said = |arguments: &[&str], code: i32| {
        let outcome = run(upcall(arguments).current_dir(&here));
        assert_eq!(outcome.code, Some(code), "{arguments:?}\n{}\n{}", outcome.out, outcome.err);
        outcome.out + &outcome.err
    };
    assert_eq!(said(&["build"], 0), "built build/greeter.wasm\n");
    let right = read("greeter.c");
    fs::write(here.join("greeter.c"), right.replace("upcall_put(emit, ", "upcall_put(")).unwrap();
    let told = said(&["build"], 1);
    assert!(told.contains("greeter.c:11:") && told.contains("error: compile "), "{told}");
    assert!(here.join("build/greeter.wasm").is_file(), "what was built before is there");
    fs::write(here.join("greeter.c"), right.replace("Hello, ", "Howdy, ")).unwrap();
    let told = said(&["test"], 1);
    assert!(told.contains("Assertion `upcall_equal(harness->emitted[0].value"), "{told}");
    fs::remove_file(here.join("test_greeter.c")).unwrap();
    assert!(said(&["test"], 1).contains("there are no tests in C in it; write one in a file test_NAME.c"));
}

#[cfg(feature = "wasm")]
#[test]
fn a_handler_in_c_may_compare_copy_and_fill_bytes_without_a_c_library() {
    let (_folder, here) = project();
    let text = r#"
        #include "upcall_guest.h"
        static const char *greet(void *state, const upcall_object *object, upcall_emit *emit) {
            (void)state;
            char copy[64];
            upcall_bytes value = object->value;
            if (value.len >= sizeof copy) return "too long";
            memset(copy, '.', sizeof copy);
            memcpy(copy, value.data, value.len);
            if (__builtin_memcmp(copy, value.data, value.len) || memcmp(copy, "B", 1) * memcmp("B", copy, 1) > 0) return "other";
            memmove(copy + 1, copy, value.len);
            upcall_put(emit, object->key, (upcall_bytes){copy, value.len + 2});
            return 0;
        }
        UPCALL_HANDLERS({.name = "greeter", .on_object = greet})
    "#;
    fs::write(here.join("greeter.c"), text).unwrap();
    prints(&here, "upcall build", "built build/greeter.wasm\n");
    let greeted = "1\tAAda.\n2\tGGrace.\n3\tLLinus.\n";
    prints(&here, "upcall run --dump /greetings=- --report none", greeted);
}

#[test]
fn the_functions_of_the_harness_are_those_of_its_header() {
    let header = fs::read_to_string(root().join("sdk/c/upcall_testing.h")).unwrap();
    let shown = block(TESTS, "c", 1);
    let declared = |text: &str, before: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.strip_prefix(before));
        lines.filter(|line| line.ends_with(");")).map(str::to_owned).collect()
    };
    assert_eq!(declared(&shown, ""), declared(&header, "UPCALL_STATIC "));
}

/// Compiles a test for this machine, and runs it.
#[track_caller]
fn tested(compiler: &str, flags: &[&str], source: &Path) -> crate::support::Outcome {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("test");
    let mut compile = Command::new(compiler);
    compile
        .args(["-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-g", "-I"])
        .arg(root().join("sdk/c"));
    let outcome = run(compile.args(flags).arg(source).arg("-o").arg(&program));
    assert_eq!((outcome.code, outcome.err.as_str()), (Some(0), ""), "{compiler} {flags:?}");
    run(&mut Command::new(program))
}

#[test]
fn a_harness_in_c_calls_handlers_of_every_kind_as_an_engine_does() {
    let sanitized = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
    for test in ["test_kinds.c", "test_vertices.c", "test_programs.c"] {
        let source = root().join("sdk/c/tests").join(test);
        for (compiler, flags) in [("cc", &sanitized[..]), ("cc", &["-O3"]), ("clang", &["-O2"])] {
            let outcome = tested(compiler, flags, &source);
            assert_eq!(outcome.code, Some(0), "{test} {compiler} {flags:?}: {}", outcome.err);
            assert!(outcome.out.ends_with(" checks\n"), "{}", outcome.out);
        }
    }
}

#[test]
fn the_typed_handler_of_the_c_readme_takes_what_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("test.c");
    let text = "#include \"upcall_testing.h\"\n".to_owned()
        + &block("Handlers", "c", 0)
        + r#"
        int main(void) {
            struct reading roof = {7, 20};
            upcall_harness *harness = upcall_harness_new("fahrenheit");
            upcall_harness_emits(harness, "/fahrenheit");
            bool failed = upcall_harness_put(harness, upcall_text("roof"), UPCALL_VALUE(roof));
            double degrees = failed ? 0 : *UPCALL_AS(double, harness->emitted[0].value);
            upcall_harness_free(harness);
            return degrees == 68 ? 0 : 1;
        }"#;
    fs::write(&source, text).unwrap();
    let outcome = tested("cc", &["-fsanitize=address,undefined"], &source);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
}

#[test]
fn the_vertex_program_of_the_c_readme_runs_in_its_test() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("largest.c"), block("Vertex programs", "c", 0)).unwrap();
    let source = folder.path().join("test.c");
    fs::write(&source, block(TESTS, "c", 2)).unwrap();
    let outcome = tested("cc", &["-fsanitize=address,undefined"], &source);
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
}

#[test]
fn a_sanitizer_finds_a_handler_that_keeps_what_a_call_lends() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("test.c");
    let text = r#"
        #include "upcall_testing.h"
        static const char *keeps(void *state, const upcall_object *object, upcall_emit *emit) {
            upcall_bytes *last = state;
            if (last->data) upcall_put(emit, *last, object->value);
            *last = object->key;
            return 0;
        }
        UPCALL_HANDLERS({.name = "keeps", .size = sizeof(upcall_bytes), .on_object = keeps})
        int main(void) {
            upcall_harness *harness = upcall_harness_new("keeps");
            upcall_harness_emits(harness, "/out");
            upcall_harness_put(harness, upcall_text("a"), upcall_text(""));
            upcall_harness_put(harness, upcall_text("b"), upcall_text(""));
            upcall_harness_free(harness);
            return 0;
        }"#;
    fs::write(&source, text).unwrap();
    let outcome = tested("cc", &["-fsanitize=address"], &source);
    assert_ne!(outcome.code, Some(0));
    assert!(outcome.err.contains("heap-use-after-free"), "{}", outcome.err);
}

#[test]
fn a_handler_that_is_not_there_ends_its_test_with_those_that_are() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("test.c");
    let kinds = root().join("sdk/c/tests/kinds.c");
    let text = format!(
        "#include \"upcall_testing.h\"\n#include \"{}\"\nint main(void) {{\n\
         upcall_harness_free(upcall_harness_new(\"sums\"));\nreturn 0;\n}}\n",
        kinds.display()
    );
    fs::write(&source, text).unwrap();
    let outcome = tested("cc", &[], &source);
    assert_ne!(outcome.code, Some(0));
    let said = "upcall_testing.h: make sums: it exports no such handler; it holds batches, ";
    assert!(outcome.err.starts_with(said) && outcome.err.lines().count() == 1, "{}", outcome.err);
}
