//! The driver, driven by the harness: what a handler's failures leave behind.

use upcall::{Batch, BatchHandler, Emit, Failure, Harness, Object};

fn fails_on_bad(object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
    emit.put(object.key(), b"before");
    if object.value() == b"bad" {
        return Err(Failure::new("a bad value"));
    }
    emit.put(object.key(), b"after");
    Ok(())
}

const SEVEN: [(&[u8], &[u8]); 9] = [
    (b"1", b""),
    (b"2", b""),
    (b"3", b""),
    (b"4", b""),
    (b"5", b""),
    (b"6", b""),
    (b"7", b"bad"),
    (b"8", b""),
    (b"9", b""),
];

#[test]
fn what_precedes_a_failed_object_is_kept_and_what_it_emitted_itself_is_not() {
    let mut harness = Harness::new(fails_on_bad).emits(&["/out"]);
    let failed = harness.batch(&SEVEN).unwrap_err();
    assert_eq!((failed.done, failed.item, &*failed.message), (6, Some(6), "a bad value"));
    assert_eq!(harness.emitted().len(), 12);
    assert_eq!(harness.emitted().last().unwrap().key, b"6");
}

#[test]
fn a_batch_handler_that_fails_keeps_what_it_had_reported() {
    struct Half;
    impl BatchHandler for Half {
        fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
            for index in 0..batch.len() {
                fails_on_bad(batch.get(index), emit)?;
                if index == 3 {
                    batch.done(4, emit);
                }
            }
            Ok(())
        }
    }
    let mut harness = Harness::new(upcall::batch(Half)).emits(&["/out"]);
    let failed = harness.batch(&SEVEN).unwrap_err();
    assert_eq!((failed.done, failed.item), (4, None));
    assert_eq!(harness.emitted().len(), 8);
    harness.batch(&SEVEN[..6]).unwrap();
    assert_eq!(harness.emitted().len(), 8 + 12);
}

#[test]
fn a_panic_is_a_failure_with_its_place_and_the_handler_goes_on() {
    let mut harness = Harness::new(|object: Object<'_>, _: &mut Emit<'_>| {
        let number: u32 = object.key_str().parse().expect("a number");
        assert!(number > 0, "number {number}");
        Ok(())
    });
    let failed = harness.put(b"0", b"").unwrap_err();
    assert_eq!((&*failed.type_name, &*failed.message), ("panic", "number 0"));
    assert!(failed.stack.contains("driver.rs"), "{}", failed.stack);
    harness.put(b"1", b"").unwrap();
}

#[test]
fn an_emission_without_a_pool_fails_the_object() {
    let mut harness = Harness::new(|object: Object<'_>, emit: &mut Emit<'_>| {
        emit.put(object.key(), b"");
        Ok(())
    });
    let failed = harness.put(b"k", b"").unwrap_err();
    assert!(failed.message.contains("add one to its `to`"), "{}", failed.message);
}

#[test]
fn an_error_of_any_type_becomes_a_failure_with_its_causes() {
    let mut harness = Harness::new(|object: Object<'_>, _: &mut Emit<'_>| {
        std::str::from_utf8(object.value())?;
        Ok(())
    });
    let failed = harness.put(b"k", b"\xff").unwrap_err();
    assert!(failed.type_name.contains("Utf8Error"), "{}", failed.type_name);
    assert!(failed.message.contains("invalid utf-8"), "{}", failed.message);
}

#[test]
fn output_larger_than_a_chunk_arrives_whole() {
    let mut harness = Harness::new(|object: Object<'_>, emit: &mut Emit<'_>| {
        for size in [0, 1, 5000, 100_000] {
            emit.put(object.key(), &vec![7; size]);
        }
        Ok(())
    })
    .emits(&["/out"]);
    harness.put(b"k", b"").unwrap();
    let sizes: Vec<usize> = harness.emitted().iter().map(|object| object.value.len()).collect();
    assert_eq!(sizes, [0, 1, 5000, 100_000]);
    assert!(harness.emitted().iter().all(|object| object.value.iter().all(|byte| *byte == 7)));
}
