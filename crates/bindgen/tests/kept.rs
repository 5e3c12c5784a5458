//! Callbacks that a library keeps, in every language.

use bindgen_tests::kept::{self, library, program};
use bindgen_tests::{compiler, interpreter, java, node};
use std::process::Command;
use upcall_bindgen::java::{Mechanism, Options, jdk};
use upcall_bindgen::model::Ty;
use upcall_bindgen::{Config, Output, rust};

#[test]
fn a_kept_callback_is_three_parameters() {
    let mut diagnostics = upcall_bindgen::Diagnostics::default();
    let [api] = &rust::read(&kept::input(), &mut diagnostics).expect("it is read")[..] else { panic!("one") };
    let function = |name: &str| api.functions.iter().find(|function| function.name == name).unwrap();
    let params = &function("wake_after").signature.params[1..];
    let names: Vec<&str> = params.iter().map(|param| param.name.as_str()).collect();
    assert_eq!(names, ["wake", "wake_context", "wake_release"]);
    let Ty::Function { signature, nullable } = &params[0].ty else { panic!("a function") };
    assert_eq!((signature.kept, signature.context, nullable), (true, Some(0), &false));
    assert_eq!((params[1].context_of, params[2].release_of), (Some(1), Some(1)));
    assert!(matches!(&params[2].ty, Ty::Function { nullable: true, .. }), "it may be null");
}

#[test]
fn c_keeps_and_releases() {
    let folder = kept::bindings("c", &[], |config: &mut Config, folder| {
        config.header = Some(Output { output: folder.join("kept.h"), ..Output::default() });
    });
    let mut cc = Command::new("cc");
    cc.args(["-std=c11", "-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread", "-I"]).arg(&folder);
    cc.arg("-o").arg(folder.join("program")).arg(program("program.c"));
    cc.arg(library()).arg(format!("-Wl,-rpath,{}", library().parent().unwrap().display()));
    assert!(cc.status().unwrap().success(), "it compiles without warnings");
    kept::done(&mut Command::new(folder.join("program")));
}

#[test]
fn a_language_that_cannot_keep_it_says_so_or_leaves_it_out() {
    for skip in [false, true] {
        let config = Config {
            library: "kept".into(),
            skip_unsupported: skip,
            rust: Some(kept::input()),
            typescript: Some(Output { output: "nowhere".into(), ..Output::default() }),
            ..Config::default()
        };
        let mut diagnostics = upcall_bindgen::Diagnostics::default();
        let generated = upcall_bindgen::generate(&config, &mut diagnostics);
        assert_eq!(generated.is_some(), skip);
        let said: Vec<String> = diagnostics.list.iter().map(ToString::to_string).collect();
        let start = "keeps a callback that returns something, which JavaScript cannot call";
        assert_eq!(said.len(), 2, "{said:#?}");
        for (said, name) in said.iter().zip(["rank_with", "paint_with"]) {
            assert!(said.contains(&format!("the function `{name}` {start}")), "{said}");
        }
    }
}

#[test]
fn csharp_keeps_and_releases() {
    let folder = kept::bindings("csharp", &[], |config, folder| {
        config.csharp = Some(Output { output: folder.join("Kept.g.cs"), ..Output::default() });
    });
    let sources = [folder.join("Kept.g.cs"), program("Program.cs")];
    let made = compiler::compile(&folder, "program", "exe", &sources).unwrap_or_else(|said| panic!("{said}"));
    kept::done(&mut compiler::started(&made));
}

#[test]
fn python_keeps_and_releases() {
    let folder = kept::bindings("python", &[], |config, folder| {
        config.python = Some(Output { output: folder.to_owned(), ..Output::default() });
    });
    let mut cargo = bindgen_tests::cargo();
    cargo.args(["build", "--release", "--quiet"]).current_dir(folder.join("kept/glue"));
    assert!(bindgen_tests::built(&mut cargo), "the extension compiles without warnings");
    let python = || {
        let mut python = interpreter::python();
        python.env("PYTHONPATH", &folder);
        python
    };
    for implementation in ["native", "ctypes"] {
        let mut run = python();
        kept::done(run.args(["-Xdev"]).arg(program("program.py")).env("KEPT_PYTHON", implementation));
    }
    let mut mypy = python();
    mypy.args(["-m", "mypy", "--strict", "--cache-dir=/dev/null"]).arg(program("program.py"));
    let checked = mypy.output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}

#[test]
fn node_keeps_and_releases() {
    let folder = kept::bindings("node", &["rank*", "forget_rank", "paint*"], |config, folder| {
        config.typescript = Some(Output { output: folder.to_owned(), ..Output::default() });
    });
    node::build(&folder, "kept");
    std::fs::copy(program("program.ts"), folder.join("program.ts")).unwrap();
    let (compiled, said) = node::compile(&folder.join("program.ts"), &folder);
    assert!(compiled, "{said}");
    kept::done(Command::new("node").arg("--expose-gc").arg(folder.join("program.js")));
}

fn java_keeps(name: &str, mechanism: Mechanism) {
    let foreign = mechanism == Mechanism::Ffm;
    let Some(jdk) = (if foreign { java::ffm() } else { jdk::find_oldest(jdk::JNI).ok() }) else { return };
    let folder = kept::bindings(name, &[], |config, folder| {
        let options = Options { mechanism, ..Options::default() };
        config.java = Some(Output { output: folder.to_owned(), options });
    });
    let mut main = std::fs::read_to_string(program("Main.java")).unwrap();
    if !foreign {
        main = java::without_foreign(&main);
        java::glue(&folder, "kept");
    }
    std::fs::write(folder.join("Main.java"), main).unwrap();
    java::compile(&jdk, &folder).unwrap_or_else(|said| panic!("{said}"));
    let library = format!("-Dkept.library={}", library().display());
    let glue = format!("-Dkept.library.jni={}", folder.join("libkept_jni.so").display());
    let mut options: Vec<&std::ffi::OsStr> = vec![library.as_ref(), glue.as_ref()];
    if !foreign {
        // Every call of JNI is checked.
        options.push("-Xcheck:jni".as_ref());
    }
    let ran = java::run(&jdk, &folder, &options);
    let said = java::said(&ran);
    assert!(ran.status.success() && said == "done\n", "{:?}: {said}", ran.status);
}

#[test]
fn java_keeps_and_releases() {
    java_keeps("java", Mechanism::Ffm);
}

#[test]
fn java_keeps_and_releases_with_jni() {
    java_keeps("jni", Mechanism::Jni);
}
