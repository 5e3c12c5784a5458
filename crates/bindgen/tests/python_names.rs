//! Names and docs that mean something to Python, in both implementations.

use bindgen_tests::interpreter;

#[test]
fn quotes_in_docs_errors_named_like_pythons_and_unknown_fields() {
    interpreter::passes("names", env!("CARGO_TARGET_TMPDIR"));
}
