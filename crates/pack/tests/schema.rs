//! The schema of a type: what it shows, and what changes its fingerprint and what does not.

use golden::types;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::sync::Arc;
use upcall_pack::{ErrorKind, Form, Graph, Pack, Ref, Schema, Tuple, Writer};

fn fingerprint<T: Pack + ?Sized>() -> u64 {
    Schema::of::<T>().unwrap().fingerprint()
}

/// A module with a class of these members.
macro_rules! class {
    ($name:ident: $(#[$option:meta])* { $($members:tt)* }) => {
        mod $name {
            #[allow(unused_imports, reason = "not every member has a type from there")]
            use super::*;
            #[derive(Pack)]
            #[pack(crate = upcall_pack)]
            $(#[$option])*
            pub struct Own { $($members)* }
        }
    };
}

class!(plain: { a: i32, b: String });
class!(renamed: { number: i32, text: Arc<str> });
class!(swapped: { b: String, a: i32 });
class!(wider: { a: i64, b: String });
class!(longer: { a: i32, b: String, c: u8 });
class!(nullable: { a: i32, b: Option<String> });
class!(encoded: { a: i32, #[pack(utf16)] b: String, #[pack(ignore)] _c: u8 });
class!(ordered: { #[pack(order = 1)] text: String, #[pack(order = 0)] number: i32 });
class!(tolerant: #[pack(version_tolerant)] { a: i32, b: String });
class!(holed: #[pack(version_tolerant)] { #[pack(order = 0)] a: i32, #[pack(order = 2)] b: String });
class!(managed: #[pack(struct)] { a: i32, b: String });
class!(bits: { #[pack(with = upcall_pack::with::BitPack)] a: Vec<bool> });

#[test]
fn what_means_the_same_bytes_has_the_same_fingerprint() {
    let own = fingerprint::<plain::Own>();
    assert_eq!(own, fingerprint::<renamed::Own>(), "names, and what points to text");
    assert_eq!(own, fingerprint::<encoded::Own>(), "encodings, and what is ignored");
    assert_eq!(own, fingerprint::<ordered::Own>(), "the order in the source");
    assert_eq!(own, fingerprint::<Box<plain::Own>>());
    let lists = [
        fingerprint::<Vec<i32>>(),
        fingerprint::<&[i32]>(),
        fingerprint::<VecDeque<i32>>(),
        fingerprint::<BTreeSet<i32>>(),
    ];
    assert_eq!(lists, [lists[0]; 4]);
    assert_eq!(fingerprint::<HashMap<i32, u8>>(), fingerprint::<BTreeMap<i32, u8>>());
}

#[test]
fn what_means_other_bytes_has_another() {
    let all = [
        fingerprint::<plain::Own>(),
        fingerprint::<swapped::Own>(),
        fingerprint::<wider::Own>(),
        fingerprint::<longer::Own>(),
        fingerprint::<nullable::Own>(),
        fingerprint::<tolerant::Own>(),
        fingerprint::<holed::Own>(),
        fingerprint::<managed::Own>(),
        fingerprint::<bits::Own>(),
        fingerprint::<Vec<plain::Own>>(),
        fingerprint::<Option<plain::Own>>(),
        fingerprint::<Vec<bool>>(),
        fingerprint::<[u8; 3]>(),
        fingerprint::<[u8; 4]>(),
        fingerprint::<(u8, u8)>(),
        fingerprint::<Tuple<(u8, u8)>>(),
        fingerprint::<Low>(),
        fingerprint::<Lower>(),
        fingerprint::<Point>(),
        fingerprint::<Packed>(),
    ];
    let distinct: BTreeSet<u64> = all.into_iter().collect();
    assert_eq!(distinct.len(), all.len());
}

#[derive(Pack, Clone, Copy)]
#[pack(crate = upcall_pack)]
#[repr(i16)]
enum Low {
    High = 2,
    Low = -1,
}

#[derive(Pack, Clone, Copy)]
#[pack(crate = upcall_pack)]
#[repr(i16)]
enum Lower {
    Low = -2,
    High = 2,
}

#[derive(Pack, Clone, Copy)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
struct Point {
    x: u8,
    y: f64,
}

#[derive(Pack, Clone, Copy)]
#[pack(raw, crate = upcall_pack)]
#[repr(C, packed)]
struct Packed {
    x: u8,
    y: f64,
}

#[derive(Pack)]
#[pack(union, crate = upcall_pack)]
enum Shape {
    #[pack(tag = 300)]
    Big(Box<Group>),
    Small(Group),
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Group {
    shapes: Vec<Shape>,
    at: Option<Point>,
    kind: Low,
    pairs: [(char, String); 2],
}

#[derive(Pack)]
#[pack(circular, crate = upcall_pack)]
struct Node {
    next: Option<Ref<Node>>,
}

#[test]
fn a_schema_shows_each_type_once_with_its_members_by_number() {
    let shown = Schema::of::<Shape>().unwrap();
    assert_eq!(
        shown.to_string(),
        "#0
#0 Shape: union { 1 Small: #1, 300 Big: #1 }
#1 Group: class { 0 shapes: list<#0>, 1 at: option<#2>, 2 kind: #3, 3 pairs: array 2<values<char, text>> }
#2 Point: raw of 16 bytes { 0 x: u8, 8 y: f64 }
#3 Low: enum i16 { -1 Low, 2 High }
"
    );
    let node = Schema::of::<Graph<Ref<Node>>>().unwrap();
    assert_eq!(node.to_string(), "#0\n#0 Node: circular class { 0 next: option<#0> }\n");
    assert_eq!(
        node.to_json(),
        format!(
            r##"{{"fingerprint": "{:016x}", "root": "#0", "types": [{{"name": "Node", "kind": "circular class", "members": [{{"number": 0, "name": "next", "form": "option<#0>"}}]}}]}}"##,
            node.fingerprint()
        )
    );
}

#[test]
fn json_holds_whatever_a_type_says_its_form_is() {
    struct Own;
    impl Pack for Own {
        const FORM: Form<Self> = Form::Counted;
        const MIN: usize = 4;

        fn pack(&self, writer: &mut Writer<'_>) -> Result<(), upcall_pack::Error> {
            "".pack(writer)
        }

        fn describe(to: &mut upcall_pack::Describe) {
            to.plain("a \"\\\n é");
        }
    }
    let json = Schema::of::<Own>().unwrap().to_json();
    assert!(json.contains(r#""root": "a \"\\\u000a é", "types": []"#), "{json}");
}

#[test]
fn a_fingerprint_stays_what_it_is_from_version_to_version() {
    fn fnv(text: &str) -> u64 {
        let next = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
        text.bytes().fold(0xcbf2_9ce4_8422_2325, next)
    }
    assert_eq!(fingerprint::<i32>(), fnv("i32\n"));
    assert_eq!(fingerprint::<plain::Own>(), fnv("#0\n#0: class { 0: i32, 1: text }\n"));
    assert_eq!(fingerprint::<Low>(), fnv("#0\n#0: enum i16 { -1, 2 }\n"));
    let log = "#0
#0: class { 0: u32, 1: option<text>, 2: u16, 3: u64, 4: option<i32>, 5: option<text>, 6: option<list<f32>>, 7: option<list<option<#1>>>, 8: option<map<text, i32>>, 9: values<i32, option<text>>, 10: DateTime, 11: Guid, 12: Decimal }
#1: class { 0: i32, 1: option<text> }
";
    assert_eq!(fingerprint::<types::Log>(), fnv(log), "{}", Schema::of::<types::Log>().unwrap());
}

#[test]
fn a_type_that_does_not_say_what_its_bytes_are_is_named() {
    struct Own;
    impl Pack for Own {
        const FORM: Form<Self> = Form::Object;
        const MIN: usize = 1;

        fn pack(&self, writer: &mut Writer<'_>) -> Result<(), upcall_pack::Error> {
            0_u8.pack(writer)
        }
    }
    let error = Schema::of::<Vec<Option<Own>>>().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    assert!(
        error.to_string().contains("Own` does not say what its bytes are: implement `Pack::describe`"),
        "{error}"
    );
}
