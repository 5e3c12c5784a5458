use super::{BLOCK, Compressed, Encoder, signed, unsigned};
use proptest::prelude::*;

/// Vertices' neighbours, compressed as a file has them.
struct Made {
    offsets: Vec<u64>,
    ids: Vec<u32>,
    begins: Vec<u64>,
    bytes: Vec<u8>,
}

impl Made {
    fn of(lists: &[Vec<u32>]) -> Made {
        let (mut encoder, mut bytes, mut begins) = (Encoder::new(), Vec::new(), Vec::new());
        for (vertex, list) in lists.iter().enumerate() {
            if vertex % BLOCK == 0 {
                bytes.extend(encoder.end());
                begins.push(bytes.len() as u64);
            }
            list.iter().for_each(|id| bytes.extend(encoder.push(vertex as u64, (*id).into())));
        }
        bytes.extend(encoder.end());
        begins.push(bytes.len() as u64);
        let mut offsets = vec![0];
        offsets.extend(lists.iter().scan(0, |all, list| {
            *all += list.len() as u64;
            Some(*all)
        }));
        Made { offsets, ids: lists.concat(), begins, bytes }
    }

    /// What is decoded block by block.
    fn decoded(&self) -> Option<Vec<u32>> {
        let vertices = self.offsets.len() - 1;
        let mut all = Vec::new();
        for block in 0..vertices.div_ceil(BLOCK) {
            let offsets = &self.offsets[block * BLOCK..=vertices.min((block + 1) * BLOCK)];
            let edges = offsets[offsets.len() - 1].checked_sub(offsets[0])?;
            let mut ids = vec![7; usize::try_from(edges).ok().filter(|edges| *edges < 1 << 20)?];
            Compressed::new(&self.begins, &self.bytes).decode(block, offsets, &mut ids)?;
            all.extend(ids);
        }
        Some(all)
    }
}

fn id() -> impl Strategy<Value = u32> {
    prop_oneof![0u32..300, 0u32..70_000, Just(u32::MAX - 1), any::<u32>()]
}

/// Lists of vertices: short, empty, and perhaps one that has more than a part.
fn lists() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let short = prop::collection::vec(prop::collection::vec(id(), 0usize..6), 1..12);
    let long = prop_oneof![2 => Just(0usize..1), 1 => Just(4000usize..4200), 1 => Just(8000usize..9000)];
    let long = (long.prop_flat_map(|size| prop::collection::vec(id(), size)), any::<prop::sample::Index>());
    let count = prop_oneof![0usize..4, 1usize..40, 1020usize..1030, 2000usize..2200];
    (count, short, long).prop_map(|(count, short, (long, place))| {
        let mut lists: Vec<Vec<u32>> = short.into_iter().cycle().take(count).collect();
        if count > 0 && !long.is_empty() {
            lists[place.index(count)] = long;
        }
        lists.iter_mut().for_each(|list| list.sort_unstable());
        lists
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_decoded_is_what_was_encoded(lists in lists()) {
        let made = Made::of(&lists);
        prop_assert_eq!(made.decoded().unwrap(), made.ids);
    }

    #[test]
    fn distances_are_numbers_and_back(distance: u32) {
        prop_assert_eq!(signed(unsigned(distance)), distance);
    }

    /// Whatever is damaged, it is other ids or nothing.
    #[test]
    fn what_is_damaged_panics_nowhere(
        lists in lists(),
        place: prop::sample::Index,
        byte: u8,
        cut: prop::sample::Index,
        offset in prop_oneof![any::<u64>(), 0u64..100],
    ) {
        let mut made = Made::of(&lists);
        let whole = made.bytes.len();
        if whole > 0 {
            let place = place.index(whole);
            made.bytes[place] = byte;
            let _ = made.decoded();
        }
        made.bytes.truncate(cut.index(whole + 1));
        let decoded = made.decoded();
        prop_assert!(made.bytes.len() == whole || decoded.is_none());
        let place = place.index(made.offsets.len());
        made.offsets[place] = offset;
        let _ = made.decoded();
        let place = cut.index(made.begins.len());
        made.begins[place] = offset;
        let _ = made.decoded();
    }
}

proptest! {
    /// Sums wrap around, and numbers end where no more can be loaded at once.
    #[cfg(target_arch = "x86_64")]
    #[test]
    fn a_processor_with_shuffles_comes_to_the_same(before: u32, groups in prop::collection::vec([id(), id(), id(), id()], 0..60)) {
        use super::{ssse3, portable};
        use streamvbyte64::{Coder as _, Coder1234};

        if !std::arch::is_x86_feature_detected!("ssse3") {
            return Ok(());
        }
        let all = groups.concat();
        let (lengths, most) = Coder1234::max_compressed_bytes(all.len());
        let (mut lengths, mut numbers) = (vec![0; lengths], vec![0; most]);
        let bytes = Coder1234::new().encode(&all, &mut lengths, &mut numbers);
        let numbers = &numbers[..bytes];
        let (mut wanted, mut found) = (vec![0; all.len()], vec![0; all.len()]);
        prop_assert_eq!(portable(before, &lengths, numbers, &mut wanted), bytes);
        // SAFETY: the processor has the instructions.
        let (done, read) = unsafe { ssse3::sums(before, &lengths, numbers, &mut found) };
        prop_assert_eq!(&found[..4 * done], &wanted[..4 * done]);
        prop_assert!(read + 16 > bytes || done == groups.len());
        let mut before = before;
        for (number, sum) in all.iter().zip(&wanted) {
            before = before.wrapping_add(*number);
            prop_assert_eq!(before, *sum);
        }
    }
}

#[test]
fn neighbours_that_are_near_take_little_more_than_a_byte() {
    let lists: Vec<Vec<u32>> = (0..5000u32).map(|vertex| (vertex..vertex + 10).collect()).collect();
    let made = Made::of(&lists);
    assert_eq!(made.decoded().unwrap(), made.ids);
    assert!(made.bytes.len() <= made.ids.len() * 126 / 100, "{} bytes", made.bytes.len());
}

#[test]
fn a_block_has_the_bytes_that_the_format_says() {
    // Two edges of vertex 0 and one of vertex 2: 1, 300 and 1.
    let made = Made::of(&[vec![1, 301], vec![], vec![1]]);
    // Far by 1, 300 and -1: numbers 2, 300 and 1, and a 0 that is missing; the second has two bytes.
    assert_eq!(made.bytes, [0b0000_0100, 2, 44, 1, 1, 0]);
    assert_eq!((made.begins.clone(), made.decoded()), (vec![0, 6], Some(vec![1, 301, 1])));
}

#[test]
fn parts_that_ought_to_be_longer_are_damaged() {
    let mut made = Made::of(&[vec![5; 9000]]);
    assert_eq!(made.decoded().unwrap(), vec![5; 9000]);
    made.bytes.push(0);
    made.begins[1] += 1;
    assert_eq!(made.decoded(), None);
}
