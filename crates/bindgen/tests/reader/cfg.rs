//! Flags that only cargo and the compiler know.

use crate::{MANIFEST, folder, put, quiet, read, ty};
use std::env;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::model::{Api, Body};

const LIB: &str = "#[repr(C)] pub struct Pair { #[cfg(wide)] pub first: u64, pub second: u8 }
#[cfg(not(wide))] compile_error!(\"wide is missing\");
#[unsafe(no_mangle)] pub extern \"C\" fn take(pair: Pair) -> Found { Found { more: 0 } }
#[cfg(wide)] #[repr(C)] pub struct Found { pub more: u64 }
pub const SIZE: u32 = if cfg!(wide) { 16 } else { 1 };
";

/// The fields of `Pair`, and the value of `SIZE`.
fn shown(api: &Api) -> String {
    let Body::Struct(pair) = &ty(api, "Pair").body else { panic!() };
    let fields: Vec<String> =
        pair.fields.iter().map(|field| format!("{} at {}", field.name, field.offset)).collect();
    format!("{}; {:?}", fields.join(", "), api.constants[0].value)
}

const WIDE: &str = "first at 0, second at 8; Int(16)";

#[test]
fn flags_of_cargos_configuration_count() {
    let host = "[target.'cfg(all())']\nrustflags = '--cfg wide'\n";
    for config in ["[build]\nrustflags = ['--cfg', 'wide']\n", host] {
        let folder = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", LIB), (".cargo/config.toml", config)]);
        assert_eq!(shown(&quiet(&folder.path().join("src/lib.rs"))), WIDE);
    }
}

#[test]
fn flags_of_a_build_script_count() {
    let script = "fn main() { println!(\"cargo:rustc-cfg=wide\"); }";
    let made = "macro_rules! make { ($name:ident) => { pub const $name: u8 = 1; } } make!(MADE);";
    for lib in [LIB.to_owned(), format!("{LIB}{made}")] {
        let folder = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", &lib), ("build.rs", script)]);
        let lib = folder.path().join("src/lib.rs");
        assert_eq!(shown(&quiet(&lib)), WIDE);
        // What is kept belongs to this script.
        let other = LIB.replace("#[cfg(not(wide))] compile_error!(\"wide is missing\");", "");
        put(folder.path(), "src/lib.rs", &other.replace("#[cfg(wide)] #[repr", "#[repr"));
        assert_eq!(shown(&quiet(&lib)), WIDE);
        put(folder.path(), "build.rs", "fn main() {}");
        assert_eq!(shown(&quiet(&lib)), "second at 0; Int(1)");
        put(folder.path(), "build.rs", script);
        let (api, _) = read(&lib, |input| input.build_script = Some(false));
        assert_eq!(shown(&api.unwrap()), "second at 0; Int(1)", "if the user wants it so");
    }
}

#[test]
fn a_build_script_runs_again_when_what_it_reads_has_changed() {
    let script = "fn main() { println!(\"cargo:rerun-if-changed=wanted.txt\");
        if std::fs::read_to_string(\"wanted.txt\").unwrap() == \"wide\" { println!(\"cargo::rustc-cfg=wide\"); } }";
    let lib = LIB.lines().filter(|line| !line.contains("compile_error")).collect::<String>();
    let lib = lib.replace("#[cfg(wide)] #[repr", "#[repr");
    let files =
        [("Cargo.toml", MANIFEST), ("src/lib.rs", &lib), ("build.rs", script), ("wanted.txt", "narrow")];
    let folder = folder(&files);
    let lib = folder.path().join("src/lib.rs");
    assert_eq!(shown(&quiet(&lib)), "second at 0; Int(1)");
    put(folder.path(), "wanted.txt", "wide");
    assert_eq!(shown(&quiet(&lib)), WIDE);
}

#[test]
fn the_fields_of_packed_types_are_those_of_the_build() {
    let lib = "#[derive(upcall_pack::Pack)] #[pack(crate = upcall_pack)]\n        pub struct Pair { #[cfg(wide)] pub first: u64, pub second: u8 }";
    let script = "fn main() { println!(\"cargo:rustc-cfg=wide\"); }";
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pack");
    let manifest = format!("{MANIFEST}[dependencies]\nupcall-pack = {{ path = {pack:?} }}\n");
    let folder = folder(&[("Cargo.toml", &manifest), ("src/lib.rs", lib), ("build.rs", script)]);
    let api = quiet(&folder.path().join("src/lib.rs"));
    assert!(format!("{:?}", api.packed[0]).contains("first"), "{:?}", api.packed);
}

#[test]
fn a_file_without_a_package_is_read_as_it_is_compiled() {
    let lib = "#[repr(C)] pub struct Pair { #[cfg(debug_assertions)] pub first: u64, pub second: u8 }
        #[unsafe(no_mangle)] pub extern \"C\" fn take(pair: Pair) {}  pub const SIZE: u8 = 1;";
    let folder = folder(&[("lib.rs", lib)]);
    assert_eq!(shown(&quiet(&folder.path().join("lib.rs"))), "second at 0; Int(1)");
}

#[test]
fn whether_it_unwinds_is_as_the_release_profile_says() {
    let lib = "#[repr(C)] pub struct Pair { #[cfg(panic = \"unwind\")] pub first: u64, pub second: u8 }
        #[unsafe(no_mangle)] pub extern \"C\" fn take(pair: Pair) {}  pub const SIZE: u8 = 1;";
    let folder = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", lib)]);
    let lib = folder.path().join("src/lib.rs");
    assert_eq!(shown(&quiet(&lib)), "first at 0, second at 8; Int(1)");
    put(folder.path(), "Cargo.toml", &format!("{MANIFEST}[profile.release]\npanic = 'abort'\n"));
    assert_eq!(shown(&quiet(&lib)), "second at 0; Int(1)");
}

/// The file that the test below reads, started by itself in a process with another environment.
const READ_THIS: &str = "UPCALL_TEST_READ_THIS";

/// A file, read in a process of its own, which has other variables too.
fn elsewhere(file: &Path, variable: &str, value: &str) -> String {
    let mut again = Command::new(env::current_exe().unwrap());
    let test = "cfg::flags_of_the_environment_count_and_what_was_kept_without_them_does_not";
    again.args(["--exact", test, "--nocapture"]);
    let output = again.env(READ_THIS, file).env(variable, value).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let said = said.lines().find_map(|line| line.strip_prefix("read: ")).map(str::to_owned);
    said.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[test]
fn flags_of_the_environment_count_and_what_was_kept_without_them_does_not() {
    if let Some(file) = env::var_os(READ_THIS) {
        return println!("\nread: {}", shown(&quiet(Path::new(&file))));
    }
    let lib = LIB.lines().filter(|line| !line.contains("compile_error")).collect::<String>();
    let lib = lib.replace("#[cfg(wide)] #[repr", "#[repr");
    let folder = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", &lib), ("home/config.toml", "")]);
    let lib = folder.path().join("src/lib.rs");
    let triple = env::consts::ARCH.to_uppercase() + "_UNKNOWN_LINUX_GNU";
    let for_target = format!("CARGO_TARGET_{triple}_RUSTFLAGS");
    for variable in ["CARGO_BUILD_RUSTFLAGS", &for_target, "RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS"] {
        let wide = if variable == "CARGO_ENCODED_RUSTFLAGS" { "--cfg\x1fwide" } else { "--cfg wide" };
        for (value, expected) in [("", "second at 0; Int(1)"), (wide, WIDE), ("", "second at 0; Int(1)")] {
            assert_eq!(elsewhere(&lib, variable, value), expected, "{variable}={value}");
        }
    }
    // The configuration in cargo's home counts too.
    let home = folder.path().join("home");
    let read = || elsewhere(&lib, "CARGO_HOME", home.to_str().unwrap());
    assert_eq!(read(), "second at 0; Int(1)");
    put(&home, "config.toml", "[build]\nrustflags = '--cfg wide'\n");
    assert_eq!(read(), WIDE);
}
