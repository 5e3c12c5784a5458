//! A library and a crate it depends on, whose types it passes.

use std::fs;

use upcall_bindgen::model::Api;
use upcall_bindgen::{Config, Diagnostics, generate};

const OWN: &str = "use dep::{Fixed, Line, Point};
#[unsafe(no_mangle)]
pub extern \"C\" fn own_x(point: Point, line: &Line, fixed: Fixed<{ 1 + 1 }>) -> f32 { point.x }
";

const DEP: &str = "pub const ROOM: usize = 2;
#[repr(C)] #[derive(Clone, Copy)] pub struct Point { pub x: f32, pub y: f64 }
#[repr(C)] pub struct Fixed<const N: usize> { pub bytes: [u8; N] }
#[repr(C)] pub struct Line { pub ends: [Point; ROOM], pub fixed: Fixed<ROOM> }
#[unsafe(no_mangle)] pub extern \"C\" fn dep_x(point: Point) -> f32 { point.x }
";

fn read(dep: &str, files: &str) -> Result<Api, String> {
    let folder = tempfile::tempdir().unwrap();
    let manifest = |name: &str, rest: &str| {
        format!("[package]\nname = '{name}'\nversion = '0.1.0'\nedition = '2024'\n[lib]\n{rest}")
    };
    let own = manifest("own", "[dependencies]\ndep = { path = 'dep' }\n[workspace]\nmembers = ['dep']\n");
    for (path, text) in [
        ("Cargo.toml", own.as_str()),
        ("src/lib.rs", OWN),
        ("dep/Cargo.toml", &manifest("dep", "")),
        ("dep/src/lib.rs", dep),
    ] {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let text = format!("library = 'own'\n[rust]\nfiles = {files}\n[header]\noutput = 'own.h'\n");
    let config = Config::parse(&text, folder.path()).unwrap();
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    generated.map(|mut generated| generated.apis.remove(0)).ok_or_else(|| diagnostics.render(false))
}

#[test]
fn a_type_of_a_dependency_asks_for_its_root_file() {
    let said = read(DEP, "['src/lib.rs']").unwrap_err();
    assert!(said.contains("`dep::Point` is a type of a crate that was not read"), "{said}");
    assert!(said.contains("add the root file of `dep`") && said.contains("lib.rs:3:"), "{said}");
}

#[test]
fn a_type_that_two_listed_crates_have_is_one() {
    let api = read(DEP, "['src/lib.rs', 'dep/src/lib.rs']").unwrap_or_else(|said| panic!("{said}"));
    let names = |name: &str| api.types.iter().filter(|declared| declared.name == name).count();
    assert_eq!([names("Point"), names("Line"), names("Fixed_2")], [1, 1, 1]);
    assert_eq!(api.functions.len(), 2);
    let line = api.types.iter().find(|declared| declared.name == "Line").unwrap();
    assert_eq!(line.layout.unwrap().size, 40);
}

#[test]
fn a_private_field_of_a_dependency_is_named() {
    let said = read(&DEP.replace("pub y", "y"), "['src/lib.rs', 'dep/src/lib.rs']").unwrap_err();
    assert!(said.contains("field `y` of `Point` cannot be measured") && said.contains("private"), "{said}");
    assert!(said.contains("dep/src/lib.rs:2:"), "{said}");
}
