//! The bytes that Cysharp's MemoryPack prints, in both directions.

use golden::{Case, FILES, GROUPS, Group, cases, cases_of, lines};
use std::collections::BTreeSet;
use upcall_pack::{BigInteger, ErrorKind, Options, Utf16Char, from_slice, to_vec};

/// All lines of a group, so that one that fails hides no other.
fn check(group: Group, wrong: impl Fn(&Case) -> Option<String>) {
    let cases = cases_of(group);
    let faults: Vec<_> =
        cases.iter().filter_map(|case| wrong(case).map(|fault| format!("{}: {fault}", case.name))).collect();
    assert!(!cases.is_empty() && faults.is_empty(), "\n{}", faults.join("\n"));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}

fn written(case: &Case) -> Option<String> {
    match case.value.write() {
        Ok(bytes) if bytes == case.bytes => None,
        Ok(bytes) => Some(format!("written as\n  {}, golden is\n  {}", hex(&bytes), hex(&case.bytes))),
        Err(error) => Some(error.to_string()),
    }
}

fn fault(read: Result<bool, upcall_pack::Error>) -> Option<String> {
    match read {
        Ok(true) => None,
        Ok(false) => Some("read as another value".to_owned()),
        Err(error) => Some(error.to_string()),
    }
}

fn read(case: &Case) -> Option<String> {
    fault(case.value.read(&case.bytes, Options::new())).or_else(|| fault(case.value.overwrite(&case.bytes)))
}

#[test]
fn golden_objects_are_written_to_the_byte() {
    check(golden::objects::add, written);
}

#[test]
fn golden_objects_are_read() {
    check(golden::objects::add, read);
}

#[test]
fn golden_tuples_are_written_to_the_byte() {
    check(golden::tuples::add, written);
}

#[test]
fn golden_tuples_are_read() {
    check(golden::tuples::add, read);
}

#[test]
fn golden_collections_are_written_to_the_byte() {
    check(golden::collections::add, written);
}

#[test]
fn golden_collections_are_read() {
    check(golden::collections::add, read);
}

#[test]
fn golden_scalars_are_written_to_the_byte() {
    check(golden::scalars::add, written);
}

#[test]
fn golden_scalars_are_read() {
    check(golden::scalars::add, read);
}

/// The one line that is not matched is the original's bug.
#[test]
fn golden_lines_all_have_a_test() {
    let tested: BTreeSet<_> = cases().into_iter().map(|case| case.name).collect();
    let lines =
        FILES.into_iter().flat_map(|(file, text)| lines(text).map(move |line| format!("{file}: {}", line.0)));
    let untested: Vec<_> = lines.filter(|name| !tested.contains(name)).collect();
    assert_eq!(untested, ["golden.txt: BigInteger 258"]);
    assert_eq!(GROUPS.len(), 4, "each group has a test of its own above");
}

#[test]
fn golden_big_integer_is_not_the_originals_bug() {
    let golden = lines(FILES[0].1).find(|line| line.0 == "BigInteger 258").unwrap().1;
    let zeros = golden::hex(golden);
    assert_eq!(from_slice::<BigInteger>(&zeros).unwrap(), BigInteger::from(0), "the original lost the value");
    assert_eq!(to_vec(&BigInteger::from(258)).unwrap(), [2, 0, 0, 0, 2, 1]);
    assert_eq!(from_slice::<BigInteger>(&[2, 0, 0, 0, 2, 1]).unwrap(), BigInteger::from(258));
    assert_eq!(to_vec(&BigInteger::from(0)).unwrap(), [1, 0, 0, 0, 0]);
}

/// C# writes it, no string of Rust holds it: it is an error as text and a unit as `char[]`.
#[test]
fn golden_lone_surrogate_is_no_text() {
    let bytes = to_vec(&[Utf16Char(0xd800)][..]).unwrap();
    assert_eq!(from_slice::<String>(&bytes).unwrap_err().kind(), ErrorKind::TextInvalid);
}
