//! Inputs that are small, odd or wrong.

use super::front::*;
use std::fs;
use std::path::{Path, PathBuf};
use upcall_bindgen::Diagnostics;
use upcall_bindgen::model::{Body, Declared, Enum, Field, Int, TypeId, Value};
use upcall_bindgen::probe::Options;

/// A package of these files in its own folder, with its front end and a spot at its root.
fn package(files: &[(&str, &str)]) -> (tempfile::TempDir, Front, usize) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let manifest = folder.path().join("Cargo.toml");
    let manifest = manifest.exists().then_some(manifest);
    let root = folder.path().join(files.iter().find(|(name, _)| name.ends_with("lib.rs")).unwrap().0);
    let mut front = Front::new(&root, manifest);
    let spot = front.spot(&root, None);
    (folder, front, spot)
}

const MANIFEST: &str = "[package]\nname = \"probed-here\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const PAIR: &str = "#[repr(C)]\npub struct Pair {\n    first: u8,\n    second: u32,\n}\n";

fn pair(front: &mut Front, spot: usize) -> TypeId {
    front.ty(spot, "Pair", Body::Struct(record(&[("first", U8), ("second", U32)])))
}

#[test]
fn a_file_without_a_package_is_compiled_alone() {
    let (folder, mut front, spot) = package(&[("lib.rs", &format!("#![no_std]\n{PAIR}"))]);
    let pair = pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    assert_eq!(front.row(pair), [8, 4, 0, 4]);
}

#[test]
fn a_kept_result_is_not_used_for_changed_sources() {
    let lib = "mod other;\npub use other::*;\n";
    let (folder, mut front, spot) =
        package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", lib), ("src/other.rs", "")]);
    let other = folder.path().join("src/other.rs");
    let probe = options(&folder.path().join("probe"));
    front.constant(spot, "LIMIT", U32, Value::Int(0));
    for limit in [7, 8, 7] {
        fs::write(&other, format!("pub const LIMIT: u32 = {limit};")).unwrap();
        assert_eq!(front.measure(&probe), [""; 0]);
        assert_eq!(front.api.constants[0].value, Value::Int(limit));
    }
}

#[test]
fn a_result_is_kept_where_a_setting_leads_out_of_a_folder_to_the_target_folder() {
    let config = "[build]\ntarget-dir = \"src/../made\"\n";
    let files = [("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR), (".cargo/config.toml", config)];
    let (folder, mut front, spot) = package(&files);
    let pair = pair(&mut front, spot);
    bindgen_tests::later(folder.path());
    assert_eq!(front.measure(&Options::default()), [""; 0]);
    fs::remove_dir_all(folder.path().join("made")).expect("the first was compiled there");
    assert_eq!(front.measure(&Options::default()), [""; 0]);
    assert_eq!(front.row(pair), [8, 4, 0, 4]);
    assert!(!folder.path().join("made").exists(), "the same was compiled again");
}

#[test]
fn what_does_not_compile_is_said_at_its_place() {
    for (text, place, message) in [
        ("pub fn broken( {\n", "lib.rs:6:", "the crate does not compile"),
        ("fn number() -> u8 {\n    \"text\"\n}\n", "lib.rs:7:5", "error[E0308]: mismatched types"),
    ] {
        let lib = format!("{PAIR}{text}");
        let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", &lib)]);
        pair(&mut front, spot);
        let said = front.measure(&options(&folder.path().join("probe"))).join("\n");
        assert!(said.contains(place) && said.contains(message), "{said}");
        assert!(!said.contains("tree"), "the copy is named: {said}");
        assert_eq!(front.api.types[0].layout, None);
    }
}

#[test]
fn what_cannot_be_measured_is_named() {
    let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR)]);
    front.ty(spot, "Missing", Body::Struct(record(&[])));
    let said = front.measure(&options(&folder.path().join("probe"))).join("\n");
    assert!(
        said.contains("src/lib.rs:7:1: `Missing` cannot be measured: cannot find type `Missing`"),
        "{said}"
    );

    // If a field was mistaken for another type, no bindings may be written from its layout.
    let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR)]);
    front.ty(spot, "Pair", Body::Struct(record(&[("first", U8), ("second", U16)])));
    let said = front.measure(&options(&folder.path().join("probe"))).join("\n");
    assert!(said.contains("field `second` of `Pair` has 4 bytes, but is read as a type of 2"), "{said}");
}

#[test]
fn a_target_that_is_not_there_is_a_named_error() {
    for (target, message) in [
        ("i586-unknown-linux-gnu", "run `rustup target add i586-unknown-linux-gnu`"),
        ("z80-unknown-cpm", "rustc does not know the target `z80-unknown-cpm`"),
    ] {
        let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR)]);
        pair(&mut front, spot);
        let probe = Options { target: Some(target.into()), ..options(&folder.path().join("probe")) };
        let said = front.measure(&probe).join("\n");
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn exports_that_a_macro_makes_need_the_dependencies_code() {
    let lib = format!(
        "{PAIR}macro_rules! export {{ ($name:ident) => {{\n    #[unsafe(no_mangle)] pub extern \"C\" fn $name(value: u32) -> usize {{ pieces::text(value).len() }}\n}} }}\nexport!(made);\n"
    );
    let manifest =
        format!("{MANIFEST}[dependencies]\npieces = {{ path = {:?} }}\n", awkward().join("pieces"));
    let (folder, mut front, spot) = package(&[("Cargo.toml", &manifest), ("src/lib.rs", &lib)]);
    let pair = pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    assert_eq!(front.row(pair), [8, 4, 0, 4]);
    assert!(has_code(folder.path(), "pieces"));
}

/// Whether this dependency was compiled with its code.
fn has_code(folder: &Path, name: &str) -> bool {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap()).any(|entry| {
        let file = entry.file_name().into_string().unwrap();
        match entry.file_type().unwrap().is_dir() {
            true => has_code(&entry.path(), name),
            false => file.starts_with(&format!("lib{name}-")) && file.ends_with(".rlib"),
        }
    })
}

#[test]
fn a_variable_that_would_be_dropped_does_not_need_the_dependencies_code() {
    let lib = format!(
        "{PAIR}static ALL: std::sync::Mutex<Vec<held::Held>> = std::sync::Mutex::new(Vec::new());\n\
         pub fn hold(held: held::Held) {{ ALL.lock().unwrap().push(held); }}\n"
    );
    let held =
        "pub struct Held(pub u8);\nimpl Drop for Held { fn drop(&mut self) { println!(\"{}\", self.0) } }\n";
    let manifest = format!("{MANIFEST}[dependencies]\nheld = {{ path = \"held\" }}\n[workspace]\n");
    let (folder, mut front, spot) = package(&[
        ("Cargo.toml", &manifest),
        ("src/lib.rs", &lib),
        ("held/Cargo.toml", &MANIFEST.replace("probed-here", "held")),
        ("held/src/lib.rs", held),
    ]);
    let pair = pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    assert_eq!(front.row(pair), [8, 4, 0, 4]);
    assert!(!has_code(folder.path(), "held"));

    // What was enough comes first the next time, when it may not be.
    let array = Body::Struct(record(&[("first", U8), ("second", U64)]));
    front.api.types[0].body = array;
    let wide = lib.replace("second: u32", "second: u64");
    let refers = wide.replace("held::Held", "u8") + "pub const REFERS: &std::sync::Mutex<Vec<u8>> = &ALL;\n";
    for changed in [wide, refers] {
        fs::write(folder.path().join("src/lib.rs"), changed).unwrap();
        assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
        assert_eq!(front.row(pair), [16, 8, 0, 8]);
    }
}

#[test]
fn a_build_script_runs_only_for_its_output() {
    let script = "fn main() { let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(out + \"/made.rs\", \"pub const MADE: u32 = 41 + 1;\").unwrap(); }";
    let lib = "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));";
    let (folder, mut front, spot) =
        package(&[("Cargo.toml", MANIFEST), ("build.rs", script), ("src/lib.rs", lib)]);
    front.constant(spot, "MADE", U32, Value::Int(0));
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    assert_eq!(front.api.constants[0].value, Value::Int(42));

    let (folder, mut front, spot) =
        package(&[("Cargo.toml", MANIFEST), ("build.rs", "fn main() { panic!() }"), ("src/lib.rs", PAIR)]);
    pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
}

#[test]
fn a_layout_that_cannot_be_is_an_error() {
    let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR)]);
    let pair = pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    let good = front.api.clone();
    let verified = |change: &dyn Fn(&mut Declared)| {
        let (mut api, mut diagnostics) = (good.clone(), Diagnostics::default());
        change(&mut api.types[pair.0 as usize]);
        upcall_bindgen::probe::verify(&api, &mut diagnostics);
        diagnostics.list.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("\n")
    };
    let second = |change: fn(&mut Field)| {
        move |declared: &mut Declared| match &mut declared.body {
            Body::Struct(record) => change(&mut record.fields[1]),
            _ => panic!(),
        }
    };
    assert_eq!(verified(&|_| ()), "");
    assert!(verified(&|declared| declared.layout = None).contains("it has no size"));
    assert!(verified(&|declared| declared.layout.as_mut().unwrap().align = 3).contains("an alignment of 3"));
    assert!(
        verified(&second(|field| field.offset = 5)).contains("field `second`, 4 bytes at 5, goes beyond 8")
    );
    assert!(verified(&second(|field| field.offset = u64::MAX)).contains("goes beyond 8"));
    assert!(verified(&second(|field| field.offset = 0)).contains("overlap"));
    assert!(
        verified(&second(|field| field.ty = array(U32, u64::MAX))).contains("field `second` has no size")
    );
    let number = Body::Enum(Enum { repr: Int::I32, variants: Vec::new(), closed: true });
    assert!(verified(&|declared| declared.body = number.clone()).contains("8 bytes, but its integer has 4"));
}

/// What the next test does when its build script starts it, so that the script need not be compiled with this library.
fn within_a_build_script() {
    if upcall_bindgen::probe::is_nested() {
        return;
    }
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let root = folder.join("src/lib.rs");
    let mut front = Front::new(&root, Some(folder.join("Cargo.toml")));
    let spot = front.spot(&root, None);
    front.constant(spot, "MADE", U32, Value::Int(0));
    assert_eq!(front.measure(&Options { keep: false, ..Options::default() }), [""; 0]);
    assert_eq!(front.api.constants[0].value, Value::Int(42));
    fs::write(folder.join("measured"), "").unwrap();
}

#[test]
fn a_build_script_can_probe_its_own_package_while_cargo_holds_its_locks() {
    if std::env::var_os("PROBE_TEST").is_some() {
        return within_a_build_script();
    }
    let script = r#"
        use std::{env, fs, process::Command};
        fn main() {
            fs::write(env::var("OUT_DIR").unwrap() + "/made.rs", "pub const MADE: u32 = 41 + 1;").unwrap();
            let mut probe = Command::new(env::var("PROBE_TEST").unwrap());
            probe.args(["--exact", "inputs::a_build_script_can_probe_its_own_package_while_cargo_holds_its_locks"]);
            assert!(probe.status().unwrap().success());
        }"#;
    let lib = "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));";
    let (folder, _, _) = package(&[("Cargo.toml", MANIFEST), ("build.rs", script), ("src/lib.rs", lib)]);
    let mut cargo = bindgen_tests::cargo();
    cargo
        .args(["build", "--offline"])
        .current_dir(folder.path())
        .env("PROBE_TEST", std::env::current_exe().unwrap());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG")) {
        cargo.env_remove(name);
    }
    let output = cargo.env_remove("CARGO_TARGET_DIR").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("measured").exists(), "the build script did not measure");
}
