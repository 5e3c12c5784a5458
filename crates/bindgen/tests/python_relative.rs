//! Elements at an offset from a base are found there, in both implementations of Python.

use bindgen_tests::interpreter;

#[test]
fn what_is_relative_to_a_base_is_found_in_it_and_nowhere_else() {
    interpreter::passes("relative", env!("CARGO_TARGET_TMPDIR"));
}
