//! Values of every kind come back as they went, in every encoding and over values that were there before.

use proptest::collection::{btree_map, btree_set, hash_map, hash_set, vec};
use proptest::option::of;
use proptest::prelude::*;
use std::collections::{LinkedList, VecDeque};
use std::fmt::Debug;
use upcall_pack::{
    Array2, Array4, BigInteger, BitArray, DateOnly, DateTime, DateTimeOffset, Decimal, Grouping, Guid,
    KeyValue, Lazy, Lookup, Options, Pack, PriorityQueue, Stack, StringBuilder, Text, TimeOnly, TimeSpan,
    Tuple, Unpack, Uri, Utf16Char, Version, from_slice, overwrite, to_slice, to_vec,
};

fn comes_back<T>(value: &T, before: &T)
where
    T: Pack + for<'a> Unpack<'a> + PartialEq + Debug,
{
    for text in [Text::Utf8, Text::Utf8WithoutLength, Text::Utf16] {
        let options = Options::new().text(text);
        let bytes = options.to_vec(value).unwrap();
        assert_eq!(options.packed_len(value).unwrap(), bytes.len());
        assert_eq!(&from_slice::<T>(&bytes).unwrap(), value);
        let mut over = from_slice::<T>(&to_vec(before).unwrap()).unwrap();
        overwrite(&mut over, &bytes).unwrap();
        assert_eq!(&over, value);
        let mut fixed = vec![0; bytes.len()];
        assert_eq!(options.to_slice(value, &mut fixed).unwrap(), bytes.len());
        assert_eq!(fixed, bytes);
        if let Some(short) = bytes.len().checked_sub(1) {
            assert!(options.to_slice(value, &mut fixed[..short]).is_err());
        }
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{0,20}", "\\PC{0,20}"]
}

fn decimal() -> impl Strategy<Value = Decimal> {
    (any::<u32>(), any::<u64>(), 0..=28_u32, any::<bool>()).prop_map(|(high, low, scale, minus)| {
        Decimal::from_parts(u32::from(minus) << 31 | scale << 16, high, low).unwrap()
    })
}

fn moment() -> impl Strategy<Value = DateTime> {
    (0..=DateTime::MAX_TICKS, 0..4_u64)
        .prop_map(|(ticks, kind)| DateTime::from_bits(ticks as u64 | kind << 62).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn lists_and_sets_come_back(
        lists in vec((vec(any::<i32>(), 0..9), vec(of(text()), 0..9)), 2),
        sets in vec((btree_set(text(), 0..9), hash_set(any::<u16>(), 0..9)), 2),
    ) {
        comes_back(&lists[0], &lists[1]);
        comes_back(&sets[0], &sets[1]);
        let queues: Vec<_> = lists.iter().map(|list| VecDeque::from(list.0.clone())).collect();
        comes_back(&queues[0], &queues[1]);
        let linked: Vec<LinkedList<_>> = lists.iter().map(|list| list.1.iter().cloned().collect()).collect();
        comes_back(&linked[0], &linked[1]);
        comes_back(&Stack(lists[0].1.clone()), &Stack(lists[1].1.clone()));
    }

    #[test]
    fn a_queue_that_wraps_around_is_written_in_order(front in vec(any::<i32>(), 0..20), back in vec(any::<i32>(), 0..20)) {
        let mut queue: VecDeque<i32> = back.iter().copied().collect();
        front.iter().rev().for_each(|item| queue.push_front(*item));
        prop_assert_eq!(to_vec(&queue).unwrap(), to_vec(&[front, back].concat()).unwrap());
    }

    #[test]
    fn dictionaries_come_back(
        raw in vec(btree_map(any::<u8>(), any::<i64>(), 0..9), 2),
        managed in vec(hash_map(text(), of(vec(any::<f32>(), 0..3)), 0..9), 2),
        pairs in vec(vec(any::<(u8, i32)>(), 0..9), 2),
    ) {
        comes_back(&raw[0], &raw[1]);
        comes_back(&managed[0], &managed[1]);
        comes_back(&PriorityQueue(pairs[0].clone()), &PriorityQueue(pairs[1].clone()));
        let lookup = |pairs: &[(u8, i32)]| {
            Lookup(pairs.iter().map(|(key, value)| Grouping { key: *key, values: vec![*value; 2] }).collect())
        };
        comes_back(&lookup(&pairs[0]), &lookup(&pairs[1]));
    }

    #[test]
    fn tuples_come_back(
        raw in vec(any::<(u8, i16, bool, i64, (u8, i32), Option<u16>)>(), 2),
        twelve in vec((any::<(u8, i64, i8, f32, bool, u16, i32)>(), any::<(u8, i64, bool, u16, i32)>()), 2),
        texts in vec((text(), any::<u8>()), 2),
    ) {
        comes_back(&raw[0], &raw[1]);
        comes_back(&raw, &vec![]);
        comes_back(&Tuple(raw[0]), &Tuple(raw[1]));
        let flat = |((a, b, c, d, e, f, g), (h, i, j, k, l)): (_, _)| (a, b, c, d, e, f, g, h, i, j, k, l);
        comes_back(&flat(twelve[0]), &flat(twelve[1]));
        comes_back(&Tuple(flat(twelve[0])), &Tuple(flat(twelve[1])));
        let managed = |index: usize| {
            let ((a, b, c, d, e, f, g), (h, i, j, k, _)) = twelve[index];
            (texts[index].clone(), a, b, c, d, (e, f), g, h, i, j, k, 'a')
        };
        comes_back(&managed(0), &managed(1));
        comes_back(&KeyValue { key: raw[0], value: texts[0].clone() }, &KeyValue { key: raw[1], value: texts[1].clone() });
    }

    #[test]
    fn grids_come_back(dims in any::<[u8; 4]>(), seed in text()) {
        let dims = dims.map(|dim| usize::from(dim % 4));
        let grid = |salt: usize| {
            let items = (0..dims.iter().product()).map(|index| format!("{seed}{}", index + salt)).collect();
            Array4::from_vec(dims, items).unwrap()
        };
        comes_back(&grid(0), &grid(7));
        comes_back(&grid(0), &Array4::default());
        comes_back(&Array2::filled([dims[0], dims[1]], dims[2] as i64).unwrap(), &Array2::default());
    }

    #[test]
    fn the_values_of_dotnet_come_back(
        times in (moment(), any::<i64>(), 0..=3_652_058_u32, 0..864_000_000_000_i64, -840..=840_i16),
        decimal in decimal(),
        id in any::<u128>(),
        digits in vec(any::<u8>(), 0..40),
        bits in vec(any::<bool>(), 0..100),
        text in text(),
        version in any::<[i32; 4]>(),
        unit in any::<u16>(),
    ) {
        let (moment, span, days, time, offset) = times;
        comes_back(&moment, &DateTime::default());
        comes_back(&vec![Some(moment), None], &vec![]);
        comes_back(&TimeSpan::from_ticks(span), &TimeSpan::ZERO);
        comes_back(&DateOnly::from_day_number(days).unwrap(), &DateOnly::MIN);
        comes_back(&TimeOnly::from_ticks(time).unwrap(), &TimeOnly::MIN);
        if let Some(moment) = DateTimeOffset::from_local(moment, offset) {
            comes_back(&vec![moment], &vec![]);
        }
        comes_back(&vec![decimal], &vec![]);
        comes_back(&Guid::from_u128(id), &Guid::EMPTY);
        comes_back(&BigInteger::from_bytes_le(&digits), &BigInteger::from(id as i128));
        comes_back(&Some(bits.iter().copied().collect::<BitArray>()), &None);
        comes_back(&Uri(text.clone()), &Uri::default());
        comes_back(&Some(StringBuilder(text.clone())), &None);
        comes_back(&Lazy(text), &Lazy(String::new()));
        let [major, minor, build, revision] = version;
        comes_back(&Version { major, minor, build, revision }, &Version::default());
        comes_back(&vec![Utf16Char(unit)], &vec![]);
    }
}

#[test]
fn the_rest_of_a_long_tuple_lies_as_a_tuple_of_its_own() {
    let nine = (1_i32, 2_i32, 3_i32, 4_i32, 5_i32, 6_i32, 7_i32, 8_i32, 9_i32);
    let bytes = to_vec(&nine).unwrap();
    let numbers: Vec<i32> =
        bytes.chunks(4).map(|four| i32::from_le_bytes(four.try_into().unwrap())).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 0, 8, 9], "a tuple of eight bytes is aligned to eight");
    let managed = (String::new(), 2_u8, 3_u8, 4_u8, 5_u8, 6_u8, 7_u8, 8_u8, 9_i32);
    let mut bytes = [0; 64];
    let length = to_slice(&managed, &mut bytes).unwrap();
    assert_eq!(
        bytes[..length],
        [0, 0, 0, 0, 2, 3, 4, 5, 6, 7, 9, 0, 0, 0, 8, 0, 0, 0],
        "the rest is raw if it can be"
    );
}
