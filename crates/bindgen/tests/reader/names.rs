//! Names that would be one in some language, and names that the user chooses.

use crate::folder;
use std::collections::BTreeMap;
use upcall_bindgen::{Config, Diagnostics, Generated, Output, generate, rust};

const LIB: &str = "#[repr(C)] pub struct fts5_tokenizer { pub a: u8 }
#[repr(C)] pub struct Fts5Tokenizer { pub b: u16 }
#[unsafe(no_mangle)] pub extern \"C\" fn find_it(of: fts5_tokenizer) -> Fts5Tokenizer { Fts5Tokenizer { b: 1 } }
#[unsafe(no_mangle)] pub extern \"C\" fn findIt(x: u8) {}
pub const LIMIT: u32 = 1;
";

/// All languages, and what is said.
fn all(rename: &[(&str, &str)]) -> (Option<Generated>, Vec<String>) {
    let folder = folder(&[("lib.rs", LIB)]);
    let owned = |name: &str| name.to_owned();
    let config = Config {
        library: "some".into(),
        rust: Some(rust::Input { files: vec![folder.path().join("lib.rs")], ..rust::Input::default() }),
        rename: rename.iter().map(|(old, new)| (owned(old), owned(new))).collect::<BTreeMap<_, _>>(),
        csharp: Some(Output { output: "Native.g.cs".into(), ..Output::default() }),
        python: Some(Output::default()),
        typescript: Some(Output::default()),
        java: Some(Output::default()),
        header: Some(Output { output: "api.h".into(), ..Output::default() }),
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    (generated, diagnostics.list.iter().map(|one| one.to_string()).collect())
}

fn names(generated: &Generated) -> (Vec<&str>, Vec<&str>) {
    let api = &generated.apis[0];
    let types = api.types.iter().map(|declared| declared.name.as_str());
    (types.collect(), api.functions.iter().map(|function| function.name.as_str()).collect())
}

#[test]
fn of_two_names_that_become_one_only_one_is_changed_and_named() {
    let (generated, said) = all(&[]);
    let generated = generated.unwrap_or_else(|| panic!("{said:?}"));
    let (mut types, functions) = names(&generated);
    types.sort_unstable();
    assert_eq!(types, ["Fts5Tokenizer", "fts5_tokenizer_2"]);
    assert_eq!(functions, ["find_it_2", "findIt"]);
    assert_eq!(generated.apis[0].functions[0].symbol, "find_it");
    assert_eq!(said.len(), 2, "{said:?}");
    let expected = "lib.rs:1:23: `fts5_tokenizer` is called `fts5_tokenizer_2`: `Fts5Tokenizer` would be the same class in \
        some languages (choose a name: --rename fts5_tokenizer=NAME)";
    assert!(said[0].ends_with(expected), "{said:?}");
    assert!(
        said[1].contains("`find_it` is called `find_it_2`: `findIt` would be the same function"),
        "{said:?}"
    );
}

#[test]
fn where_no_language_changes_the_case_both_keep_their_names() {
    let folder = folder(&[("lib.rs", LIB)]);
    let config = Config {
        library: "some".into(),
        rust: Some(rust::Input { files: vec![folder.path().join("lib.rs")], ..rust::Input::default() }),
        python: Some(Output::default()),
        header: Some(Output { output: "api.h".into(), ..Output::default() }),
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics).unwrap();
    assert_eq!(diagnostics.list, []);
    assert_eq!(names(&generated).1, ["find_it", "findIt"]);
}

#[test]
fn a_chosen_name_is_that_in_every_language() {
    let chosen = [("fts5_tokenizer", "Splitter"), ("find_it", "search"), ("LIMIT", "MOST")];
    let (generated, said) = all(&chosen);
    let generated = generated.unwrap_or_else(|| panic!("{said:?}"));
    assert_eq!(said, [""; 0]);
    for (folder, files) in &generated.outputs {
        let text: String =
            files.iter().map(|file| format!("{} {}", file.path.display(), file.text)).collect();
        let text = text.to_lowercase();
        for name in ["splitter", "search", "most"] {
            assert!(
                text.contains(name),
                "{name} in {} {:?}",
                folder.display(),
                files.first().map(|file| &file.path)
            );
        }
        assert!(!text.contains("fts5_tokenizer "), "{}", folder.display());
    }
    let (_, said) = all(&[("nobody", "somebody")]);
    assert!(said[0].contains("nothing is called `nobody`, which should be called `somebody`"), "{said:?}");
}
