//! A stable sort by the bytes of keys: what it takes is known, in time and in memory, whatever the edges are.

use super::record::Record;
use std::ops::Range;

/// Fewer records are sorted by one thread.
const PART: usize = 1 << 16;

/// Sorts records by the bytes of their keys from `first` on, in as many parts as there are cores, and returns where these are.
/// Records that are the same in those bytes stay as they are, part by part. `scratch` is no shorter.
pub(crate) fn sort<R: Record>(
    records: &mut [R],
    scratch: &mut [R],
    first: usize,
    threads: usize,
) -> Vec<Range<usize>> {
    let size = records.len().div_ceil(threads.max(1)).max(PART);
    std::thread::scope(|scope| {
        let (mut parts, mut begin) = (Vec::new(), 0);
        for (part, scratch) in records.chunks_mut(size).zip(scratch.chunks_mut(size)) {
            parts.push(begin..begin + part.len());
            begin += part.len();
            match threads {
                0 | 1 => sort_part(part, scratch, first),
                _ => drop(scope.spawn(move || sort_part(part, scratch, first))),
            }
        }
        parts
    })
}

fn sort_part<R: Record>(records: &mut [R], scratch: &mut [R], first: usize) {
    let digits = 2 * R::WIDTH;
    let mut counts = vec![[0usize; 256]; digits];
    for record in &*records {
        for (digit, counts) in counts.iter_mut().enumerate().skip(first) {
            counts[record.digit(digit)] += 1;
        }
    }
    let scratch = &mut scratch[..records.len()];
    let (mut from, mut to) = (records, scratch);
    let mut swapped = false;
    for (digit, counts) in counts.iter_mut().enumerate().skip(first) {
        // All have the same byte here.
        if counts.contains(&from.len()) {
            continue;
        }
        let mut next = 0;
        for count in counts.iter_mut() {
            next += std::mem::replace(count, next);
        }
        for record in &*from {
            let place = &mut counts[record.digit(digit)];
            to[*place] = *record;
            *place += 1;
        }
        (from, to) = (to, from);
        swapped = !swapped;
    }
    if swapped {
        to.copy_from_slice(from);
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{Edge, Eight, Record, WideEight};
    use super::*;

    fn sorted<R: Record>(vertices: u64, threads: usize) {
        let mut random = 0x9e37_79b9_7f4a_7c15u64;
        let mut next = || {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            random % vertices
        };
        let mut records: Vec<R> =
            (0..200_000).map(|payload| R::new(Edge { major: next(), minor: next(), payload })).collect();
        let mut model: Vec<Edge> = records.iter().map(|record| record.edge()).collect();
        let mut scratch = records.clone();
        let parts = sort(&mut records, &mut scratch, 0, threads);
        assert_eq!(parts.last().unwrap().end, records.len());
        for part in parts {
            model[part.clone()].sort_by_key(|edge| (edge.major, edge.minor));
            let found: Vec<Edge> = records[part.clone()].iter().map(|record| record.edge()).collect();
            assert!(found == model[part], "{vertices} vertices, {threads} threads");
        }
    }

    #[test]
    fn parts_are_sorted_and_records_with_the_same_key_stay_in_order() {
        for threads in [1, 2, 3] {
            sorted::<Eight>(300, threads);
            sorted::<Eight>(1 << 32, threads);
            sorted::<WideEight>(1 << 40, threads);
        }
    }
}
