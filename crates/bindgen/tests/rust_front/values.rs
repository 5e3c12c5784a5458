use crate::{api, text};
use upcall_bindgen::model::Value;

fn constant(name: &str) -> (String, &'static Value) {
    let found = api().constants.iter().find(|constant| constant.name == name);
    let found = found.unwrap_or_else(|| panic!("there is no constant `{name}`"));
    (text(&found.ty), &found.value)
}

#[test]
fn integers_of_every_width_have_their_values() {
    let expected = [
        ("BYTE", "u8", 97),
        ("SMALL", "i8", -2),
        ("SHORT", "i16", i128::from(i16::MIN)),
        ("USHORT", "u16", 0xffff),
        ("INT", "i32", -8),
        ("BITS", "u32", 0x8000_0008),
        ("LEAST", "i64", i128::from(i64::MIN)),
        ("ULONG", "u64", i128::from(u64::MAX)),
        ("SIZE", "usize", 8),
        ("OFFSET", "isize", -8),
        ("NEGATIVE", "i128", i128::MIN),
        ("MASK", "i32", 8),
        ("Point_COORDINATES", "usize", 2),
        ("WordCounter_MOST", "u64", 1000),
    ];
    for (name, ty, value) in expected {
        assert_eq!(constant(name), (ty.to_owned(), &Value::Int(value)), "{name}");
    }
    assert_eq!(constant("MOST"), ("u128".into(), &Value::Big(u128::MAX)));
    assert_eq!(constant("SIGN"), ("Signed".into(), &Value::Int(-1)));
}

#[test]
fn other_scalars_and_text_have_their_values() {
    assert_eq!(constant("YES"), ("bool".into(), &Value::Bool(true)));
    assert_eq!(constant("LETTER"), ("char".into(), &Value::Char('é')));
    assert_eq!(constant("PI"), ("f64".into(), &Value::Float(std::f64::consts::PI)));
    assert_eq!(constant("INFINITE"), ("f64".into(), &Value::Float(f64::NEG_INFINITY)));
    assert!(matches!(constant("NAN"), (ty, Value::Float(nan)) if ty == "f32" && nan.is_nan()));
    assert_eq!(constant("TITLE").1, &Value::Str("awkward \"quoted\"\n".into()));
    assert_eq!(constant("NATIVE").1, &Value::CStr(b"native".to_vec()));
    assert_eq!(constant("NAME").1, &Value::CStr(b"static".to_vec()), "a static text never changes");
}

#[test]
fn statics_are_variables_with_symbols() {
    let found: Vec<(&str, &str, String, bool, &str)> = api()
        .statics
        .iter()
        .map(|one| (one.name.as_str(), one.symbol.as_str(), text(&one.ty), one.mutable, one.docs.as_str()))
        .collect();
    let expected = [
        ("VERSION", "VERSION", "u32", false, "Never changes."),
        ("ORIGIN", "awkward_origin", "Point", false, "Under another name."),
        ("TRUTH", "TRUTH", "bool", false, ""),
        ("TABLE", "TABLE", "[u16; 4]", false, ""),
        ("LAST", "LAST", "f64", true, "May be written."),
    ];
    assert_eq!(
        found,
        expected.map(|(name, symbol, ty, mutable, docs)| (name, symbol, ty.into(), mutable, docs))
    );
}

#[test]
fn private_constants_and_those_of_other_types_are_left_out() {
    assert!(api().constants.iter().all(|constant| !["SIDE", "LIVE"].contains(&constant.name.as_str())));
    let flags = |name: &str| name.starts_with("Access_") || name.starts_with("Hand_");
    assert!(!api().constants.iter().any(|constant| flags(&constant.name)), "they are the flags' own names");
}
