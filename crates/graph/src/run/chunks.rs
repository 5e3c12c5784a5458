//! What a worker takes at once: blocks that follow each other. Nothing that a run comes to depends on how many these are.

use super::BLOCK;
use std::ops::Range;

/// Edges that a worker takes at once, unless a block has more: more than the taking costs, and few enough that all workers end
/// together. Vertices that it takes at once are as many at most.
pub(super) const EDGES: u64 = 1 << 16;

/// How much a worker takes at once, unless a block has more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct AtOnce {
    edges: u64,
    vertices: u64,
}

impl AtOnce {
    /// What somebody has asked for: so many edges, and as many vertices at most, so that few are also taken of blocks without edges.
    pub(super) fn asked(edges: u64) -> AtOnce {
        AtOnce { edges, vertices: edges }
    }

    /// `most` edges, but so few that each worker has some dozen times to take.
    pub(super) fn chosen<'a>(sides: impl Iterator<Item = &'a [u64]>, workers: usize, most: u64) -> AtOnce {
        const TIMES: u64 = 24;
        let edges =
            sides.filter_map(|offsets| offsets.last()).fold(0_u64, |all, edges| all.saturating_add(*edges));
        let edges = (edges / (workers as u64).saturating_mul(TIMES).max(1)).clamp(EDGES, most);
        AtOnce { edges, vertices: EDGES }
    }

    /// Half as much, for whoever has little memory; nothing where that is no more than a block.
    pub(super) fn half(self) -> Option<AtOnce> {
        let AtOnce { edges, vertices } = self;
        (edges.max(vertices) > BLOCK as u64).then_some(AtOnce { edges: edges / 2, vertices: vertices / 2 })
    }
}

/// Divides blocks among workers: as many as have the edges to be taken `at_once` that the program looks at, and none over the end of an
/// interval of so many blocks.
pub(super) fn chunks<'a>(
    sides: impl Iterator<Item = &'a [u64]> + Clone,
    blocks: usize,
    interval: Option<usize>,
    at_once: AtOnce,
) -> Vec<Range<usize>> {
    let edge = |block: usize| {
        let of = |offsets: &[u64]| offsets[(block * BLOCK).min(offsets.len() - 1)];
        sides.clone().map(of).fold(0, u64::saturating_add)
    };
    let (mut chunks, mut begin) = (Vec::new(), 0);
    for block in 1..=blocks {
        let (edges, vertices) = (edge(block).saturating_sub(edge(begin)), (block - begin) * BLOCK);
        let is_end = block == blocks || interval.is_some_and(|interval| block.is_multiple_of(interval));
        if edges >= at_once.edges || vertices as u64 >= at_once.vertices || is_end {
            chunks.push(begin..block);
            begin = block;
        }
    }
    chunks
}

#[cfg(test)]
mod tests {
    use super::super::Intervals;
    use super::{AtOnce, BLOCK, EDGES, chunks};

    /// Where the edges of blocks begin that have so many each.
    fn offsets<const BLOCKS: usize>(edges: [u64; BLOCKS]) -> Vec<u64> {
        let each = edges.into_iter().flat_map(|edges| [edges / BLOCK as u64; BLOCK]);
        std::iter::once(0)
            .chain(each.scan(0, |all, edges| {
                *all += edges;
                Some(*all)
            }))
            .collect()
    }

    #[test]
    fn blocks_are_divided_by_the_edges_of_both_sides() {
        // Four blocks whose vertices have edges out only, and one with edges in.
        let (incoming, outgoing) =
            (offsets([0, 0, 0, 0, 9 * EDGES]), offsets([EDGES, EDGES, EDGES / 2, EDGES / 2, 0]));
        let both = || [&*incoming, &*outgoing].into_iter();
        let some = |edges| AtOnce { edges, vertices: EDGES };
        assert_eq!(chunks(both(), 5, None, some(EDGES)), [0..1, 1..2, 2..4, 4..5]);
        assert_eq!(chunks(both(), 5, None, some(2 * EDGES)), [0..2, 2..5]);
        assert_eq!(chunks([&*incoming].into_iter(), 5, None, some(EDGES)), vec![0..5; 1]);
        let cut = chunks([&*incoming].into_iter(), 5, Some(2), some(EDGES));
        assert_eq!(cut, [0..2, 2..4, 4..5]);
        assert_eq!(Intervals::of(&cut, Some(2)).count(), 3);
        assert_eq!(Intervals::of(&cut, None).count(), 1);
    }

    #[test]
    fn somebody_may_ask_for_few_blocks_or_all_of_them() {
        let edges = offsets([EDGES, 0, 0, BLOCK as u64, BLOCK as u64]);
        let asked = |edges_at_once| chunks([&*edges].into_iter(), 5, None, AtOnce::asked(edges_at_once));
        assert_eq!(asked(0), [0..1, 1..2, 2..3, 3..4, 4..5]);
        assert_eq!(asked(1), asked(0));
        assert_eq!(asked(2 * BLOCK as u64), [0..1, 1..3, 3..5]);
        assert_eq!(asked(u64::MAX), vec![0..5; 1]);
    }

    #[test]
    fn workers_take_more_at_once_where_there_is_enough_for_all() {
        let take =
            |edges: u64, workers, most| AtOnce::chosen([&[0, edges][..]].into_iter(), workers, most).edges;
        assert_eq!(take(1000 * EDGES, 2, EDGES), EDGES);
        assert_eq!(take(1000 * EDGES, 2, 4 * EDGES), 4 * EDGES);
        assert_eq!(take(96 * EDGES, 2, 4 * EDGES), 2 * EDGES);
        assert_eq!(take(96 * EDGES, 64, 4 * EDGES), EDGES);
        let none = AtOnce::chosen([&[][..]].into_iter(), 0, 4 * EDGES);
        assert_eq!(none, AtOnce { edges: EDGES, vertices: EDGES });
    }
}
