//! What cannot be written in C# is reported, and never written wrong.

use upcall_bindgen::csharp::{Options, generate};
use upcall_bindgen::model::*;
use upcall_bindgen::{Diagnostics, File};

fn function(name: &str, params: &[(&str, Ty)], ret: Ty) -> Function {
    let param = |(name, ty): &(&str, Ty)| Param {
        name: (*name).into(),
        ty: ty.clone(),
        context_of: None,
        release_of: None,
    };
    Function {
        name: name.into(),
        symbol: name.into(),
        signature: Signature {
            params: params.iter().map(param).collect(),
            ret,
            variadic: false,
            ..Signature::default()
        },
        fallible: false,
        error: None,
        member: None,
        docs: String::new(),
        deprecated: None,
        place: Place { file: "api.rs".into(), line: 7, column: 1 },
        linkage: Linkage::Library,
    }
}

fn declared(name: &str, layout: Option<(u64, u64)>, body: Body) -> Declared {
    Declared {
        name: name.into(),
        source: format!("crate::{name}"),
        docs: String::new(),
        deprecated: None,
        place: Place { file: "api.rs".into(), line: 3, column: 1 },
        layout: layout.map(|(size, align)| Layout { size, align }),
        body,
        idiom: None,
    }
}

fn field(name: &str, ty: Ty, offset: u64) -> Field {
    Field { name: name.into(), ty, offset, bits: None, docs: String::new(), public: true }
}

fn said(api: &Api, options: &Options) -> (Vec<String>, Vec<File>) {
    let mut diagnostics = Diagnostics::default();
    let files = generate(api, options, &mut diagnostics);
    (diagnostics.list.iter().map(ToString::to_string).collect(), files)
}

const I32: Ty = Ty::Int(Int::I32);

#[test]
fn of_two_functions_of_one_name_after_casing_the_second_keeps_the_sources() {
    let functions = vec![function("get_x", &[], I32), function("getX", &[], I32), function("GetX", &[], I32)];
    let api = Api { functions, ..Api::default() };
    let (said, files) = said(&api, &Options::default());
    let text = &files[0].text;
    assert_eq!(
        said,
        [
            "api.rs:7:1: `GetX` and `get_x` would both be `GetX` in C# (rename one of them; types also with the option `rename`)"
        ]
    );
    for name in ["GetX", "getX"] {
        assert!(text.contains(&format!("public static int {name}()")), "{text}");
    }
}

#[test]
fn a_type_called_as_the_class_is_an_error() {
    let record = Record { fields: vec![field("x", I32, 0)], ..Record::default() };
    let types = vec![declared("NativeMethods", Some((4, 4)), Body::Struct(record))];
    let (said, _) = said(&Api { types, ..Api::default() }, &Options::default());
    assert!(
        said.len() == 1
            && said[0].starts_with("api.rs:3:1: `crate::NativeMethods` and `NativeMethods` would"),
        "{said:?}"
    );
}

#[test]
fn a_type_that_would_hide_one_of_the_framework_is_an_error_until_it_is_renamed() {
    let record = Record { fields: vec![field("x", I32, 0)], ..Record::default() };
    let types = vec![declared("Exception", Some((4, 4)), Body::Struct(record))];
    let api = Api { types, ..Api::default() };
    let (wrong, _) = said(&api, &Options::default());
    assert!(wrong.len() == 1 && wrong[0].contains("and `System's Exception` would both be"), "{wrong:?}");
    let rename = [("Exception".to_owned(), "Fault".to_owned())].into();
    let (wrong, files) = said(&api, &Options { rename, ..Options::default() });
    assert!(wrong.is_empty() && files[0].text.contains("struct Fault"), "{wrong:?}");
}

#[test]
fn variadic_functions_and_values_without_a_layout_are_errors_and_left_out() {
    let mut print = function("print", &[("format", Ty::pointer(Ty::Int(Int::CChar), false))], I32);
    print.signature.variadic = true;
    let unknown = function("unknown", &[("file", Ty::Named(TypeId(0)))], I32);
    let api = Api {
        types: vec![declared("FILE", None, Body::Opaque)],
        functions: vec![print, unknown],
        ..Api::default()
    };
    let (said, files) = said(&api, &Options::default());
    assert!(said[0].contains("`print` takes any number of arguments"), "{said:?}");
    assert!(
        said[1]
            .contains("`unknown` passes a `FILE`, whose layout is not known, by value, which C# cannot call"),
        "{said:?}"
    );
    assert!(!files[0].text.contains("DllImport("), "{}", files[0].text);
}

#[test]
fn fields_beyond_the_end_are_an_error() {
    let record = Record { fields: vec![field("x", I32, 0), field("y", I32, 6)], ..Record::default() };
    let types = vec![declared("Wrong", Some((8, 4)), Body::Struct(record))];
    let (said, files) = said(&Api { types, ..Api::default() }, &Options::default());
    assert!(said[0].contains("no layout of the CLR gives `crate::Wrong` its 8 bytes"), "{said:?}");
    assert!(!files[0].text.contains("struct Wrong"));
}

#[test]
fn names_that_csharp_has_for_itself_are_escaped() {
    let record = Record { fields: vec![field("event", I32, 0), field("lock", I32, 4)], ..Record::default() };
    let event = Ty::Named(TypeId(0));
    let api = Api {
        types: vec![declared("event", Some((8, 4)), Body::Struct(record))],
        functions: vec![function("params", &[("in", event.clone()), ("out", event)], I32)],
        ..Api::default()
    };
    let (said, files) = said(&api, &Options::csbindgen());
    assert!(said.is_empty(), "{said:?}");
    let text = &files[0].text;
    for expected in
        ["struct @event", "public int event_;", "public int @lock;", "@params(@event @in, @event @out)"]
    {
        assert!(text.contains(expected), "{expected} in\n{text}");
    }
}

#[test]
fn globs_choose_functions() {
    let functions = ["a_one", "a_two", "b_one"].map(|name| function(name, &[], I32)).to_vec();
    let options =
        Options { functions: vec!["a_*".into()], except: vec!["*two".into()], ..Options::csbindgen() };
    let (_, files) = said(&Api { functions, ..Api::default() }, &options);
    let text = &files[0].text;
    assert!(text.contains("a_one") && !text.contains("a_two") && !text.contains("b_one"), "{text}");
}

#[test]
fn a_symbol_of_any_letters_is_written_as_csharp_reads_it() {
    let mut odd = function("odd", &[], I32);
    odd.symbol = "an \"odd\\one".into();
    let (said, files) = said(&Api { functions: vec![odd], ..Api::default() }, &Options::default());
    assert_eq!(said, Vec::<String>::new());
    assert!(files[0].text.contains(r#"EntryPoint = "an \"odd\\one","#), "{}", files[0].text);
}

#[test]
fn options_are_read_from_toml() {
    let text = "namespace = \"A.B\"\nlibrary-if = [\"UNITY_IOS\", \"__Internal\"]\n[grouped]\nremove-prefix = \"b3\"\n";
    let options: Options = toml::from_str(text).unwrap();
    assert_eq!(options.namespace, "A.B");
    assert_eq!(options.class, Options::default().class);
    assert_eq!(options.grouped.unwrap().remove_prefix, "b3");
    assert!(toml::from_str::<Options>("name-space = \"typo\"").is_err());
}
