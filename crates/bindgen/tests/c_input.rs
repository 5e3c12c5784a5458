//! Input that a user may give the C front end, wrong input first.
#![cfg(feature = "c")]

use std::path::PathBuf;
use std::process::Command;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::c::{self, Input};
use upcall_bindgen::model::{Api, Body, Value};

fn read(text: &str, change: impl FnOnce(&mut Input)) -> (Option<Api>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let header = folder.path().join("api.h");
    std::fs::write(&header, text).unwrap();
    let mut input = Input { headers: vec![header], ..Input::default() };
    change(&mut input);
    let mut diagnostics = Diagnostics::default();
    let api = c::read(&input, &mut diagnostics);
    (api, diagnostics.list.iter().map(ToString::to_string).collect())
}

fn names(api: &Api) -> Vec<&str> {
    let types = api.types.iter().map(|declared| declared.name.as_str());
    types.chain(api.functions.iter().map(|function| function.name.as_str())).collect()
}

#[test]
fn a_header_that_does_not_exist_is_named_with_where_it_was_looked_for() {
    let (api, said) = read("", |input| {
        input.headers = vec![PathBuf::from("nowhere/api.h")];
        input.include = vec![PathBuf::from("include")];
    });
    assert!(api.is_none());
    assert!(
        said[0].contains("`nowhere/api.h` does not exist: looked in the working folder, `include`"),
        "{said:?}"
    );
}

#[test]
fn a_syntax_error_has_clangs_message_and_its_place() {
    let (api, said) = read("int good(void);\nint bad(int value;\n", |_| {});
    assert!(api.is_none());
    assert!(said.iter().any(|line| line.contains("api.h:2:18: clang: expected ')'")), "{said:?}");
}

#[test]
fn an_include_that_is_not_found_says_what_to_add() {
    let (api, said) = read("#include \"other.h\"\n", |_| {});
    assert!(api.is_none());
    assert!(said[0].contains("'other.h' file not found") && said[0].contains("include paths"), "{said:?}");
}

#[test]
fn a_header_that_wants_another_first_says_so_and_is_read_behind_it() {
    let text = "typedef struct job { int width; } job;\nint job_write(job *one, FILE *to);\n";
    let (api, said) = read(text, |_| {});
    assert!(api.is_none());
    assert!(said[0].contains("unknown type name 'FILE'"), "{said:?}");
    assert!(said[0].contains("--header stdio.h --header api.h"), "{said:?}");
    // Nothing of the system's is taken for its own sake.
    let (api, said) = read(text, |input| input.headers.insert(0, PathBuf::from("stdio.h")));
    assert_eq!(said, [""; 0]);
    let api = api.unwrap();
    let functions: Vec<_> = api.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(functions, ["job_write"]);
    let (api, said) = read(text, |input| input.headers.insert(0, PathBuf::from("nowhere.h")));
    assert!(api.is_none());
    assert!(
        said[0].starts_with("header `nowhere.h` does not exist: looked in the working folder"),
        "{said:?}"
    );
}

#[test]
fn an_empty_header_and_one_of_no_text_are_read() {
    assert_eq!(names(&read("", |_| {}).0.unwrap()).len(), 0);
    let (api, said) = read("\u{0}\u{1}\u{fffd}", |_| {});
    assert!(api.is_none() && !said.is_empty());
}

#[test]
fn libclang_that_is_not_there_is_a_named_error() {
    const INNER: &str = "UPCALL_TEST_WITHOUT_LIBCLANG";
    if std::env::var_os(INNER).is_some() {
        let (api, said) = read("int x(void);", |_| {});
        assert!(api.is_none());
        assert!(
            said[0].contains("apt-get install libclang-dev") && said[0].contains("LIBCLANG_PATH"),
            "{said:?}"
        );
        return;
    }
    let result = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "c_input::libclang_that_is_not_there_is_a_named_error"])
        .env(INNER, "1")
        .env("LIBCLANG_PATH", "/nonexistent")
        .output()
        .unwrap();
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stdout));
}

#[test]
fn lists_choose_and_what_is_used_comes_along() {
    let text = "struct used { int a; }; struct unused { int a; };\n\
                int take_one(struct used *a); int take_two(int a); int other(void);\n\
                #define TAKE_THREE 3\n#define OTHER 4\n";
    let (api, _) = read(text, |input| {
        input.allow = vec!["take_.*".into(), "TAKE_.*".into()];
        input.block = vec![".*_two".into()];
    });
    let api = api.unwrap();
    assert_eq!(names(&api), ["used", "take_one"]);
    assert_eq!(
        api.constants.iter().map(|constant| constant.name.as_str()).collect::<Vec<_>>(),
        ["TAKE_THREE"]
    );
    let (api, said) = read(text, |input| input.allow = vec!["(".into()]);
    assert!(api.is_none() && said[0].contains("allow list"), "{said:?}");
}

#[test]
fn defines_and_include_folders_reach_clang() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("inner.h"), "typedef int inner;\n").unwrap();
    let text = "#include \"inner.h\"\n#ifdef WITH\ninner with(void);\n#endif\nenum { SIZE = WITH };\n";
    let (api, said) = read(text, |input| {
        input.include = vec![folder.path().to_owned()];
        input.define = vec!["WITH=7".into()];
    });
    let api = api.unwrap_or_else(|| panic!("{said:?}"));
    assert_eq!(names(&api), ["inner", "with"]);
    assert_eq!(api.constants[0].value, Value::Int(7));
}

#[test]
fn layouts_are_those_of_the_target() {
    let text = "struct mixed { char c; long l; void *p; double d; };\n\
                struct bits { unsigned low : 3; unsigned high : 29; };\n";
    let layout = |target: &str| {
        let (api, said) = read(text, |input| input.target = Some(target.into()));
        let api = api.unwrap_or_else(|| panic!("{said:?}"));
        let Body::Struct(bits) = &api.types[1].body else { panic!() };
        let shift = bits.fields[0].bits.as_ref().unwrap().shift;
        let layout = api.types[0].layout.unwrap();
        (layout.size, layout.align, api.target.pointer, api.target.long, shift, api.target.big_endian)
    };
    assert_eq!(layout("x86_64-unknown-linux-gnu"), (32, 8, 8, 8, 0, false));
    assert_eq!(layout("i686-unknown-linux-gnu"), (20, 4, 4, 4, 0, false));
    assert_eq!(layout("x86_64-pc-windows-msvc"), (24, 8, 8, 4, 0, false));
    assert_eq!(layout("powerpc64-unknown-linux-gnu"), (32, 8, 8, 8, 29, true));
    assert_eq!(layout("aarch64-apple-darwin"), (32, 8, 8, 8, 0, false));
}

#[test]
fn a_target_that_clang_does_not_know_is_an_error() {
    let (api, said) = read("int f(void);", |input| input.target = Some("nowhere-unknown-nothing".into()));
    assert!(api.is_none() && said[0].contains("nowhere-unknown-nothing"), "{said:?}");
}

#[test]
fn symbols_are_those_that_a_loader_is_asked_for() {
    let text = "int f(void); extern int v; int g(void) __asm__(\"h\");";
    for target in
        ["x86_64-unknown-linux-gnu", "aarch64-apple-darwin", "x86_64-pc-windows-msvc", "i686-pc-windows-msvc"]
    {
        let api = read(text, |input| input.target = Some(target.into())).0.unwrap();
        let symbols: Vec<_> = api.functions.iter().map(|function| function.symbol.as_str()).collect();
        assert_eq!((symbols, api.statics[0].symbol.as_str()), (vec!["f", "h"], "v"), "{target}");
    }
}

#[test]
fn a_bitfield_that_no_integer_within_the_struct_holds_is_listed() {
    let text = "struct __attribute__((packed)) three { unsigned a : 20; unsigned b : 4; };\nint f(struct three *t);\n";
    let (api, said) = read(text, |_| {});
    assert!(said[0].contains("api.h:1:32: bitfield `a` has no accessor"), "{said:?}");
    let Body::Struct(record) = &api.unwrap().types[0].body else { panic!() };
    assert_eq!(record.fields.len(), 1);
}

#[test]
fn names_that_are_used_twice_are_told_apart() {
    let text = "struct same { int a; }; typedef int same; same f(struct same *s);\n\
                typedef struct odd odd_t; typedef struct odd odd_two; struct odd { odd_t *next; };\n";
    let api = read(text, |_| {}).0.unwrap();
    assert_eq!(names(&api), ["same", "type_same", "odd_t", "odd_two", "f"]);
}

#[test]
fn same_input_gives_an_equal_model() {
    let text = "struct a { int x; }; struct b { struct a a; struct b *next; }; struct b f(struct a);\n";
    let folder = tempfile::tempdir().unwrap();
    let header = folder.path().join("api.h");
    std::fs::write(&header, text).unwrap();
    let input = Input { headers: vec![header], ..Input::default() };
    let read = || c::read(&input, &mut Diagnostics::default()).unwrap();
    assert_eq!(read(), read());
}

#[test]
fn a_hundred_thousand_lines_are_read() {
    let text: String = (0..50_000)
        .map(|index| format!("struct s{index} {{ int a; }};\nint f{index}(struct s{index} *s);\n"))
        .collect();
    let api = read(&text, |_| {}).0.unwrap();
    assert_eq!((api.types.len(), api.functions.len()), (50_000, 50_000));
}
