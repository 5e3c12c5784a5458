//! Handlers in AssemblyScript, as the README of `sdk/assemblyscript` says.
#![cfg(feature = "wasm")]

use crate::support::readme::{blocks, prints, shell};
use crate::support::{example, root, run};
use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use tempfile::TempDir;

fn block(of: &str, at: usize) -> String {
    let title = "From an empty folder to a handler of your own";
    blocks("sdk/assemblyscript/README.md", title, of).swap_remove(at)
}

/// The walk's folder, with the compiler that `cargo xtask setup` installs in place of npm's.
fn walk(handler: &str) -> TempDir {
    let compiler = root().join(".setup/assemblyscript");
    let wanted = fs::read_to_string(compiler.join("wanted.txt")).expect("cargo xtask setup");
    assert_eq!(block("sh", 1), format!("npm install --save-dev {wanted}\n"));
    let folder = tempfile::tempdir().unwrap();
    symlink(compiler.join("node_modules"), folder.path().join("node_modules")).unwrap();
    fs::write(folder.path().join("hello.ts"), handler).unwrap();
    fs::write(folder.path().join("flow.toml"), block("toml", 0)).unwrap();
    folder
}

#[test]
fn the_walk_of_the_assemblyscript_readme_works_as_printed() {
    let folder = walk(&block("ts", 0));
    prints(folder.path(), &block("sh", 2), &block("text", 0));
}

#[test]
fn a_module_in_assemblyscript_that_wants_a_clock_is_refused_by_its_name() {
    let handler = block("ts", 0).replace("`Hello, ${name}!`", "`${Date.now()} ${name}`");
    let folder = walk(&handler);
    let outcome = run(&mut shell(folder.path(), &block("sh", 2)));
    assert_ne!(outcome.code, Some(0), "{}", outcome.out);
    assert!(outcome.err.contains("Date.now"), "{}", outcome.err);
}

#[test]
fn a_module_in_assemblyscript_with_the_runtime_stub_does_not_compile() {
    let folder = walk(&block("ts", 0));
    let build = block("sh", 2);
    let stub = build.replace("-O --debug", "-O --debug --runtime stub");
    assert_ne!(stub, build);
    let outcome = run(&mut shell(folder.path(), &stub));
    assert_ne!(outcome.code, Some(0), "{}", outcome.out);
    assert!(outcome.err.contains("use --runtime incremental, or minimal"), "{}", outcome.err);
}

/// Without an engine: frames made by hand, in Node, to modules that `cargo xtask build --wasm` leaves.
#[test]
fn vertex_programs_in_assemblyscript_do_what_their_sdk_promises() {
    let mut node = Command::new("node");
    node.arg(root().join("sdk/assemblyscript/tests/test_vertices.mjs"));
    node.arg(root().join("build/tests/vertices-as.wasm")).arg(example("graph/build/programs-as.wasm"));
    let outcome = run(&mut node);
    assert_eq!((outcome.code, outcome.out.as_str()), (Some(0), "20 tests\n"), "{}", outcome.err);
}

#[test]
fn the_vertex_program_of_the_assemblyscript_readme_runs() {
    let folder = walk(&block("ts", 0));
    let program = blocks("sdk/assemblyscript/README.md", "Vertex programs", "ts").swap_remove(0);
    fs::write(folder.path().join("largest.ts"), program).unwrap();
    let walked = block("sh", 2);
    let compile =
        walked.lines().find(|line| line.starts_with("npx asc ")).unwrap().replace("hello", "largest");
    prints(folder.path(), &compile, "");
    let harness = root().join("sdk/assemblyscript/tests/graph.mjs");
    let text = format!(
        "import {{ Graph, run }} from {harness:?};\n\
         console.log(run('build/largest.wasm', 'Largest', new Graph(4, [[3, 0], [0, 1], [1, 2]])).shown.join());\n"
    );
    fs::write(folder.path().join("run.mjs"), text).unwrap();
    prints(folder.path(), "node run.mjs", "3,3,3,3\n");
}
