//! Typed handlers: what they take, what they emit, and what is refused.

use upcall::{Batch, BatchHandler, Blit, Emit, Failure, Handler, Harness, Object, TypedHandler};

#[derive(Blit, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Reading {
    sensor: u64,
    celsius: f64,
}

const ROOF: Reading = Reading { sensor: 7, celsius: 21.5 };

/// Emits what it takes, and the address at which it saw it.
struct Passes;

impl TypedHandler for Passes {
    type In<'a> = Reading;
    type Out = Reading;

    fn on_value(
        &mut self,
        object: Object<'_>,
        value: &Reading,
        emit: &mut Emit<'_, Reading>,
    ) -> Result<(), Failure> {
        assert!((&raw const *value).is_aligned());
        emit.put(object.key(), value);
        let in_place = (&raw const *value).addr() == object.value().as_ptr().addr();
        emit.of::<str>().put_to("/places", b"place", if in_place { "engine" } else { "copy" });
        Ok(())
    }
}

fn passes() -> Harness {
    Harness::new(upcall::typed(Passes)).emits(&["/out", "/places"])
}

#[test]
fn a_blittable_value_is_read_where_it_lies_and_emitted_as_it_is() {
    let mut harness = passes();
    harness.put_value::<Reading>(b"roof", &ROOF).unwrap();
    let [value, place] = harness.emitted() else { panic!("two were emitted") };
    assert_eq!((&value.key[..], value.value_as::<Reading>()), (&b"roof"[..], Some(ROOF)));
    assert_eq!(value.value_as::<f64>(), None);
    assert_eq!(place.value, b"engine");
}

#[test]
fn a_value_that_is_not_aligned_is_copied_first() {
    let mut room = [0u64; 4];
    // SAFETY: 17 of 32 bytes; a Reading has no padding.
    let value = unsafe {
        let place = room.as_mut_ptr().cast::<u8>().add(1);
        place.cast::<Reading>().write_unaligned(ROOF);
        std::slice::from_raw_parts(place, 16)
    };
    let mut harness = passes();
    harness.put(b"roof", value).unwrap();
    assert_eq!(harness.emitted()[0].value_as::<Reading>(), Some(ROOF));
    assert_eq!(harness.emitted()[1].value, b"copy");
}

#[test]
fn a_value_of_another_size_fails_its_object_and_no_other() {
    let mut harness = passes();
    let whole = [0u8; 16];
    let failed = harness.batch(&[(b"a", &whole), (b"roof", b"123"), (b"b", &whole)]).unwrap_err();
    assert_eq!((failed.done, failed.item), (1, Some(1)));
    assert_eq!(failed.message, "read the value of roof as Reading: it has 3 bytes, not 16");
    assert_eq!(harness.emitted().len(), 2);
}

#[test]
fn a_pool_that_declares_another_type_fails_open_and_both_are_named() {
    let mut harness = passes().declares("/in", "f64", 8);
    assert_eq!(
        harness.put(b"k", &[0; 8]).unwrap_err().message,
        "pool /in has the type f64 of 8 bytes, and the handler takes Reading of 16 bytes: change the pool's \
         `type` or the handler's"
    );
    let mut harness = passes().declares("/out", "Reading", 24);
    assert_eq!(
        harness.put(b"k", &[0; 16]).unwrap_err().message,
        "pool /out has the type Reading of 24 bytes, and the handler emits Reading of 16 bytes: change the \
         pool's `type` or the handler's"
    );
    let mut harness = passes().declares("/in", "Reading", 16).declares("/out", "Reading", 16);
    harness.put(b"k", &[0; 16]).unwrap();
}

#[test]
fn a_value_for_another_pool_is_compared_with_what_that_one_declares() {
    let mut harness = passes().declares("/out", "Reading", 16).declares("/places", "Reading", 16);
    assert_eq!(
        harness.put(b"k", &[0; 16]).unwrap_err().message,
        "pool /places has the type Reading of 16 bytes, and the handler emits text: change the pool's `type` \
         or the handler's"
    );
    assert_eq!(harness.emitted().len(), 0);
    let mut harness = passes().declares("/out", "Reading", 16).declares("/places", "text", 0);
    harness.batch(&[(b"k", &[0; 16]), (b"l", &[0; 16])]).unwrap();
    assert_eq!(harness.emitted().len(), 4);
}

struct WrongTwice;

impl Handler for WrongTwice {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        emit.of::<str>().put(object.key(), "a number is wanted");
        emit.put_to("/nowhere", object.key(), b"");
        Ok(())
    }
}

#[test]
fn of_two_emissions_that_fail_the_first_is_told() {
    let mut harness = Harness::new(WrongTwice).emits(&["/out"]).declares("/out", "f64", 8);
    let failed = harness.put(b"k", b"").unwrap_err();
    assert!(failed.message.starts_with("pool /out has the type f64"), "{}", failed.message);
}

struct Lengths;

impl TypedHandler for Lengths {
    type In<'a> = str;
    type Out = u32;

    fn on_value(&mut self, object: Object<'_>, text: &str, emit: &mut Emit<'_, u32>) -> Result<(), Failure> {
        emit.put(object.key(), &(text.chars().count() as u32));
        Ok(())
    }

    fn flush(&mut self, emit: &mut Emit<'_, u32>) -> Result<(), Failure> {
        emit.put(b"end", &0);
        Ok(())
    }
}

#[test]
fn text_is_read_as_text() {
    let mut harness = Harness::new(upcall::typed(Lengths)).emits(&["/out"]).declares("/in", "text", 0);
    harness.put(b"k", "größe".as_bytes()).unwrap();
    let failed = harness.put(b"k", b"ab\xff").unwrap_err();
    assert_eq!(failed.message, "read the value of k as text: it is not UTF-8 at byte 2");
    harness.flush().unwrap();
    let lengths: Vec<_> = harness.emitted().iter().map(|e| e.value_as::<u32>().unwrap()).collect();
    assert_eq!(lengths, [5, 0]);
}

struct Sums;

impl BatchHandler for Sums {
    fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        match batch.values_as::<Reading>() {
            Some(readings) => {
                emit.of::<f64>().put(b"sum", &readings.iter().map(|reading| reading.celsius).sum());
            }
            None => emit.put(b"scattered", b""),
        }
        Ok(())
    }
}

#[test]
fn a_batch_of_blittable_values_is_one_slice() {
    let values: Vec<[u64; 2]> = (0..5).map(|n| [n, f64::from(n as u32).to_bits()]).collect();
    let bytes: Vec<Vec<u8>> =
        values.iter().map(|v| [v[0].to_le_bytes(), v[1].to_le_bytes()].concat()).collect();
    let objects: Vec<(&[u8], &[u8])> = bytes.iter().map(|value| (&b"k"[..], &value[..])).collect();
    let mut typed = Harness::new(upcall::batch(Sums)).emits(&["/out"]).declares("/in", "Reading", 16);
    typed.batch(&objects).unwrap();
    assert_eq!(typed.emitted()[0].value_as::<f64>(), Some(10.0));
    let mut plain = Harness::new(upcall::batch(Sums)).emits(&["/out"]);
    plain.batch(&objects).unwrap();
    assert_eq!(plain.emitted()[0].key, b"scattered");
}

struct Doubles;

impl Handler for Doubles {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        emit.of::<u64>().put(object.key(), &(object.value_as::<u64>()? * 2));
        Ok(())
    }
}

#[test]
fn a_handler_of_bytes_may_read_and_emit_types_too() {
    let mut harness = Harness::new(Doubles).emits(&["/out"]);
    harness.put_value::<u64>(b"k", &21).unwrap();
    assert_eq!(harness.emitted()[0].value_as::<u64>(), Some(42));
    let failed = harness.put(b"k", b"").unwrap_err();
    assert_eq!(failed.message, "read the value of k as u64: it has 0 bytes, not 8");
}
