//! Models that are odd for C: names that C cannot have, types that mention themselves, values at the ends of
//! their ranges.

use std::process::Command;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::header::{Options, generate};
use upcall_bindgen::model::*;

fn declared(name: &str, layout: Option<(u64, u64)>, body: Body) -> Declared {
    Declared {
        name: name.into(),
        source: name.into(),
        docs: "Ends a comment: */ and begins one: /* \\ ??/\nüñí".into(),
        deprecated: Some("no \"more\"".into()),
        place: Place::default(),
        layout: layout.map(|(size, align)| Layout { size, align }),
        body,
        idiom: None,
    }
}

fn field(name: &str, ty: Ty, offset: u64) -> Field {
    Field { name: name.into(), ty, offset, bits: None, docs: String::new(), public: true }
}

fn signature(params: &[(&str, Ty)], ret: Ty) -> Signature {
    let param = |(name, ty): &(&str, Ty)| Param {
        name: (*name).into(),
        ty: ty.clone(),
        context_of: None,
        release_of: None,
    };
    Signature { params: params.iter().map(param).collect(), ret, ..Signature::default() }
}

fn function(symbol: &str, signature: Signature) -> Function {
    Function {
        name: symbol.into(),
        symbol: symbol.into(),
        signature,
        fallible: false,
        error: None,
        member: None,
        docs: String::new(),
        deprecated: None,
        place: Place { file: "lib.rs".into(), line: 3, column: 1 },
        linkage: Linkage::Library,
    }
}

fn constant(name: &str, ty: Ty, value: Value) -> Constant {
    let (path, docs, place) = (Vec::new(), String::new(), Place::default());
    Constant { name: name.into(), path, ty, value, docs, place }
}

fn compiles(api: &Api) -> String {
    let mut diagnostics = Diagnostics::default();
    let text = generate(api, &Options::default(), &mut diagnostics).remove(0).text;
    assert!(diagnostics.list.is_empty(), "{:#?}", diagnostics.list);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("api.h"), &text).unwrap();
    for (compiler, name, standard) in
        [("gcc", "user.c", "-std=c99"), ("gcc", "user.c", "-std=c2x"), ("g++", "user.cpp", "-std=c++11")]
    {
        let source = folder.path().join(name);
        std::fs::write(&source, "#include \"api.h\"\n").unwrap();
        let warnings = ["-Wall", "-Wextra", "-pedantic", "-Werror", "-fsyntax-only"];
        let result = Command::new(compiler).arg(standard).args(warnings).arg(source).output().unwrap();
        assert!(result.status.success(), "{compiler}: {}\n{text}", String::from_utf8_lossy(&result.stderr));
    }
    text
}

#[test]
fn types_that_mention_themselves_and_each_other_are_put_in_order() {
    let id = |index| Ty::Named(TypeId(index));
    let of = |ty: Ty| Record { fields: vec![field("0", ty, 0)], tuple: true, ..Record::default() };
    let visit = Ty::Function {
        signature: Box::new(signature(&[("me", Ty::pointer(id(0), true)), ("by", id(3))], id(1))),
        nullable: true,
    };
    let transparent = Record { transparent: true, ..of(visit) };
    let callback = Body::Callback { signature: signature(&[("wide", id(4))], id(0)), nullable: true };
    let api = Api {
        types: vec![
            declared("Selfish", Some((8, 8)), Body::Struct(transparent)),
            declared("Later", None, Body::Alias(id(3))),
            declared("Triple", None, Body::Alias(Ty::Array { of: Box::new(id(3)), len: 3 })),
            declared("Callback", Some((8, 8)), callback),
            declared(
                "Wide",
                Some((32, 8)),
                Body::Struct(Record {
                    fields: vec![field("triple", id(2), 0), field("later", id(1), 24)],
                    ..Record::default()
                }),
            ),
            declared("Nothing", Some((0, 1)), Body::Opaque),
            declared("Blob", Some((24, 8)), Body::Opaque),
            declared(
                "Empty",
                Some((1, 1)),
                Body::Enum(Enum {
                    repr: Int::U8,
                    variants: vec![Variant { name: "Only".into(), value: 255, docs: String::new() }],
                    closed: true,
                }),
            ),
        ],
        functions: vec![function(
            "f",
            signature(&[("wide", id(4)), ("nothing", id(5)), ("Blob", id(6))], id(0)),
        )],
        ..Api::default()
    };
    let text = compiles(&api);
    assert!(text.contains("UPCALL_API Selfish f(Wide wide, Blob Blob_);"), "{text}");
}

#[test]
fn names_that_c_cannot_have_keep_their_symbols() {
    let api = Api {
        functions: vec![
            function("delete", signature(&[("int", Ty::Int(Int::I32)), ("größe", Ty::Bool)], Ty::Unit)),
            function("größe", signature(&[], Ty::Unit)),
            function("my.name", signature(&[], Ty::Unit)),
        ],
        ..Api::default()
    };
    let text = compiles(&api);
    assert!(
        text.contains("void delete_(int32_t int_, bool gru00f6u00dfe) UPCALL_SYMBOL(\"delete\");")
            || text.contains("UPCALL_SYMBOL(\"delete\")"),
        "{text}"
    );
    assert!(text.contains("UPCALL_SYMBOL(\"my.name\")"), "{text}");
}

#[test]
fn constants_at_the_ends_of_their_ranges_are_warned_of_by_no_compiler() {
    let int = |int, value| (Ty::Int(int), Value::Int(value));
    let values = [
        int(Int::I8, -128),
        int(Int::I32, i32::MIN.into()),
        int(Int::I64, i64::MIN.into()),
        int(Int::Long, i64::MIN.into()),
        int(Int::U64, u64::MAX.into()),
        (Ty::pointer(Ty::Unit, true), Value::Int(u64::MAX.into())),
        int(Int::I128, i128::MIN),
        (Ty::Int(Int::U128), Value::Big(u128::MAX)),
        (Ty::Float(Float::F32), Value::Float(f32::MIN_POSITIVE.into())),
        (Ty::Float(Float::F64), Value::Float(f64::NAN)),
        (Ty::Float(Float::F64), Value::Float(f64::MAX)),
        (Ty::Char, Value::Char('\u{10ffff}')),
        (Ty::pointer(Ty::Int(Int::U8), false), Value::Str("??/ \" \\ \0 7 \u{7f} ü\r\n".into())),
    ];
    let constants = values.into_iter().enumerate();
    let constants = constants.map(|(index, (ty, value))| constant(&format!("C{index}"), ty, value)).collect();
    let text = compiles(&Api { constants, ..Api::default() });
    assert!(text.contains("#define C3 (-INT64_C(9223372036854775807) - 1)"), "{text}");
}

#[test]
fn two_things_of_one_name_are_an_error_with_a_place() {
    let api = Api {
        types: vec![declared("same", None, Body::Opaque)],
        functions: vec![function("same", signature(&[], Ty::Unit))],
        ..Api::default()
    };
    let mut diagnostics = Diagnostics::default();
    generate(&api, &Options::default(), &mut diagnostics);
    assert!(diagnostics.failed());
    let said = diagnostics.list[0].to_string();
    assert!(
        said.starts_with("lib.rs:3:1: the function `same` and the type `same` would both be `same`"),
        "{said}"
    );
    let mut diagnostics = Diagnostics::default();
    generate(&api, &Options { prefix: "x_".into(), ..Options::default() }, &mut diagnostics);
    assert!(!diagnostics.failed());
}
