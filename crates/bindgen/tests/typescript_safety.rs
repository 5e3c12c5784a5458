//! A JavaScript program that does its worst.

use bindgen_tests::{hostile, node};
use std::path::Path;
use std::process::Command;
use upcall_bindgen::{Output, typescript};

#[test]
fn node_survives() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hostile-typescript");
    hostile::bindings(|config| {
        let options = typescript::Options::default();
        config.typescript = Some(Output { output: folder.clone(), options });
    });
    node::build(&folder, "hostile");
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/typescript/safety.js");
    let mut node = Command::new("node");
    node.arg("--expose-gc").arg(script).arg(folder.join("index.js")).env("MALLOC_PERTURB_", "170");
    let output = node.env("HOSTILE_LIBRARY", hostile::library()).output().expect("node runs");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    assert!(said.ends_with("done\n"), "{said}");
}
