use std::ops::Range;

/// Gives out blocks in a part of a segment, each a power of two, that are taken back in any order.
///
/// Only the side that holds it knows what it has given out. Low ones come first, so that what is used lies close together.
#[derive(Debug)]
pub struct Blocks {
    all: Range<u64>,
    /// Nothing behind it was ever given out.
    next: u64,
    /// By the logarithm of their size: where they begin, the last one that came back last.
    free: [Vec<u64>; 64],
    given: usize,
}

/// Bytes of a block at least.
const LEAST: u64 = 4096;

impl Blocks {
    /// Some over these offsets of a segment.
    #[must_use]
    pub fn new(range: Range<u64>) -> Blocks {
        let start = range.start.next_multiple_of(LEAST);
        let all = start..range.end.max(start);
        Blocks { next: start, all, free: [const { Vec::new() }; 64], given: 0 }
    }

    /// A block of at least so many bytes. `None` where there is no room for it.
    #[must_use]
    pub fn give(&mut self, bytes: u64) -> Option<Range<u64>> {
        let size = bytes.max(LEAST).checked_next_power_of_two()?;
        let class = size.trailing_zeros() as usize;
        let start = self.free[class].pop().or_else(|| self.fresh(size)).or_else(|| self.split(class));
        let start = start.or_else(|| {
            self.merge();
            self.fresh(size).or_else(|| self.split(class))
        })?;
        self.given += 1;
        Some(start..start + size)
    }

    /// One that was never given out.
    fn fresh(&mut self, size: u64) -> Option<u64> {
        let end = self.next.checked_add(size).filter(|end| *end <= self.all.end)?;
        Some(std::mem::replace(&mut self.next, end))
    }

    /// The first part of one that is larger than any of this class; the rest goes to the others.
    fn split(&mut self, class: usize) -> Option<u64> {
        let mut larger = (class + 1..64).find(|larger| !self.free[*larger].is_empty())?;
        let start = self.free[larger].pop()?;
        while larger > class {
            larger -= 1;
            self.free[larger].push(start + (1 << larger));
        }
        Some(start)
    }

    /// Makes one of those that lie side by side, whatever sizes they had.
    fn merge(&mut self) {
        let free = self.free.iter_mut().enumerate();
        let mut free: Vec<_> = free
            .flat_map(|(class, starts)| starts.drain(..).map(move |start| start..start + (1 << class)))
            .collect();
        free.sort_unstable_by_key(|block| block.start);
        let whole = free.chunk_by(|one, other| one.end == other.start);
        for mut block in whole.filter_map(|run| Some(run.first()?.start..run.last()?.end)) {
            if block.end == self.next {
                self.next = block.start;
                continue;
            }
            while !block.is_empty() {
                let class = (block.end - block.start).ilog2();
                self.free[class as usize].push(block.start);
                block.start += 1 << class;
            }
        }
    }

    /// Takes back one that [`Blocks::give`] has given out.
    pub fn take_back(&mut self, block: Range<u64>) {
        self.given -= 1;
        if self.given == 0 {
            self.free.iter_mut().for_each(Vec::clear);
            self.next = self.all.start;
        } else {
            self.free[(block.end - block.start).trailing_zeros() as usize].push(block.start);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_lie_apart_and_inside_whatever_is_taken_back() {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = |below: u64| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (random >> 33) % below
        };
        let all = 5000..5000 + (64 << 20);
        let mut blocks = Blocks::new(all.clone());
        let (mut given, mut refused) = (Vec::<Range<u64>>::new(), 0);
        for _ in 0..20_000 {
            if next(100) < 45 && !given.is_empty() {
                let block = given.swap_remove(next(given.len() as u64) as usize);
                blocks.take_back(block);
                continue;
            }
            let class = next(12);
            let bytes = next(LEAST << class) + 1;
            let Some(block) = blocks.give(bytes) else {
                refused += 1;
                continue;
            };
            assert!(block.end - block.start >= bytes && block.start % LEAST == 0, "{block:?}");
            assert!(block.start >= all.start && block.end <= all.end, "{block:?}");
            assert!(given.iter().all(|other| other.end <= block.start || block.end <= other.start));
            given.push(block);
        }
        assert!(refused > 0, "it was full at times");
        given.into_iter().for_each(|block| blocks.take_back(block));
        assert_eq!(blocks.give(32 << 20).unwrap().start, 8192, "it is one again");
        assert_eq!(blocks.give(u64::MAX), None);
        assert_eq!(blocks.give(1 << 63), None);
    }

    #[test]
    fn small_ones_that_lie_side_by_side_are_a_large_one_although_another_is_out() {
        let mut blocks = Blocks::new(0..64 << 10);
        let out = blocks.give(1).unwrap();
        let small: Vec<_> = std::iter::from_fn(|| blocks.give(1)).collect();
        assert_eq!(small.len(), 15);
        small.into_iter().for_each(|block| blocks.take_back(block));
        assert_eq!(blocks.give(32 << 10), Some(4096..4096 + (32 << 10)));
        assert_eq!(blocks.give(32 << 10), None);
        blocks.take_back(out);
    }

    #[test]
    fn what_came_back_last_is_given_out_first() {
        let mut blocks = Blocks::new(0..1 << 20);
        let [first, second, third] = [1, 5000, 4096].map(|bytes| blocks.give(bytes).unwrap());
        assert_eq!([&first, &second, &third], [&(0..4096), &(4096..12_288), &(12_288..16_384)]);
        blocks.take_back(first.clone());
        blocks.take_back(third.clone());
        assert_eq!([blocks.give(10), blocks.give(10)], [Some(third), Some(first)]);
    }
}
