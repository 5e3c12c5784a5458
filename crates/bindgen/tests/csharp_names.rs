//! Names that mean something in C#, and names in .NET style: those that are equal in two places, and those that
//! become equal.

use bindgen_tests::{compiler, shapes};
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
    let options = Options { library_name: false, ..Options::default() };
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
fn what_would_become_one_name_keeps_the_sources() {
    type Case<'a> = (&'a [&'a [&'a str]], Declared, &'a [&'a str]);
    let cases: [Case; 6] = [
        (&[], record("Head", &["value_len", "valueLen"]), &["uint value_len;", "uint valueLen;"]),
        (
            &[&["head", "A"]],
            record("Head", &["a"]),
            &["struct Head", "static class HeadConstants", "uint A;"],
        ),
        (&[&["Head", "VALUE"]], record("Head", &["value"]), &["uint Value;", "const uint VALUE = 1;"]),
        (
            &[&["LIMIT"], &["Limit"]],
            record("Head", &["a"]),
            &["const uint Limit = 1;", "const uint Limit_ = 1;"],
        ),
        (&[], record("exception", &["type"]), &["struct exception", "uint Type;"]),
        (&[], record("color_of_head", &["rgb"]), &["struct ColorOfHead", "uint Rgb;"]),
    ];
    for (constants, declared, expected) in cases {
        let (said, files) = made(constants, vec![declared]);
        assert!(said.is_empty(), "{said:?}");
        for line in expected {
            assert!(files[0].text.lines().any(|found| found.ends_with(line)), "{line}: {}", files[0].text);
        }
    }
}

#[test]
fn on_request_all_names_are_the_sources() {
    let api = Api {
        constants: vec![constant(&["kind", "READ_ALL"])],
        types: vec![record("color_of", &["red_part"])],
        ..Api::default()
    };
    let options = Options { dotnet_names: false, library_name: false, ..Options::default() };
    let files = generate(&api, &options, &mut Diagnostics::default());
    for line in ["const uint kind_READ_ALL = 1;", "struct color_of", "uint red_part;"] {
        assert!(files[0].text.lines().any(|found| found.ends_with(line)), "{line}: {}", files[0].text);
    }
}

/// Words that have a meaning where C# code uses them, as names of functions, methods, constants and fields.
const WORDS: [&str; 33] = [
    "system", "to_string", "get_hash_code", "finalize", "equals", "get_type", "memberwise_clone",
    "reference_equals", "ToString", "GetHashCode", "Finalize", "Equals", "GetType", "MemberwiseClone",
    "native_methods", "native_calls", "NativeMethods", "Api", "int_ptr", "marshal", "console", "exception",
    "span", "lock", "event", "string", "object", "base", "params", "global", "counter", "text", "dispose",
];

fn named(api: &Api, like: &str, name: &str) -> Function {
    let function = api.functions.iter().find(|function| function.name == like).unwrap();
    Function { name: name.into(), symbol: name.into(), ..function.clone() }
}

#[test]
fn words_of_csharp_are_names() {
    let like = shapes::api();
    for dotnet_names in [false, true] {
        // Each kind on its own, as one word in two cases would be one name.
        for start in 0..2 {
            let mut api = shapes::api();
            let words =
                WORDS.iter().copied().filter(|word| word.starts_with(char::is_uppercase) == (start == 1));
            for word in words {
                // The first is called as the word itself.
                for (index, like_name) in
                    ["count_letters", "spell", "fold", "squares"].into_iter().enumerate()
                {
                    let name = format!("{word}{}", if index == 0 { "" } else { like_name });
                    api.functions.push(named(&like, like_name, &name));
                }
                let mut method = named(&like, "counter_add", &format!("counter_{word}_of"));
                method.member.as_mut().unwrap().name = word.into();
                api.functions.push(method);
                api.types.push(record(&format!("Type{word}"), &[word, &format!("Type{word}")]));
                let module = format!("m_{word}");
                api.constants.push(constant(&["words", &module, &module]));
                api.constants.push(constant(&["words", "place", &format!("of_{word}")]));
                let other = format!("Other{word}");
                api.types.push(record(&other, &[word]));
                api.constants.push(constant(&["words", &other, &other]));
            }
            let folder = tempfile::tempdir().unwrap();
            let mut diagnostics = Diagnostics::default();
            let options = Options { dotnet_names, c_long: false, ..Options::default() };
            let files = generate(&api, &options, &mut diagnostics);
            assert!(!diagnostics.failed(), "{}", diagnostics.render(false));
            let source = folder.path().join("Words.cs");
            std::fs::write(&source, &files[0].text).unwrap();
            let made = compiler::compile(folder.path(), "words", "library", &[source]);
            made.unwrap_or_else(|said| panic!("{said}"));
        }
    }
}
