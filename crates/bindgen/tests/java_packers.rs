//! The Java packers compile without a warning on Java 17, and read and write the golden bytes.

use bindgen_tests::{java, packers};
use std::ffi::OsStr;
use std::process::Command;
use upcall_bindgen::java::jdk::{Jdk, find_oldest};
use upcall_bindgen::java::{Options, generate};
use upcall_bindgen::model::Api;
use upcall_bindgen::{Diagnostics, File};

/// The oldest version that the packers support.
const OLDEST: u32 = 17;

fn files(api: &Api) -> Vec<File> {
    let mut diagnostics = Diagnostics::default();
    let options = Options { package: Some("packs".into()), ..Options::default() };
    let files = generate(api, &options, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    files
}

fn jdk() -> Jdk {
    find_oldest(OLDEST).expect("a JDK of at least Java 17")
}

#[test]
fn the_packers_read_and_write_the_golden_bytes_and_refuse_all_else() {
    let folder = java::folder("packers");
    let mut files = files(&packers::fixture());
    assert!(files.iter().all(|file| file.path.starts_with("packs/pack")), "nothing but the packers");
    files.extend([packers::golden(), File::new("Main.java", include_str!("packers/PacksMain.java"))]);
    java::place(&folder, &files);
    let jdk = jdk();
    java::compile_with(&jdk, &folder, &["--release", "17"]).unwrap_or_else(|said| panic!("{said}"));
    let mut run = Command::new(jdk.tool("java"));
    run.args(["-ea", "-Xss4m", "-cp"]).arg(folder.join("classes"));
    let output = run.args([OsStr::new("Main"), OsStr::new(&folder.join("golden.txt"))]).output().unwrap();
    let said = java::said(&output);
    assert!(output.status.success() && said.contains("lines, nothing wrong"), "{said}");
}

#[test]
fn hostile_bytes_take_neither_the_stack_nor_more_memory_than_they_are() {
    let folder = java::folder("packers-hostile");
    let mut files = files(&packers::hostile());
    files.push(File::new("Main.java", include_str!("packers/HostileMain.java")));
    java::place(&folder, &files);
    let jdk = jdk();
    java::compile_with(&jdk, &folder, &["--release", "17"]).unwrap_or_else(|said| panic!("{said}"));
    let mut run = Command::new(jdk.tool("java"));
    run.args(["-ea", "-Xmx96m", "-cp"]).arg(folder.join("classes")).arg("Main");
    let output = run.output().unwrap();
    let said = java::said(&output);
    assert!(output.status.success() && said.trim() == "nothing wrong", "{said}");
}

#[test]
fn names_and_docs_that_java_does_not_like_compile() {
    let folder = java::folder("packers-awkward");
    java::place(&folder, &files(&packers::awkward()));
    java::compile_with(&jdk(), &folder, &["--release", "17"]).unwrap_or_else(|said| panic!("{said}"));
}

#[test]
fn a_class_says_what_pools_call_it_where_its_name_is_another() {
    let api = packers::fixture();
    let mut diagnostics = Diagnostics::default();
    let renamed = [("Inner".to_owned(), "Within".to_owned())].into();
    let options = Options { package: Some("packs".into()), renamed, ..Options::default() };
    let files = generate(&api, &options, &mut diagnostics);
    let text =
        |name: &str| &files.iter().find(|file| file.path.ends_with(format!("{name}.java"))).unwrap().text;
    assert!(text("Within").contains("public static final String POOL_NAME = \"Inner\";"));
    assert!(!text("Held").contains("POOL_NAME"));
}
