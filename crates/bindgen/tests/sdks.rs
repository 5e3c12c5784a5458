//! What the SDKs have checked in is what the generator makes now: C#'s bindings of `upcall-abi` and `libupcall`, C's header, and Node's
//! layouts of `upcall-abi` and of what a segment's sides have agreed on.

use std::fs;
use std::path::Path;
use upcall_bindgen::{Config, Diagnostics, generate};

#[test]
fn the_mirrors_of_the_boundary_are_up_to_date() {
    is_up_to_date("csharp/bindgen.toml");
    is_up_to_date("node/abi.toml");
}

#[test]
fn what_the_sides_of_a_segment_have_agreed_on_is_up_to_date() {
    is_up_to_date("node/protocol.toml");
}

#[test]
fn the_functions_of_libupcall_are_up_to_date() {
    is_up_to_date("csharp/library.toml");
    is_up_to_date("c/bindgen.toml");
}

fn is_up_to_date(settings: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sdk").join(settings);
    let mut diagnostics = Diagnostics::default();
    let config = Config::read(&file, &mut diagnostics).expect("the SDK's settings");
    let generated = generate(&config, &mut diagnostics);
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    let mut outputs = generated.expect("it is generated").outputs;
    let (to, files) = outputs.pop().expect("one output");
    assert!(outputs.is_empty() && files.len() == 1, "{files:?}");
    let path = to.join(&files[0].path);
    let committed = fs::read_to_string(&path).expect("the committed file");
    assert!(
        committed == files[0].text,
        "{} is out of date: run `cargo run -p upcall-cli -- bindgen --config sdk/{settings}`",
        path.display()
    );
}
