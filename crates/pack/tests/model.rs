//! Derived types against an encoder that is written from the format's table, member by member, without a thought
//! for speed.

use proptest::prelude::*;
use std::mem::MaybeUninit;
use upcall_pack::{
    Error, Options, Pack, Sink, Text, Writer, from_parts, from_slice, overwrite, overwrite_parts, packed_len,
    to_slice, to_vec,
};

/// What the table says of a value.
trait Model {
    fn model(&self, out: &mut Vec<u8>);
}

macro_rules! numbers {
    ($($type:ty)*) => {$(impl Model for $type {
        fn model(&self, out: &mut Vec<u8>) {
            out.extend(self.to_le_bytes());
        }
    })*};
}
numbers!(u8 i16 u32 i32 u64 f32 f64);

impl Model for bool {
    fn model(&self, out: &mut Vec<u8>) {
        out.push(u8::from(*self));
    }
}

impl Model for char {
    fn model(&self, out: &mut Vec<u8>) {
        u32::from(*self).model(out);
    }
}

impl Model for String {
    fn model(&self, out: &mut Vec<u8>) {
        if self.is_empty() {
            return 0i32.model(out);
        }
        (!(self.len() as i32)).model(out);
        (self.encode_utf16().count() as i32).model(out);
        out.extend(self.bytes());
    }
}

fn list<T: Model>(items: &[T], out: &mut Vec<u8>) {
    (items.len() as i32).model(out);
    items.iter().for_each(|item| item.model(out));
}

fn or_null<T>(value: &Option<T>, null: &[u8], out: &mut Vec<u8>, some: impl FnOnce(&T, &mut Vec<u8>)) {
    match value {
        Some(value) => some(value, out),
        None => out.extend(null),
    }
}

/// C#'s `Nullable`: flag, padding to the value's alignment, value.
fn nullable<T: Model + Default>(value: &Option<T>, align: usize, out: &mut Vec<u8>) {
    out.push(u8::from(value.is_some()));
    out.extend(vec![0; align - 1]);
    value.as_ref().unwrap_or(&T::default()).model(out);
}

const NULL: &[u8] = &[255];
const NULL_LIST: &[u8] = &[255; 4];

#[derive(Clone, Copy, Debug, Default, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
#[repr(i16)]
enum Turn {
    #[default]
    Left = -300,
    Right = 2,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Pack)]
#[pack(raw, crate = upcall_pack)]
#[repr(C)]
struct Raw {
    a: u8,
    b: f64,
    turn: Turn,
    c: [i16; 3],
    flag: bool,
}

impl Model for Raw {
    fn model(&self, out: &mut Vec<u8>) {
        self.a.model(out);
        out.extend([0; 7]);
        self.b.model(out);
        (self.turn as i16).model(out);
        self.c.iter().for_each(|item| item.model(out));
        self.flag.model(out);
        out.extend([0; 7]);
    }
}

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(struct, crate = upcall_pack)]
struct Managed {
    label: String,
    turn: Turn,
}

impl Model for Managed {
    fn model(&self, out: &mut Vec<u8>) {
        out.push(2);
        self.label.model(out);
        (self.turn as i16).model(out);
    }
}

#[derive(Clone, Debug, PartialEq, Pack)]
#[pack(union, crate = upcall_pack)]
enum Shape {
    #[pack(tag = 249)]
    Small(Box<Tolerant>),
    #[pack(tag = 250)]
    Large(Tolerant),
}

impl Model for Shape {
    fn model(&self, out: &mut Vec<u8>) {
        match self {
            Shape::Small(value) => {
                out.push(249);
                value.model(out);
            }
            Shape::Large(value) => {
                out.extend([250, 250, 0]);
                value.model(out);
            }
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(version_tolerant, crate = upcall_pack)]
struct Tolerant {
    #[pack(order = 4)]
    name: String,
    #[pack(order = 1)]
    number: Option<u32>,
    #[pack(order = 2)]
    inner: Option<Box<Tolerant>>,
}

impl Model for Tolerant {
    fn model(&self, out: &mut Vec<u8>) {
        let mut slots = vec![Vec::new(); 5];
        nullable(&self.number, 4, &mut slots[1]);
        or_null(&self.inner, NULL, &mut slots[2], |inner, out| inner.model(out));
        self.name.model(&mut slots[4]);
        out.push(5);
        for slot in &slots {
            match slot.len() {
                short @ 0..=127 => out.push(short as u8),
                long @ 128..=32767 => {
                    out.push(-124i8 as u8);
                    (long as i16).model(out);
                }
                longer => {
                    out.push(-126i8 as u8);
                    (longer as i32).model(out);
                }
            }
        }
        out.extend(slots.concat());
    }
}

#[derive(Clone, Debug, Default, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
struct Everything {
    byte: u8,
    short: i16,
    flag: bool,
    text: String,
    letter: char,
    nullable: Option<u64>,
    raw: Raw,
    raws: Vec<Raw>,
    maybe_text: Option<String>,
    maybe_list: Option<Vec<u32>>,
    turns: Vec<Turn>,
    flags: Vec<bool>,
    nullables: Vec<Option<u32>>,
    managed: Managed,
    maybe_managed: Option<Managed>,
    texts: Vec<String>,
    lists: Vec<Vec<f32>>,
    shape: Option<Shape>,
    shapes: Vec<Shape>,
    inner: Option<Box<Everything>>,
    last: f64,
}

impl Model for Everything {
    fn model(&self, out: &mut Vec<u8>) {
        out.push(21);
        self.byte.model(out);
        self.short.model(out);
        self.flag.model(out);
        self.text.model(out);
        self.letter.model(out);
        nullable(&self.nullable, 8, out);
        self.raw.model(out);
        list(&self.raws, out);
        or_null(&self.maybe_text, NULL_LIST, out, String::model);
        or_null(&self.maybe_list, NULL_LIST, out, |items, out| list(items, out));
        list(&self.turns.iter().map(|turn| *turn as i16).collect::<Vec<_>>(), out);
        list(&self.flags, out);
        (self.nullables.len() as i32).model(out);
        self.nullables.iter().for_each(|item| nullable(item, 4, out));
        self.managed.model(out);
        or_null(&self.maybe_managed, NULL, out, |managed, out| {
            out.push(1);
            managed.model(out);
        });
        list(&self.texts, out);
        (self.lists.len() as i32).model(out);
        self.lists.iter().for_each(|items| list(items, out));
        or_null(&self.shape, NULL, out, Shape::model);
        list(&self.shapes, out);
        or_null(&self.inner, NULL, out, |inner, out| inner.model(out));
        self.last.model(out);
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![3 => "[ -~]{0,90}", 1 => "\\PC{0,40}", 1 => Just(String::new())]
}

fn turn() -> impl Strategy<Value = Turn> {
    prop_oneof![Just(Turn::Left), Just(Turn::Right)]
}

/// No NaN, which differs from itself.
fn number() -> impl Strategy<Value = f64> {
    prop::num::f64::NORMAL | prop::num::f64::ZERO
}

fn raw() -> impl Strategy<Value = Raw> {
    (any::<u8>(), number(), turn(), any::<[i16; 3]>(), any::<bool>()).prop_map(|(a, b, turn, c, flag)| Raw {
        a,
        b,
        turn,
        c,
        flag,
    })
}

fn tolerant() -> impl Strategy<Value = Tolerant> {
    let name = prop_oneof![4 => text(), 1 => "[a-z]{100,400}"];
    let leaf = (name.clone(), any::<Option<u32>>()).prop_map(|(name, number)| Tolerant {
        name,
        number,
        inner: None,
    });
    leaf.prop_recursive(4, 8, 1, move |inner| {
        (name.clone(), any::<Option<u32>>(), prop::option::of(inner.prop_map(Box::new)))
            .prop_map(|(name, number, inner)| Tolerant { name, number, inner })
    })
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![tolerant().prop_map(|value| Shape::Small(Box::new(value))), tolerant().prop_map(Shape::Large),]
}

fn managed() -> impl Strategy<Value = Managed> {
    (text(), turn()).prop_map(|(label, turn)| Managed { label, turn })
}

fn flat() -> impl Strategy<Value = Everything> {
    let first =
        (any::<(u8, i16, bool, char, Option<u64>)>(), text(), raw(), prop::collection::vec(raw(), 0..4));
    let second = (
        prop::option::of(text()),
        any::<Option<Vec<u32>>>(),
        prop::collection::vec(turn(), 0..20),
        any::<Vec<bool>>(),
        any::<Vec<Option<u32>>>(),
        managed(),
        prop::option::of(managed()),
    );
    let third = (
        prop::collection::vec(text(), 0..4),
        prop::collection::vec(prop::collection::vec(prop::num::f32::NORMAL, 0..5), 0..5),
        prop::option::of(shape()),
        prop::collection::vec(shape(), 0..3),
        number(),
    );
    (first, second, third).prop_map(|(first, second, third)| {
        let ((byte, short, flag, letter, nullable), text, raw, raws) = first;
        let (maybe_text, maybe_list, turns, flags, nullables, managed, maybe_managed) = second;
        let (texts, lists, shape, shapes, last) = third;
        Everything {
            byte,
            short,
            flag,
            text,
            letter,
            nullable,
            raw,
            raws,
            maybe_text,
            maybe_list,
            turns,
            flags,
            nullables,
            managed,
            maybe_managed,
            texts,
            lists,
            shape,
            shapes,
            inner: None,
            last,
        }
    })
}

fn everything() -> impl Strategy<Value = Everything> {
    (flat(), prop::option::of(flat()))
        .prop_map(|(outer, inner)| Everything { inner: inner.map(Box::new), ..outer })
}

/// A sink whose windows have little more room than is asked for.
struct Windows {
    more: usize,
    window: Vec<MaybeUninit<u8>>,
    taken: Vec<u8>,
}

impl Sink for Windows {
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error> {
        self.window = vec![MaybeUninit::uninit(); at_least + self.more];
        Ok(&mut self.window)
    }

    unsafe fn advance(&mut self, count: usize) {
        // SAFETY: the caller has written the first `count` bytes of the window.
        let bytes = self.window[..count].iter().map(|byte| unsafe { byte.assume_init() });
        self.taken.extend(bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_value_is_written_as_the_table_says_and_read_back(value in everything()) {
        let mut expected = Vec::new();
        value.model(&mut expected);
        let bytes = to_vec(&value).unwrap();
        prop_assert_eq!(&bytes, &expected);
        prop_assert_eq!(packed_len(&value).unwrap(), bytes.len());
        prop_assert_eq!(from_slice::<Everything>(&bytes).unwrap(), value.clone());
        let mut slice = vec![0xEE; bytes.len()];
        to_slice(&value, &mut slice).unwrap();
        prop_assert_eq!(&slice, &bytes);
    }

    #[test]
    fn windows_of_any_size_hold_the_same_bytes(value in everything(), more in 0..600usize) {
        let mut windows = Windows { more, window: Vec::new(), taken: Vec::new() };
        let mut writer = Writer::new(&mut windows);
        value.pack(&mut writer).unwrap();
        writer.finish();
        prop_assert_eq!(windows.taken, to_vec(&value).unwrap());
    }

    #[test]
    fn a_value_read_over_another_is_the_value(old in everything(), value in everything()) {
        let mut over = old;
        overwrite(&mut over, &to_vec(&value).unwrap()).unwrap();
        prop_assert_eq!(over, value);
    }

    #[test]
    fn other_encodings_of_text_are_read_alike(value in everything()) {
        for text in [Text::Utf8WithoutLength, Text::Utf16] {
            let bytes = Options::new().text(text).to_vec(&value).unwrap();
            prop_assert_eq!(from_slice::<Everything>(&bytes).unwrap(), value.clone());
        }
    }

    #[test]
    fn a_value_in_pieces_is_the_value_and_without_its_end_an_error(value in everything(), piece in 1..40usize) {
        let bytes = to_vec(&value).unwrap();
        let parts: Vec<&[u8]> = bytes.chunks(piece).collect();
        prop_assert_eq!(from_parts::<Everything>(&parts).unwrap(), value.clone());
        let mut over = value.clone();
        overwrite_parts(&mut over, &parts).unwrap();
        prop_assert_eq!(over, value);
        let short = from_slice::<Everything>(&bytes[..bytes.len() - piece.min(bytes.len())]);
        prop_assert!(short.is_err());
    }
}
