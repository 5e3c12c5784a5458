//! The driver's entry, called with frames as engines of other versions make them.

use upcall::abi::{ABI, FlowFrame, FlowOpen, FrameHead, OpenFrame, Rel, Status, base, kind};
use upcall::{Emit, Object};

/// A flow frame with room after it for what a newer engine may have appended. No other frame is longer.
#[repr(C)]
struct Frame {
    flow: FlowFrame,
    appended: [u64; 4],
}

const KINDS: [(u16, usize); 5] = [
    (kind::OPEN, size_of::<OpenFrame>()),
    (kind::FLOW, size_of::<FlowFrame>()),
    (kind::FLUSH, size_of::<FlowFrame>()),
    (kind::CLOSE, size_of::<FrameHead>()),
    (kind::PING, size_of::<FrameHead>()),
];

/// What the driver answers to a frame without items, pools or settings.
fn answer(abi: u16, kind: u16, size: usize) -> (Status, String) {
    let mut text = [0u8; 256];
    let mut head = FrameHead::new::<FlowFrame>(kind);
    (head.abi, head.size) = (abi, size as u32);
    head.error.text = Rel::of(&text);
    head.error.text.offset = text.as_mut_ptr() as u64;
    let flow = FlowFrame { head, ..FlowFrame::new(kind) };
    let added = FlowOpen {
        size: size_of::<FlowOpen>() as u32,
        reserved: 0,
        pools: Rel::EMPTY,
        senders: Rel::EMPTY,
        pool_services: std::ptr::null(),
    };
    let mut frame = Frame { flow, appended: [u64::MAX; 4] };
    let mut instance = upcall::instance(|_: Object<'_>, _: &mut Emit<'_>| Ok(()));
    // SAFETY: a frame of the kind that it says: zeroes are an OPEN without anything but what the engine adds.
    unsafe {
        if kind == kind::OPEN {
            let open = (&raw mut frame).cast::<OpenFrame>();
            (*open).added = Rel::new((&raw const added) as u64, size_of::<FlowOpen>() as u64);
            (*open).batch = kind::FLOW;
        }
        let status = instance.call((&raw mut frame).cast());
        let (_, message, _) = frame.flow.head.error.read(frame.flow.head.base[base::OUTPUT]);
        (status, String::from_utf8(message.to_vec()).unwrap())
    }
}

#[test]
fn a_frame_that_a_newer_engine_has_made_longer_is_handled() {
    for (kind, size) in KINDS {
        assert_eq!(answer(ABI, kind, size), (Status::OK, String::new()));
        assert_eq!(answer(ABI, kind, size + 32), (Status::OK, String::new()));
    }
}

#[test]
fn a_frame_shorter_than_its_fields_is_refused() {
    for (kind, size) in KINDS {
        let (status, message) = answer(ABI, kind, size - 8);
        assert_eq!(status, Status::FAILED);
        assert!(message.contains(&format!("has {} bytes", size - 8)), "{message}");
    }
}

#[test]
fn a_frame_of_another_abi_or_of_an_unknown_kind_is_refused() {
    for (kind, size) in KINDS {
        let (status, message) = answer(ABI + 1, kind, size);
        assert_eq!(status, Status::FAILED);
        assert!(message.contains(&format!("ABI {}", ABI + 1)), "{message}");
    }
    let (status, message) = answer(ABI, 77, 192);
    assert_eq!(status, Status::FAILED);
    assert!(message.contains("unknown frame kind 77"), "{message}");
}
