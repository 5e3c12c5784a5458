//! Records through the output, over chunks of any size, compared with a plain list.

use proptest::prelude::*;
use std::ffi::c_void;
use std::mem::MaybeUninit;
use upcall_abi::{FlowFrame, FrameHead, Output, Record, Records, Status, Writer, base, kind};

/// Offsets are relative to this, so that a forgotten base is a wild address.
const BASE: u64 = 0x5000;

/// The engine's side: a frame, and chunks that are exactly as long as they say (so that AddressSanitizer
/// sees a byte too many).
#[repr(C)]
struct Engine {
    frame: FlowFrame,
    chunks: Vec<Chunk>,
    /// Room of the chunks to come; an engine that has run out of them has no more memory.
    sizes: Vec<usize>,
}

struct Chunk {
    words: Box<[MaybeUninit<u64>]>,
    used: usize,
}

impl Engine {
    fn new(sizes: &[usize]) -> Box<Engine> {
        let mut head = FrameHead::new::<FlowFrame>(kind::FLOW);
        head.base[base::OUTPUT] = BASE;
        let out = Output { at: 0, end: 0, chunk: 0, reserved: 0, grow: Some(grow) };
        let frame = FlowFrame { head, out, ..FlowFrame::new(kind::FLOW) };
        Box::new(Engine { frame, chunks: Vec::new(), sizes: sizes.iter().rev().copied().collect() })
    }

    fn writer(&mut self) -> Writer {
        let engine: *mut Engine = self;
        // SAFETY: the engine is boxed and outlives the writer; `grow` knows that the frame comes first in it.
        unsafe { Writer::new(engine.cast(), &raw mut (*engine).frame.out) }
    }

    /// What the engine reads when the call has returned.
    fn records(&self) -> Vec<Emission> {
        let out = &self.frame.out;
        let mut found = Vec::new();
        let chunks = self.chunks.iter().enumerate().take(out.chunk as usize + 1);
        for (index, chunk) in chunks {
            let start = chunk.words.as_ptr() as u64 - BASE;
            let current = index == out.chunk as usize;
            let used = if current { (out.at - start) as usize } else { chunk.used };
            assert!(used <= size_of_val(&*chunk.words));
            // SAFETY: the writer has written `used` bytes, which live as long as the records.
            for record in unsafe { Records::written(chunk.words.as_ptr().cast(), used) } {
                let (head, key, value) = record.expect("a writer writes whole records");
                assert!(value.as_ptr().addr().is_multiple_of(8));
                found.push(Emission {
                    pool: head.pool,
                    item: head.item,
                    key: key.into(),
                    value: value.into(),
                });
            }
        }
        found
    }
}

unsafe extern "C" fn grow(frame: *mut FrameHead, need: u64) -> Status {
    // SAFETY: `Engine::writer` passes the engine, whose first field is the frame.
    let engine = unsafe { &mut *frame.cast::<c_void>().cast::<Engine>() };
    let Some(size) = engine.sizes.pop() else { return Status::FAILED };
    let out = &mut engine.frame.out;
    if let Some(chunk) = engine.chunks.get_mut(out.chunk as usize) {
        chunk.used = (out.at + BASE) as usize - chunk.words.as_ptr().addr();
        engine.chunks.truncate(out.chunk as usize + 1);
    }
    let words = vec![MaybeUninit::uninit(); size.max(need as usize).div_ceil(8)].into_boxed_slice();
    engine.chunks.push(Chunk { words, used: 0 });
    let words = &mut *engine.chunks.last_mut().unwrap().words;
    out.at = words.as_mut_ptr() as u64 - BASE;
    out.end = out.at + size_of_val(words) as u64;
    out.chunk = engine.chunks.len() as u32 - 1;
    Status::OK
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Emission {
    pool: u32,
    item: u32,
    key: Vec<u8>,
    value: Vec<u8>,
}

/// Emissions, each with the length of the pieces that its value is written in; 0 is all of it at once.
fn emissions(most: usize) -> impl Strategy<Value = Vec<(Emission, usize)>> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..40);
    let emission = (any::<u32>(), bytes(), bytes(), 0usize..12);
    let emission =
        emission.prop_map(|(pool, key, value, piece)| (Emission { pool, item: 0, key, value }, piece));
    prop::collection::vec(emission, 0..most)
}

fn write(writer: &mut Writer, emission: &Emission, piece: usize) -> Option<()> {
    let Emission { pool, item, key, value } = emission;
    if piece == 0 {
        return writer.put(*pool, *item, key, value);
    }
    // One that is not finished is forgotten.
    writer.open(*pool, *item).extend(value)?;
    let mut record = writer.open(*pool, *item);
    for piece in value.chunks(piece) {
        record.extend(piece)?;
    }
    assert_eq!(record.len(), value.len());
    record.finish(key)?;
    assert!(record.is_empty());
    Some(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// One call: items emit, any of them may fail (by itself, or for want of memory) and is truncated away.
    #[test]
    fn what_an_engine_reads_is_what_items_that_did_not_fail_have_emitted(
        sizes in prop::collection::vec(1usize..300, 1..20),
        items in prop::collection::vec((emissions(6), any::<bool>()), 0..12),
    ) {
        let mut engine = Engine::new(&sizes);
        // SAFETY: the engine is boxed; as every engine does, it opens the first chunk before the call.
        prop_assert_eq!(unsafe { grow((&raw mut *engine).cast(), 0) }, Status::OK);
        let mut writer = engine.writer();
        let mut model: Vec<Emission> = Vec::new();
        for (index, (item, fails)) in items.iter().enumerate() {
            let (mark, kept, mut failed) = (writer.mark(), model.len(), *fails);
            for (emission, piece) in item {
                let emission = Emission { item: index as u32, ..emission.clone() };
                if write(&mut writer, &emission, *piece).is_none() {
                    failed = true;
                    break;
                }
                model.push(emission);
            }
            if failed {
                // SAFETY: taken above, and only what is later was forgotten since.
                unsafe { writer.truncate(mark) };
                model.truncate(kept);
            }
        }
        prop_assert_eq!(engine.records(), model);
    }

    /// What comes from a process guest is hostile: a walk over any bytes ends, stays inside, and stops at
    /// the first record that does not fit.
    #[test]
    fn a_walk_over_arbitrary_bytes_ends_and_stays_inside(
        mut words in prop::collection::vec(any::<u64>(), 0..40),
        short in prop::collection::vec((0u32..20, 0u32..20), 0..8),
        cut in 0usize..8,
    ) {
        // Plausible lengths at the front, so that the walk gets somewhere.
        let mut at = 0;
        for (value_len, key_len) in short {
            if at + 1 < words.len() {
                words[at + 1] = u64::from(value_len) | u64::from(key_len) << 32;
            }
            at += Record::bytes(value_len as usize, key_len as usize) as usize / 8;
        }
        let bytes = size_of_val(&*words).saturating_sub(cut);
        // SAFETY: the words are initialised and outlive the slice.
        let chunk = unsafe { std::slice::from_raw_parts(words.as_ptr().cast::<u8>(), bytes) };
        let (mut walked, mut over) = (0, false);
        for record in Records::new(chunk) {
            prop_assert!(!over, "a walk goes on behind a record that does not fit");
            match record {
                Ok((head, key, value)) => {
                    prop_assert_eq!((value.len(), key.len()), (head.value_len as usize, head.key_len as usize));
                    prop_assert_eq!(value.as_ptr().addr(), chunk.as_ptr().addr() + walked + 16);
                    prop_assert_eq!(key.as_ptr().addr(), value.as_ptr().addr() + value.len());
                    walked += Record::bytes(value.len(), key.len()) as usize;
                    prop_assert!(walked <= chunk.len());
                }
                Err(place) => {
                    prop_assert_eq!(place, walked);
                    over = true;
                }
            }
        }
        prop_assert!(over || walked == chunk.len());
    }
}

#[test]
fn what_is_written_after_going_back_lies_inside_the_chunk_that_was_gone_back_to() {
    let mut engine = Engine::new(&[64, 4096, 64, 64]);
    let mut writer = engine.writer();
    writer.put(1, 0, b"first", b"").unwrap();
    let mark = writer.mark();
    writer.put(1, 1, b"forgotten", &[0; 1000]).unwrap();
    // SAFETY: taken above, and only what is later was forgotten since.
    unsafe { writer.truncate(mark) };
    for key in [b"second", b"third "] {
        writer.put(1, 2, key, b"").unwrap();
    }
    let keys: Vec<Vec<u8>> = engine.records().into_iter().map(|record| record.key).collect();
    assert_eq!(keys, [&b"first"[..], b"second", b"third "]);
}

#[test]
fn a_long_value_written_piece_by_piece_is_copied_seldom() {
    let mut engine = Engine::new(&[64; 20]);
    let mut writer = engine.writer();
    let mut record = writer.open(1, 0);
    for _ in 0..1000 {
        record.extend(&[7; 100]).unwrap();
    }
    assert_eq!(record.room(usize::MAX).map(|_| ()), None);
    record.finish(b"key").unwrap();
    assert_eq!(engine.records()[0].value, vec![7; 100_000]);
    assert!(engine.chunks.len() < 16, "{} chunks", engine.chunks.len());
}

#[test]
fn a_record_larger_than_a_chunk_gets_a_chunk_of_its_own() {
    let mut engine = Engine::new(&[64, 64, 64]);
    let mut writer = engine.writer();
    let large = vec![7u8; 100_000];
    writer.put(1, 0, b"small", b"1").unwrap();
    writer.put(1, 0, b"large", &large).unwrap();
    writer.put(1, 0, b"small", b"2").unwrap();
    let lengths: Vec<usize> = engine.records().iter().map(|record| record.value.len()).collect();
    assert_eq!(lengths, [1, 100_000, 1]);
    assert_eq!(engine.chunks.len(), 3);
}
