//! Typed handlers over packed values.

use upcall::pack::Pack;
use upcall::{Blit, Emit, Failure, Harness, Object, Packed, TypedHandler};

#[derive(Pack, PartialEq, Debug)]
struct Order<'a> {
    customer: &'a str,
    prices: Vec<u64>,
}

#[derive(Pack, PartialEq, Debug)]
struct Bill {
    customer: String,
    total: u64,
    copies: Vec<String>,
}

struct Bills;

impl TypedHandler for Bills {
    type In<'a> = Packed<Order<'a>>;
    type Out = Packed<Bill>;

    fn on_value(
        &mut self,
        object: Object<'_>,
        order: Order<'_>,
        emit: &mut Emit<'_, Packed<Bill>>,
    ) -> Result<(), Failure> {
        assert!(object.value().as_ptr_range().contains(&order.customer.as_ptr()), "it is borrowed");
        let copies = vec![order.customer.to_owned(); order.prices.len()];
        let total = order.prices.iter().sum();
        emit.put(object.key(), &Bill { customer: order.customer.to_owned(), total, copies });
        Ok(())
    }
}

fn bills() -> Harness {
    Harness::new(upcall::typed(Bills)).emits(&["/bills"])
}

#[test]
fn a_packed_value_is_borrowed_from_the_frame_and_packed_into_the_output() {
    let mut harness = bills();
    // Up to many chunks of the harness's output, whose chunks have 4 KiB.
    for prices in [0, 1, 100, 5_000] {
        let order = Order { customer: "Ada Lovelace", prices: vec![3; prices] };
        harness.put_value::<Packed<Order>>(b"k", &order).unwrap();
        let bill: Bill = harness.emitted().last().unwrap().unpack().unwrap();
        assert_eq!((&bill.customer[..], bill.total), ("Ada Lovelace", 3 * prices as u64));
        assert_eq!(bill.copies, vec!["Ada Lovelace"; prices]);
    }
    assert_eq!(harness.emitted().len(), 4);
}

#[test]
fn bytes_that_are_no_value_fail_their_object_with_type_key_and_offset() {
    let mut harness = bills();
    let order = upcall::pack::to_vec(&Order { customer: "Ada", prices: vec![1, 2] }).unwrap();
    let failed = harness.batch(&[(b"a", &order), (b"b", &order[..20]), (b"c", &order)]).unwrap_err();
    assert_eq!((failed.done, failed.item, harness.emitted().len()), (1, Some(1), 1));
    assert!(failed.message.starts_with("read the value of b as Order: "), "{}", failed.message);
    assert!(failed.message.contains(" at byte "), "{}", failed.message);
}

#[test]
fn a_pool_declares_a_packed_type_by_its_name() {
    let order = Order { customer: "Ada", prices: Vec::new() };
    let mut same = bills().declares("/in", "Order", 0).declares("/bills", "Bill", 0);
    same.put_value::<Packed<Order>>(b"k", &order).unwrap();
    let failed = bills().declares("/bills", "Order", 0).put(b"k", b"").unwrap_err();
    assert_eq!(
        failed.message,
        "pool /bills has the type Order, and the handler emits Bill: change the pool's `type` or the handler's"
    );
    let failed = bills().declares("/in", "Order", 16).put(b"k", b"").unwrap_err();
    assert_eq!(
        failed.message,
        "pool /in has the type Order of 16 bytes, and the handler takes Order: change the pool's `type` or \
         the handler's"
    );
}

/// Seven bytes of padding: blittable to read, packed to emit.
#[derive(Blit, Pack, Clone, Copy, PartialEq, Debug)]
#[pack(raw)]
#[repr(C)]
struct Padded {
    small: u8,
    large: u64,
}

struct Raws;

impl TypedHandler for Raws {
    type In<'a> = Padded;
    type Out = Packed<Padded>;

    fn on_value(
        &mut self,
        object: Object<'_>,
        value: &Padded,
        emit: &mut Emit<'_, Packed<Padded>>,
    ) -> Result<(), Failure> {
        emit.put(object.key(), value);
        emit.put(object.key(), &object.unpack()?);
        Ok(())
    }
}

#[test]
fn a_raw_type_is_both_blittable_and_packed_and_its_padding_leaves_as_zero() {
    let raws = || Harness::new(upcall::typed(Raws)).emits(&["/out"]);
    let mut harness = raws().declares("/in", "Padded", 16).declares("/out", "Padded", 16);
    harness.put(b"k", &[1, 9, 9, 9, 9, 9, 9, 9, 2, 0, 0, 0, 0, 0, 0, 0]).unwrap();
    let expected = [1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(harness.emitted()[0].value, expected);
    assert_eq!(harness.emitted()[1].value, expected);
}

/// Its lengths stand before its members, so it is written in place where it fits the chunk, and measured first
/// where it does not.
#[derive(Pack, Clone, Default, PartialEq, Debug)]
#[pack(version_tolerant)]
struct Versioned {
    name: String,
    numbers: Vec<u32>,
    inner: Option<Box<Versioned>>,
}

impl Versioned {
    fn of(length: usize) -> Versioned {
        let inner = Versioned { name: "i".repeat(length / 2), numbers: vec![7; length / 8], inner: None };
        Versioned { name: "n".repeat(length), numbers: vec![9; length % 5], inner: Some(Box::new(inner)) }
    }
}

struct Versions;

impl TypedHandler for Versions {
    type In<'a> = Packed<Vec<u32>>;
    type Out = Packed<Versioned>;

    fn on_value(
        &mut self,
        object: Object<'_>,
        lengths: Vec<u32>,
        emit: &mut Emit<'_, Packed<Versioned>>,
    ) -> Result<(), Failure> {
        lengths.iter().for_each(|length| emit.put(object.key(), &Versioned::of(*length as usize)));
        Ok(())
    }
}

#[test]
fn a_chunk_may_end_anywhere_inside_a_version_tolerant_value() {
    // About two hundred chunks of 4 KiB, each of which ends elsewhere in one of the values.
    let lengths: Vec<u32> = (0..3_000).map(|index| index * 7 % 300).collect();
    let mut harness = Harness::new(upcall::typed(Versions)).emits(&["/versions"]);
    harness.put_value::<Packed<Vec<u32>>>(b"k", &lengths).unwrap();
    assert_eq!(harness.emitted().len(), lengths.len());
    for (emitted, length) in harness.emitted().iter().zip(lengths) {
        let value = Versioned::of(length as usize);
        assert_eq!(emitted.value, upcall::pack::to_vec(&value).unwrap(), "of {length}");
        assert_eq!(emitted.unpack::<Versioned>().unwrap(), value);
    }
}
