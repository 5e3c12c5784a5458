//! Names that the command line of `upcall bindgen` chooses, and its last line.

use crate::support;
use crate::support::Outcome;
use std::fs;
use std::path::Path;

fn bindgen(folder: &Path, arguments: &[&str]) -> Outcome {
    let mut command = support::upcall(&["bindgen"]);
    support::run(command.args(arguments).current_dir(folder))
}

#[test]
fn names_are_chosen_and_what_is_left_out_is_counted_in_the_last_line() {
    let source = "#[no_mangle] pub extern \"C\" fn find_it(of: u8) -> u8 { of }
pub const LIST: [u8; 1] = [1];
pub const PAIR: (u8, u8) = (1, 2);
";
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("lib.rs"), source).unwrap();
    let arguments =
        ["--rust", "lib.rs", "--library", "some", "--rename", "find_it=search", "--edition", "2021"];
    let outcome = bindgen(folder.path(), &[&arguments[..], &["--python", "out"]].concat());
    assert_eq!(outcome.code, Some(0), "{}", outcome.err);
    let last = outcome.err.lines().last().unwrap();
    assert!(last.starts_with("1 functions, 0 types, 0 constants, 2 left out: "), "{}", outcome.err);
    assert!(outcome.err.contains("the constant `LIST` is left out") && outcome.err.contains("lib.rs:3:11"));
    let all = fs::read_to_string(folder.path().join("out/some/__init__.pyi")).unwrap();
    assert!(all.contains("def search(") && !all.contains("def find_it("));
    assert!(all.contains("--edition 2021 --rename find_it=search"), "how it was made is said");

    for (wrong, said) in [("find_it", "write it as OLD=NEW"), ("none=some", "nothing is called `none`")] {
        let outcome =
            bindgen(folder.path(), &["--rust", "lib.rs", "--library", "a", "--c", "a.h", "--rename", wrong]);
        assert!(outcome.code != Some(0) && outcome.err.contains(said), "{}", outcome.err);
    }
}
