//! The whole check, over the awkward shapes, in every language.

use bindgen_tests::shapes;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::check::{Echo, run, run_with};
use upcall_bindgen::java::{self, Mechanism};
use upcall_bindgen::model::{Body, Layout};
use upcall_bindgen::{Config, Generated, Outcome, Output, Step, Stop};

fn config(mechanism: Mechanism) -> Config {
    Config {
        library: "shapes".into(),
        csharp: Some(Output { output: "Native.g.cs".into(), ..Output::default() }),
        python: Some(Output::default()),
        typescript: Some(Output::default()),
        java: Some(Output {
            options: java::Options { mechanism, ..java::Options::default() },
            ..Output::default()
        }),
        header: Some(Output { output: "api.h".into(), ..Output::default() }),
        ..Config::default()
    }
}

/// The steps of a check of the shapes; with a wrong model, of bindings made from that for the right library.
fn check(config: &Config, name: &str, echo: Option<&Echo>) -> (bool, Vec<Step>) {
    let mut api = shapes::api();
    let host = Command::new("rustc").args(["--print", "host-tuple"]).output().unwrap();
    api.target.triple = String::from_utf8(host.stdout).unwrap().trim().into();
    // A different name gives it a content of its own.
    let generated = Generated { apis: vec![api], outputs: vec![(name.into(), Vec::new())] };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check");
    let mut steps = Vec::new();
    let mut report = |step: Step| {
        eprintln!("{step}");
        steps.push(step);
    };
    let passed = match echo {
        Some(_) => run_with(echo, config, &generated, &folder, &Stop::default(), &mut report),
        None => run(config, &generated, &folder, &Stop::default(), &mut report),
    };
    (passed, steps)
}

#[test]
fn every_chosen_language_is_compiled_and_passes_every_type() {
    let (passed, steps) = check(&config(Mechanism::Ffm), "check_run", None);
    assert!(passed && !steps.iter().any(|step| matches!(step.outcome, Outcome::Failed(_))), "{steps:#?}");
    assert!(steps.len() > 9, "{steps:#?}");
}

#[test]
fn packers_alone_are_compiled_without_a_library() {
    let source = tempfile::Builder::new().suffix(".rs").tempfile().unwrap();
    std::fs::write(source.path(), "#[derive(Pack)] pub struct Point { pub x: f64, pub tags: Vec<String> }")
        .unwrap();
    let input = upcall_bindgen::rust::Input { files: vec![source.path().into()], ..Default::default() };
    let config = Config { rust: Some(input), csharp: None, java: None, ..config(Mechanism::Ffm) };
    let generated = upcall_bindgen::generate(&config, &mut Default::default()).unwrap();
    // In a project that has a configuration of its own, beside which TypeScript 6 takes no files.
    let project = tempfile::tempdir().unwrap();
    std::fs::write(project.path().join("tsconfig.json"), "{ \"compilerOptions\": { \"strict\": false } }")
        .unwrap();
    let folder = project.path().join("target");
    let mut steps = Vec::new();
    let passed =
        run(&config, &generated, &folder, &Stop::default(), &mut |step| steps.push(step.to_string()));
    assert!(passed, "{steps:#?}");
    assert!(
        matches!(&steps[..], [python, script] if python.contains("mypy") && script.contains("tsc")),
        "{steps:#?}"
    );
}

#[test]
fn wrong_sizes_and_offsets_are_reported_by_every_language() {
    let mut echo = Echo::new(&shapes::api());
    let mut damage = |name: &str, how: &dyn Fn(&mut Layout, &mut Body)| {
        let declared = echo.api.types.iter_mut().find(|declared| declared.name == name).unwrap();
        how(declared.layout.as_mut().unwrap(), &mut declared.body);
    };
    damage("Point", &|_, body| {
        let Body::Struct(record) = body else { panic!("a struct") };
        let [x, y] = record.fields.as_mut_slice() else { panic!("two fields") };
        std::mem::swap(&mut x.offset, &mut y.offset);
    });
    damage("Bitfields", &|layout, _| layout.size += layout.align);
    for (mechanism, languages) in
        [(Mechanism::Ffm, &["C#", "Python", "TypeScript", "Java", "C"][..]), (Mechanism::Jni, &["Java"])]
    {
        let mut config = config(mechanism);
        if mechanism == Mechanism::Jni {
            (config.csharp, config.python, config.typescript, config.header) = (None, None, None, None);
        }
        let (passed, steps) = check(&config, "check_wrong", Some(&echo));
        assert!(!passed);
        for language in languages {
            let of = |step: &&Step| step.language == *language;
            let said: Vec<&Outcome> = steps.iter().filter(of).map(|step| &step.outcome).collect();
            let (Some(Outcome::Failed(said)), true) = (said.last(), said.len() == 2) else {
                // Without a JDK 22.
                assert!(*language == "Java" && matches!(said[..], [Outcome::Skipped(_)]), "{steps:#?}");
                continue;
            };
            let native = if *language == "Python" { " (native)" } else { "" };
            assert!(said.contains(&format!("Bitfields: size{native}: expected")), "{language}: {said}");
            // An error does not keep the rest from being checked.
            assert!(said.contains("checked 17 types"), "{language}: {said}");
            // JNI has no layouts, only accessors.
            let offset = if mechanism == Mechanism::Jni { "Point: place of x" } else { "Point: offset of x" };
            assert!(said.contains(offset), "{language}: {said}");
        }
    }
}
