//! Numbers in packed types.

use crate::{MANIFEST, folder, read};
use std::path::Path;
use upcall_bindgen::model::{Api, PackedBody, Wire};

fn numbers(api: &Api) -> String {
    let mut shown = Vec::new();
    for packed in api.packed.iter() {
        match &packed.body {
            PackedBody::Enum { of, .. } => {
                shown.extend(of.variants.iter().map(|variant| format!("{}={}", variant.name, variant.value)));
            }
            PackedBody::Object(object) => {
                shown.extend(object.members.iter().map(|member| match &member.wire {
                    Wire::Fixed { len, .. } => format!("{}: {len}", member.name),
                    _ => member.name.clone(),
                }))
            }
            _ => {}
        }
    }
    shown.join(" ")
}

const TYPES: &str = "use upcall_pack::Pack;
    const BASE: i32 = 5; const TWICE: usize = 2 * HALF; const HALF: usize = 1 + 1; const END: u8 = u8::MAX;
    #[derive(Pack, Default)] #[pack(crate = upcall_pack)] #[repr(i32)] pub enum Level { #[default] Low = BASE, Next, Top = 1 << 4, Last = END as i32, Most = i32::MAX }
    #[derive(Pack)] #[pack(crate = upcall_pack)] pub struct Lists { a: [u8; TWICE], b: [u8; { HALF }], c: [u8; u8::MAX as usize], d: Of<TWICE> }
    #[derive(Pack)] #[pack(crate = upcall_pack)] pub struct Of<const N: usize> { e: [u8; N] }";

#[test]
fn constants_are_evaluated_without_a_compiler_where_that_is_plain() {
    let folder = folder(&[("lib.rs", TYPES)]);
    let (api, said) = read(&folder.path().join("lib.rs"), |_| ());
    assert_eq!(said, [""; 0]);
    let expected = "Low=5 Next=6 Top=16 Last=255 Most=2147483647 a: 4 b: 2 c: 255 d e: 4";
    assert_eq!(numbers(&api.unwrap()), expected);
}

#[test]
fn the_compiler_evaluates_the_rest() {
    let text = "use upcall_pack::Pack;
        const fn count() -> usize { 3 } mod other { pub const SIGN: i32 = 1 << 31; }
        #[derive(Pack, Default)] #[pack(crate = upcall_pack)] #[repr(i32)] pub enum Level { #[default] Low = other::SIGN, Next, Bits = 1 << 31 | 2 }
        #[derive(Pack)] #[pack(crate = upcall_pack)] pub struct Lists { a: [u8; count()], b: [u8; core::mem::size_of::<u64>()] }";
    let pack = Path::new(env!("CARGO_MANIFEST_DIR")).join("../pack");
    let manifest = format!("{MANIFEST}[dependencies]\nupcall-pack = {{ path = {pack:?} }}\n");
    let config =
        format!("[build]\ntarget-dir = {:?}\n", Path::new(env!("CARGO_TARGET_TMPDIR")).join("reader"));
    let folder = folder(&[("Cargo.toml", &manifest), ("src/lib.rs", text), (".cargo/config.toml", &config)]);
    let (api, said) = read(&folder.path().join("src/lib.rs"), |_| ());
    assert_eq!(said, [""; 0]);
    assert_eq!(numbers(&api.unwrap()), "Low=-2147483648 Next=-2147483647 Bits=-2147483646 a: 3 b: 8");
}

#[test]
fn one_wrong_enum_is_one_error_and_no_advice_changes_what_is_written() {
    let text = "use upcall_pack::Pack;
        #[derive(Pack)] pub enum Level { Low = 1 }
        #[derive(Pack)] pub struct One { a: Level, b: Vec<Level> }
        #[derive(Pack)] pub struct Two { one: One, level: Option<Level> }";
    let folder = folder(&[("lib.rs", text)]);
    let lib = folder.path().join("lib.rs");
    let (api, said) = read(&lib, |_| ());
    assert!(api.is_none() && said.len() == 1, "{said:#?}");
    assert!(said[0].contains("lib.rs:2:34: the enum `Level` lacks its integer"), "{said:#?}");
    assert!(!said[0].contains("ignore"), "{said:#?}");
}
