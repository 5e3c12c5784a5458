//! Cases that JavaScript handles specially, each a script against one real library.

use bindgen_tests::node;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use upcall_bindgen::model::{Api, Body, Int, Layout, Param, Signature, Ty, TypeId};
use upcall_bindgen::{Config, Diagnostics, File, Output, generate, rust, typescript};

const HERE: &str = env!("CARGO_MANIFEST_DIR");

/// A folder with the package, its addon and its library, made once.
fn package() -> &'static Path {
    static MADE: OnceLock<PathBuf> = OnceLock::new();
    MADE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typescript/edges");
        let (krate, package) = (folder.join("edges"), folder.join("package"));
        let manifest = format!(
            "[package]\nname = \"edges\"\nedition = \"2024\"\n[lib]\ncrate-type = [\"cdylib\", \"rlib\"]\n\
             [dependencies]\nupcall = {{ path = \"{HERE}/../../sdk/rust\" }}\n\
             upcall-abi = {{ path = \"{HERE}/../abi\", features = [\"alloc\"] }}\n[workspace]\n"
        );
        let source = |name: &str| {
            let text = fs::read_to_string(Path::new(HERE).join("tests/typescript/edges").join(name));
            File::new(format!("src/{name}"), text.unwrap())
        };
        node::put(&krate, &[File::new("Cargo.toml", manifest), source("lib.rs"), source("names.rs")]);
        bindgen_tests::probed_with_others(&krate);
        let config = Config {
            library: "edges".into(),
            rust: Some(rust::Input {
                files: vec![krate.join("src/lib.rs")],
                except: vec!["*_nothing".into()],
                ..rust::Input::default()
            }),
            typescript: Some(Output { output: package.clone(), ..Output::default() }),
            ..Config::default()
        };
        let mut diagnostics = Diagnostics::default();
        let generated = generate(&config, &mut diagnostics);
        assert_eq!(diagnostics.list, []);
        let mut api = generated.expect("it was made").apis.remove(0);
        add_nothing(&mut api);
        let files = typescript::generate(&api, &typescript::Options::default(), &mut diagnostics);
        assert_eq!(diagnostics.list, []);
        node::put(&package, &files);
        let mut cargo = bindgen_tests::cargo();
        cargo.args(["build", "--release", "--quiet"]).current_dir(&krate);
        assert!(bindgen_tests::built(&mut cargo), "the library compiles");
        fs::copy(krate.join("target/release/libedges.so"), package.join("libedges.so")).unwrap();
        node::build(&package, "edges");
        package
    })
}

/// Adds functions that pass a type without a size: the Rust front end refuses them, but a model may
/// have them.
fn add_nothing(api: &mut Api) {
    let mut nothing = api.types[0].clone();
    nothing.name = "Nothing".into();
    (nothing.body, nothing.layout) = (Body::Opaque, Some(Layout { size: 0, align: 1 }));
    (nothing.idiom, nothing.place) = Default::default();
    api.types.push(nothing);
    let (number, nothing) = (Ty::Int(Int::I32), Ty::Named(TypeId(api.types.len() as u32 - 1)));
    let param =
        |name: &str, ty: &Ty| Param { name: name.into(), ty: ty.clone(), context_of: None, release_of: None };
    let signature = |params, ret: &Ty| Signature { params, ret: ret.clone(), ..Signature::default() };
    let callback = |signature| Ty::Function { signature: Box::new(signature), nullable: false };
    let taken = vec![param("a", &number), param("b", &nothing), param("c", &number)];
    let around = callback(signature(taken, &number));
    let from = callback(signature(vec![param("a", &number)], &nothing));
    for (name, call, ret) in [("around_nothing", around, number), ("from_nothing", from, Ty::Unit)] {
        let mut function =
            api.functions.iter().find(|function| function.name == "echo_pixel").unwrap().clone();
        (function.name, function.symbol) = (name.into(), name.into());
        function.signature = signature(vec![param("call", &call)], &ret);
        api.functions.push(function);
    }
}

fn passes(name: &str) {
    let script = package().join(name);
    fs::copy(Path::new(HERE).join("tests/typescript/edges").join(name), &script).unwrap();
    let output = node::run(&script);
    let said = [output.stdout, output.stderr].concat();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&said));
}

/// The output of a TypeScript program.
fn printed(name: &str) -> String {
    let source = package().join(format!("{name}.ts"));
    fs::copy(Path::new(HERE).join(format!("tests/typescript/edges/{name}.ts")), &source).unwrap();
    let (passed, said) = node::compile(&source, package());
    assert!(passed, "{said}");
    let output = node::run(&package().join(format!("{name}.js")));
    String::from_utf8([output.stdout, output.stderr].concat()).unwrap()
}

#[test]
fn a_value_without_bytes_is_undefined_to_a_callback() {
    passes("nothing.js");
}

#[test]
fn parameters_hide_neither_types_nor_functions_of_the_module() {
    passes("shadows.js");
}

#[test]
fn a_mutable_slice_is_no_array_that_would_be_copied() {
    passes("mutable.js");
    let refused = package().join("refused.ts");
    fs::write(
        &refused,
        "import { scale, total } from \"./index\";\ntotal([{ x: 1 }]);\nscale([{ x: 1 }], 2);\n",
    )
    .unwrap();
    let (passed, said) = node::compile(&refused, &package().join("refused"));
    assert!(!passed && said.matches("error TS").count() == 1 && said.contains("refused.ts(3,"), "{said}");
}

#[test]
fn a_number_that_is_no_value_of_an_enum_is_refused() {
    passes("enums.js");
}

#[test]
fn an_array_where_no_typed_array_can_be_is_a_native_array() {
    assert_eq!(printed("tight"), "[ 8, 3 ] [ 4, 5 ] [ 9, 7 ]\n");
}

#[test]
fn a_pointer_to_an_array_takes_nothing_shorter_and_no_other_values() {
    assert_eq!(printed("arrays"), "all is well\n");
}

#[test]
fn what_is_relative_to_a_base_is_found_in_it_and_nowhere_else() {
    let expected = fs::read_to_string(Path::new(HERE).join("tests/typescript/edges/relative.txt")).unwrap();
    assert_eq!(printed("relative"), expected);
}

#[test]
fn names_that_mean_something_to_javascript_compile_and_work() {
    let expected = fs::read_to_string(Path::new(HERE).join("tests/typescript/edges/names.txt")).unwrap();
    assert_eq!(printed("names"), expected);
}
