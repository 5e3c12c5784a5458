//! Layouts and values as the probe measures them, held against programs that look at themselves.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::model::{
    Api, Body, Constant, Declared, Enum, Field, Flags, Float, Int, Place, Record, Tagged, TaggedShape,
    TaggedVariant, Ty, TypeId, Value, Variant,
};
use upcall_bindgen::probe::{Generic, Options, Plan, Source, Spot, Subject, measure};

/// A model and its plan, filled by hand as a front end does.
struct Front {
    api: Api,
    plan: Plan,
}

impl Front {
    fn new(root: &Path, manifest: Option<PathBuf>) -> Front {
        let source = Source {
            root: root.to_owned(),
            manifest,
            edition: None,
            features: Vec::new(),
            default_features: true,
            cfgs: Vec::new(),
        };
        Front { api: Api::default(), plan: Plan::new(source) }
    }

    /// A spot at the end of a file, or before the brace that `marker` begins with.
    fn spot(&mut self, file: &Path, marker: Option<&str>) -> usize {
        let brace = marker.map(|marker| fs::read_to_string(file).unwrap().find(marker).expect("the marker"));
        self.plan.spot(Spot { file: file.to_owned(), brace })
    }

    fn ty(&mut self, spot: usize, text: &str, body: Body) -> TypeId {
        let name = text.replace(|letter: char| !letter.is_alphanumeric(), "_");
        let place = Place { file: "src/lib.rs".into(), line: 7, column: 1 };
        self.api.types.push(Declared {
            name,
            source: text.into(),
            docs: String::new(),
            deprecated: None,
            place,
            layout: None,
            body,
            idiom: None,
        });
        self.plan.types.push(Some(Subject { spot, text: text.into(), generic: None }));
        TypeId(self.api.types.len() as u32 - 1)
    }

    fn constant(&mut self, spot: usize, text: &str, ty: Ty, value: Value) {
        let place = Place::default();
        self.api.constants.push(Constant { name: text.into(), ty, value, docs: String::new(), place });
        self.plan.constants.push(Subject { spot, text: text.into(), generic: None });
    }

    fn measure(&mut self, options: &Options) -> Vec<String> {
        let mut diagnostics = Diagnostics::default();
        let fine = measure(&mut self.api, &self.plan, options, &mut diagnostics);
        assert_eq!(fine, diagnostics.list.is_empty());
        diagnostics.list.iter().map(ToString::to_string).collect()
    }

    fn row(&self, id: TypeId) -> Vec<u64> {
        let declared = self.api.get(id);
        let layout = declared.layout.expect("a layout");
        let offsets = |fields: &[Field]| fields.iter().map(|field| field.offset).collect::<Vec<_>>();
        let offsets = match &declared.body {
            Body::Struct(record) | Body::Union(record) => offsets(&record.fields),
            Body::Tagged(tagged) => {
                tagged.variants.iter().flat_map(|variant| offsets(&variant.fields)).collect()
            }
            _ => Vec::new(),
        };
        [layout.size, layout.align].into_iter().chain(offsets).collect()
    }
}

fn field(name: &str, ty: Ty) -> Field {
    Field { name: name.into(), ty, offset: 0, bits: None, docs: String::new(), public: true }
}

fn record(fields: &[(&str, Ty)]) -> Record {
    Record { fields: fields.iter().map(|(name, ty)| field(name, ty.clone())).collect(), ..Record::default() }
}

fn variants(names: &[&str]) -> Vec<Variant> {
    names.iter().map(|name| Variant { name: (*name).into(), value: 0, docs: String::new() }).collect()
}

/// A variant's name, whether it is a tuple, and its fields.
type Named<'a> = (&'a str, bool, &'a [(&'a str, Ty)]);

fn tagged(tag: Int, shape: TaggedShape, list: &[Named]) -> Body {
    let variants = list.iter().map(|(name, tuple, fields)| TaggedVariant {
        name: (*name).into(),
        value: 0,
        fields: record(fields).fields,
        tuple: *tuple,
        docs: String::new(),
    });
    Body::Tagged(Tagged { tag, shape, variants: variants.collect() })
}

fn array(of: Ty, len: u64) -> Ty {
    Ty::Array { of: Box::new(of), len }
}

const U8: Ty = Ty::Int(Int::U8);
const U16: Ty = Ty::Int(Int::U16);
const U32: Ty = Ty::Int(Int::U32);
const U64: Ty = Ty::Int(Int::U64);

fn awkward() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/probe/awkward")
}

fn options(folder: &Path) -> Options {
    Options { folder: Some(folder.to_owned()), ..Options::default() }
}

/// What the crate prints about itself when it is compiled as a program.
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
    let level =
        front.ty(root, "Level", Body::Enum(Enum { repr: Int::U16, variants: variants(&["Low", "High"]) }));
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
        Body::Enum(Enum { repr: Int::I32, variants: variants(&["Below", "Above"]) }),
    );
    let bits = front.ty(root, "Bits", Body::Flags(Flags { repr: Int::U32, bits: variants(&["A", "TOP"]) }));
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

/// A package of these files in a folder of its own, with its front end and a spot at its root.
fn package(files: &[(&str, &str)]) -> (tempfile::TempDir, Front, usize) {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let manifest = folder.path().join("Cargo.toml");
    let manifest = manifest.exists().then_some(manifest);
    let root = folder.path().join(files.iter().find(|(name, _)| name.ends_with("lib.rs")).unwrap().0);
    let mut front = Front::new(&root, manifest);
    let spot = front.spot(&root, None);
    (folder, front, spot)
}

const MANIFEST: &str = "[package]\nname = \"probed-here\"\nversion = \"0.1.0\"\nedition = \"2024\"\n";
const PAIR: &str = "#[repr(C)]\npub struct Pair {\n    first: u8,\n    second: u32,\n}\n";

fn pair(front: &mut Front, spot: usize) -> TypeId {
    front.ty(spot, "Pair", Body::Struct(record(&[("first", U8), ("second", U32)])))
}

#[test]
fn a_file_without_a_package_is_compiled_alone() {
    let (folder, mut front, spot) = package(&[("lib.rs", &format!("#![no_std]\n{PAIR}"))]);
    let pair = pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    assert_eq!(front.row(pair), [8, 4, 0, 4]);
}

#[test]
fn a_kept_result_is_not_used_for_changed_sources() {
    let lib = "mod other;\npub use other::*;\n";
    let (folder, mut front, spot) =
        package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", lib), ("src/other.rs", "")]);
    let other = folder.path().join("src/other.rs");
    let probe = options(&folder.path().join("probe"));
    front.constant(spot, "LIMIT", U32, Value::Int(0));
    for limit in [7, 8, 7] {
        fs::write(&other, format!("pub const LIMIT: u32 = {limit};")).unwrap();
        assert_eq!(front.measure(&probe), [""; 0]);
        assert_eq!(front.api.constants[0].value, Value::Int(limit));
    }
}

#[test]
fn what_does_not_compile_is_said_at_its_place() {
    for (text, place, message) in [
        ("pub fn broken( {\n", "lib.rs:6:", "the crate does not compile"),
        ("fn number() -> u8 {\n    \"text\"\n}\n", "lib.rs:7:5", "error[E0308]: mismatched types"),
    ] {
        let lib = format!("{PAIR}{text}");
        let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", &lib)]);
        pair(&mut front, spot);
        let said = front.measure(&options(&folder.path().join("probe"))).join("\n");
        assert!(said.contains(place) && said.contains(message), "{said}");
        assert!(!said.contains("tree"), "the copy is named: {said}");
        assert_eq!(front.api.types[0].layout, None);
    }
}

#[test]
fn what_cannot_be_measured_is_named() {
    let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR)]);
    front.ty(spot, "Missing", Body::Struct(record(&[])));
    let said = front.measure(&options(&folder.path().join("probe"))).join("\n");
    assert!(
        said.contains("src/lib.rs:7:1: `Missing` cannot be measured: cannot find type `Missing`"),
        "{said}"
    );

    // A field that was taken for another type is no layout to write bindings from.
    let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR)]);
    front.ty(spot, "Pair", Body::Struct(record(&[("first", U8), ("second", U16)])));
    let said = front.measure(&options(&folder.path().join("probe"))).join("\n");
    assert!(said.contains("field `second` of `Pair` has 4 bytes, but is read as a type of 2"), "{said}");
}

#[test]
fn a_target_that_is_not_there_is_a_named_error() {
    for (target, message) in [
        ("i586-unknown-linux-gnu", "run `rustup target add i586-unknown-linux-gnu`"),
        ("z80-unknown-cpm", "rustc knows no target `z80-unknown-cpm`"),
    ] {
        let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR)]);
        pair(&mut front, spot);
        let probe = Options { target: Some(target.into()), ..options(&folder.path().join("probe")) };
        let said = front.measure(&probe).join("\n");
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn exports_that_a_macro_makes_need_the_dependencies_code() {
    let lib = format!(
        "{PAIR}macro_rules! export {{ ($name:ident) => {{\n    #[unsafe(no_mangle)] pub extern \"C\" fn $name(value: u32) -> usize {{ pieces::text(value).len() }}\n}} }}\nexport!(made);\n"
    );
    let manifest =
        format!("{MANIFEST}[dependencies]\npieces = {{ path = {:?} }}\n", awkward().join("pieces"));
    let (folder, mut front, spot) = package(&[("Cargo.toml", &manifest), ("src/lib.rs", &lib)]);
    let pair = pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    assert_eq!(front.row(pair), [8, 4, 0, 4]);
}

#[test]
fn a_build_script_runs_only_for_its_output() {
    let script = "fn main() { let out = std::env::var(\"OUT_DIR\").unwrap();\n    std::fs::write(out + \"/made.rs\", \"pub const MADE: u32 = 41 + 1;\").unwrap(); }";
    let lib = "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));";
    let (folder, mut front, spot) =
        package(&[("Cargo.toml", MANIFEST), ("build.rs", script), ("src/lib.rs", lib)]);
    front.constant(spot, "MADE", U32, Value::Int(0));
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    assert_eq!(front.api.constants[0].value, Value::Int(42));

    let (folder, mut front, spot) =
        package(&[("Cargo.toml", MANIFEST), ("build.rs", "fn main() { panic!() }"), ("src/lib.rs", PAIR)]);
    pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
}

#[test]
fn a_layout_that_cannot_be_is_an_error() {
    let (folder, mut front, spot) = package(&[("Cargo.toml", MANIFEST), ("src/lib.rs", PAIR)]);
    let pair = pair(&mut front, spot);
    assert_eq!(front.measure(&options(&folder.path().join("probe"))), [""; 0]);
    let good = front.api.clone();
    let verified = |change: &dyn Fn(&mut Declared)| {
        let (mut api, mut diagnostics) = (good.clone(), Diagnostics::default());
        change(&mut api.types[pair.0 as usize]);
        upcall_bindgen::probe::verify(&api, &mut diagnostics);
        diagnostics.list.iter().map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("\n")
    };
    let second = |change: fn(&mut Field)| {
        move |declared: &mut Declared| match &mut declared.body {
            Body::Struct(record) => change(&mut record.fields[1]),
            _ => panic!(),
        }
    };
    assert_eq!(verified(&|_| ()), "");
    assert!(verified(&|declared| declared.layout = None).contains("it has no size"));
    assert!(verified(&|declared| declared.layout.as_mut().unwrap().align = 3).contains("an alignment of 3"));
    assert!(
        verified(&second(|field| field.offset = 5)).contains("field `second`, 4 bytes at 5, goes beyond 8")
    );
    assert!(verified(&second(|field| field.offset = u64::MAX)).contains("goes beyond 8"));
    assert!(verified(&second(|field| field.offset = 0)).contains("lie over each other"));
    assert!(
        verified(&second(|field| field.ty = array(U32, u64::MAX))).contains("field `second` has no size")
    );
    let number = Body::Enum(Enum { repr: Int::I32, variants: Vec::new() });
    assert!(verified(&|declared| declared.body = number.clone()).contains("8 bytes, but its integer has 4"));
}

/// What the build script of the next test starts, so that it need not be compiled with this library.
#[test]
#[ignore = "started by the build script of another test"]
fn within_a_build_script() {
    if upcall_bindgen::probe::is_nested() {
        return;
    }
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap());
    let root = folder.join("src/lib.rs");
    let mut front = Front::new(&root, Some(folder.join("Cargo.toml")));
    let spot = front.spot(&root, None);
    front.constant(spot, "MADE", U32, Value::Int(0));
    assert_eq!(front.measure(&Options { keep: false, ..Options::default() }), [""; 0]);
    assert_eq!(front.api.constants[0].value, Value::Int(42));
    fs::write(folder.join("measured"), "").unwrap();
}

#[test]
fn a_build_script_can_probe_its_own_package_while_cargo_holds_its_locks() {
    let script = r#"
        use std::{env, fs, process::Command};
        fn main() {
            fs::write(env::var("OUT_DIR").unwrap() + "/made.rs", "pub const MADE: u32 = 41 + 1;").unwrap();
            let mut probe = Command::new(env::var("PROBE_TEST").unwrap());
            probe.args(["--ignored", "--exact", "within_a_build_script"]);
            assert!(probe.status().unwrap().success());
        }"#;
    let lib = "include!(concat!(env!(\"OUT_DIR\"), \"/made.rs\"));";
    let (folder, _, _) = package(&[("Cargo.toml", MANIFEST), ("build.rs", script), ("src/lib.rs", lib)]);
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--offline"])
        .current_dir(folder.path())
        .env("PROBE_TEST", std::env::current_exe().unwrap());
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("CARGO_PKG")) {
        cargo.env_remove(name);
    }
    let output = cargo.env_remove("CARGO_TARGET_DIR").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(folder.path().join("measured").exists(), "the build script did not measure");
}
