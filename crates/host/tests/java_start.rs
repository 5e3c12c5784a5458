//! How Java starts, and what keeps it from starting. Each test runs itself again, as a process starts one Java at most.
#![cfg(feature = "java")]

use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_host::java::{Java, locate};
use upcall_host::{Error, HandlerSpec, Host, JavaOptions};

const STEP: &str = "UPCALL_TEST_STEP";

fn home() -> PathBuf {
    let named = std::env::var_os("UPCALL_HOME").map(PathBuf::from);
    named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into())
}

fn start(options: JavaOptions) -> Result<Java, Error> {
    Java::start(&JavaOptions { home: Some(home()), ..options })
}

/// Whether this process is the one that `test` is to run in; the first one runs it and looks at how it ends.
fn again(test: &str) -> bool {
    if std::env::var_os(STEP).is_some() {
        return true;
    }
    let program = std::env::current_exe().unwrap();
    let output =
        Command::new(program).args([test, "--exact", "--nocapture"]).env(STEP, "1").output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
    false
}

#[test]
fn an_option_that_java_does_not_know_is_named() {
    if again("an_option_that_java_does_not_know_is_named") {
        let options = JavaOptions { options: vec!["-Xnonsense".into()], ..JavaOptions::default() };
        let error = start(options).unwrap_err().to_string();
        assert!(error.contains("Unrecognized option: -Xnonsense"), "{error}");
        assert!(error.ends_with("look at [java] in the flow's file"), "{error}");
        // What failed to start cannot be started again, and says the same.
        assert_eq!(start(JavaOptions::default()).unwrap_err().to_string(), error);
    }
}

#[test]
fn why_java_ends_the_process_while_it_starts_is_told() {
    let test = "why_java_ends_the_process_while_it_starts_is_told";
    if std::env::var_os(STEP).is_some() {
        let options = JavaOptions { options: vec!["-Xmx1k".into()], ..JavaOptions::default() };
        panic!("Java returned: {:?}", start(options).map(|_| ()));
    }
    let mut again = Command::new(std::env::current_exe().unwrap());
    let output = again.args([test, "--exact", "--nocapture"]).env(STEP, "1").output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.starts_with("error: start Java: "), "{said}");
    assert!(said.contains("heap") && said.ends_with("; look at [java] in the flow's file\n"), "{said}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_java_says_to_a_standard_error_that_takes_nothing_does_not_end_the_process() {
    let test = "what_java_says_to_a_standard_error_that_takes_nothing_does_not_end_the_process";
    if std::env::var_os(STEP).is_some() {
        // Java ends the process itself, with 1.
        let options = JavaOptions { options: vec!["-Xmx1k".into()], ..JavaOptions::default() };
        panic!("Java returned: {:?}", start(options).map(|_| ()));
    }
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut again = Command::new(std::env::current_exe().unwrap());
    let again = again.args([test, "--exact", "--nocapture"]).env(STEP, "1").stderr(full);
    assert_eq!(again.output().unwrap().status.code(), Some(1));
}

#[test]
fn a_class_path_that_is_not_there_is_named() {
    if again("a_class_path_that_is_not_there_is_named") {
        let options = JavaOptions { class_path: vec!["/nowhere/a.jar".into()], ..JavaOptions::default() };
        let error = start(options).unwrap_err().to_string();
        assert!(error.contains("/nowhere/a.jar of `class_path`: "), "{error}");
    }
}

#[test]
fn what_is_on_the_class_path_all_handlers_see() {
    if again("what_is_on_the_class_path_all_handlers_see") {
        let tests = home().join("build/tests/upcall-tests.jar");
        let options = JavaOptions {
            class_path: vec![tests],
            options: vec!["-Xmx64m".into()],
            ..JavaOptions::default()
        };
        let java = start(options).unwrap();
        // The class is in no file of the handler's own.
        let folder = std::env::temp_dir().join(format!("upcall-empty-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        java.load(&HandlerSpec::new("test", "java", &folder, "upcall.tests.Shout")).unwrap();
        std::fs::remove_dir_all(folder).unwrap();
    }
}

#[test]
fn no_java_and_one_that_is_no_java_are_errors_that_say_what_to_do() {
    if again("no_java_and_one_that_is_no_java_are_errors_that_say_what_to_do") {
        let nowhere = JavaOptions { java_home: Some("/nowhere".into()), ..JavaOptions::default() };
        let error = start(nowhere).unwrap_err().to_string();
        let said = "find Java 17 or later for Java handlers: the given home: no /nowhere/release";
        assert!(error.starts_with(said), "{error}");
        assert!(error.contains("install a JDK or JRE"), "{error}");
        let stand_in = std::env::temp_dir().join(format!("upcall-no-java-{}", std::process::id()));
        std::fs::create_dir_all(stand_in.join("lib/server")).unwrap();
        std::fs::write(stand_in.join("release"), "JAVA_VERSION=\"21.0.1\"\n").unwrap();
        std::fs::write(stand_in.join("lib/server/libjvm.so"), "no library").unwrap();
        let options = JavaOptions { java_home: Some(stand_in.clone()), ..JavaOptions::default() };
        let error = start(options).unwrap_err().to_string();
        assert!(
            error.starts_with("start Java 21.0.1 of ") && error.ends_with("; install it again"),
            "{error}"
        );
        std::fs::remove_dir_all(stand_in).unwrap();
    }
}

#[test]
fn the_newest_that_is_installed_is_found_and_where_it_was() {
    let found = locate(&JavaOptions { home: Some(home()), ..JavaOptions::default() });
    let runtime = found.runtime.unwrap();
    assert!(runtime.feature >= 17 && runtime.library.is_file(), "{runtime:?}");
    let named = JavaOptions { java_home: Some(runtime.home.clone()), ..JavaOptions::default() };
    assert_eq!(locate(&named).runtime.unwrap().home, runtime.home);
    assert!(Path::new(&runtime.home).join("release").is_file());
}
