//! What the Rust front end reads from `#[derive(Pack)]`.

use std::fs;
use upcall_bindgen::model::{
    Absence, Api, Encoding, Form, Int, Known, ListKind, Packed, PackedBody, PackedId, Wire,
};
use upcall_bindgen::{Diagnostics, rust};

fn read(source: &str) -> (Option<Api>, Vec<String>) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("types.rs");
    fs::write(&file, source).unwrap();
    let input = rust::Input { files: vec![file], ..rust::Input::default() };
    let mut diagnostics = Diagnostics::default();
    let api = rust::read(&input, &mut diagnostics).map(|mut apis| apis.remove(0));
    let said = diagnostics.list.iter().map(|one| {
        let line = one.place.as_ref().map_or(0, |place| place.line);
        format!("{line}: {}", one.message)
    });
    (api, said.collect())
}

fn api(source: &str) -> Api {
    let (api, said) = read(source);
    assert!(said.is_empty(), "{said:?}");
    api.unwrap()
}

fn packed<'a>(api: &'a Api, name: &str) -> &'a Packed {
    api.packed.iter().find(|packed| packed.name == name).unwrap_or_else(|| panic!("no `{name}`"))
}

fn wires<'a>(api: &'a Api, name: &str) -> Vec<&'a Wire> {
    packed(api, name).body.wires()
}

fn list(of: Wire) -> Wire {
    Wire::List { of: Box::new(of), kind: ListKind::List }
}

const TEXT: Wire = Wire::Text(Encoding::Chosen);

#[test]
fn types_of_the_standard_library_and_of_pack_are_known_by_every_way_to_name_them() {
    let api = api("
        use std::borrow::Cow;
        use std::collections::{BTreeMap, HashMap as Map, HashSet, VecDeque};
        use std::rc::Rc;
        use upcall_pack::{self as other, DateTime, Pack};
        use upcall::pack;
        type Names<T> = Vec<Option<T>>;
        /// A log.
        #[derive(Clone, Pack)]
        pub struct Log<'a> {
            a: u32, b: &'a str, c: Cow<'a, [u8]>, d: Option<i32>, e: Names<String>, f: Map<String, i32>,
            g: (u8, i64), h: DateTime, i: pack::Guid, j: Box<Option<Rc<Log<'static>>>>, k: other::Array2<f32>,
            l: upcall_pack::Tuple<(i32, String)>, m: pack::KeyValue<u8, char>, n: VecDeque<bool>,
            o: HashSet<i16>, p: BTreeMap<usize, f64>, q: pack::PriorityQueue<u8, i32>, r: pack::Lookup<String, i32>,
            #[pack(ignore)] s: std::time::Instant, t: [u8; 3], #[pack(utf16)] u: Option<String>,
            #[pack(with = upcall_pack::with::BitPack)] v: Vec<bool>,
        }");
    let log = PackedId(0);
    let boxed = |wire: &Wire| Box::new(wire.clone());
    let int = |int| Wire::Int(int);
    let expected = [
        int(Int::U32),
        TEXT,
        list(int(Int::U8)),
        Wire::Optional(Box::new(int(Int::I32))),
        list(Wire::Optional(Box::new(TEXT))),
        Wire::Map { key: Box::new(TEXT), value: Box::new(int(Int::I32)), sorted: false },
        Wire::Tuple(vec![int(Int::U8), int(Int::I64)]),
        Wire::Known(Known::DateTime),
        Wire::Known(Known::Guid),
        Wire::Optional(Box::new(Wire::Named(log))),
        Wire::Grid { of: Box::new(Wire::Float(upcall_bindgen::model::Float::F32)), rank: 2 },
        Wire::ClassTuple(vec![int(Int::I32), TEXT]),
        Wire::Pair(boxed(&int(Int::U8)), Box::new(Wire::Rune)),
        Wire::List { of: Box::new(Wire::Bool), kind: ListKind::Queue },
        Wire::List { of: boxed(&int(Int::I16)), kind: ListKind::Set },
        Wire::Map {
            key: boxed(&int(Int::Usize)),
            value: Box::new(Wire::Float(upcall_bindgen::model::Float::F64)),
            sorted: true,
        },
        Wire::List {
            of: Box::new(Wire::Tuple(vec![int(Int::U8), int(Int::I32)])),
            kind: ListKind::PriorityQueue,
        },
        Wire::List {
            of: Box::new(Wire::Group(Box::new(TEXT), boxed(&int(Int::I32)))),
            kind: ListKind::Lookup,
        },
        Wire::Fixed { of: boxed(&int(Int::U8)), len: 3 },
        Wire::Optional(Box::new(Wire::Text(Encoding::Utf16))),
        Wire::BitPack,
    ];
    assert_eq!(wires(&api, "Log"), expected.iter().collect::<Vec<_>>());
    assert_eq!(packed(&api, "Log").docs, "A log.");
    assert!(api.only_packs());
}

#[test]
fn kinds_orders_tags_and_numbers_are_as_the_attributes_say() {
    let api = api("
        use upcall_pack::Pack;
        #[derive(Pack)] #[pack(version_tolerant, struct)]
        pub struct Vt { #[pack(order = 3)] s: String, #[pack(order = 1)] a: i32, b: i64 }
        #[derive(Pack)] #[pack(circular)] pub struct Node { kids: Vec<upcall_pack::Ref<Node>> }
        #[derive(Pack)] #[pack(union)] pub enum Shape { A(Vt2), #[pack(tag = 300)] B(Node) }
        #[derive(Pack)] pub struct Vt2;
        #[derive(Pack)] #[repr(i8)] pub enum Level { Low = -3, Mid, #[default] High = 1 << 4 }
        #[derive(Pack)] #[pack(raw)] #[repr(C, packed(1))] pub struct Raw { a: u8, b: Level, c: (u8, i32), d: [u16; 2] }
        #[derive(Pack)] pub struct Pair<T> { one: T, two: Option<T> }
        #[derive(Pack)] pub struct Pairs { a: Pair<Level>, b: Pair<Vt2>, c: Pair<Level> }
    ");
    let PackedBody::Object(vt) = &packed(&api, "Vt").body else { panic!() };
    assert!(vt.value && vt.form == Form::VersionTolerant);
    let order: Vec<_> = vt.members.iter().map(|member| (&*member.name, member.index)).collect();
    assert_eq!(order, [("a", 1), ("b", 2), ("s", 3)]);
    let PackedBody::Union(cases) = &packed(&api, "Shape").body else { panic!() };
    assert_eq!(cases.iter().map(|case| case.tag).collect::<Vec<_>>(), [0, 300]);
    let PackedBody::Enum { of, default } = &packed(&api, "Level").body else { panic!() };
    assert_eq!(of.variants.iter().map(|one| one.value).collect::<Vec<_>>(), [-3, -2, 16]);
    assert_eq!((of.repr, *default), (Int::I8, Some(2)));
    let PackedBody::Raw(raw) = &packed(&api, "Raw").body else { panic!() };
    assert_eq!((raw.placed.layout.size, &*raw.placed.offsets), (14, &[0, 1, 2, 10][..]));
    let names: Vec<&str> = api.packed.iter().map(|packed| &*packed.name).collect();
    assert_eq!(names, ["Vt", "Node", "Shape", "Vt2", "Level", "Raw", "Pairs", "Pair_Level", "Pair_Vt2"]);
    let options = wires(&api, "Pair_Level")[1];
    let Wire::Optional(of) = options else { panic!() };
    assert!(matches!(api.packed.absence(of), Absence::Nullable(placed) if placed.layout.size == 2));
    assert_eq!(api.packed.absence(wires(&api, "Pair_Vt2")[0]), Absence::Head);
    assert_eq!(api.packed.absence(&Wire::Named(PackedId(0))), Absence::Flag);
    assert_eq!(api.packed.absence(&TEXT), Absence::Length);
}

#[test]
fn what_a_packer_cannot_express_is_said_with_its_line() {
    let (_, said) = read(
        "use upcall_pack::Pack;
        #[derive(Pack)] struct A { a: Plain }
        struct Plain;
        #[derive(Pack)] struct B { #[pack(with = mine::Own)] a: Vec<bool> }
        #[derive(Pack)] #[pack(raw)] struct C { a: String }
        #[derive(Pack)] #[pack(raw)] struct D { a: [D; 2] }
        #[derive(Pack)] struct E { #[pack(order = 1)] a: u8, #[pack(order = 1)] b: u8 }
        #[derive(Pack)] enum F { A(u8) }
        #[derive(Pack)] enum G { A }
        #[derive(Pack)] #[pack(union)] enum H { A(u8) }
        #[derive(Pack)] struct I { a: Option<Option<u8>> }
        #[derive(Pack)] struct J { #[pack(other)] a: u8 }
        #[derive(Pack)] struct K { a: *const u8 }
        #[derive(Pack)] #[pack(raw)] struct L { }
        #[derive(Pack)] struct M { a: Vec<L> }
        #[derive(Pack)] struct N<T> { a: Option<Box<N<Vec<T>>>> }
        #[derive(Pack)] struct O { a: N<u8> }
        #[derive(Pack)] #[pack(struct)] struct P { a: Option<u8>, b: (u8, i64) }
        #[derive(Pack)] #[pack(struct, version_tolerant)] struct Q<T> { a: T }
        #[derive(Pack)] struct R { a: Q<String>, b: Q<u8> }
        mod my { pub struct Brotli; }
        #[derive(Pack)] struct S { #[pack(with = my::Brotli)] a: Vec<u8>, #[pack(with = other::with::BitPack)] b: Vec<bool> }
        #[derive(Pack)] struct T { #[pack(with = upcall_pack::with::Brotli)] a: String }
        #[derive(Pack)] #[pack(union)] enum U { A(Q<String>) }
        ",
    );
    let expected = [
        "2: `Plain` does not derive `Pack`",
        "4: only Rust code knows what `mine::Own` writes for this field",
        "7: two members have the order 1",
        "8: `F` has variants with data, and is not an `#[pack(union)]`",
        "9: the enum `G` lacks its integer, as `#[repr(i32)]`",
        "11: an `Option` in an `Option` cannot be told from it on the wire",
        "12: unknown option of `#[pack(…)]`",
        "13: `*const u8` is not known to have a packed form",
        "14: a raw struct without fields has no bytes here, and one in C#",
        "16: `N<Vec<T>>` holds itself with ever more arguments",
        "22: only Rust code knows what `my::Brotli` writes for this field",
        "22: only Rust code knows what `other::with::BitPack` writes for this field",
        "23: only Rust code knows what `upcall_pack::with::Brotli` writes for this field",
        "5: `C` is raw, and its field `a` is not",
        "6: `D` holds itself as raw memory",
        "10: the variant `A` of the union `H` holds no class",
        "24: the variant `A` of the union `U` holds no class",
        "18: `P` is a `struct` whose members are all raw: C# has it as memory",
        "19: `Q_u8` is a `struct` whose members are all raw: C# has it as memory",
    ];
    for line in expected {
        assert!(said.iter().any(|said| said == line), "{line}\n{said:#?}");
    }
    assert!(!said.iter().any(|said| said.contains("Q_String")), "{said:#?}");
    // What holds one of these says nothing of its own.
    assert!(!said.iter().any(|said| said.starts_with("15: ") || said.starts_with("20: ")), "{said:#?}");
}

/// The derive refuses the same: `crates/derive/tests/ui/pack_pointers.rs`.
#[test]
fn what_points_to_a_value_that_cannot_be_read_there_is_refused() {
    let (_, said) = read(
        "use std::{borrow::Cow, collections::BinaryHeap, rc::Rc, sync::Arc};
        #[derive(Pack)] struct A<'a> { a: &'a u8 }
        #[derive(Pack)] struct B<'a> { a: &'a mut str }
        #[derive(Pack)] struct C<'a> { a: Cow<'a, u32> }
        #[derive(Pack)] struct D<'a> { a: Vec<&'a String> }
        #[derive(Pack)] struct E { a: BinaryHeap<u8> }
        #[derive(Pack)] struct F { a: std::cell::RefCell<u8> }
        #[derive(Pack)] struct Good<'a> { a: Rc<str>, b: Arc<[&'a str]>, c: Option<Cow<'a, [u8]>>, d: &'a [u8] }",
    );
    let expected = [
        "2: `&'a u8` cannot be read: of references, only `&str` and `&[T]` can",
        "3: `&'a mut str` cannot be read: of references, only `&str` and `&[T]` can",
        "4: `Cow<'a, u32>` cannot be read: only a `Cow` of `str` or `[T]` can",
        "5: `&'a String` cannot be read: of references, only `&str` and `&[T]` can",
        "6: `BinaryHeap<u8>` is not known to have a packed form",
        "7: `std::cell::RefCell<u8>` is not known to have a packed form",
    ];
    assert_eq!(said, expected);
}

#[test]
fn what_is_left_out_takes_with_it_what_holds_it_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("types.rs");
    let source = "#[derive(Pack)] struct Bad { a: *const u8 } #[derive(Pack)] struct Holder { a: Vec<Bad> }
        #[derive(Pack)] struct Good { a: Vec<Good> }";
    fs::write(&file, source).unwrap();
    let input = rust::Input { files: vec![file], ..rust::Input::default() };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let api = rust::read(&input, &mut diagnostics).unwrap().remove(0);
    assert_eq!(api.packed.len(), 1);
    assert_eq!(wires(&api, "Good"), [&list(Wire::Named(PackedId(0)))]);
    assert_eq!(diagnostics.list.len(), 2);
}

#[test]
fn what_is_deep_or_turns_in_a_circle_is_refused_and_no_stack_overflows() {
    let deep = format!("{}u8{}", "Vec<".repeat(28), ">".repeat(28));
    let chain: String = (0..300)
        .map(|at| format!("#[derive(Pack)] #[pack(raw)] struct C{at} {{ a: C{} }}\n", at + 1))
        .collect();
    // Each doubles the work: a search that asks again and again never ends.
    let twice: String = (0..60)
        .map(|at| format!("#[derive(Pack)] struct T{at} {{ a: T{0}, b: (T{0}, T{0}) }}\n", (at + 1).min(59)))
        .collect();
    let twice = twice.replace("struct T59 { a: T59, b: (T59, T59) }", "struct T59;");
    let (_, said) = read(&format!(
        "#[derive(Pack)] struct Deep {{ a: {deep} }}
        type Around = Vec<Around>;
        #[derive(Pack)] struct Alias {{ a: Around }}
        #[derive(Pack)] #[pack(raw)] struct One {{ a: u8, b: Two }}
        #[derive(Pack)] #[pack(raw)] struct Two {{ a: One }}
        #[derive(Pack)] #[pack(raw)] struct Huge {{ a: [[[[[[u64; 65536]; 65536]; 65536]; 65536]; 65536]; 65536] }}
        {chain}{twice}#[derive(Pack)] #[pack(raw)] struct C300 {{ a: u8 }}"
    ));
    for line in [
        "1: this type is within too many others",
        "2: this type is within too many others",
        "4: `One` holds itself as raw memory",
        "5: `Two` holds itself as raw memory",
        "6: `Huge` is larger than a length can express",
    ] {
        assert!(said.iter().any(|said| said == line), "{line}\n{said:#?}");
    }
    assert_eq!(said.len(), 5, "{said:#?}");
}

#[test]
fn what_a_macro_makes_is_known_by_its_attribute() {
    let folder = tempfile::tempdir().unwrap();
    let pack = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../pack");
    let manifest = format!(
        "[package]\nname = \"made\"\nedition = \"2024\"\n[workspace]\n[dependencies]\nupcall-pack = {{ path = {:?} }}\n",
        pack.canonicalize().unwrap()
    );
    fs::write(folder.path().join("Cargo.toml"), manifest).unwrap();
    fs::create_dir(folder.path().join("src")).unwrap();
    let root = folder.path().join("src/lib.rs");
    let source = "use upcall_pack::Pack;
        macro_rules! make { ($name:ident) => {
            #[derive(Pack, Default)] #[pack(crate = upcall_pack, version_tolerant)]
            pub struct $name { #[pack(order = 2)] pub a: i32 }
        } }
        make!(Made);
        #[derive(Pack)] #[pack(crate = upcall_pack)] pub struct Own { pub made: Option<Made> }";
    fs::write(&root, source).unwrap();
    let input = rust::Input { files: vec![root], ..rust::Input::default() };
    let mut diagnostics = Diagnostics::default();
    let apis = rust::read(&input, &mut diagnostics);
    assert_eq!(diagnostics.list, []);
    let api = apis.unwrap().remove(0);
    let PackedBody::Object(made) = &packed(&api, "Made").body else { panic!() };
    assert!(made.form == Form::VersionTolerant && made.members[0].index == 2);
    assert_eq!(api.packed.len(), 2);
}

#[test]
fn types_of_several_crates_are_one_list_and_two_of_one_name_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path
    };
    let one = file("one.rs", "#[derive(Pack)] pub struct A { pub b: Vec<B> }\n#[derive(Pack)] pub struct B;");
    let two =
        file("two.rs", "#[derive(Pack)] pub struct C { pub d: Option<D> }\n#[derive(Pack)] pub struct D;");
    let three = file("three.rs", "#[derive(Pack)] pub struct A;");
    let generated = |files: Vec<std::path::PathBuf>| {
        let rust = Some(rust::Input { files, ..rust::Input::default() });
        let config = upcall_bindgen::Config { rust, ..Default::default() };
        let mut diagnostics = Diagnostics::default();
        (upcall_bindgen::generate(&config, &mut diagnostics), diagnostics.list)
    };
    let (made, said) = generated(vec![one.clone(), two]);
    assert_eq!(said, []);
    let api = &made.unwrap().apis[0];
    let names: Vec<&str> = api.packed.iter().map(|packed| &*packed.name).collect();
    assert_eq!(names, ["A", "B", "C", "D"]);
    assert_eq!(wires(api, "C"), [&Wire::Optional(Box::new(Wire::Named(PackedId(3))))]);
    let (made, said) = generated(vec![one, three]);
    assert!(
        made.is_none() && said.iter().any(|said| said.message.contains("two inputs declare `A`")),
        "{said:?}"
    );
}

#[test]
fn a_type_that_only_rust_can_write_is_left_out_of_each_language_with_its_line() {
    let source = "#[derive(Pack)] struct Small { #[pack(with = upcall_pack::with::Brotli)] a: Vec<u8> }
        #[derive(Pack)] struct Holder { a: Option<Small> }
        #[derive(Pack)] struct Other { a: u8 }";
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let options = upcall_bindgen::typescript::Options::default();
    let files = upcall_bindgen::typescript::generate(&api(source), &options, &mut diagnostics);
    assert!(files[0].text.contains("class Other") && !files[0].text.contains("Holder"));
    let said: Vec<String> = diagnostics.list.iter().map(|one| one.message.clone()).collect();
    let expected = [
        "`Small` is compressed with Brotli, which TypeScript has no code for",
        "`Holder` is left out of TypeScript, as `Small` in it is",
    ];
    assert_eq!(said, expected);
}
