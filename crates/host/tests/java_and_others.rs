//! Java and C# in one process: each makes exceptions of faults, and hands on what is not its own.
#![cfg(all(feature = "java", feature = "clr"))]

use std::path::PathBuf;
use std::process::Command;
use upcall::Harness;
use upcall_host::clr::{Clr, ClrOptions, locate};
use upcall_host::java::Java;
use upcall_host::{ErrorKind, HandlerSpec, Host, JavaOptions};

/// What a test tells itself, run again as a process of its own.
const STEP: &str = "UPCALL_TEST_STEP";

fn home() -> PathBuf {
    let named = std::env::var_os("UPCALL_HOME").map(PathBuf::from);
    named.unwrap_or_else(|| concat!(env!("CARGO_MANIFEST_DIR"), "/../..").into())
}

fn clr() -> Clr {
    Clr::start(&ClrOptions { home: Some(home()), ..ClrOptions::default() }).unwrap()
}

fn java() -> Result<Java, upcall_host::Error> {
    Java::start(&JavaOptions { home: Some(home()), ..JavaOptions::default() })
}

fn in_java(class: &str) -> HandlerSpec {
    HandlerSpec::new(
        "test",
        "java",
        home().join("build/tests/upcall-tests.jar"),
        format!("upcall.tests.{class}"),
    )
}

fn in_csharp(class: &str) -> HandlerSpec {
    HandlerSpec::new(
        "test",
        "csharp",
        home().join("build/tests/Upcall.Tests.dll"),
        format!("Upcall.Tests.{class}"),
    )
}

/// Objects that all fail, on a worker of the host.
fn fails(host: &dyn Host, spec: &HandlerSpec, objects: u32, type_name: &str) {
    let module = host.load(spec).unwrap();
    host.worker(&mut || {
        let mut harness = Harness::of(module.instantiate().unwrap()).emits(&["/out"]);
        for _ in 0..objects {
            assert_eq!(harness.put(b"deep", b"").unwrap_err().type_name, type_name);
        }
    });
}

/// This test, run again in a process of its own; what it has printed.
fn again(test: &str, step: &str) -> (bool, String) {
    let program = std::env::current_exe().unwrap();
    let output =
        Command::new(program).args([test, "--exact", "--nocapture"]).env(STEP, step).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

#[test]
fn null_is_an_exception_in_both_in_rounds_and_on_several_threads() {
    let test = "null_is_an_exception_in_both_in_rounds_and_on_several_threads";
    if std::env::var_os(STEP).is_none() {
        let (lives, said) = again(test, "rounds");
        assert!(lives, "{said}");
        return;
    }
    // Java first, whoever needs it.
    let (java, clr) = (java().unwrap(), clr());
    let threads = [0, 1, 2].map(|_| {
        std::thread::spawn(move || {
            for _ in 0..50 {
                fails(&java, &in_java("Dereferences"), 500, "java.lang.NullPointerException");
                fails(&clr, &in_csharp("Dereferences"), 5, "System.NullReferenceException");
            }
        })
    });
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    // Both on one thread, inside one another.
    java.worker(&mut || {
        clr.worker(&mut || {
            for _ in 0..10 {
                fails(&java, &in_java("Dereferences"), 100, "java.lang.NullPointerException");
                fails(&clr, &in_csharp("Dereferences"), 5, "System.NullReferenceException");
            }
        });
    });
}

#[test]
fn an_endless_recursion_in_java_is_an_exception_beside_a_clr() {
    let test = "an_endless_recursion_in_java_is_an_exception_beside_a_clr";
    if std::env::var_os(STEP).is_none() {
        let (lives, said) = again(test, "deep");
        assert!(lives, "{said}");
        return;
    }
    let (java, clr) = (java().unwrap(), clr());
    for _ in 0..3 {
        fails(&java, &in_java("Overflows"), 5, "java.lang.StackOverflowError");
        fails(&clr, &in_csharp("Dereferences"), 5, "System.NullReferenceException");
    }
}

#[test]
fn java_does_not_start_behind_a_clr_and_says_what_to_do() {
    let test = "java_does_not_start_behind_a_clr_and_says_what_to_do";
    if std::env::var_os(STEP).is_none() {
        let (lives, said) = again(test, "behind");
        assert!(lives, "{said}");
        return;
    }
    clr();
    let error = java().unwrap_err().to_string();
    assert!(error.starts_with("start Java: .NET runs in this process already"), "{error}");
    assert!(error.contains("`isolation = \"process\"`"), "{error}");
}

#[test]
fn null_is_an_exception_in_java_also_where_csharp_handlers_are_of_another_abi() {
    let test = "null_is_an_exception_in_java_also_where_csharp_handlers_are_of_another_abi";
    if std::env::var_os(STEP).is_none() {
        let (lives, said) = again(test, "other");
        assert!(lives, "{said}");
        return;
    }
    let java = java().unwrap();
    let here = ClrOptions { home: Some(home()), ..ClrOptions::default() };
    let runtime = locate(&here).into_result().unwrap().folder;
    // Behind `shared/Microsoft.NETCore.App/` and the version.
    let dotnet_root = runtime.ancestors().nth(3).map(PathBuf::from);
    let other = Some(home().join("build/tests/other-abi"));
    let refused = Clr::start(&ClrOptions { dotnet_root, home: other }).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::AbiMismatch, "{refused}");
    // Faults come of compiled code, on a thread that the CLR has never seen.
    let fails = || fails(&java, &in_java("Dereferences"), 500, "java.lang.NullPointerException");
    std::thread::scope(|scope| scope.spawn(|| (0..50).for_each(|_| fails())).join().unwrap());
}
