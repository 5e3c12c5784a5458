//! Which frames a driver takes: of its own ABI, of a kind that it knows, and as long as their fields.

use std::mem::offset_of;
use upcall_abi::{
    ABI, BatchFrame, CombineFrame, DescribeFrame, ErrorSlot, FlowFrame, FrameHead, OpenFrame, Rel, Status,
    base, kind,
};

const KINDS: [(&str, u16, usize); 6] = [
    ("DESCRIBE", kind::DESCRIBE, size_of::<DescribeFrame>()),
    ("OPEN", kind::OPEN, size_of::<OpenFrame>()),
    ("FLOW", kind::FLOW, size_of::<FlowFrame>()),
    ("FLUSH", kind::FLUSH, size_of::<FlowFrame>()),
    ("CLOSE", kind::CLOSE, size_of::<FrameHead>()),
    ("PING", kind::PING, size_of::<FrameHead>()),
];

/// Offsets are relative to this, so that a forgotten base is a wild address.
const BASE: u64 = 0x5000;

/// The size from which on a frame has an error slot.
const SLOT_END: usize = offset_of!(FrameHead, complete);

/// What a driver says to a frame of `size` bytes, with no more bytes in memory than that (but at least
/// eight). `None` when it accepts it.
fn refusal(abi: u16, kind: u16, size: usize) -> Option<String> {
    refusal_by(BatchFrame::FLOW, abi, kind, size)
}

/// The same of a driver whose handler takes another kind of batch.
fn refusal_by(batch: BatchFrame, abi: u16, kind: u16, size: usize) -> Option<String> {
    let mut text = [0u8; 256];
    let mut head = FrameHead::new::<FrameHead>(kind);
    (head.abi, head.size) = (abi, size as u32);
    head.base[base::OUTPUT] = BASE;
    head.error.text = Rel::new(text.as_mut_ptr() as u64 - BASE, text.len() as u64);
    let mut frame = vec![0u64; size.max(8).div_ceil(8)].into_boxed_slice();
    let place = frame.as_mut_ptr().cast::<u8>();
    let there = size_of::<FrameHead>().min(size.max(8));
    // SAFETY: so many bytes are in both; the frame is as long as it says.
    let checked = unsafe {
        place.copy_from_nonoverlapping((&raw const head).cast(), there);
        FrameHead::check(place.cast(), batch)
    };
    let Err(status) = checked else { return None };
    assert_eq!(status, Status::FAILED);
    if there < SLOT_END {
        return Some("no room to say it".to_owned());
    }
    // SAFETY: the slot is there whole, and the text is initialised.
    let (slot, text) = unsafe {
        let slot = (*place.cast::<FrameHead>()).error;
        (slot, slot.read(BASE))
    };
    assert_eq!((slot.item, text.0), (ErrorSlot::NO_ITEM, &b"frame"[..]));
    Some(String::from_utf8(text.1.to_vec()).unwrap())
}

#[test]
fn a_frame_as_long_as_its_fields_is_taken_and_so_is_a_longer_one() {
    for (_, kind, bytes) in KINDS {
        assert_eq!(refusal(ABI, kind, bytes), None);
        assert_eq!(refusal(ABI, kind, bytes + 64), None, "a newer engine has appended to it");
    }
}

#[test]
fn a_frame_shorter_than_its_fields_is_refused_by_name() {
    for (name, kind, bytes) in KINDS {
        for size in SLOT_END..bytes {
            let expected = format!(
                "the {name} frame has {size} bytes, and ABI {ABI} has at least {bytes}: build engine and \
                 handler with the same version"
            );
            assert_eq!(refusal(ABI, kind, size), Some(expected));
        }
    }
}

#[test]
fn a_frame_too_short_for_an_error_slot_is_refused_without_a_word() {
    for (_, kind, _) in KINDS {
        for size in 0..SLOT_END {
            assert_eq!(refusal(ABI, kind, size).as_deref(), Some("no room to say it"));
        }
    }
}

#[test]
fn a_frame_of_another_abi_is_refused_by_both_numbers() {
    for (_, kind, bytes) in KINDS {
        for abi in [0, ABI + 1, u16::MAX] {
            let message = refusal(abi, kind, bytes).unwrap();
            let expected = format!("a frame of ABI {abi} reached a handler of ABI {ABI}: ");
            assert!(message.starts_with(&expected), "{message}");
        }
    }
}

#[test]
fn a_frame_of_an_unknown_kind_is_refused_by_its_number() {
    for kind in [0, 2, 8, u16::MAX] {
        let message = refusal(ABI, kind, 1 << 20).unwrap();
        assert_eq!(
            message,
            format!("unknown frame kind {kind}: the engine is newer than this handler; build it again")
        );
    }
}

#[test]
fn a_batch_of_another_kind_is_refused_by_both_names() {
    let (flow, combine) = (size_of::<FlowFrame>(), size_of::<CombineFrame>());
    assert_eq!(
        refusal(ABI, kind::COMBINE, combine).as_deref(),
        Some("a COMBINE frame reached a handler that takes FLOW: give the engine another handler")
    );
    assert_eq!(
        refusal_by(BatchFrame::COMBINE, ABI, kind::FLOW, flow).as_deref(),
        Some("a FLOW frame reached a handler that takes COMBINE: give the engine another handler")
    );
    for (size, taken) in [(combine, true), (combine + 8, true), (combine - 1, false)] {
        for kind in [kind::COMBINE, kind::FLUSH] {
            assert_eq!(refusal_by(BatchFrame::COMBINE, ABI, kind, size).is_none(), taken, "{kind} {size}");
        }
    }
}
