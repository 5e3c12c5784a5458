//! Bytes that nobody honest has written: an error with the place, never a panic.

use golden::cases;
use golden::types::{E8, Ms, Person, Um};
use proptest::prelude::*;
use std::collections::{BTreeMap, HashMap, HashSet};
use upcall_pack::{
    Array2, Array3, BigInteger, BitArray, DateOnly, DateTime, DateTimeOffset, Decimal, Error, ErrorKind,
    Grouping, KeyValue, Lazy, Options, Pack, Stack, TimeOnly, Tuple, Unpack, Utf16Char, Version, from_slice,
};

#[test]
fn every_prefix_of_every_golden_line_ends_too_early() {
    for case in cases() {
        for length in 0..case.bytes.len() {
            let prefix = &case.bytes[..length];
            let error = case.value.read(prefix, Options::new()).expect_err(&case.name);
            assert_eq!(error.kind(), ErrorKind::Truncated, "{} cut to {length} bytes: {error}", case.name);
            assert!(error.offset() <= length, "{} cut to {length} bytes: {error}", case.name);
            assert!(case.value.overwrite(prefix).is_err(), "{} cut to {length} bytes", case.name);
        }
    }
}

#[test]
fn every_prefix_is_an_error_at_every_depth() {
    for case in cases() {
        for depth in 0..4 {
            let options = Options::new().depth(depth);
            let whole = case.value.read(&case.bytes, options);
            assert!(
                whole.is_ok_and(|same| same) || deep(case.value.read(&case.bytes, options)),
                "{}",
                case.name
            );
            for length in (0..case.bytes.len()).step_by(1 + case.bytes.len() / 500) {
                assert!(case.value.read(&case.bytes[..length], options).is_err(), "{}", case.name);
            }
        }
    }
}

fn deep(read: Result<bool, Error>) -> bool {
    read.is_err_and(|error| error.kind() == ErrorKind::DepthExceeded)
}

#[test]
fn every_golden_line_is_read_from_every_chain_of_two_and_three() {
    for case in cases() {
        let bytes = &case.bytes[..];
        // Long lines are of equal items: not every pair of splits tells something new.
        let step = 1 + bytes.len() / 64;
        for first in 0..=bytes.len() {
            let two = [&bytes[..first], &bytes[first..]];
            assert!(case.value.read_parts(&two).unwrap(), "{} split at {first}", case.name);
            for second in
                (first..=bytes.len()).step_by(step).take(if first % step == 0 { usize::MAX } else { 1 })
            {
                let three = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                assert!(
                    case.value.read_parts(&three).unwrap(),
                    "{} split at {first} and {second}",
                    case.name
                );
            }
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert!(case.value.read_parts(&single).unwrap(), "{} byte by byte", case.name);
    }
}

#[test]
fn every_changed_byte_is_refused_or_read_as_what_is_written_again() {
    for case in cases() {
        let long = case.bytes.len() > 64;
        let mut bytes = case.bytes.clone();
        for at in 0..bytes.len() {
            let before = bytes[at];
            for change in (1..=255_u8).step_by(if long { 31 } else { 1 }) {
                bytes[at] = before ^ change;
                if let Ok(once) = case.value.rewrite(&[&bytes]) {
                    let again = case.value.rewrite(&[&once]).expect(&case.name);
                    assert_eq!(once, again, "{} with byte {at} changed to {}", case.name, bytes[at]);
                }
            }
            bytes[at] = before;
        }
    }
}

#[test]
fn noise_is_never_a_panic() {
    let cases = cases();
    let few = ProptestConfig::with_cases(64);
    proptest!(few.clone(), |(noise in proptest::collection::vec(any::<u8>(), 0..200))| {
        for case in &cases {
            let _ = case.value.rewrite(&[&noise]);
        }
    });
    let small = prop_oneof![0..4_u8, Just(255), any::<u8>()];
    proptest!(few, |(noise in proptest::collection::vec(small, 0..60))| {
        for case in &cases {
            let _ = case.value.rewrite(&[&noise]);
            let _ = case.value.overwrite(&noise);
        }
    });
}

/// What reading `bytes` as a `T` fails with, and where.
fn refused<T: for<'a> Unpack<'a> + std::fmt::Debug>(bytes: &[u8]) -> (ErrorKind, usize) {
    let error = from_slice::<T>(bytes).expect_err("these bytes are not a value");
    (error.kind(), error.offset())
}

#[test]
fn raw_values_out_of_their_range_are_refused_where_they_stand() {
    use ErrorKind::ValueInvalid;
    assert_eq!(refused::<bool>(&[2]), (ValueInvalid, 0));
    assert_eq!(refused::<Vec<bool>>(&[3, 0, 0, 0, 1, 0, 2]), (ValueInvalid, 6));
    assert_eq!(refused::<char>(&[0, 0xd8, 0, 0]), (ValueInvalid, 0));
    assert_eq!(refused::<char>(&[0, 0, 0x11, 0]), (ValueInvalid, 0));
    assert_eq!(refused::<E8>(&[3]), (ValueInvalid, 0));
    assert_eq!(refused::<Vec<E8>>(&[2, 0, 0, 0, 1, 0]), (ValueInvalid, 5));
    assert_eq!(refused::<Option<i32>>(&[2, 0, 0, 0, 0, 0, 0, 0]), (ValueInvalid, 0));
    assert_eq!(refused::<Option<bool>>(&[1, 2]), (ValueInvalid, 1));
    assert_eq!(refused::<(i32, bool)>(&[1, 0, 0, 0, 9, 0, 0, 0]), (ValueInvalid, 4));
    assert_eq!(refused::<KeyValue<i32, E8>>(&[1, 0, 0, 0, 9, 0, 0, 0]), (ValueInvalid, 4));
    assert_eq!(refused::<DateOnly>(&3_652_059_i32.to_le_bytes()), (ValueInvalid, 0));
    assert_eq!(refused::<TimeOnly>(&(-1_i64).to_le_bytes()), (ValueInvalid, 0));
    assert_eq!(refused::<TimeOnly>(&864_000_000_000_i64.to_le_bytes()), (ValueInvalid, 0));
    assert_eq!(refused::<DateTime>(&(DateTime::MAX_TICKS + 1).to_le_bytes()), (ValueInvalid, 0));
    assert_eq!(
        refused::<DateTimeOffset>(&[1, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (ValueInvalid, 0)
    );
    assert_eq!(
        refused::<Vec<Decimal>>(&[[1, 0, 0, 0, 0, 0, 29, 0].as_slice(), &[0; 12]].concat()),
        (ValueInvalid, 4)
    );
    assert_eq!(refused::<Option<Ms>>(&[2, 2, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]), (ValueInvalid, 0));
}

#[test]
fn text_that_is_none_is_refused_where_it_is_wrong() {
    use ErrorKind::{TextInvalid, Truncated};
    let utf8 = |units: i32, text: &[u8]| {
        [(!(text.len() as i32)).to_le_bytes().as_slice(), &units.to_le_bytes(), text].concat()
    };
    assert_eq!(refused::<String>(&utf8(-1, b"ab\xff")), (TextInvalid, 10));
    assert_eq!(refused::<String>(&utf8(-1, b"\xed\xa0\x80")), (TextInvalid, 8), "a surrogate in UTF-8");
    assert_eq!(refused::<String>(&utf8(-1, b"\xc0\x80")), (TextInvalid, 8), "longer than it need be");
    assert_eq!(refused::<String>(&utf8(3, b"ab")), (TextInvalid, 4), "too many units");
    assert_eq!(refused::<String>(&utf8(3, "あ".as_bytes())), (TextInvalid, 4), "bytes instead of units");
    assert_eq!(refused::<String>(&utf8(1, "😀".as_bytes())), (TextInvalid, 4), "characters instead of units");
    assert_eq!(from_slice::<String>(&utf8(i32::MIN, b"ab")).unwrap(), "ab", "0 or below is unknown");
    assert_eq!(from_slice::<String>(&utf8(0, b"ab")).unwrap(), "ab");
    assert_eq!(refused::<String>(&[2, 0, 0, 0, b'a', 0, 0, 0xdc]), (TextInvalid, 6), "the second half alone");
    assert_eq!(refused::<String>(&[2, 0, 0, 0, 0, 0xd8, b'a', 0]), (TextInvalid, 4), "the first half alone");
    assert_eq!(refused::<String>(&[2, 0, 0, 0, b'a', 0, 0]).0, Truncated);
    assert_eq!(refused::<String>(&[0xff, 0xff, 0xff, 0x7f, 0, 0]).0, Truncated, "2 GiB of UTF-16");
    assert_eq!(refused::<String>(&[0, 0, 0, 0x80, 0, 0, 0, 0]).0, Truncated, "2 GiB of UTF-8");
    assert_eq!(from_slice::<Vec<Utf16Char>>(&[1, 0, 0, 0, 0, 0xd8]).unwrap(), [Utf16Char(0xd800)]);
}

#[test]
fn counts_and_lengths_that_none_can_be_are_refused() {
    use ErrorKind::{LengthInvalid, NullUnexpected, Truncated};
    let i32s =
        |numbers: &[i32]| -> Vec<u8> { numbers.iter().flat_map(|number| number.to_le_bytes()).collect() };
    assert_eq!(refused::<Vec<i32>>(&i32s(&[-2])), (LengthInvalid, 0));
    assert_eq!(refused::<Vec<i32>>(&i32s(&[i32::MIN])), (LengthInvalid, 0));
    assert_eq!(refused::<Vec<i32>>(&i32s(&[-1])), (NullUnexpected, 0));
    assert_eq!(refused::<Vec<i32>>(&i32s(&[2, 1])), (Truncated, 0));
    assert_eq!(refused::<HashSet<i32>>(&i32s(&[i32::MAX, 1])), (Truncated, 0));
    assert_eq!(refused::<HashMap<i32, i32>>(&i32s(&[1, 1])), (Truncated, 0));
    assert_eq!(refused::<Stack<Person>>(&i32s(&[-1])), (NullUnexpected, 0));
    let grid = |rank: u8, numbers: &[i32]| [[rank].as_slice(), &i32s(numbers)].concat();
    assert_eq!(refused::<Array2<i32>>(&grid(3, &[2, 2, 3, 1, 2, 3])), (LengthInvalid, 1));
    assert_eq!(refused::<Array2<i32>>(&grid(3, &[-1, 1, 0])), (LengthInvalid, 1));
    assert_eq!(refused::<Array2<i32>>(&grid(3, &[1, -1, 0])), (LengthInvalid, 5));
    assert_eq!(refused::<Array2<i32>>(&grid(3, &[0x1_0000, 0x1_0000, 0])).0, LengthInvalid, "2^32 is no 0");
    assert_eq!(refused::<Array3<i32>>(&grid(4, &[i32::MAX, i32::MAX, i32::MAX, 1, 1])).0, LengthInvalid);
    assert_eq!(refused::<Array2<i32>>(&grid(4, &[1, 1, 1, 1, 1])), (ErrorKind::MembersInvalid, 0));
    assert_eq!(refused::<Array2<i32>>(&grid(255, &[])), (NullUnexpected, 0));
    assert_eq!(refused::<BitArray>(&grid(2, &[33, 1, 0])), (LengthInvalid, 1));
    assert_eq!(refused::<BitArray>(&grid(2, &[-1, 1, 0])), (LengthInvalid, 1));
    assert_eq!(
        from_slice::<BitArray>(&grid(2, &[1, 2, -1, -1])).unwrap().words(),
        [1],
        "spare words are .NET's"
    );
    assert_eq!(refused::<BigInteger>(&i32s(&[-1])), (NullUnexpected, 0));
}

#[test]
fn headers_of_another_object_are_refused() {
    use ErrorKind::{MembersInvalid, NullUnexpected, ValueInvalid};
    assert_eq!(refused::<Version>(&[3, 0, 0]), (MembersInvalid, 0));
    assert_eq!(refused::<Version>(&[250, 0, 0]), (ValueInvalid, 0));
    assert_eq!(refused::<Tuple<(u8, u8)>>(&[1, 0]), (MembersInvalid, 0));
    assert_eq!(refused::<Tuple<(u8, u8)>>(&[255]), (NullUnexpected, 0));
    assert_eq!(refused::<Lazy<u8>>(&[2, 0]), (MembersInvalid, 0));
    assert_eq!(refused::<Grouping<u8, u8>>(&[1, 0]), (MembersInvalid, 0));
    assert_eq!(refused::<Person>(&[3, 0, 0, 0, 0]), (MembersInvalid, 0));
    assert_eq!(refused::<Person>(&[250, 0, 0, 0, 0]), (ValueInvalid, 0));
    assert_eq!(refused::<Person>(&[255]), (NullUnexpected, 0));
}

#[test]
fn a_key_that_is_there_twice_is_refused_and_an_item_is_not() {
    let bytes = |items: &[u8]| [[2, 0, 0, 0].as_slice(), items].concat();
    assert_eq!(refused::<HashMap<u8, u8>>(&bytes(&[1, 2, 1, 3])), (ErrorKind::ValueInvalid, 6));
    assert_eq!(refused::<BTreeMap<u8, u8>>(&bytes(&[1, 2, 1, 3])), (ErrorKind::ValueInvalid, 6));
    assert_eq!(from_slice::<HashSet<u8>>(&bytes(&[1, 1])).unwrap(), HashSet::from([1]));
}

#[test]
fn padding_holds_anything_and_is_written_zero() {
    let bytes = [1, 0xaa, 0xaa, 0xaa, 2, 0, 0, 0, 3, 0, 0xaa, 0xaa];
    let um: Um = from_slice(&bytes).unwrap();
    assert_eq!(um, Um { a: 1, b: 2, c: 3 });
    assert_eq!(upcall_pack::to_vec(&um).unwrap(), [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    let tuple: (u8, i32) = from_slice(&[2, 0, 0, 0, 1, 0xaa, 0xaa, 0xaa]).unwrap();
    assert_eq!(upcall_pack::to_vec(&[tuple][..]).unwrap(), [1, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0]);
    let none: Option<i32> = from_slice(&[0, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa, 0xaa]).unwrap();
    assert_eq!(none, None, "what stands behind the flag of a null does not count");
}

type Later = Lazy<Option<Box<Nest>>>;

/// A class that holds itself in every way.
#[derive(Pack, Clone, Debug, Default, PartialEq)]
#[pack(crate = upcall_pack)]
struct Nest {
    next: Option<Box<Nest>>,
    list: Vec<Nest>,
    pair: Option<Tuple<(u8, Later)>>,
}

/// A class whose frames are large.
#[derive(Pack, Clone, Debug, PartialEq)]
#[pack(crate = upcall_pack)]
struct Wide {
    block: [u64; 1024],
    next: Option<Box<Wide>>,
}

#[test]
fn a_bomb_of_depth_is_refused_before_the_stack_ends() {
    use ErrorKind::DepthExceeded;
    let by_next = vec![3; 2_000_000];
    let by_list = [3, 255, 1, 0, 0, 0].repeat(300_000);
    let by_pair = [[3, 255].as_slice(), &[0; 4], &[2, 0, 1]].concat().repeat(300_000);
    for bomb in [by_next, by_list, by_pair] {
        assert_eq!(from_slice::<Nest>(&bomb).unwrap_err().kind(), DepthExceeded);
        let mut over = Nest { next: Some(Box::default()), ..Nest::default() };
        assert_eq!(upcall_pack::overwrite(&mut over, &bomb).unwrap_err().kind(), DepthExceeded);
    }
    let by_wide = [[2].as_slice(), &[0; 8192]].concat().repeat(1200);
    assert_eq!(from_slice::<Wide>(&by_wide).unwrap_err().kind(), DepthExceeded);
}

#[test]
fn as_many_objects_lie_inside_one_another_as_the_options_say() {
    use ErrorKind::DepthExceeded;
    let test = || {
        let options = Options::new().stack(32 << 20);
        let nested = |depth| {
            (1..depth)
                .fold(Nest::default(), |inner, _| Nest { next: Some(Box::new(inner)), ..Nest::default() })
        };
        let most = nested(Options::DEPTH);
        let bytes = options.to_vec(&most).unwrap();
        assert_eq!(options.from_slice::<Nest>(&bytes).unwrap(), most);
        assert_eq!(options.depth(999).from_slice::<Nest>(&bytes).unwrap_err().kind(), DepthExceeded);
        assert_eq!(options.to_vec(&nested(Options::DEPTH + 1)).unwrap_err().kind(), DepthExceeded);
        let few = options.stack(10_000);
        assert_eq!(few.from_slice::<Nest>(&bytes).unwrap_err().kind(), DepthExceeded);
        assert_eq!(few.to_vec(&most).unwrap_err().kind(), DepthExceeded);
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(test).unwrap().join().unwrap();
}
