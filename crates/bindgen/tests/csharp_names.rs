//! Names in .NET style: those that are equal in two places, and those that become equal.

use upcall_bindgen::csharp::{Options, generate};
use upcall_bindgen::model::*;
use upcall_bindgen::{Diagnostics, File};

const U32: Ty = Ty::Int(Int::U32);

fn constant(path: &[&str]) -> Constant {
    Constant {
        name: path.join("_"),
        path: path.iter().map(|name| name.to_string()).collect(),
        ty: U32,
        value: Value::Int(1),
        docs: String::new(),
        place: Place::default(),
    }
}

fn record(name: &str, fields: &[&str]) -> Declared {
    let field = |(index, name): (usize, &&str)| Field {
        name: name.to_string(),
        ty: U32,
        offset: 4 * index as u64,
        bits: None,
        docs: String::new(),
        public: true,
    };
    let fields: Vec<Field> = fields.iter().enumerate().map(field).collect();
    Declared {
        name: name.into(),
        source: format!("crate::{name}"),
        docs: String::new(),
        deprecated: None,
        place: Place::default(),
        layout: Some(Layout { size: 4 * fields.len() as u64, align: 4 }),
        body: Body::Struct(Record { fields, ..Record::default() }),
        idiom: None,
    }
}

fn made(constants: &[&[&str]], types: Vec<Declared>) -> (Vec<String>, Vec<File>) {
    let constants = constants.iter().map(|path| constant(path)).collect();
    let api = Api { constants, types, ..Api::default() };
    let mut diagnostics = Diagnostics::default();
    let options = Options { dotnet_names: true, library_name: false, ..Options::default() };
    let files = generate(&api, &options, &mut diagnostics);
    (diagnostics.list.iter().map(ToString::to_string).collect(), files)
}

#[test]
fn constants_are_in_the_class_of_their_module_or_in_their_type() {
    let paths: &[&[&str]] =
        &[&["LIMIT"], &["kind", "READ_ALL"], &["access", "READ_ALL"], &["Head", "NO_ITEM"]];
    let (said, files) = made(paths, vec![record("Head", &["value_len"])]);
    assert!(said.is_empty(), "{said:?}");
    let lines: Vec<&str> = files[0].text.lines().map(str::trim).collect();
    let declared = |line: &&&str| line.starts_with("public ") && !line.contains('*');
    let declared: Vec<&str> = lines.iter().filter(declared).copied().collect();
    assert_eq!(
        declared,
        [
            "public static unsafe partial class NativeMethods",
            "public const uint Limit = 1;",
            "public static class Kind",
            "public const uint ReadAll = 1;",
            "public static class Access",
            "public const uint ReadAll = 1;",
            "public unsafe partial struct Head",
            "public uint ValueLen;",
            "public const uint NoItem = 1;",
        ]
    );
}

#[test]
fn what_becomes_one_name_is_an_error() {
    let cases: [(&[&[&str]], Declared, &str); 4] = [
        (
            &[&["NATIVE_METHODS"]],
            record("Head", &["a"]),
            "`NATIVE_METHODS` and its class would both be `NativeMethods` in C#",
        ),
        (
            &[],
            record("Head", &["value_len", "valueLen"]),
            "`crate::Head::valueLen` and `crate::Head::value_len` would both be `ValueLen` in C#",
        ),
        (
            &[&["head", "A"]],
            record("Head", &["a"]),
            "the module `head` and `crate::Head` would both be `Head` in C#",
        ),
        (
            &[&["Head", "VALUE"]],
            record("Head", &["value"]),
            "`Head::VALUE` and `crate::Head::value` would both be `Value` in C#",
        ),
    ];
    for (constants, declared, expected) in cases {
        let (said, _) = made(constants, vec![declared]);
        assert!(said.len() == 1 && said[0].contains(expected), "{expected}: {said:?}");
    }
}
