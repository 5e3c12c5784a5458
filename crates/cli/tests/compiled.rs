//! Handlers in Python that numba has compiled, beside the interpreter and in processes of their own.

use crate::support::{Folder, code, pools, ran, root, run, upcall};

#[test]
fn a_compiled_function_squares_numbers_and_fails_one() {
    let file = root().join("crates/cli/tests/handlers/compiled.py");
    for more in ["", "isolation = \"process\"\n"] {
        let handler = code("python", &file, "square", "/in", "/out", more);
        let folder = Folder::new(&(pools(&["#/in", "#/out"]) + &handler));
        let outcome = ran(&folder, "1\n5000000000\n3\n");
        assert_eq!(outcome.code, Some(0), "{}", outcome.err);
        assert_eq!(folder.read("out"), "1\t1\n3\t9\n");
        let dead = folder.read("dead");
        assert!(dead.contains("square raised an exception, which sys.unraisablehook was told"), "{dead}");
        assert!(outcome.err.contains("ValueError: too large"), "{}", outcome.err);
    }
}

#[test]
fn a_compiled_function_says_what_it_takes_and_gives() {
    let outcome = run(&mut upcall(&["describe", "crates/cli/tests/handlers/compiled.py", "square"]));
    assert!(outcome.out.contains("takes      u64, 8 bytes\n  gives      u64, 8 bytes"), "{}", outcome.out);
}
