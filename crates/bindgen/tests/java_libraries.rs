//! The examples of C libraries in `examples/libraries`: sqlite3.h, zlib.h and zstd.h, used from Java.
#![cfg(feature = "c")]

use bindgen_tests::java;
use std::path::Path;
use upcall_bindgen::{Config, Diagnostics, File, Output, Stop, check, generate, java::jdk};

/// Writes an example's bindings, passes every struct through them, and runs its program.
fn run(name: &str, file: &str) -> String {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/libraries").join(name);
    let text = std::fs::read_to_string(example.join("bindgen.toml")).expect("the example has its options");
    let read = Config::parse(&text, &example).expect("they are options");
    let folder = java::folder(&format!("library-{name}"));
    let java = read.java.expect("there is a section for Java");
    let config = Config {
        java: Some(Output { output: folder.clone(), ..java }),
        library: read.library,
        c: read.c,
        ..Config::default()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics).expect("it was made");
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    let room = folder.join("target");
    let passed = check::run(&config, &generated, &room, &Stop::default(), &mut |step| eprintln!("{step}"));
    assert!(passed, "--check passes");
    generated.write().expect("it is written");
    let main = std::fs::read_to_string(example.join("Main.java")).expect("the example has a program");
    java::place(&folder, &[File::new("Main.java", main)]);
    let jdk = jdk::find(jdk::FFM).expect("a JDK");
    java::compile(&jdk, &folder).unwrap_or_else(|said| panic!("{said}"));
    let folders = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64", "/usr/lib"];
    let library = folders.iter().map(|folder| Path::new(folder).join(file)).find(|file| file.exists());
    let library = library.unwrap_or_else(|| panic!("{file} is not there: install its development package"));
    let property = format!("-D{}.library={}", config.library, library.display());
    java::said(&java::run(&jdk, &folder, &[property.as_ref()]))
}

#[test]
fn sqlite_is_opened_filled_and_asked() {
    let said = run("sqlite", "libsqlite3.so");
    let expected = "version of the header\nTōkyō, JP: 37.1 million\nSão Paulo, BR: 22.6 million\n\
                    Atlantis, nowhere: 0.0 million\nthe first name has 7 bytes\ncities 3, people 59.7\n\
                    error: no such table: countries\n";
    assert_eq!(said, expected);
}

#[test]
fn zlib_compresses_at_once_and_piece_by_piece() {
    let expected =
        "version of the header\n4200 bytes, a tenth or less: true\nback 4200, the same\nerror: data error\n";
    assert_eq!(run("zlib", "libz.so"), expected);
}

#[test]
fn zstd_compresses_at_once_and_piece_by_piece() {
    let said = run("zstd", "libzstd.so");
    let expected = "version of the header\n4200 bytes, a tenth or less: true\nback 4200, the same\n\
                    error: Destination buffer is too small\n";
    assert_eq!(said, expected);
}
