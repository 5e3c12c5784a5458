//! Vertex programs in C and in AssemblyScript, as modules: what they say of themselves, and what is refused. Their frames are crossed in
//! `upcall-crossing`'s tests, and whole runs compared in the command's.
#![cfg(feature = "wasm")]

mod wasm_support;

use upcall_abi::{CombineOpen, Rel, VertexOpen, kind};
use upcall_host::{Description, ErrorKind, HandlerSpec, Host, Opened, Opening, describe};
use wasm_support::{handlers, made, spec, wasm};

const MODULES: [&str; 2] = ["vertices.wasm", "vertices-as.wasm"];

/// A class of `sdk/c/tests/vertices.c` or `sdk/assemblyscript/tests/vertices.ts`.
fn vertices(module: &str, class: &str) -> HandlerSpec {
    let file = handlers().with_file_name(module);
    assert!(file.is_file(), "there is no {}: run cargo xtask build --wasm", file.display());
    HandlerSpec { file, ..spec(class) }
}

/// Values as `own f64`.
fn values(described: &Description) -> Vec<String> {
    described.values.iter().map(|(value, of)| format!("{value} {of}")).collect()
}

#[test]
fn a_program_says_its_form_its_values_and_what_it_needs() {
    for module in MODULES {
        let described = |class: &str| describe(&mut made(&vertices(module, class))).unwrap();
        for of in ["f32", "f64", "i32", "i64", "u32", "u64"] {
            let largest = described(&format!("largest {of}"));
            assert_eq!(
                (largest.kind, largest.kind_name.as_str(), largest.form.as_str()),
                (kind::VERTEX, "VERTEX", "vertex")
            );
            let expected = ["own", "shown", "edge"].map(|value| format!("{value} {of}"));
            assert_eq!(
                (values(&largest), largest.needs),
                (expected.to_vec(), vec!["selective".to_owned()]),
                "{module}"
            );
            let gathered = described(&format!("gathered {of}"));
            assert_eq!((gathered.form.as_str(), gathered.gather.as_str()), ("gather", "max"), "{module}");
        }
        let sums = described("sums");
        assert_eq!(
            (sums.form.as_str(), values(&sums)),
            ("interval", vec!["shown f64".to_owned()]),
            "{module}"
        );
        assert_eq!((sums.needs.len(), sums.gather.as_str()), (0, ""), "{module}");
    }
}

/// Opens `told`, for what the engine adds.
fn open<T>(module: &str, batch: u16, added: &T, last: &str) -> Result<(), String> {
    let settings = [("last".to_owned(), last.to_owned())];
    let opening = Opening { name: "told", batch, settings: &settings, worker: 0, workers: 1 };
    let opened = Opened::new(made(&vertices(module, "told")), &opening, added);
    opened.map(|_| ()).map_err(|failed| failed.message)
}

#[test]
fn a_program_is_told_its_graph_and_its_settings() {
    let size = size_of::<VertexOpen>() as u32;
    let graph = |edges| VertexOpen { size, directed: 1, vertices: 5, edges, lent: Rel::EMPTY };
    let combine =
        CombineOpen { size: size_of::<CombineOpen>() as u32, element_size: 8, element: Rel::of(b"f64") };
    for module in MODULES {
        assert_eq!(open(module, kind::VERTEX, &graph(6), "3"), Ok(()), "{module}");
        let other = open(module, kind::VERTEX, &graph(7), "3");
        assert_eq!(other, Err("that is another graph".to_owned()), "{module}");
        let said = open(module, kind::COMBINE, &combine, "3").unwrap_err();
        assert!(
            said.starts_with("it takes VERTEX frames, and the engine calls with others"),
            "{module}: {said}"
        );
    }
    let said = open("vertices.wasm", kind::VERTEX, &graph(6), "3x").unwrap_err();
    assert_eq!(said, "the setting `last` is 3x: give it a whole number from 0 to 18446744073709551615");
}

#[test]
fn a_program_that_cannot_be_is_refused_with_what_to_do() {
    let refused = |module, class, why: &str| {
        let error = wasm().load(&vertices(module, class)).err().unwrap();
        assert_eq!(error.kind(), ErrorKind::ConstructorFailed, "{error}");
        assert!(error.to_string().contains(why), "{error}");
    };
    refused(
        "vertices.wasm",
        "shows nothing",
        "its vertices show nothing: declare the type of what they show",
    );
    refused("vertices.wasm", "no form", "it has none of update, apply and interval: write one");
    refused("vertices.wasm", "two forms", "it has more than one of update, apply and interval: leave one");
    refused("vertices.wasm", "unknown type", "a value of its vertices is of an unknown type");
    refused("vertices.wasm", "not gathered", "it has `.apply`, and does not say how neighbours are gathered");
    refused(
        "vertices.wasm",
        "gathers for nobody",
        "it declares `.gather`, and does not take what is gathered",
    );
    refused("vertices-as.wasm", "ungathered", "it does not say how neighbours are gathered");
    refused("vertices-as.wasm", "mistyped", "its neighbours come to u64, and it takes f64");
}
