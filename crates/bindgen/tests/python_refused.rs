//! What cannot cross to Python is reported, and an awkward name becomes one that Python can write.

use bindgen_tests::shapes;
use upcall_bindgen::model::{Api, Body, Function, Idiom, Param, Place, Ty};
use upcall_bindgen::{Diagnostics, File, python};

fn generate(change: impl FnOnce(&mut Api), skip: bool) -> (Vec<File>, Vec<String>, bool) {
    let mut api = shapes::api();
    change(&mut api);
    let mut diagnostics = Diagnostics { skip_unsupported: skip, ..Diagnostics::default() };
    let files = python::generate(&api, &python::Options::default(), &mut diagnostics);
    let said = diagnostics.list.iter().map(ToString::to_string).collect();
    (files, said, diagnostics.failed())
}

fn function<'a>(api: &'a mut Api, name: &str) -> &'a mut Function {
    api.functions.iter_mut().find(|function| function.name == name).unwrap()
}

fn text<'a>(files: &'a [File], name: &str) -> &'a str {
    &files.iter().find(|file| file.path.ends_with(name)).unwrap().text
}

#[test]
fn a_variadic_function_is_an_error_with_its_place_or_skipped_with_a_warning() {
    let change = |api: &mut Api| {
        let add = function(api, "add");
        add.signature.variadic = true;
        add.place = Place { file: "src/lib.rs".into(), line: 7, column: 3 };
    };
    for skip in [false, true] {
        let (files, said, failed) = generate(change, skip);
        assert_eq!(said.len(), 1);
        let start =
            "src/lib.rs:7:3: the function `add` takes any number of arguments, which Python cannot call";
        assert!(said[0].starts_with(start), "{said:?}");
        assert_eq!(failed, !skip);
        for file in ["__init__.pyi", "_ctypes.py", "functions.rs"] {
            assert!(!text(&files, file).contains("Adds two numbers"), "{file}");
        }
    }
}

#[test]
fn arrays_and_opaque_types_do_not_cross_by_value() {
    let (_, said, _) = generate(
        |api| {
            function(api, "add").signature.params[0].ty = Ty::Array { of: Box::new(Ty::Bool), len: 3 };
            let counter = function(api, "counter_new").signature.ret.clone();
            let Ty::Pointer(pointer) = counter else { panic!("a pointer") };
            function(api, "not").signature.ret = *pointer.to;
        },
        false,
    );
    assert!(said[0].contains("the function `add` passes an array by value"), "{said:?}");
    assert!(
        said[1].contains("the function `not` passes a `Counter`, whose layout is not known, by value"),
        "{said:?}"
    );
}

#[test]
fn a_callback_that_cannot_be_made_is_an_address() {
    let (files, said, _) = generate(
        |api| {
            let Ty::Function { signature, .. } = &mut function(api, "apply").signature.params[0].ty else {
                panic!("a callback")
            };
            signature.variadic = true;
        },
        false,
    );
    assert_eq!(said, Vec::<String>::new());
    assert!(
        text(&files, "__init__.pyi").contains("def apply(function: _Index | None, point: Point) -> Point")
    );
}

#[test]
fn a_fallible_function_needs_the_type_of_failures() {
    let (_, said, _) = generate(
        |api| {
            let failure =
                api.types.iter_mut().find(|declared| declared.idiom == Some(Idiom::Failure)).unwrap();
            failure.idiom = None;
        },
        false,
    );
    assert!(said[0].contains("the function `divide` fails with a type that is not in the model"), "{said:?}");
}

#[test]
fn names_that_meet_are_errors() {
    let (_, said, failed) = generate(
        |api| {
            function(api, "add").name = "Point".into();
            function(api, "halve").name = "Callback".into();
            function(api, "negate").name = "get_LEVEL".into();
            function(api, "divide").name = "_base".into();
        },
        false,
    );
    assert!(failed);
    let all = said.join("\n");
    assert!(
        all.contains("the function Point and the type Point have the same name in Python, Point"),
        "{all}"
    );
    for name in ["Callback", "_base"] {
        assert!(all.contains(&format!("the function {name} and a part of every generated module")), "{all}");
    }
    assert!(all.contains("the static LEVEL and the function get_LEVEL"), "{all}");
}

#[test]
fn keywords_and_nameless_parameters_are_written_as_python_can() {
    let (files, said, _) = generate(
        |api| {
            let add = function(api, "add");
            add.name = "lambda".into();
            add.signature.params[0].name = "class".into();
            add.signature.params[1].name = "class_".into();
            let widest = function(api, "widest");
            widest.signature.params.iter_mut().for_each(|param: &mut Param| param.name = "_".into());
            let color = api.types.iter_mut().find(|declared| declared.name == "Color").unwrap();
            let Body::Enum(body) = &mut color.body else { panic!("an enum") };
            body.variants[0].name = "None".into();
            body.variants[1].name = "mro".into();
        },
        false,
    );
    assert_eq!(said, Vec::<String>::new());
    let stubs = text(&files, "__init__.pyi");
    assert!(stubs.contains("def lambda_(class_: _Index, class_1: _Index) -> _int"), "{stubs}");
    assert!(stubs.contains("def widest(_0: _Index, _1: _Index,"), "{stubs}");
    assert!(stubs.contains("    None_ = -1\n    mro_ = 8\n"), "{stubs}");
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    assert_eq!(generate(|_| {}, false).0, generate(|_| {}, false).0);
}

#[test]
fn every_file_says_who_made_it() {
    for file in generate(|_| {}, false).0 {
        let named =
            file.path.ends_with("py.typed") || file.text.contains("Made by upcall bindgen; do not edit.");
        assert!(named, "{}", file.path.display());
    }
}
