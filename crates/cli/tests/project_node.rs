//! Projects with JavaScript in them: the package `upcall` that installing others removes, and tests beside other languages'.

use crate::support::{root, run, upcall};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

/// A project in JavaScript whose handler imports the package `upcall`, built.
fn project() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path().join("hello");
    assert_eq!(run(upcall(&["new", "node", "hello"]).current_dir(folder.path())).code, Some(0));
    let handler = fs::read_to_string(here.join("greeter.mjs")).unwrap();
    fs::write(here.join("greeter.mjs"), format!("import \"upcall\";\n{handler}")).unwrap();
    assert_eq!(run(upcall(&["build"]).current_dir(&here)).code, Some(0));
    (folder, here)
}

#[track_caller]
fn goes(here: &Path, arguments: &[&str]) -> String {
    let outcome = run(upcall(arguments).current_dir(here));
    assert_eq!(outcome.code, Some(0), "{arguments:?}\n{}\n{}", outcome.out, outcome.err);
    outcome.out + &outcome.err
}

#[test]
fn a_project_runs_whose_link_to_the_package_npm_has_removed() {
    let (_folder, here) = project();
    let link = here.join("node_modules/upcall");
    for command in [&["run", "--report", "none"][..], &["check", "--load"]] {
        fs::remove_file(&link).unwrap();
        goes(&here, command);
        assert_eq!(fs::read_link(&link).unwrap(), root().join("sdk/node").canonicalize().unwrap());
    }
    // As npm makes one.
    let sdk = here.join("sdk");
    symlink(root().join("sdk/node"), &sdk).unwrap();
    fs::remove_file(&link).unwrap();
    symlink("../sdk", &link).unwrap();
    goes(&here, &["run", "--report", "none"]);
    assert_eq!(fs::read_link(&link).unwrap(), Path::new("../sdk"), "it leads there");
}

#[test]
fn the_package_json_of_a_new_project_names_the_package_so_that_npm_keeps_it() {
    let (_folder, here) = project();
    let text = fs::read_to_string(here.join("package.json")).unwrap();
    let package: serde_json::Value = serde_json::from_str(&text).unwrap();
    let named = package["dependencies"]["upcall"].as_str().unwrap().strip_prefix("file:").unwrap();
    assert!(Path::new(named).join("package.json").is_file(), "{named}");
}

#[test]
fn a_language_without_tests_is_no_failure_where_another_has_some() {
    let (_folder, here) = project();
    fs::write(here.join("other.py"), "").unwrap();
    let said = goes(&here, &["test"]);
    assert!(
        said.contains("there are no tests in Python in it; write one in a file test_NAME.py\n"),
        "{said}"
    );
    assert!(!said.contains("error: "), "{said}");
    fs::remove_file(here.join("greeter.test.mjs")).unwrap();
    let outcome = run(upcall(&["test"]).current_dir(&here));
    assert_eq!(outcome.code, Some(1), "{}", outcome.err);
    let each = outcome
        .err
        .lines()
        .filter(|line| line.starts_with("error: ") && line.contains("there are no tests in "));
    assert_eq!(each.count(), 2, "{}", outcome.err);
}
