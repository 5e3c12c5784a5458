//! The check of our own API and of the library of awkward cases, in every language.

use std::path::Path;
use upcall_bindgen::java::{self, Mechanism};
use upcall_bindgen::typescript::layouts;
use upcall_bindgen::{Config, Diagnostics, Outcome, Output, Step, Stop, check, generate, rust};

/// Modules that have the name of a type beside them.
const RENAMED: [(&str, &str); 2] = [("refusal", "Refused"), ("within", "WithinModule")];

/// Checks what `config` reads in all languages, Java by `mechanism`. Returns the types that were passed.
fn passes(config: &Config, mechanism: Mechanism) -> usize {
    let config = Config {
        csharp: config.csharp.clone().or(Some(Output { output: "Native.g.cs".into(), ..Output::default() })),
        python: Some(Output::default()),
        typescript: Some(Output::default()),
        java: Some(Output {
            options: java::Options { mechanism, ..java::Options::default() },
            ..Output::default()
        }),
        layouts: Some(Output {
            output: "layouts.ts".into(),
            options: layouts::Options {
                rename: RENAMED.map(|(from, to)| (from.to_owned(), to.to_owned())).into(),
                ..layouts::Options::default()
            },
        }),
        header: Some(Output { output: "api.h".into(), ..Output::default() }),
        ..config.clone()
    };
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert_eq!(diagnostics.list, [], "all of it crosses into every language");
    let generated = generated.expect("it was made");
    // The glue's dependencies are compiled once for all of the tests' checks.
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check");
    let mut steps = Vec::new();
    let passed = check::run(&config, &generated, &folder, &Stop::default(), &mut |step| {
        // Bypasses the test harness: skipped checks must be visible.
        let _ = std::io::Write::write_all(&mut std::io::stderr(), format!("{step}\n").as_bytes());
        steps.push(step);
    });
    assert!(passed, "{}", steps.iter().map(|step| format!("{step}\n")).collect::<String>());
    let of = |language| {
        let steps = steps.iter().filter(move |step| step.language == language);
        steps.filter(|step: &&Step| matches!(step.outcome, Outcome::Passed(_))).count()
    };
    for (language, passed) in [("C#", 2), ("Python", 2), ("TypeScript", 3), ("C", 2)] {
        assert_eq!(of(language), passed, "{language}");
    }
    assert!(of("Java") == 2 || mechanism == Mechanism::Ffm && java::jdk::find(java::jdk::FFM).is_err());
    check::Echo::new(&generated.apis[0]).probes.len()
}

/// The frames that the host and the guests' SDKs pass to each other.
#[test]
fn our_own_api_is_right_in_every_language() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/csharp/bindgen.toml");
    let mut diagnostics = Diagnostics::default();
    let config = Config::read(&file, &mut diagnostics).expect("the file of the SDK");
    assert!(passes(&config, Mechanism::Jni) >= 17);
}

#[test]
fn the_awkward_library_is_right_in_every_language() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/awkward/src/lib.rs");
    let config = Config {
        library: "awkward".into(),
        rust: Some(rust::Input { files: vec![root], ..rust::Input::default() }),
        ..Config::default()
    };
    assert!(passes(&config, Mechanism::Ffm) > 50);
}

#[test]
fn a_library_that_keeps_callbacks_is_right_in_every_language() {
    // What ranks and paints returns something, which Node cannot wait for.
    let except = ["rank*", "forget_rank", "paint*"].map(String::from).to_vec();
    let input = rust::Input { except, ..bindgen_tests::kept::input() };
    let config = Config { library: "kept".into(), rust: Some(input), ..Config::default() };
    assert!(passes(&config, Mechanism::Jni) > 0);
}
