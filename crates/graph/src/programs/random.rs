//! Numbers that look random and depend on nothing but what they are asked by, so that they are the same on any number of threads.

/// The number of a place in a stream of a seed's: `SplitMix64` (Steele, Lea, Flood 2014) over its counters.
#[inline]
pub(super) fn random(seed: u64, stream: u64, place: u64) -> u64 {
    mixed(mixed(mixed(seed).wrapping_add(stream)).wrapping_add(place))
}

/// A number from 0 to less than this, each as likely as another but for one part in 2^64 / `count`.
#[inline]
pub(super) fn below(random: u64, count: u64) -> u64 {
    ((u128::from(random) * u128::from(count)) >> 64) as u64
}

/// A step of `SplitMix64` from a state.
#[inline]
fn mixed(state: u64) -> u64 {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let state = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let state = (state ^ (state >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    state ^ (state >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_that_of_the_published_generator() {
        // The first numbers of java.util.SplittableRandom and of Vigna's splitmix64.c from state 0.
        assert_eq!(mixed(0), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mixed(0x9e37_79b9_7f4a_7c15), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn numbers_below_a_count_are_spread_evenly() {
        let mut times = [0; 7];
        (0..70_000).for_each(|place| times[below(random(1, 2, place), 7) as usize] += 1);
        assert!(times.iter().all(|times| (9_600..10_400).contains(times)), "{times:?}");
    }
}
