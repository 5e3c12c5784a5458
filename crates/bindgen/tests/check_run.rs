//! The whole check, over the awkward shapes, in every language.

mod shapes;

use std::path::Path;
use upcall_bindgen::check::run;
use upcall_bindgen::{Config, Generated, Outcome, Output, Stop};

#[test]
fn every_chosen_language_is_compiled_and_passes_every_type() {
    let config = Config {
        library: "shapes".into(),
        csharp: Some(Output { output: "Native.g.cs".into(), ..Output::default() }),
        python: Some(Output::default()),
        typescript: Some(Output::default()),
        java: Some(Output::default()),
        header: Some(Output { output: "api.h".into(), ..Output::default() }),
        ..Config::default()
    };
    let generated = Generated { apis: vec![shapes::api()], outputs: Vec::new() };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("check_run");
    let mut failed = Vec::new();
    let passed = run(&config, &generated, &folder, &Stop::default(), &mut |step| {
        eprintln!("{step}");
        if matches!(step.outcome, Outcome::Failed(_)) {
            failed.push(step);
        }
    });
    assert!(passed && failed.is_empty(), "{failed:#?}");
}
