//! C headers that once came out wrong.
#![cfg(feature = "c")]

use upcall_bindgen::Diagnostics;
use upcall_bindgen::c::{Input, read};
use upcall_bindgen::model::{Api, Body};

fn api(header: &str) -> Api {
    let (api, said) = read_with(header);
    assert_eq!(said, [""; 0]);
    api
}

fn read_with(header: &str) -> (Api, Vec<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("hostile.h");
    std::fs::write(&path, header).expect("it is written");
    let input = Input { library: "hostile".into(), headers: vec![path], ..Input::default() };
    let mut diagnostics = Diagnostics::default();
    let api = read(&input, &mut diagnostics);
    let said = diagnostics.list.iter().map(|one| one.message.clone()).collect();
    (api.expect("the header is valid"), said)
}

#[test]
fn macros_that_are_no_one_number_of_64_bits_are_no_constants() {
    let (api, said) =
        read_with("#define LIST 1, 2\n#define WIDE ((__int128)1 << 100)\n#define FINE (1 << 3)\n");
    let names: Vec<&str> = api.constants.iter().map(|constant| constant.name.as_str()).collect();
    assert_eq!(names, ["FINE"]);
    assert_eq!(said, ["the constant `WIDE` is left out: its value has no form that all languages have"]);
}

#[test]
fn a_function_that_returns_a_function_has_its_own_parameters() {
    let api = api("void (*handle(int number, void (*handler)(int given)))(int returned);\n");
    let names = api.functions[0].signature.params.iter().map(|param| param.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["number", "handler"]);
}

#[test]
fn a_struct_that_is_called_as_a_function_has_its_tag_before_its_name() {
    let api = api("struct state { int of; };\nint state(struct state *to);\n");
    assert_eq!(api.functions[0].name, "state");
    assert_eq!(api.types[0].name, "struct_state");
}

#[test]
fn a_struct_may_hold_a_function_that_takes_it() {
    let api = api("struct node { struct node (*next)(struct node given); };\nint run(struct node node);\n");
    assert_eq!(api.types[0].layout.map(|layout| layout.size), Some(8));
    let Body::Struct(record) = &api.types[0].body else { panic!("a struct") };
    assert_eq!(record.fields.len(), 1);
}
