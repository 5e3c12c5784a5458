//! The Rust text of the glue is compiled by the real compiler, and the shims are run.

use bindgen_tests::shapes;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::glue;
use upcall_bindgen::model::{Api, Body, Function, Int, Linkage, Ty};

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("glue").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("src/runtime")).unwrap();
    folder
}

/// Compiles a program of these modules and returns the compiler's output.
fn compile(folder: &Path, mirror: &str, main: &str) -> Result<(), String> {
    fs::write(folder.join("src/mirror.rs"), mirror).unwrap();
    fs::write(folder.join("src/main.rs"), main).unwrap();
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "-Dwarnings", "-o"]).arg(folder.join("main"));
    let output = rustc.arg(folder.join("src/main.rs")).output().unwrap();
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

fn all(api: &Api) -> Vec<&Function> {
    api.functions.iter().collect()
}

#[test]
fn mirrors_of_every_shape_compile_with_their_assertions() {
    let api = shapes::api();
    let text = glue::mirror(&api);
    assert!(text.contains("offset_of!(Mixed, r#type)"), "{text}");
    compile(&folder("mirror"), &text, "mod mirror;\nfn main() {}\n").unwrap();
}

#[test]
fn a_wrong_offset_does_not_compile() {
    let mut api = shapes::api();
    let point = api.types.iter_mut().find(|declared| declared.name == "Point").unwrap();
    let Body::Struct(record) = &mut point.body else { panic!("a struct") };
    record.fields.swap(0, 1);
    record.fields[0].offset = 2;
    let said = compile(&folder("wrong"), &glue::mirror(&api), "mod mirror;\nfn main() {}\n").unwrap_err();
    assert!(said.contains("assertion failed"), "{said}");
}

const MAIN: &str = "#![allow(improper_ctypes_definitions)]
mod mirror;
mod runtime;
mod table;
fn main() {
    let path = std::env::args().nth(1);
    match table::open(path.as_deref().map(std::path::Path::new)) {
        Ok(table) => unsafe {
            let point = (table.mirror_point)(mirror::Point { x: 1.0, y: 2.0 });
            println!(\"{} {} {}\", (table.add)(2, 3), point.x, *table.SCALE);
        },
        Err(message) => println!(\"{message}\"),
    }
}
";

#[test]
fn the_table_finds_the_library_by_path_variable_and_place_and_names_what_is_missing() {
    let folder = folder("table");
    let mut api = shapes::api();
    for file in glue::runtime(&[upcall_glue::LIBRARY]) {
        fs::write(folder.join(file.path), file.text).unwrap();
    }
    let build = |api: &Api| {
        fs::write(folder.join("src/table.rs"), glue::table(api, &all(api))).unwrap();
        compile(&folder, &glue::mirror(api), MAIN).unwrap();
    };
    build(&api);
    let elsewhere = folder.join("elsewhere");
    fs::create_dir_all(&elsewhere).unwrap();
    let library = shapes::library(&elsewhere);
    let run = |path: Option<&Path>, variable: Option<&Path>| {
        let mut main = Command::new(folder.join("main"));
        main.args(path).env_remove("SHAPES_LIBRARY");
        if let Some(variable) = variable {
            main.env("SHAPES_LIBRARY", variable);
        }
        String::from_utf8(main.output().unwrap().stdout).unwrap()
    };
    assert_eq!(run(Some(&library), None), "5 2 2.5\n");
    assert_eq!(run(None, Some(&library)), "5 2 2.5\n");
    let said = run(None, None);
    assert!(said.starts_with("cannot load the library shapes from libshapes.so: "), "{said}");
    assert!(said.contains("SHAPES_LIBRARY"), "{said}");
    fs::copy(&library, folder.join("libshapes.so")).unwrap();
    assert_eq!(run(None, None), "5 2 2.5\n");

    api.functions[3].symbol = "no \"such\\thing".into();
    build(&api);
    let said = run(Some(&library), None);
    assert!(said.starts_with("the library shapes, loaded from "), "{said}");
    assert!(said.ends_with("has no symbol no \"such\\thing\n"), "{said}");
}

#[test]
fn shims_take_and_return_by_pointer() {
    let folder = folder("shim");
    let api = shapes::api();
    let refused = |ty: &Ty| match ty {
        Ty::Int(Int::I128) => true,
        Ty::Named(id) => ["Packed", "Nothing"].contains(&api.get(*id).name.as_str()),
        _ => false,
    };
    let names = ["negate", "swap_packed", "zero"];
    let functions: Vec<&Function> =
        api.functions.iter().filter(|function| names.contains(&function.name.as_str())).collect();
    let (shims, files) = glue::shim(&api, &functions, &refused);
    assert!(shims.iter().all(|shim| shim.linkage == Linkage::Shim));
    assert_eq!(shims[0].signature.params.len(), 2);
    for file in &files {
        fs::write(folder.join(&file.path), &file.text).unwrap();
    }
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--quiet", "--offline", "--target-dir"]).arg(folder.join("target"));
    assert!(bindgen_tests::built(cargo.current_dir(&folder)));

    let mut shim_api = shapes::api();
    shim_api.library = "shapes".into();
    shim_api.statics.clear();
    // Nothing reads a table of shims; a table of inline functions finds its library in the same way.
    shim_api.functions =
        shims.into_iter().map(|shim| Function { linkage: Linkage::Inline, ..shim }).collect();
    fs::write(folder.join("src/table.rs"), glue::table(&shim_api, &all(&shim_api))).unwrap();
    let main = "mod mirror;
mod runtime;
mod table;
fn main() {
    let path = std::env::args().nth(1);
    let table = table::open(path.as_deref().map(std::path::Path::new)).unwrap();
    let (mut number, mut packed) = (0, mirror::Packed { small: 0, wide: 0, last: 0 });
    unsafe {
        (table.negate)(&(1 << 100), &mut number);
        (table.swap_packed)(&mirror::Packed { small: 1, wide: 2, last: 3 }, &mut packed);
        let nothing = (table.zero)(std::ptr::dangling());
        println!(\"{} {} {} {nothing}\", -number == 1 << 100, packed.small, { packed.last });
    }
}
";
    compile(&folder, &glue::mirror(&shim_api), main).unwrap();
    let beside = folder.join("target/debug");
    let library = shapes::library(&beside);
    fs::copy(beside.join("libshapes_shim.so"), beside.join("libshapes_inline.so")).unwrap();
    let output = Command::new(folder.join("main")).arg(library).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "true 3 1 9\n", "{said}");
}
