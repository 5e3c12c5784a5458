//! Where values are written to.

use std::mem::MaybeUninit;
use upcall_pack::{Error, ErrorKind, Fixed, Pack, Sink, Writer, append, packed_len, to_slice, to_vec};

#[derive(Clone, Debug, Default, Pack)]
#[pack(crate = upcall_pack)]
struct Order {
    id: u64,
    name: String,
    lines: Vec<(u32, f64)>,
    flags: Vec<Option<bool>>,
    next: Option<Box<Order>>,
}

fn order() -> Order {
    let next = Order { name: "ß".repeat(100), flags: vec![None, Some(true)], ..Order::default() };
    Order { id: 7, name: "name".into(), lines: vec![(1, 2.0); 50], flags: vec![], next: Some(Box::new(next)) }
}

#[test]
fn a_slice_that_is_too_short_is_an_error_that_says_what_the_value_takes() {
    let bytes = to_vec(&order()).unwrap();
    assert_eq!(packed_len(&order()).unwrap(), bytes.len());
    let mut slice = vec![0xEE; bytes.len() + 1];
    assert_eq!(to_slice(&order(), &mut slice).unwrap(), bytes.len());
    assert_eq!((&slice[..bytes.len()], slice[bytes.len()]), (&bytes[..], 0xEE));
    // Miri is slow.
    for len in (0..bytes.len()).step_by(if cfg!(miri) { 99 } else { 1 }) {
        let error = to_slice(&order(), &mut slice[..len]).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Full);
        let said = format!("the value takes {} bytes, the slice has {len}", bytes.len());
        assert_eq!(error.message(), said);
    }
}

#[test]
fn several_values_go_into_one_sink() {
    let mut slice = [0; 16];
    let mut fixed = Fixed::new(&mut slice);
    let mut writer = Writer::new(&mut fixed);
    for value in 1..=4u32 {
        value.pack(&mut writer).unwrap();
    }
    assert_eq!(5u32.pack(&mut writer).unwrap_err().offset(), 16);
    assert_eq!((writer.finish(), fixed.filled()), (16, 16));
    assert_eq!(slice, [1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 4, 0, 0, 0]);

    let mut vec = vec![9];
    assert_eq!(append(&1u16, &mut vec).unwrap(), 2);
    assert_eq!(vec, [9, 1, 0]);
}

#[test]
fn a_vector_is_as_it_was_when_a_value_has_no_form() {
    let mut vec = vec![1, 2, 3];
    let value = (order(), upcall_pack::Arena::new().add(Node {}));
    assert_eq!(append(&value, &mut vec).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(vec, [1, 2, 3]);
}

#[derive(Pack)]
#[pack(circular, crate = upcall_pack)]
struct Node {}

/// Gives windows as small as it may, so that every value meets a boundary.
#[derive(Default)]
struct Stingy {
    window: Vec<MaybeUninit<u8>>,
    taken: Vec<u8>,
}

impl Sink for Stingy {
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error> {
        self.window = vec![MaybeUninit::uninit(); at_least];
        Ok(&mut self.window)
    }

    unsafe fn advance(&mut self, count: usize) {
        // SAFETY: the caller has written the first `count` bytes of the window.
        let bytes = self.window[..count].iter().map(|byte| unsafe { byte.assume_init() });
        self.taken.extend(bytes);
    }
}

#[test]
fn windows_of_any_size_hold_the_same_bytes() {
    let mut stingy = Stingy::default();
    let mut writer = Writer::new(&mut stingy);
    order().pack(&mut writer).unwrap();
    let len = writer.finish();
    assert_eq!(stingy.taken, to_vec(&order()).unwrap());
    assert_eq!(len, stingy.taken.len());
}

#[cfg(feature = "bytes")]
#[test]
fn a_sockets_buffer_is_written_behind_what_it_has() {
    let mut buffer = bytes::BytesMut::from(&b"head"[..]);
    let mut writer = Writer::new(&mut buffer);
    order().pack(&mut writer).unwrap();
    writer.finish();
    assert_eq!(buffer, [&b"head"[..], &to_vec(&order()).unwrap()].concat());
}
