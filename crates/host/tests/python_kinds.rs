//! What Python handlers say of themselves, and those that combine arrays.
#![cfg(feature = "python")]

use std::path::{Path, PathBuf};
use upcall::Harness;
use upcall_abi::{CombineFrame, CombineOpen, FrameHead, OpenFrame, Rel, Status, kind};
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{Description, Error, HandlerSpec, Host, Instance, Parameter, ValueShape, describe};

/// Runs `body` on a worker, with an instance of a class of `handlers.py`.
fn with(class: &str, body: impl FnOnce(Instance)) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let home = Some(std::env::var_os("UPCALL_HOME").map_or(root, PathBuf::from));
    let options = PythonOptions { interpreter: None, home };
    let python = Python::start(&options).unwrap_or_else(|error| panic!("{error}"));
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/python/handlers.py");
    let spec = HandlerSpec::new("handler", "python", file, class);
    let module = python.load(&spec).unwrap_or_else(|error| panic!("{error}"));
    let mut body = Some(body);
    python.worker(&mut || {
        let instance = module.instantiate().unwrap_or_else(|error| panic!("{error}"));
        body.take().expect("a worker runs once")(instance);
    });
}

/// What a class of `handlers.py` says of itself.
fn described(class: &str) -> Result<Description, Error> {
    let mut said = None;
    with(class, |mut instance| said = Some(describe(&mut instance)));
    said.unwrap()
}

#[test]
fn handlers_say_what_they_are_before_they_are_opened() {
    let of = |name: &str, size| ValueShape { name: name.into(), size };
    let said = |class| described(class).unwrap_or_else(|error| panic!("{class}: {error}"));
    let flow = |form: &str| Description {
        kind: kind::FLOW,
        kind_name: "FLOW".into(),
        form: form.into(),
        ..Description::default()
    };
    assert_eq!(said("Same"), flow("object"));
    assert_eq!(said("Half"), flow("batch"));
    let (takes, gives) = (Some(of("int", None)), vec![of("float", None)]);
    assert_eq!(said("Numbers"), Description { takes, gives, ..flow("object") });
    assert_eq!(said("Bytes"), flow("batch"));
    let gives = vec![of("bytes", None), of("Reading", Some(16))];
    assert_eq!(said("Mixed"), Description { gives, ..flow("object") });
    let (takes, gives) = (Some(of("Reading", Some(16))), vec![of("text", None), of("Reading", Some(16))]);
    assert_eq!(said("Typed"), Description { takes, gives, ..flow("object") });
    let parameter = |name: &str, of: &str, default: Option<&str>, range: Option<&str>| Parameter {
        name: name.into(),
        of: of.into(),
        default: default.map(Into::into),
        range: range.map(Into::into),
    };
    let parameters = vec![
        parameter("every", "u64", Some("10"), Some("1..=1000")),
        parameter("exact", "bool", Some("false"), None),
        parameter("label", "text", None, Some("one line")),
        parameter("prefix", "text", Some(""), None),
    ];
    assert_eq!(said("Sampled"), Description { parameters, ..flow("object") });
    let combine = Description {
        kind: kind::COMBINE,
        kind_name: "COMBINE".into(),
        takes: Some(of("u32", Some(4))),
        ..Description::default()
    };
    assert_eq!(said("Longest"), combine);
    let takes = Some(of("f64", Some(8)));
    assert_eq!(said("Adds"), Description { takes, commutative: true, ..combine });
    let error = described("Unparametrised").unwrap_err().to_string();
    assert!(error.contains("Unparametrised.parameters must map names to upcall.Parameter"), "{error}");
}

#[test]
fn arrays_are_combined_where_they_lie() {
    with("Adds", |mut instance| {
        let size = size_of::<CombineOpen>() as u32;
        let added = CombineOpen { size, element_size: 8, element: Rel::of(b"f64") };
        let mut open = OpenFrame::new(kind::COMBINE, "handler", std::ptr::null(), &added);
        // SAFETY: the frame and what it points to live until the call returns.
        assert_eq!(unsafe { instance.call((&raw mut open).cast()) }, Status::OK);
        for count in [0, 1, 1000] {
            let from: Vec<f64> = (0..count).map(f64::from).collect();
            let mut into = vec![0.5; from.len()];
            let mut frame = CombineFrame {
                head: FrameHead::new::<CombineFrame>(kind::COMBINE),
                from: Rel::new(from.as_ptr() as u64, 8 * from.len() as u64),
                into: Rel::new(into.as_mut_ptr() as u64, 8 * from.len() as u64),
                count: from.len() as u64,
            };
            // SAFETY: as above.
            assert_eq!(unsafe { instance.call((&raw mut frame).cast()) }, Status::OK);
            assert!(into.iter().zip(&from).all(|(into, from)| *into == 0.5 + from));
        }
    });
}

#[test]
fn an_engine_of_another_kind_is_refused_by_the_handler_too() {
    with("Adds", |instance| {
        let failed = Harness::of(instance).put(b"key", b"").unwrap_err();
        let expected =
            "it takes COMBINE frames, and the engine calls with FLOW frames: give it another handler";
        assert_eq!(failed.message, expected);
    });
}
