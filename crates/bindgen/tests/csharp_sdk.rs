//! The checked-in bindings of the C# SDK, for `upcall-abi` and `libupcall`, are what the generator makes now.

use std::fs;
use std::path::Path;
use upcall_bindgen::{Config, Diagnostics, generate};

#[test]
fn the_mirrors_of_the_boundary_are_up_to_date() {
    is_up_to_date("bindgen.toml");
}

#[test]
fn the_functions_of_libupcall_are_up_to_date() {
    is_up_to_date("simd.toml");
}

fn is_up_to_date(settings: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk/csharp");
    let text = fs::read_to_string(folder.join(settings)).expect("the SDK's settings");
    let mut config = Config::parse(&text, &folder).expect("they are well-formed");
    config.file = Some(folder.join(settings));
    let mut diagnostics = Diagnostics::default();
    let generated = generate(&config, &mut diagnostics);
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    let mut outputs = generated.expect("it is generated").outputs;
    let (to, files) = outputs.pop().expect("one output");
    assert!(outputs.is_empty() && files.len() == 1, "{files:?}");
    let path = to.join(&files[0].path);
    let committed = fs::read_to_string(&path).expect("the committed file");
    assert!(
        committed == files[0].text,
        "{} is out of date: run `cargo run -p upcall-cli -- bindgen --config sdk/csharp/{settings}`",
        path.display()
    );
}
