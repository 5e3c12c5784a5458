//! Names and docs that mean something to Python, in both implementations.

use bindgen_tests::interpreter;

#[test]
fn quotes_in_docs_errors_named_like_pythons_and_unknown_fields() {
    interpreter::passes("names", env!("CARGO_TARGET_TMPDIR"));
}

#[test]
fn names_of_python_itself_hide_none_of_what_the_package_means() {
    interpreter::passes("shadows", env!("CARGO_TARGET_TMPDIR"));
}

#[test]
fn objects_are_as_often_held_afterwards_as_before() {
    interpreter::passes("references", env!("CARGO_TARGET_TMPDIR"));
}
