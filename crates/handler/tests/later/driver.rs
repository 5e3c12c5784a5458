//! The driver, called as an engine calls it.

use crate::{Done, hangs, ms};
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use upcall::abi::{
    CancelFrame, Chained, DescribeFrame, FlowFrame, FrameHead, Item, OpenFrame, Output, Rel, Services,
    Status, about, cancelled, kind,
};
use upcall::{AsyncHandler, Describe, Emit, Object, instance, later};

const ITEM: Item = Item { version: 1, ..Item::ABSENT };

/// A frame with so many items, that has to be answered at once.
fn frame(items: &[Item]) -> Box<Chained<FlowFrame>> {
    let mut frame = FlowFrame::new(kind::FLOW);
    frame.items = Rel::of(items);
    Chained::new(frame)
}

#[test]
fn it_says_that_it_answers_later_object_by_object() {
    struct Described;
    impl AsyncHandler for Described {
        fn describe(&self, describe: &mut Describe<'_>) {
            describe.parameter("url", "text", None, None);
        }

        async fn on_object(&self, _: Object<'_>, _: &mut Emit<'_>) -> Done {
            Ok(())
        }
    }
    let head = FrameHead::new::<DescribeFrame>(kind::DESCRIBE);
    let mut frame = Chained::new(DescribeFrame { head, out: Output::NONE });
    let mut instance = instance(later(Described));
    // SAFETY: a whole frame, which lives until the call returns.
    assert_eq!(unsafe { instance.call(frame.start()) }, Status::OK);
    // SAFETY: a driver has written.
    let records = unsafe { frame.records() }.unwrap();
    let said: Vec<(u32, &[u8])> = records.iter().map(|(record, key, _)| (record.pool, *key)).collect();
    let expected: [(u32, &[u8]); 4] = [
        (about::KIND, b"FLOW"),
        (about::FORM, b"object"),
        (about::ANSWERS_LATER, b""),
        (about::PARAMETER, b"url"),
    ];
    assert_eq!(said, expected);
}

#[test]
fn a_frame_that_has_to_be_answered_at_once_is_waited_for() {
    let handler = async |_: Object<'_>, _: &mut Emit<'_>| -> Done {
        tokio::time::sleep(ms(5)).await;
        Ok(())
    };
    let items = [ITEM];
    let (mut instance, mut frame) = (instance(later(handler)), frame(&items));
    // SAFETY: a whole frame, which lives until the call returns.
    assert_eq!(unsafe { instance.call(frame.start()) }, Status::OK);
    assert_eq!(frame.frame.done, 1);
}

#[test]
fn a_frame_with_several_items_is_refused() {
    let items = [ITEM; 2];
    let (mut instance, mut frame) = (instance(later(hangs)), frame(&items));
    let mut text = [0u8; 256];
    frame.frame.head.error.text = Rel::new(text.as_mut_ptr() as u64, 256);
    // SAFETY: as above.
    assert_eq!(unsafe { instance.call(frame.start()) }, Status::FAILED);
    // SAFETY: the text is there.
    let (_, message, _) = unsafe { frame.frame.head.error.read(0) };
    assert!(message.starts_with(b"a handler that answers later is handed one object in a frame"));
}

#[test]
fn a_constructor_that_panics_panics_where_the_instance_is_made() {
    let make = || {
        assert!(std::hint::black_box(false), "not today");
        hangs
    };
    let made = catch_unwind(|| instance(later(make)));
    let payload = made.err().unwrap();
    assert_eq!(payload.downcast_ref::<String>().unwrap(), "not today");
}

static ANSWERED: AtomicI32 = AtomicI32::new(-1);

unsafe extern "C" fn complete(_: *mut FrameHead, status: Status) {
    assert_eq!(ANSWERED.swap(status.0, SeqCst), -1, "completed twice");
}

#[test]
fn a_cancel_for_a_frame_that_is_not_open_is_passed_over_and_without_close_the_end_closes() {
    let items = [ITEM];
    let mut frame = frame(&items);
    frame.frame.head.complete = Some(complete);
    let mut instance = instance(later(hangs));
    let mut stray = CancelFrame::new(std::ptr::null_mut(), cancelled::TIMED_OUT);
    // SAFETY: whole frames; the second lives until it is completed.
    unsafe {
        assert_eq!(instance.call((&raw mut stray).cast()), Status::OK);
        assert_eq!(instance.call(frame.start()), Status::PENDING);
    }
    assert_eq!(ANSWERED.load(SeqCst), -1);
    drop(instance);
    assert_eq!(ANSWERED.load(SeqCst), Status::FAILED.0);
}

#[test]
fn open_without_pools_is_refused_by_name() {
    let added = 0u32;
    let services: *const Services = std::ptr::null();
    let mut frame = OpenFrame::new(kind::FLOW, "handler", services, &added);
    let mut instance = instance(later(hangs));
    // SAFETY: a whole frame, which lives until the call returns.
    let failed = unsafe { instance.ask(&mut frame) }.unwrap_err();
    assert!(failed.message.starts_with("OPEN has no pools"), "{failed}");
}
