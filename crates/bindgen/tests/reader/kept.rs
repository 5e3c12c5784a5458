//! What is kept for the next run.

use crate::{MANIFEST, folder, put, quiet, read};
use std::fs;
use upcall_bindgen::model::Value;

#[test]
#[cfg(unix)]
fn a_file_that_is_edited_while_it_compiles_is_compiled_again() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(&[
        ("Cargo.toml", MANIFEST),
        ("src/lib.rs", "mod other; pub use other::*; #[unsafe(no_mangle)] pub extern \"C\" fn f() {}"),
        ("src/other.rs", "pub const LIMIT: u32 = 7;"),
    ]);
    let other = folder.path().join("src/other.rs");
    let edit = "#!/bin/sh\n\"$@\" || exit $?\ncase \"$*\" in *'--crate-name odd '*)\n";
    put(
        folder.path(),
        "wrapper",
        &format!("{edit}echo 'pub const LIMIT: u32 = 8;' > {} ;; esac\n", other.display()),
    );
    let wrapper = folder.path().join("wrapper");
    fs::set_permissions(&wrapper, fs::Permissions::from_mode(0o755)).unwrap();
    let config = format!("[build]\nrustc-wrapper = {wrapper:?}\n");
    put(folder.path(), ".cargo/config.toml", &config);
    let lib = folder.path().join("src/lib.rs");
    assert_eq!(quiet(&lib).constants[0].value, Value::Int(7));
    assert!(fs::read_to_string(&other).unwrap().contains('8'), "the wrapper has run");
    assert_eq!(quiet(&lib).constants[0].value, Value::Int(8));
}

#[test]
fn threads_that_read_the_same_source_do_not_disturb_each_other() {
    let text = "#[repr(C)] pub struct Pair { pub a: u8, pub b: u32 }
        #[unsafe(no_mangle)] pub extern \"C\" fn f(pair: Pair) {}";
    let folder = folder(&[("Cargo.toml", MANIFEST), ("src/lib.rs", text), ("alone.rs", text)]);
    for file in ["src/lib.rs", "alone.rs"] {
        let file = folder.path().join(file);
        let threads = [(); 4].map(|()| {
            let file = file.clone();
            std::thread::spawn(move || read(&file, |input| input.cfg.push("x".into())))
        });
        for thread in threads {
            let (api, said) = thread.join().unwrap();
            assert_eq!(said, [""; 0]);
            assert_eq!(api.unwrap().types[0].layout.unwrap().size, 8);
        }
    }
}
