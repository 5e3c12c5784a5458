//! Layouts and values as the probe measures them, compared with programs that inspect themselves.

mod front;
mod inputs;

use front::*;
use std::fs;
use std::path::Path;
use std::process::Command;
use upcall_bindgen::model::{Body, Enum, Flags, Float, Int, Record, TaggedShape, Ty, TypeId, Value};
use upcall_bindgen::probe::{Generic, Subject};

/// What the crate prints about itself when compiled as a program.
fn printed(folder: &Path) -> Vec<Vec<u64>> {
    let run = |command: &mut Command| {
        let output = command.output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let rustc = |arguments: &[&str]| {
        run(Command::new("rustc")
            .args(arguments)
            .args(["--edition=2021", "--cap-lints=allow", "--out-dir"])
            .arg(folder)
            .env("CARGO_PKG_VERSION", "1.2.3"))
    };
    let root = awkward();
    rustc(&["--crate-type=rlib", root.join("pieces/src/lib.rs").to_str().unwrap(), "--crate-name=pieces"]);
    let library = format!("pieces={}", folder.join("libpieces.rlib").display());
    rustc(&[
        "--cfg=run",
        "--extern",
        &library,
        root.join("src/lib.rs").to_str().unwrap(),
        "--crate-name=run",
        "--crate-type=bin",
    ]);
    let lines = run(&mut Command::new(folder.join("run")));
    lines
        .lines()
        .map(|line| line.trim_matches(['[', ']']).split(", ").map(|number| number.parse().unwrap()).collect())
        .collect()
}

#[test]
fn an_awkward_crate_is_measured_as_it_measures_itself() {
    let folder = tempfile::tempdir().unwrap();
    let (lib, filed) = (awkward().join("src/lib.rs"), awkward().join("src/filed.rs"));
    let mut front = Front::new(&lib, Some(awkward().join("Cargo.toml")));
    let root = front.spot(&lib, None);
    let inner = front.spot(&lib, Some("} // the brace of `inner`"));
    let outer = front.spot(&lib, Some("}\n\n#[repr(C)]\npub union"));
    let in_file = front.spot(&filed, None);
    let length = |front: &mut Front, spot, text: &str| {
        front.plan.length(Subject { spot, text: text.into(), generic: None })
    };
    let rest = length(&mut front, inner, "2 * super::super::LEN");

    let either = record(&[("number", U64), ("bytes", array(U8, 13))]);
    let either = front.ty(root, "Either", Body::Union(either));
    let hidden = front.ty(
        inner,
        "Hidden",
        Body::Struct(record(&[("first", U8), ("type", U32), ("rest", array(U16, rest))])),
    );
    let mut tight = record(&[("0", U8), ("1", U64), ("2", Ty::Float(Float::F32))]);
    tight.packed = Some(2);
    let tight = front.ty(inner, "Tight", Body::Struct(tight));
    let loose = front.ty(inner, "Loose", Body::Struct(record(&[("only", Ty::Int(Int::I128)), ("byte", U8)])));
    let level = front.ty(
        root,
        "Level",
        Body::Enum(Enum { repr: Int::U16, variants: variants(&["Low", "High"]), closed: true }),
    );
    let generic = |front: &mut Front, text: &str, ty| {
        let id = front.ty(root, text, Body::Struct(record(&[("small", U8), ("value", ty)])));
        front.plan.types[id.0 as usize].as_mut().unwrap().generic =
            Some(Generic { spot: outer, head: "impl<T: Copy> Generic<T>".into() });
        id
    };
    let of_float = generic(&mut front, "outer::Generic<f64>", Ty::Float(Float::F64));
    let of_level = generic(&mut front, "outer::Generic<Level>", Ty::Named(level));
    let pointer = Ty::pointer(U64, true);
    let shape = tagged(
        Int::U16,
        TaggedShape::TagThenUnion,
        &[
            ("Nothing", false, &[]),
            ("Named", true, &[("0", pointer.clone()), ("1", Ty::Bool)]),
            (
                "Placed",
                false,
                &[("match", Ty::Char), ("owner", pointer.clone()), ("level", Ty::Named(level))],
            ),
        ],
    );
    let shape = front.ty(root, "Shape<'static>", shape);
    let small = tagged(
        Int::I8,
        TaggedShape::UnionOfTagged,
        &[
            ("One", true, &[("0", U8), ("1", U32)]),
            ("Two", false, &[("inner", Ty::Named(hidden)), ("end", pointer.clone())]),
        ],
    );
    let small = front.ty(root, "Small", small);
    let in_file =
        front.ty(in_file, "Filed", Body::Struct(record(&[("length", U8), ("thin", pointer.clone())])));
    let signed = front.ty(
        root,
        "Signed",
        Body::Enum(Enum { repr: Int::I32, variants: variants(&["Below", "Above"]), closed: true }),
    );
    let bits = front.ty(
        root,
        "Bits",
        Body::Flags(Flags { repr: Int::U32, bits: variants(&["A", "TOP"]), combine: true }),
    );
    let nothing = front.ty(root, "Nothing", Body::Struct(Record::default()));
    let piece = record(&[("tag", U8), ("wide", U64), ("end", U16)]);
    let piece = front.ty(root, "pieces::Piece", Body::Struct(piece));

    let text = || Value::Str(String::new());
    for (name, ty, value) in [
        ("I128_MIN", Ty::Int(Int::I128), Value::Int(0)),
        ("U128_MAX", Ty::Int(Int::U128), Value::Int(0)),
        ("MINUS", Ty::Int(Int::I8), Value::Int(0)),
        ("PARTS", U16, Value::Int(0)),
        ("NAN", Ty::Float(Float::F32), Value::Float(0.0)),
        ("THIRD", Ty::Float(Float::F64), Value::Float(0.0)),
        ("YES", Ty::Bool, Value::Bool(false)),
        ("LETTER", Ty::Char, Value::Char(' ')),
        ("EMPTY", Ty::pointer(U8, false), text()),
        ("TEXT", Ty::pointer(U8, false), text()),
        ("C_TEXT", Ty::pointer(U8, false), Value::CStr(Vec::new())),
        ("Bits::TOP", Ty::Named(bits), Value::Int(0)),
    ] {
        front.constant(root, name, ty, value);
    }

    let unmeasured = (front.api.clone(), front.plan.clone());
    assert_eq!(front.measure(&options(folder.path())), [""; 0]);

    let printed = printed(folder.path());
    let measured = [either, hidden, tight, loose, of_float, of_level, shape];
    for (id, printed) in measured.iter().zip(&printed) {
        assert_eq!(front.row(*id), *printed, "{}", front.api.get(*id).name);
    }
    assert_eq!(front.row(small)[..4], printed[7]);
    assert_eq!(front.row(in_file), printed[8]);
    assert_eq!(front.row(piece), [24, 8, 0, 8, 16]);
    assert_eq!(front.row(nothing), [0, 1]);
    assert_eq!(front.api.get(nothing).body, Body::Opaque);
    let Body::Struct(hidden) = &front.api.get(hidden).body else { panic!() };
    assert_eq!(hidden.fields[2].ty, array(U16, 6));

    let numbers = |id: TypeId| -> Vec<i128> {
        match &front.api.get(id).body {
            Body::Enum(body) => body.variants.iter().map(|variant| variant.value).collect(),
            Body::Flags(flags) => flags.bits.iter().map(|variant| variant.value).collect(),
            Body::Tagged(tagged) => tagged.variants.iter().map(|variant| variant.value).collect(),
            _ => panic!(),
        }
    };
    assert_eq!(numbers(level), [8, 200]);
    assert_eq!(numbers(signed), [-1, 5]);
    assert_eq!(numbers(bits), [1, 1 << 31]);
    assert_eq!(numbers(shape), [0, 1, 9]);
    assert_eq!(numbers(small), [-5, -4]);

    let values: Vec<&Value> = front.api.constants.iter().map(|constant| &constant.value).collect();
    let Value::Float(nan) = values[4] else { panic!() };
    assert_eq!(nan.to_bits(), 0xfff8_0246_8000_0000);
    let rest: Vec<&Value> = values
        .iter()
        .copied()
        .filter(|value| **value != Value::Float(*nan) && !matches!(value, Value::Float(nan) if nan.is_nan()))
        .collect();
    let expected = [
        Value::Int(i128::MIN),
        Value::Big(u128::MAX),
        Value::Int(-1),
        Value::Int(0xff00),
        Value::Float(1.0 / 3.0),
        Value::Bool(true),
        Value::Char('🦀'),
        Value::Str(String::new()),
        Value::Str("grün 1.2.3 \0 a note".into()),
        Value::CStr(b"bytes \xff".to_vec()),
        Value::Int(1 << 31),
    ];
    assert_eq!(rest, expected.iter().collect::<Vec<_>>());
    assert_eq!((front.api.target.pointer, front.api.target.long), (8, 8));

    // The second time nothing is compiled: the scratch folder is gone.
    fs::remove_dir_all(folder.path().join("scratch")).unwrap();
    let first = front.api.clone();
    (front.api, front.plan) = unmeasured;
    assert_eq!(front.measure(&options(folder.path())), [""; 0]);
    assert!(!folder.path().join("scratch").exists(), "a kept result was not used");
    // NaN is not equal to itself.
    assert_eq!(format!("{first:?}"), format!("{:?}", front.api));
}
