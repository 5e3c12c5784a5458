//! Files without a package, of whichever edition.

use crate::{MANIFEST, folder, quiet, read};

const OLD: &str = "extern \"C\" { pub fn declared(gen: u32) -> u32; }
#[no_mangle] pub extern \"C\" fn defined(x: Pair) -> u32 { unsafe { declared(x.a.into()) } }
#[repr(C)] pub struct Pair { pub a: u8, pub b: u32 }
";
/// In which the compiler's own expansion is read.
const MADE: &str = "macro_rules! made { ($name:ident) => { pub const $name: u32 = 3; } } made!(MADE);";

#[test]
fn a_file_of_edition_2021_is_read_without_being_told_so() {
    for text in [OLD.to_owned(), format!("{OLD}{MADE}")] {
        let folder = folder(&[("api.rs", &text)]);
        let api = quiet(&folder.path().join("api.rs"));
        assert_eq!(
            api.functions.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(),
            ["declared", "defined"]
        );
        assert_eq!(api.types[0].layout.unwrap().size, 8);
        assert_eq!(api.constants.len(), usize::from(text.len() > OLD.len()));
    }
}

#[test]
fn an_error_is_that_of_the_newest_edition() {
    let folder = folder(&[("api.rs", &format!("{OLD} pub fn broken() -> u8 {{ \"text\" }}"))]);
    let (api, said) = read(&folder.path().join("api.rs"), |_| ());
    assert!(api.is_none() && said.join("\n").contains("extern blocks must be unsafe"), "{said:?}");
}

#[test]
fn the_edition_that_is_asked_for_is_the_one() {
    let text = "#[no_mangle] pub extern \"C\" fn f(x: u8) -> u8 { let gen = x; gen }";
    let folder = folder(&[("api.rs", text), ("Cargo.toml", MANIFEST), ("src/lib.rs", text)]);
    // In the folder of a package of 2024.
    let api = folder.path().join("api.rs");
    let constant = folder.path().join("2015.rs");
    std::fs::write(
        &constant,
        format!("{text} #[repr(C)] pub struct One {{ a: u8 }} #[no_mangle] pub extern fn g(one: One) {{}}"),
    )
    .unwrap();
    let with = |file: &std::path::Path, edition: &str| {
        let (api, said) = read(file, |input| input.edition = Some(edition.to_owned()));
        (api.is_some(), said.join("\n"))
    };
    assert_eq!(with(&constant, "2015"), (true, String::new()));
    assert!(with(&constant, "2024").1.contains("reserved keyword"), "{}", with(&constant, "2024").1);
    let (read, said) = with(&api, "2022");
    assert!(!read && said.contains("there is no edition `2022`") && said.contains("2021"), "{said}");
    let (read, said) = with(&folder.path().join("src/lib.rs"), "2015");
    assert!(!read && said.contains("its Cargo.toml says which edition it has"), "{said}");
}
