//! The Java bindings over `java.lang.foreign`: compiled without a warning, and run against a real library.

use bindgen_tests::{java, shapes};
use std::path::Path;
use upcall_bindgen::java::{Options, generate, jdk::Jdk};
use upcall_bindgen::model::{Api, Body, Constant, Declared, Field, Int, Layout, Record, Ty, TypeId};
use upcall_bindgen::{Diagnostics, File};

fn files(api: &Api, options: &Options) -> Vec<File> {
    let mut diagnostics = Diagnostics::default();
    let files = generate(api, options, &mut diagnostics);
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    files
}

/// Compiles bindings and a program, and runs it with the library and its shim beside it.
fn run(jdk: &Jdk, folder: &Path, files: &[File], main: &str) -> String {
    java::place(folder, files);
    java::place(folder, &[File::new("Main.java", main)]);
    if let Err(said) = java::compile(jdk, folder) {
        panic!("{said}");
    }
    let library = shapes::library(folder);
    java::cdylib(&folder.join("shim"), &folder.join("libshapes_shim.so"));
    let property = format!("-Dshapes.library={}", library.display());
    let output = java::run(jdk, folder, &[property.as_ref()]);
    let said = java::said(&output);
    assert!(output.status.success(), "{said}");
    said
}

#[test]
fn every_shape_crosses() {
    let Some(jdk) = java::ffm() else { return };
    let options = Options { enums: true, critical: vec!["add".into()], ..Options::default() };
    let files = files(&shapes::api(), &options);
    let said = run(&jdk, &java::folder("shapes"), &files, include_str!("java/ShapesMain.java"));
    assert!(said.starts_with("checked 1"), "{said}");
}

#[test]
fn the_same_model_gives_the_same_bytes() {
    let options = Options::default();
    assert_eq!(files(&shapes::api(), &options), files(&shapes::api(), &options));
}

/// More functions than one class holds, and names that Java uses otherwise.
#[test]
fn a_large_api_with_awkward_names_compiles() {
    let Some(jdk) = java::ffm() else { return };
    let mut api = shapes::api();
    let add = api.functions.iter().find(|function| function.name == "add").unwrap().clone();
    let constant = api.constants[0].clone();
    for index in 0..2_500 {
        let mut function = add.clone();
        function.name = format!("Function_{index}");
        api.functions.push(function);
        api.constants.push(Constant { name: format!("CONSTANT_{index}"), ..constant.clone() });
    }
    let mut awkward = add;
    awkward.docs = "Ends */ here, \\u0041 <b> & @tag {@link x}".into();
    for (function, name) in [("wait", "class"), ("get_class", "scratch"), ("switch", "result"), ("_", "mark")]
    {
        awkward.name = function.into();
        awkward.signature.params[0].name = name.into();
        api.functions.push(awkward.clone());
    }
    for name in ["String", "my_struct_t", "Object", "Native"] {
        let mut declared = api.types[0].clone();
        declared.name = name.into();
        let Body::Struct(record) = &mut declared.body else { panic!("a struct") };
        record.fields[0].name = "segment".into();
        record.fields[1].name = "hash_code".into();
        api.types.push(declared);
    }
    let folder = java::folder("large");
    java::place(&folder, &files(&api, &Options::default()));
    if let Err(said) = java::compile(&jdk, &folder) {
        panic!("{said}");
    }
}

#[test]
fn what_cannot_cross_is_told_with_its_place() {
    let mut api = shapes::api();
    let packed = TypeId(api.types.iter().position(|declared| declared.name == "Packed").unwrap() as u32);
    let fold = api.functions.iter_mut().find(|function| function.name == "fold").unwrap();
    fold.place.line = 12;
    let Ty::Function { signature, .. } = &mut fold.signature.params[1].ty else { panic!("a callback") };
    signature.params[0].ty = Ty::Named(packed);
    let add = api.functions.iter_mut().find(|function| function.name == "add").unwrap();
    add.signature.variadic = true;
    let mut diagnostics = Diagnostics::default();
    generate(&api, &Options::default(), &mut diagnostics);
    let said: Vec<&str> = diagnostics.list.iter().map(|diagnostic| diagnostic.message.as_str()).collect();
    assert!(diagnostics.failed());
    assert!(
        said.contains(&"the function `add` takes any number of arguments, which Java cannot call"),
        "{said:?}"
    );
    assert!(
        said.iter().any(|said| said.contains("`fold` takes a callback that passes `Packed`")),
        "{said:?}"
    );
    assert!(diagnostics.list.iter().any(|found| found.place.as_ref().is_some_and(|place| place.line == 12)));
}

#[test]
fn fields_that_would_have_one_name_keep_the_sources() {
    let field = |name: &str, offset| Field {
        name: name.into(),
        ty: Ty::Int(Int::I32),
        offset,
        bits: None,
        docs: String::new(),
        public: true,
    };
    let mut api = shapes::api();
    let twins = Record { fields: vec![field("foo_bar", 0), field("fooBar", 4)], ..Record::default() };
    let like = api.types.iter().find(|declared| matches!(declared.body, Body::Struct(_))).unwrap();
    let layout = Some(Layout { size: 8, align: 4 });
    let twins =
        Declared { name: "Twins".into(), layout, body: Body::Struct(twins), idiom: None, ..like.clone() };
    api.types.push(twins);
    let mut diagnostics = Diagnostics::default();
    let files = generate(&api, &Options::default(), &mut diagnostics);
    assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
    let twins = files.iter().find(|file| file.path.ends_with("Twins.java")).unwrap();
    assert!(twins.text.contains("int foo_bar()") && twins.text.contains("int fooBar()"), "{}", twins.text);
}

#[test]
fn names_that_become_one_are_an_error() {
    let mut api = shapes::api();
    let mut add = api.functions.iter().find(|function| function.name == "next_letter").unwrap().clone();
    add.name = "nextLetter".into();
    api.functions.push(add);
    let mut diagnostics = Diagnostics::default();
    generate(&api, &Options::default(), &mut diagnostics);
    let said = diagnostics.render(false);
    assert!(said.contains("`nextLetter` and `next_letter` would both be `nextLetter` in Java"), "{said}");
}
