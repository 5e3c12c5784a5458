//! What a guest writes into the error slot is what the engine reads, as far as there is room.

use proptest::prelude::*;
use std::str::from_utf8;
use upcall_abi::{ErrorSlot, Rel};

/// Offsets are relative to this, so that a forgotten base is a wild address.
const BASE: u64 = 0x5000;

/// A slot whose room is exactly `room`, which must outlive it.
fn slot(room: &mut [u8]) -> ErrorSlot {
    let mut slot = ErrorSlot::EMPTY;
    if !room.is_empty() {
        slot.text = Rel::new(room.as_mut_ptr() as u64 - BASE, room.len() as u64);
    }
    slot
}

/// As many whole characters of `text` as fit into `left` bytes, which are then fewer.
fn cut(text: &str, left: &mut usize) -> String {
    let mut kept = String::new();
    for character in text.chars() {
        if kept.len() + character.len_utf8() > *left {
            break;
        }
        kept.push(character);
    }
    *left -= kept.len();
    kept
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn texts_are_read_as_written_and_cut_at_a_character_where_the_room_ends(
        room in 0usize..80,
        texts in prop::array::uniform3("[a-z0é€😀]{0,20}"),
        item in any::<u32>(),
    ) {
        let mut room = vec![0xff; room].into_boxed_slice();
        let mut left = room.len();
        let mut slot = slot(&mut room);
        // SAFETY: the slot's room is ours and outlives the call.
        unsafe { slot.write(BASE, item, &texts[0], &texts[1], &texts[2]) };
        // SAFETY: as above; nobody writes meanwhile.
        let (type_name, message, stack) = unsafe { slot.read(BASE) };
        let expected = texts.each_ref().map(|text| cut(text, &mut left));
        prop_assert_eq!([type_name, message, stack].map(|text| from_utf8(text).unwrap()), expected);
        prop_assert_eq!(slot.item, item);
    }

    #[test]
    fn lengths_that_lie_never_lead_outside_the_room(
        room in 0usize..40,
        lengths in prop::array::uniform3(prop_oneof![0u32..60, any::<u32>()]),
    ) {
        let mut room: Box<[u8]> = (0..room as u8).collect();
        let mut slot = slot(&mut room);
        [slot.type_len, slot.message_len, slot.stack_len] = lengths;
        // SAFETY: the room is initialised and outlives the slices.
        let (type_name, message, stack) = unsafe { slot.read(BASE) };
        let all = [type_name, message, stack].concat();
        prop_assert_eq!(&all[..], &room[..all.len()]);
        let asked: u64 = lengths.iter().copied().map(u64::from).sum();
        prop_assert_eq!(all.len() as u64, asked.min(room.len() as u64));
    }
}

#[test]
fn a_cleared_slot_keeps_its_room_and_forgets_the_failure() {
    let mut room = [0u8; 32];
    let mut slot = slot(&mut room);
    // SAFETY: the room is ours and outlives the calls.
    unsafe { slot.write(BASE, 3, "Error", "it broke", "at main") };
    slot.clear();
    assert_eq!((slot.item, slot.text.len), (ErrorSlot::NO_ITEM, 32));
    // SAFETY: as above.
    assert_eq!(unsafe { slot.read(BASE) }, (&b""[..], &b""[..], &b""[..]));
}
