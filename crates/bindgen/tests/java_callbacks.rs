//! Callbacks of every kind, with both mechanisms.

use bindgen_tests::java;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::java::{Mechanism, Options, generate, jdk};
use upcall_bindgen::model::*;
use upcall_bindgen::{Diagnostics, File};

const I32: Ty = Ty::Int(Int::I32);
const F64: Ty = Ty::Float(Float::F64);

fn signature(params: &[(&str, Ty)], ret: Ty) -> Signature {
    let param = |(name, ty): &(&str, Ty)| Param {
        name: (*name).into(),
        ty: ty.clone(),
        context_of: None,
        release_of: None,
    };
    Signature { params: params.iter().map(param).collect(), ret, ..Signature::default() }
}

fn callback(signature: Signature) -> Ty {
    Ty::Function { signature: Box::new(signature), nullable: false }
}

fn record(name: &str, size: u64, fields: &[(&str, Ty, u64)], idiom: Option<Idiom>) -> Declared {
    let field = |(name, ty, offset): &(&str, Ty, u64)| Field {
        name: (*name).into(),
        ty: ty.clone(),
        offset: *offset,
        bits: None,
        docs: String::new(),
        public: true,
    };
    let fields = fields.iter().map(field).collect();
    Declared {
        name: name.into(),
        source: name.into(),
        docs: String::new(),
        deprecated: None,
        place: Place::default(),
        layout: Some(Layout { size, align: 8 }),
        body: Body::Struct(Record { fields, ..Record::default() }),
        idiom,
    }
}

fn api() -> Api {
    let int = Ty::Int;
    let (text, wide) = (Ty::Named(TypeId(0)), Ty::Named(TypeId(1)));
    let bytes = Ty::pointer(int(Int::U8), false);
    let double = Ty::Function { signature: Box::new(signature(&[("value", I32)], I32)), nullable: true };
    let table = record("Table", 8, &[("double", double, 0)], None);
    let pointer = || Ty::pointer(I32, false);
    let narrow = signature(
        &[
            ("a", int(Int::U8)),
            ("b", int(Int::U16)),
            ("c", int(Int::I8)),
            ("d", Ty::Bool),
            ("e", Ty::Char),
            ("f", int(Int::I16)),
        ],
        int(Int::U8),
    );
    let mut inner = signature(&[("value", I32), ("context", Ty::context())], I32);
    inner.context = Some(1);
    let mut outer =
        signature(&[("inner", callback(inner.clone())), ("context", Ty::context()), ("value", I32)], I32);
    outer.params[1].context_of = Some(0);
    let numbers = [Int::U8, Int::U16, Int::U8, Int::U16, Int::U8, Int::U16, Int::U8, Int::U16, Int::I8];
    let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i"];
    let many: Vec<(&str, Ty)> = names.into_iter().zip(numbers.map(Ty::Int)).collect();
    let functions = [
        ("narrow", signature(&[("f", callback(narrow)), ("value", int(Int::U8))], int(Int::U32))),
        ("many", signature(&many, int(Int::I64))),
        ("nest", signature(&[("outer", callback(outer)), ("value", I32)], I32)),
        ("name", signature(&[("f", callback(signature(&[("text", text)], wide)))], F64)),
        ("twice", signature(&[("f", callback(signature(&[("value", pointer())], pointer())))], I32)),
        ("run_table", signature(&[("table", Ty::pointer(Ty::Named(TypeId(2)), false)), ("value", I32)], I32)),
        ("tripler", signature(&[], callback(inner))),
    ];
    let function = |(name, signature): (&str, Signature)| Function {
        name: name.into(),
        symbol: name.into(),
        signature,
        fallible: false,
        error: None,
        member: None,
        docs: String::new(),
        deprecated: None,
        place: Place::default(),
        linkage: Linkage::Library,
    };
    Api {
        library: "calls".into(),
        types: vec![
            record("Str", 16, &[("data", bytes, 0), ("len", int(Int::Usize), 8)], Some(Idiom::Str)),
            record("Wide", 24, &[("a", F64, 0), ("b", F64, 8), ("c", F64, 16)], None),
            table,
        ],
        functions: functions.into_iter().map(function).collect(),
        ..Api::default()
    }
}

fn prepare(folder: &Path, options: &Options, main: &str) -> std::path::PathBuf {
    let mut diagnostics = Diagnostics::default();
    java::place(folder, &generate(&api(), options, &mut diagnostics));
    assert!(diagnostics.list.is_empty(), "{}", diagnostics.render(false));
    java::place(folder, &[File::new("Main.java", main)]);
    let library = folder.join("libcalls.so");
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/java/callbacks.rs");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-Copt-level=3", "-Awarnings", "-o"]);
    assert!(rustc.arg(&library).arg(source).status().unwrap().success());
    library
}

#[test]
fn callbacks_through_java_lang_foreign() {
    let Some(jdk) = java::ffm() else { return };
    let folder = java::folder("callbacks");
    let library = prepare(&folder, &Options::default(), include_str!("java/CallbacksMain.java"));
    java::compile(&jdk, &folder).unwrap_or_else(|said| panic!("{said}"));
    let output = java::run(&jdk, &folder, &[format!("-Dcalls.library={}", library.display()).as_ref()]);
    let said = java::said(&output);
    assert!(output.status.success(), "{said}");
    assert_eq!(said, "never\n");
}

#[test]
fn callbacks_through_jni() {
    let jdk = jdk::find_oldest(jdk::JNI).unwrap();
    let folder = java::folder("callbacks-jni");
    let options = Options { mechanism: Mechanism::Jni, ..Options::default() };
    let main = java::without_foreign(include_str!("java/CallbacksMain.java"));
    let library = prepare(&folder, &options, &main);
    java::compile_with(&jdk, &folder, &["--release", "17"]).unwrap_or_else(|said| panic!("{said}"));
    java::glue(&folder, "calls");
    let options = [format!("-Dcalls.library={}", library.display()), "-Xcheck:jni".into()];
    let output = java::run(&jdk, &folder, &options.each_ref().map(AsRef::as_ref));
    let said = java::said(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("64 callbacks of TableDouble are in use: with JNI there are no more"), "{said}");
}
