//! Java handlers that are loaded, and those that are refused.
#![cfg(feature = "java")]

mod java_support;

use java_support::{built, java, spec, with};
use std::path::PathBuf;
use upcall::Harness;
use upcall_host::java::Java;
use upcall_host::{ErrorKind, HandlerSpec, Host, JavaOptions};

fn refusal(spec: &HandlerSpec) -> (ErrorKind, String) {
    let error = java().load(spec).err().expect("it must be refused");
    (error.kind(), error.to_string())
}

#[test]
fn a_constructor_or_class_that_fails_is_an_error_of_the_instance() {
    for (class, said) in [
        (
            "Broken$Constructor",
            "its constructor failed: java.lang.IllegalStateException: no settings yet\nat upcall.tests.Broken$Constructor.<init>(Broken.java:",
        ),
        ("Broken$Static", "its constructor failed: java.lang.ExceptionInInitializerError"),
    ] {
        let module = java().load(&spec(class)).unwrap();
        java().worker(&mut || {
            let error = module.instantiate().unwrap_err();
            assert_eq!(error.kind(), ErrorKind::ConstructorFailed);
            assert!(error.to_string().contains(said), "{error}");
        });
    }
}

#[test]
fn a_class_that_cannot_be_made_is_refused() {
    for (class, kind, said) in [
        (
            "Broken$Parameters",
            ErrorKind::ConstructorFailed,
            "it has no constructor without parameters; add one",
        ),
        (
            "Broken$Plain",
            ErrorKind::HandlerMissing,
            "it is not a handler; implement ObjectHandler, BatchHandler or TypedHandler<I, O>",
        ),
        ("Broken$Abstract", ErrorKind::HandlerMissing, "it is abstract; name a class that can be made"),
    ] {
        let (found, message) = refusal(&spec(class));
        assert_eq!(found, kind, "{message}");
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn a_missing_class_is_refused_with_those_that_are_there_and_the_nearest() {
    let (kind, message) = refusal(&spec("Shuot"));
    assert_eq!(kind, ErrorKind::HandlerMissing);
    assert!(message.contains("there is no such class; it holds upcall."), "{message}");
    assert!(!message.contains("Broken$Plain") && !message.contains("Broken$Abstract"), "{message}");
    assert!(message.ends_with("did you mean upcall.tests.Shout?"), "{message}");
    for name in ["upcall/tests/Shout", "upcall.tests.shout", "Shout", "", "upcall.tests."] {
        let (kind, message) = refusal(&HandlerSpec { class: name.into(), ..spec("Shout") });
        assert_eq!(kind, ErrorKind::HandlerMissing, "{name}: {message}");
    }
}

#[test]
fn a_file_that_is_none_and_one_that_is_no_jar_are_refused() {
    let (kind, message) = refusal(&HandlerSpec { file: "/nowhere/x.jar".into(), ..spec("Shout") });
    assert_eq!(kind, ErrorKind::FileMissing);
    assert!(message.contains("from /nowhere/x.jar: there is no such file"), "{message}");
    let file = std::env::temp_dir().join(format!("upcall-not-a-jar-{}.jar", std::process::id()));
    for bytes in [&b"this is not a jar"[..], b"PK\x03\x04 cut", b""] {
        std::fs::write(&file, bytes).unwrap();
        let (kind, message) = refusal(&HandlerSpec { file: file.clone(), ..spec("Shout") });
        assert_eq!(kind, ErrorKind::FileInvalid);
        assert!(message.contains("it is not a jar: "), "{message}");
    }
    std::fs::remove_file(file).unwrap();
}

/// A folder with the classes of the tests.
fn unpacked(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("upcall-classes-{name}-{}", std::process::id()));
    let (jar, to) = (built("tests/upcall-tests.jar"), folder.clone());
    with("Unpacks", move |mut harness| {
        harness.put(jar.to_str().unwrap().as_bytes(), to.to_str().unwrap().as_bytes()).unwrap();
    });
    folder
}

#[test]
fn an_exception_whose_class_cannot_be_loaded_is_an_error_that_names_it() {
    let folder = unpacked("missing");
    std::fs::remove_file(folder.join("upcall/tests/Mute.class")).unwrap();
    let java = java();
    let module = java.load(&HandlerSpec { file: folder.clone(), ..spec("Throws") }).unwrap();
    java.worker(&mut || {
        let mut harness = Harness::of(module.instantiate().unwrap()).emits(&["/out"]);
        let failed = harness.put(b"k", b"mute").unwrap_err();
        assert_eq!(failed.type_name, "java.lang.NoClassDefFoundError");
        assert_eq!(failed.message, "upcall/tests/Mute");
        assert!(failed.stack.contains("caused by java.lang.ClassNotFoundException: upcall.tests.Mute"));
        harness.put(b"k", b"").unwrap();
        assert_eq!(harness.emitted().len(), 1);
    });
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_class_that_is_broken_or_of_a_newer_java_says_so() {
    let folder = unpacked("newer");
    let class = folder.join("upcall/tests/Shout.class");
    let whole = std::fs::read(&class).unwrap();
    let spec = HandlerSpec { file: folder.clone(), ..spec("Shout") };
    java().load(&spec).unwrap();
    let mut newer = whole.clone();
    newer[6..8].copy_from_slice(&999u16.to_be_bytes());
    std::fs::write(&class, newer).unwrap();
    let (kind, message) = refusal(&spec);
    assert_eq!(kind, ErrorKind::FileInvalid);
    assert!(message.contains("it was compiled for a newer Java than "), "{message}");
    let home = message.split_once("by `upcall build --java ").unwrap().1.split_once('`').unwrap().0;
    assert!(PathBuf::from(home).join("bin/java").is_file(), "{message}");
    std::fs::write(&class, &whole[..100]).unwrap();
    let (kind, message) = refusal(&spec);
    assert_eq!(kind, ErrorKind::FileInvalid);
    assert!(message.contains("it does not load: java.lang.ClassFormatError"), "{message}");
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn each_handler_has_classes_of_its_own() {
    with("Counts", |mut first| {
        with("Counts", |mut second| {
            second.put(b"k", b"").unwrap();
            assert_eq!(second.emitted()[0].value, 1u32.to_le_bytes());
        });
        first.put(b"k", b"").unwrap();
        assert_eq!(first.emitted()[0].value, 1u32.to_le_bytes());
    });
}

#[test]
fn other_options_than_those_it_runs_with_are_refused() {
    java();
    let options = JavaOptions { options: vec!["-Xmx1g".into()], ..JavaOptions::default() };
    let error = Java::start(&options).unwrap_err().to_string();
    assert!(error.starts_with("start Java with other options: this process runs Java "), "{error}");
}
