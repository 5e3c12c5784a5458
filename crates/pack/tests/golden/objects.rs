//! Objects, managed structs, unmanaged structs, unions, version-tolerant and circular objects.

use super::Cases;
use super::types::*;
use std::collections::HashMap;
use upcall_pack::{Arena, DateTime, DateTimeKind, Decimal, Graph, Guid, Index, Options, Range, Text};

/// Their lines.
pub fn add(first: &mut Cases, extra: &mut Cases) {
    objects(first);
    structs(first);
    tolerant(first, extra);
    circular(first, extra);
    more(extra);
    unmanaged(extra);
}

fn person(age: i32, name: &str) -> Person {
    Person { age, name: Some(name.to_owned()) }
}

fn objects(first: &mut Cases) {
    first.add("Person", person(40, "John"));
    first.add("Person null", None::<Person>);
    first.add_as("Person utf16", person(40, "あJ"), Options::new().text(Text::Utf16));
    first.add("Person utf8 nonascii", person(40, "あ😀"));
    let unnamed = Person::default();
    first.add("Person name null/empty", vec![Some(unnamed), Some(person(0, "")), None]);
    first.add("Log", log());
    first.add("IU0", Iu::Ua(Ua { x: 9 }));
    first.add("IU300", Iu::Ub(Ub { y: Some("z".to_owned()) }));
    first.add("IU null", None::<Iu>);
}

/// The log record that the benchmark has ten thousand of.
pub fn log() -> Log {
    let date = upcall_pack::DateOnly::new(2024, 1, 2).unwrap();
    let time = upcall_pack::TimeOnly::new(3, 4, 5).unwrap();
    Log {
        addr: 0x0403_0201,
        identity: Some("-".to_owned()),
        code: 200,
        size: 99,
        opt: Some(7),
        opt2: None,
        fs: Some(vec![1.0, 2.0]),
        ps: Some(vec![Some(Person { age: 1, name: None }), None]),
        d: Some(HashMap::from([("a".to_owned(), 1)])),
        tu: (5, Some("x".to_owned())),
        dt: DateTime::of(date, time, DateTimeKind::Utc),
        g: guid(),
        m: Decimal::new(15, 1).unwrap(),
    }
}

/// The Guid that all lines use.
pub fn guid() -> Guid {
    "00112233-4455-6677-8899-aabbccddeeff".parse().unwrap()
}

fn structs(first: &mut Cases) {
    let um = |a, b, c| Um { a, b, c };
    first.add("Um", um(1, 2, 3));
    first.add("Um[]", vec![um(1, 2, 3), um(4, 5, 6)]);
    first.add("Vector3[2]", vec![Vector3 { x: 1.0, y: 2.0, z: 3.0 }, Vector3 { x: 4.0, y: 5.0, z: 6.0 }]);
    first.add("E8[]", vec![E8::A, E8::B]);
    first.add("Ms? 5", Some(Ms { a: 1, b: Some("q".to_owned()) }));
    first.add("Ms? null", None::<Ms>);
}

fn tolerant(first: &mut Cases, extra: &mut Cases) {
    first.add("Vt", Vt { a: 1, b: 2, s: Some("hi".to_owned()) });
    first.add("VtLong", VtLong { a: Some(vec![0; 300]), b: 1 });
    extra.add("VT null str", Vt { a: 1, b: 2, s: None });
    extra.add("VtUnm", VtU { a: 1, b: 2 });
    extra.add("Vt struct", VtS { a: 1, s: Some("a".to_owned()) });
    extra.add("Vt slot200", Vt200 { s: Some(vec![0; 196]) });
    extra.add("Vt slot127", Vt200 { s: Some(vec![0; 123]) });
}

/// Objects are added in the order in which a reader meets them, so that references are equal.
fn circular(first: &mut Cases, extra: &mut Cases) {
    let node = |parent, kids| Node { parent, kids };
    let empty = Node::default;

    let mut arena = Arena::new();
    let root = arena.add(empty());
    let kid = arena.add(node(Some(root), None));
    arena[root].kids = Some(vec![kid]);
    first.add_graph("Node", Graph { arena, root });

    let mut arena = Arena::new();
    let root = arena.add(empty());
    let mut kids: Vec<_> = (0..200).map(|_| arena.add(empty())).collect();
    kids.push(kids[150]);
    arena[root].kids = Some(kids);
    extra.add_graph("Node 200 kids, then kid 150 again", Graph { arena, root });

    let mut arena = Arena::new();
    let root = arena.add(empty());
    let shared = arena.add(empty());
    arena[root] = node(Some(shared), Some(vec![shared, shared]));
    extra.add_graph("Node shared", Graph { arena, root });

    let mut arena = Arena::new();
    let root = vec![arena.add(empty()), arena.add(empty())];
    extra.add_graph("Circ2", Graph { arena, root });

    let mut arena = Arena::new();
    let same = arena.add(empty());
    extra.add_graph("array of same Node twice", Graph { arena, root: vec![same, same] });
}

fn more(extra: &mut Cases) {
    extra.add("Empty object", Emp {});
    extra.add("Union249", IuWide::U249(Emp {}));
    extra.add("Union250", IuWide::U250(Emp {}));
    extra.add("MPable unmanaged struct", Ums { a: 1, b: 2 });
    extra.add("Inherit", Der { x: 1, y: 2 });
    extra.add("Private incl", Inc { z: 5, q: 0 });
    extra.add("bitpack", Bp { b: Some(vec![true, false, true]) });
    extra.add("bitpack null", Bp { b: None });
    extra.add("bitpack 33", Bp { b: Some(vec![true; 33]) });
    extra.add("Utf16attr", TwoTexts { s: Some("a".to_owned()), t: Some("b".to_owned()) });
    extra.add("record class", Rec { a: 1, b: "a".to_owned() });
    extra.add("record struct", Recs { a: 1, b: 2 });
    extra.add("record struct managed", Recm { a: 1, b: "b".to_owned() });
    let (start, end) = (Index::from_start(1).unwrap(), Index::from_start(2).unwrap());
    extra.add("Index/Range", Rg { r: Range { start, end } });
}

fn unmanaged(extra: &mut Cases) {
    use upcall_pack::{DateOnly, DateTimeOffset, TimeSpan};
    let ticks = |ticks| DateTime::new(ticks, DateTimeKind::Unspecified).unwrap();
    extra.add("SeqWithDateTime{byte,DateTime,int}", Sd { a: 1, t: ticks(2), c: 3 });
    extra.add("SeqWithTimeSpan{byte,TimeSpan,int}", Sts { a: 1, t: TimeSpan::from_ticks(2), c: 3 });
    extra.add("SeqWithVT{byte,(byte,int),byte}", Svt { a: 1, t: (2, 3), c: 4 });
    extra.add("SeqWithDTO", Sdto { a: 1, t: DateTimeOffset::new(2, 0).unwrap(), c: 3 });
    extra.add("SeqWithGuid", Sg { a: 1, t: guid(), c: 3 });
    extra.add("SeqWithNullable{byte,int?,byte}", Sn { a: 1, t: Some(2), c: 3 });
    extra.add("SeqWithDateOnly", Sdo { a: 1, t: DateOnly::new(2, 1, 1).unwrap(), c: 3 });
    extra.add("Pack1", Pk { a: 1, b: 2, c: 3 });
    extra.add("Um?", Some(Um { a: 1, b: 2, c: 3 }));
    extra.add("SeqI128", Si { a: 1, t: 2 });
    extra.add("decimal in seq", Sdec { a: 1, t: Decimal::new(15, 1).unwrap(), c: 3 });
    let identity = Matrix3x2 { m11: 1.0, m22: 1.0, ..Matrix3x2::default() };
    extra.add("Vector<...>Matrix3x2", identity);
}
