//! C headers: what is read from them, compared with C compilers and with the `bindgen` crate.
#![cfg(feature = "c")]

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use upcall_bindgen::Diagnostics;
use upcall_bindgen::c::{self, Input, Variadic};
use upcall_bindgen::model::{Api, Bits, Body, Declared, Field, Linkage, Record, Ty, Value};

fn awkward() -> (Api, Diagnostics, Input) {
    let input = Input {
        library: "awkward".into(),
        headers: vec!["tests/c/awkward.h".into()],
        variadics: vec![Variadic {
            function: "sum_of".into(),
            name: "sum_of_two".into(),
            arguments: vec!["int".into(), "const struct point *".into()],
        }],
        ..Input::default()
    };
    let mut diagnostics = Diagnostics { skip_unsupported: true, ..Diagnostics::default() };
    let api = c::read(&input, &mut diagnostics).expect("the header is valid");
    (api, diagnostics, input)
}

fn find<'a>(api: &'a Api, name: &str) -> &'a Declared {
    api.types.iter().find(|declared| declared.name == name).unwrap_or_else(|| panic!("no type `{name}`"))
}

fn record(declared: &Declared) -> Option<&Record> {
    match &declared.body {
        Body::Struct(record) | Body::Union(record) => Some(record),
        _ => None,
    }
}

/// Runs a compiler on a file with this text; returns its output if it failed.
fn compile(compiler: &str, arguments: &[&str], text: &str, output: &Path) {
    let source = output.with_extension("c");
    std::fs::write(&source, text).unwrap();
    let result = Command::new(compiler)
        .args(arguments)
        .arg(format!("-I{}", env!("CARGO_MANIFEST_DIR")))
        .args([source.as_os_str(), "-o".as_ref(), output.as_os_str()])
        .output()
        .unwrap_or_else(|error| panic!("{compiler} could not be run: {error}"));
    assert!(result.status.success(), "{compiler}: {}\n{text}", String::from_utf8_lossy(&result.stderr));
}

fn clang() -> String {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib")
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("llvm-"))
        .map(|entry| entry.path().join("bin/clang"))
        .filter(|path| path.is_file())
        .collect();
    found.sort();
    found.pop().map_or("clang".into(), |path| path.display().to_string())
}

/// Assertions of every size, alignment and offset in the model, about the header's own types.
fn assertions(api: &Api) -> String {
    let mut text = String::new();
    for declared in &api.types {
        let (Some(layout), false) = (declared.layout, declared.source.is_empty()) else { continue };
        let source = &declared.source;
        writeln!(text, "_Static_assert(sizeof({source}) == {}, \"{source}\");", layout.size).unwrap();
        writeln!(text, "_Static_assert(_Alignof({source}) == {}, \"{source}\");", layout.align).unwrap();
        for field in record(declared).into_iter().flat_map(|record| &record.fields) {
            if field.bits.is_none() && !field.name.starts_with("anon") {
                let (name, offset) = (&field.name, field.offset);
                writeln!(
                    text,
                    "_Static_assert(offsetof({source}, {name}) == {offset}, \"{source}.{name}\");"
                )
                .unwrap();
            }
        }
    }
    text
}

#[test]
fn every_layout_is_the_compilers() {
    let (api, ..) = awkward();
    let folder = tempfile::tempdir().unwrap();
    let table = assertions(&api);
    assert!(table.lines().count() > 100, "{table}");
    let text = format!("#include \"tests/c/awkward.h\"\n{table}");
    for compiler in ["gcc".to_owned(), clang()] {
        compile(&compiler, &["-std=gnu11", "-c", "-w"], &text, &folder.path().join("table"));
    }
}

fn bitfields(api: &Api) -> Vec<(&Declared, &Field, &Bits)> {
    let fields = |declared| record(declared).into_iter().flat_map(|record: &Record| &record.fields);
    let all = api.types.iter().flat_map(|declared| fields(declared).map(move |field| (declared, field)));
    all.filter_map(|(declared, field)| Some((declared, field, field.bits.as_ref()?))).collect()
}

/// A bitfield as an accessor reads it.
fn read_bits(api: &Api, bytes: &[u8], field: &Field, bits: &Bits) -> i128 {
    let size = api.layout(&field.ty).unwrap().size as usize;
    let mut unit = [0; 16];
    unit[..size].copy_from_slice(&bytes[field.offset as usize..][..size]);
    let value = (u128::from_le_bytes(unit) >> bits.shift) & ((1 << bits.width) - 1);
    let sign = bits.signed && value >> (bits.width - 1) == 1;
    value as i128 - if sign { 1 << bits.width } else { 0 }
}

/// Writes a bitfield as an accessor does.
fn write_bits(api: &Api, bytes: &mut [u8], field: &Field, bits: &Bits, value: i128) {
    let size = api.layout(&field.ty).unwrap().size as usize;
    let mask = ((1u128 << bits.width) - 1) << bits.shift;
    let mut unit = [0; 16];
    unit[..size].copy_from_slice(&bytes[field.offset as usize..][..size]);
    let number = u128::from_le_bytes(unit) & !mask | ((value as u128) << bits.shift) & mask;
    bytes[field.offset as usize..][..size].copy_from_slice(&number.to_le_bytes()[..size]);
}

#[test]
fn bitfields_are_read_and_written_as_the_compiler_does() {
    let (api, ..) = awkward();
    let fields = bitfields(&api);
    assert!(fields.len() >= 14);
    for compiler in ["gcc".to_owned(), clang()] {
        let folder = tempfile::tempdir().unwrap();
        let library = folder.path().join("bits.so");
        let mut text = String::from("#include \"tests/c/awkward.h\"\n");
        for (index, (declared, field, _)) in fields.iter().enumerate() {
            let (source, name) = (&declared.source, &field.name);
            writeln!(text, "long long get_{index}({source} *s) {{ return s->{name}; }}").unwrap();
            writeln!(text, "void set_{index}({source} *s, long long v) {{ s->{name} = v; }}").unwrap();
        }
        compile(&compiler, &["-std=gnu11", "-shared", "-fPIC", "-w"], &text, &library);
        // SAFETY: the library has no constructors.
        let library = unsafe { libloading::Library::new(&library) }.unwrap();
        for (index, (declared, field, bits)) in fields.iter().enumerate() {
            // SAFETY: these are the functions written above.
            let (get, set) = unsafe {
                type Get = unsafe extern "C" fn(*mut u8) -> i64;
                type Set = unsafe extern "C" fn(*mut u8, i64);
                let get = library.get::<Get>(format!("get_{index}\0").as_bytes()).unwrap();
                (get, library.get::<Set>(format!("set_{index}\0").as_bytes()).unwrap())
            };
            let size = declared.layout.unwrap().size as usize;
            let highest = if bits.signed { (1i128 << (bits.width - 1)) - 1 } else { (1 << bits.width) - 1 };
            let lowest = if bits.signed { -highest - 1 } else { 0 };
            for value in [0, 1.min(highest), highest, lowest, highest / 3] {
                for background in [0u8, 0xff, 0x5a] {
                    let mut theirs = Aligned([background; 64]);
                    let mut ours = Aligned([background; 64]);
                    // SAFETY: 64 aligned bytes hold any of these structs.
                    unsafe { set(theirs.0.as_mut_ptr(), value as i64) };
                    write_bits(&api, &mut ours.0[..size], field, bits, value);
                    let name = format!("{}.{} = {value}", declared.name, field.name);
                    assert_eq!(theirs.0, ours.0, "{compiler}: {name}");
                    assert_eq!(read_bits(&api, &theirs.0, field, bits), value, "{compiler}: {name}");
                    // SAFETY: as above.
                    assert_eq!(i128::from(unsafe { get(ours.0.as_mut_ptr()) }), value, "{compiler}: {name}");
                }
            }
        }
    }
}

#[repr(align(64))]
struct Aligned([u8; 64]);

#[test]
fn what_cannot_cross_is_listed_with_its_place() {
    let (api, diagnostics, _) = awkward();
    let said: Vec<String> = diagnostics.list.iter().map(ToString::to_string).collect();
    for expected in [
        "function `list_of` cannot cross: parameter `list`: `va_list`",
        "function `longer` cannot cross: parameter `value`: `long double`",
        "function `complicated` cannot cross: parameter `value`: `_Complex float`",
        "function `vector` cannot cross",
        "`holds_long_double` cannot be passed by value: its field `value`",
        "function `by_value` cannot cross: parameter `value`: `holds_long_double` cannot be passed by value",
        "variable `unknown_length` cannot cross",
        "variable `of_thread` cannot cross",
        "`everywhere` is left out",
        "function `flexible_value` cannot cross: parameter `value`: `struct flexible` ends in an array without a length",
        "function `with_gap` cannot cross: its result: `struct gap` has a float beside a gap",
        "function `with_unnamed_gap` cannot cross: parameter `value`: `struct unnamed_gap` has a float beside a gap",
        "the function pointer `int (char *, const char *, ...)` of field `format` of `calls` is a `void*`: it takes any number of arguments",
        "of field `list` of `calls` is a `void*`: parameter `list`: `va_list` cannot cross",
    ] {
        let line = said.iter().find(|line| line.contains(expected));
        let line = line.unwrap_or_else(|| panic!("nothing says `{expected}`: {said:#?}"));
        assert!(line.starts_with("tests/c/awkward.h:"), "{line}");
    }
    assert_eq!(said.len(), 14, "{said:#?}");
    assert!(api.functions.iter().any(|function| function.name == "behind_pointer"));
}

#[test]
fn constants_have_the_type_and_the_value_that_they_have_in_c() {
    let (api, ..) = awkward();
    let values: Vec<String> = api
        .constants
        .iter()
        .map(|constant| match &constant.value {
            Value::CStr(bytes) => format!("{}: {}", constant.name, String::from_utf8_lossy(bytes)),
            Value::Float(value) => format!("{}: {:?} {value:?}", constant.name, constant.ty),
            value => format!("{}: {:?} {value:?}", constant.name, constant.ty),
        })
        .collect();
    assert_eq!(
        values,
        [
            "LONE: Int(I32) Int(42)",
            "LONELY: Int(I32) Int(-1)",
            "fixed: Int(I32) Int(-9)",
            "AWKWARD_VERSION: Int(I32) Int(3)",
            "AWKWARD_LIMIT: Int(U64) Int(1099511627776)",
            "AWKWARD_NEGATIVE: Int(I32) Int(-7)",
            "AWKWARD_MAX: Int(ULong) Int(18446744073709551615)",
            "AWKWARD_RATIO: Float(F64) 0.25",
            "AWKWARD_SMALL: Float(F32) 1.5",
            "AWKWARD_NAME: awkward \"name\"",
            "AWKWARD_LETTER: Int(I32) Int(97)",
            "AWKWARD_TWICE: Int(I32) Int(6)",
            "AWKWARD_SIZE: Int(ULong) Int(9)",
            "AWKWARD_TRUE: Bool Bool(true)",
        ]
    );
}

#[test]
fn types_are_read_as_what_they_are() {
    let (api, ..) = awkward();
    let shape = record(find(&api, "shape")).unwrap();
    let of = |field: &Field| match &field.ty {
        Ty::Named(id) => api.get(*id).name.clone(),
        Ty::Array { .. } => {
            let size = |ty| api.layout(ty).map_or(0, |layout| layout.size);
            format!("array of {}", size(&field.ty) / size(api.element(&field.ty)))
        }
        ty => format!("{ty:?}").split('(').next().unwrap().to_owned(),
    };
    let fields: Vec<_> = shape.fields.iter().map(|field| format!("{}: {}", field.name, of(field))).collect();
    assert_eq!(
        fields,
        [
            "tag: Int", "corners: array of 2", "inset: shape_inset", "colors: array of 6",
            "anon1: shape_anon1", "anon2: shape_anon2", "kind: shape_kind", "name: Pointer",
            "owner: Pointer", "more: Pointer"
        ]
    );
    assert!(matches!(find(&api, "shape_anon1").body, Body::Union(_)));
    assert!(matches!(find(&api, "hidden").body, Body::Opaque) && find(&api, "hidden").layout.is_none());
    assert!(matches!(find(&api, "empty").body, Body::Opaque));
    assert!(matches!(find(&api, "_IO_FILE").body, Body::Opaque));
    assert!(matches!(find(&api, "timespec").body, Body::Struct(_)));
    assert!(
        matches!(find(&api, "access").body, Body::Flags(_))
            && matches!(find(&api, "marked").body, Body::Flags(_))
    );
    let Body::Enum(negative) = &find(&api, "negative").body else { panic!() };
    assert_eq!(negative.variants.iter().map(|variant| variant.value).collect::<Vec<_>>(), [-2, 0, 1 << 30]);
    assert_eq!(record(find(&api, "packed")).unwrap().packed, Some(1));
    assert_eq!(record(find(&api, "packed_two")).unwrap().packed, Some(2));
    assert_eq!(record(find(&api, "aligned")).unwrap().align, Some(32));
    let both = record(find(&api, "packed_aligned")).unwrap();
    assert_eq!((both.packed, both.align), (Some(1), Some(4)));
    assert_eq!(find(&api, "point_t").docs, "A point\nin a plane.");
    assert_eq!(record(find(&api, "point_t")).unwrap().fields[1].docs, "upwards");
    let integers = record(find(&api, "integers")).unwrap();
    let ty = |name: &str| &integers.fields.iter().find(|field| field.name == name).unwrap().ty;
    for (name, expected) in [
        ("c", "Int(CChar)"),
        ("sc", "Int(I8)"),
        ("l", "Int(Long)"),
        ("ul", "Int(ULong)"),
        ("i64", "Int(I64)"),
        ("size", "Int(Usize)"),
        ("diff", "Int(Isize)"),
        ("wide", "Int(I32)"),
        ("yes", "Bool"),
        ("huge", "Int(I128)"),
        ("when", "Int(Long)"),
        ("shared", "Int(I32)"),
    ] {
        assert_eq!(format!("{:?}", ty(name)), expected, "{name}");
    }
}

#[test]
fn functions_carry_names_docs_symbols_and_contexts() {
    let (api, ..) = awkward();
    let function = |name: &str| {
        api.functions.iter().find(|function| function.name == name).unwrap_or_else(|| panic!("no `{name}`"))
    };
    assert_eq!(
        function("point_sum").docs,
        "Adds up.\n\n`points`: at least `count` of them\nReturns: the sum"
    );
    assert_eq!(function("point_old").deprecated.as_deref(), Some("use point_sum"));
    assert_eq!(function("renamed").symbol, "real_name");
    let names = |name: &str| {
        function(name).signature.params.iter().map(|param| param.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names("table"), ["m", "numbers", "names", "file"]);
    assert_eq!(function("point_each").signature.params[2].context_of, Some(1));
    let Ty::Function { signature, .. } = &function("point_each").signature.params[1].ty else { panic!() };
    assert_eq!((signature.params[0].name.as_str(), signature.context), ("context", Some(0)));
    let Body::Callback { signature, .. } = &find(&api, "logger").body else { panic!() };
    assert_eq!((signature.params[1].name.as_str(), signature.context), ("text", Some(0)));
    assert_eq!(function("point_log").signature.params[1].context_of, Some(0));
    assert_eq!(
        function("sort").signature.params.iter().filter(|param| param.context_of.is_some()).count(),
        0
    );
    assert_eq!(function("doubled").linkage, Linkage::Inline);
    assert_eq!(function("sum_of_two").signature.params.len(), 3);
    let statics: Vec<_> = api.statics.iter().map(|item| (item.name.as_str(), item.mutable)).collect();
    assert_eq!(
        statics,
        [
            ("unnamed_variable", true),
            ("counter", true),
            ("table_of_numbers", false),
            ("origin", true),
            ("points_of_interest", false)
        ]
    );
    assert!(matches!(find(&api, "handle_to_unnamed_type").body, Body::Struct(_)));
    assert!(matches!(find(&api, "unnamed_variable_type").body, Body::Struct(_)));
}

#[test]
fn shims_are_compiled_and_called() {
    let (api, _, input) = awkward();
    let folder = tempfile::tempdir().unwrap();
    let files = c::shims(&input, &api);
    let text = format!("{}int sum_of(int count, ...) {{ return count + 40; }}\n", files[0].text);
    let library = folder.path().join("shims.so");
    compile("gcc", &["-std=gnu11", "-shared", "-fPIC", "-Wall", "-Wno-unused"], &text, &library);
    // SAFETY: no constructors, and the functions are those of the header.
    unsafe {
        let library = libloading::Library::new(&library).unwrap();
        let doubled = library.get::<unsafe extern "C" fn(i32) -> i32>(b"upcall_shim_doubled\0").unwrap();
        assert_eq!(doubled(21), 42);
        let sum = library
            .get::<unsafe extern "C" fn(i32, i32, *const u8) -> i32>(b"upcall_shim_sum_of_two\0")
            .unwrap();
        assert_eq!(sum(2, 3, std::ptr::null()), 42);
    }
}
