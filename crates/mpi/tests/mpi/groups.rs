//! Groups and the communicators that are made of them, against lists of ranks.

use crate::support::Stream;
use proptest::arbitrary::any;
use upcall_mpi::{Communicator, Comparison, ErrorKind, Group, RankRange, Sum};

/// Some of so many ranks, in any order.
fn some(stream: &mut Stream, size: usize) -> Vec<usize> {
    let keys: Vec<u32> = (0..size).map(|_| stream.draw(any::<u32>())).collect();
    let mut ranks: Vec<usize> = (0..size).filter(|rank| !keys[*rank].is_multiple_of(3)).collect();
    ranks.sort_by_key(|rank| keys[*rank]);
    ranks
}

/// The ranks in the world that a group has.
fn ranks_of(group: &Group, world: &Communicator) -> Vec<usize> {
    let all: Vec<usize> = (0..group.size()).collect();
    group.translate(&all, &world.group().unwrap()).unwrap().into_iter().map(Option::unwrap).collect()
}

fn compared(one: &[usize], other: &[usize]) -> Comparison {
    let sorted = |ranks: &[usize]| {
        let mut ranks = ranks.to_vec();
        ranks.sort_unstable();
        ranks
    };
    match () {
        () if one == other => Comparison::Identical,
        () if sorted(one) == sorted(other) => Comparison::Similar,
        () => Comparison::Unequal,
    }
}

crate::ranks! {
    fn groups_are_sets_in_an_order(world: [1, 3, 5]) {
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let all = world.group().unwrap();
        assert_eq!((all.rank(), all.size()), (Some(me), size));
        for _ in 0..30 {
            let (a, b) = (some(&mut stream, size), some(&mut stream, size));
            let (one, other) = (all.include(&a).unwrap(), all.include(&b).unwrap());
            assert_eq!((one.size(), one.rank()), (a.len(), a.iter().position(|rank| *rank == me)));
            assert_eq!(ranks_of(&one, world), a);
            let left: Vec<usize> = (0..size).filter(|rank| !a.contains(rank)).collect();
            assert_eq!(ranks_of(&all.exclude(&a).unwrap(), world), left);
            let union: Vec<usize> = a.iter().chain(b.iter().filter(|rank| !a.contains(rank))).copied().collect();
            assert_eq!(ranks_of(&one.union(&other).unwrap(), world), union);
            let both: Vec<usize> = a.iter().filter(|rank| b.contains(rank)).copied().collect();
            assert_eq!(ranks_of(&one.intersection(&other).unwrap(), world), both);
            let only: Vec<usize> = a.iter().filter(|rank| !b.contains(rank)).copied().collect();
            assert_eq!(ranks_of(&one.difference(&other).unwrap(), world), only);
            assert_eq!(one.compare(&other).unwrap(), compared(&a, &b));
            assert_eq!(all.include(&a).unwrap().compare(&one).unwrap(), Comparison::Identical);
            let places: Vec<usize> = (0..a.len()).collect();
            let found: Vec<_> = a.iter().map(|rank| b.iter().position(|other| other == rank)).collect();
            assert_eq!(one.translate(&places, &other).unwrap(), found);
        }
    }

    fn ranges_are_the_ranks_that_they_list(world: [1, 4, 5]) {
        let (mut stream, size) = (Stream::new(), world.size());
        let all = world.group().unwrap();
        for _ in 0..30 {
            let (first, last) = (stream.draw(0..size), stream.draw(0..size));
            let by = stream.draw(1..3usize);
            let (step, listed): (isize, Vec<usize>) = if first <= last {
                (by as isize, (first..=last).step_by(by).collect())
            } else {
                (-(by as isize), (last..=first).rev().step_by(by).collect())
            };
            let range = [RankRange { first, last, step }];
            assert_eq!(ranks_of(&all.include_ranges(&range).unwrap(), world), listed);
            let left: Vec<usize> = (0..size).filter(|rank| !listed.contains(rank)).collect();
            assert_eq!(ranks_of(&all.exclude_ranges(&range).unwrap(), world), left);
        }
        let halves = [(size / 2, size - 1), (0, size / 2)].map(|(first, last)| RankRange { first, last, step: 1 });
        assert_eq!(all.include_ranges(&halves).unwrap_err().kind(), ErrorKind::Rank);
        let stuck = [RankRange { first: 0, last: 0, step: 0 }];
        let stuck = all.include_ranges(&stuck).unwrap_err();
        assert_eq!(stuck.to_string(), "take the ranks 0 to 0 by 0: the step is 0");
        let endless = [RankRange { first: 0, last: usize::MAX, step: 1 }];
        let endless = all.exclude_ranges(&endless).unwrap_err();
        let wanted = format!("there is no rank {size}; this group has {size}, from 0 on");
        assert!(endless.to_string().ends_with(&wanted), "{endless}");
    }

    fn wrong_ranks_of_groups_are_told(world: [2]) {
        let all = world.group().unwrap();
        let strange = all.include(&[0, 2]).unwrap_err();
        assert_eq!(strange.kind(), ErrorKind::Rank);
        assert_eq!(strange.to_string(), "take 2 processes of a group: there is no rank 2; this group has 2, from 0 on");
        let twice = all.exclude(&[1, 1]).unwrap_err();
        assert_eq!(twice.to_string(), "leave out 2 processes of a group: rank 1 is there twice");
        let nobody = all.include(&[]).unwrap();
        assert_eq!((nobody.size(), nobody.rank()), (0, None));
        assert_eq!(nobody.translate(&[0], &all).unwrap_err().kind(), ErrorKind::Rank);
        assert_eq!(nobody.compare(&all.difference(&all).unwrap()).unwrap(), Comparison::Identical);
    }

    fn communicators_are_made_of_groups(world: [1, 3, 5]) {
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let all = world.group().unwrap();
        for round in 0..10 {
            let ranks = some(&mut stream, size);
            let group = all.include(&ranks).unwrap();
            let place = ranks.iter().position(|rank| *rank == me);
            let part = world.create(&group).unwrap();
            assert_eq!(part.as_ref().map(Communicator::rank), place);
            if let Some(part) = &part {
                let sum: usize = ranks.iter().sum();
                assert_eq!(part.all_reduce(&[me as u64], Sum).unwrap(), [sum as u64]);
                assert_eq!(part.all_gather(&[me as u64]).unwrap(), ranks.iter().map(|rank| *rank as u64).collect::<Vec<_>>());
                assert_eq!(part.group().unwrap().compare(&group).unwrap(), Comparison::Identical);
                // Those that are not in it do not call.
                let again = world.create_group(&group, round).unwrap();
                assert_eq!((Some(again.rank()), again.size()), (place, ranks.len()));
                assert_eq!(again.compare(part).unwrap(), Comparison::Congruent);
            } else {
                let refused = world.create_group(&group, round).unwrap_err();
                assert!(refused.to_string().ends_with("this process is not in the group, and does not take part"));
            }
        }
    }

    fn a_group_of_another_communicator_is_refused_by_all(world: [3, 5]) {
        let all = world.group().unwrap();
        let half = world.split(Some((world.rank() % 2) as u32), 0).unwrap().unwrap();
        let refused = half.create(&all).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Rank);
        let wanted = format!("is not in this communicator, which has {} ranks", half.size());
        assert!(refused.to_string().ends_with(&wanted), "{refused}");
        assert_eq!(half.create_group(&all, 0).unwrap_err().kind(), ErrorKind::Rank);
        world.barrier().unwrap();
    }

    fn a_color_that_is_too_large_is_told_to_all_ranks(world: [1, 3]) {
        let last = world.rank() == world.size() - 1;
        let refused = world.split(Some(if last { 1 << 31 } else { 0 }), 0).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Usage);
        let is_said = if last { "the color 2147483648 is too large" } else { "has given is wrong" };
        assert!(refused.to_string().contains(is_said), "{refused}");
        world.barrier().unwrap();
    }

    fn communicators_are_compared_named_and_split_by_memory(world: [1, 2, 4]) {
        let twin = world.duplicate().unwrap();
        assert_eq!(world.compare(world).unwrap(), Comparison::Identical);
        assert_eq!(twin.compare(world).unwrap(), Comparison::Congruent);
        let back = world.split(Some(0), -(world.rank() as i32)).unwrap().unwrap();
        let wanted = if world.size() == 1 { Comparison::Congruent } else { Comparison::Similar };
        assert_eq!(back.compare(world).unwrap(), wanted);
        // All of them are on one machine.
        let near = world.split_shared_memory(-(world.rank() as i32)).unwrap();
        assert_eq!(near.compare(&back).unwrap(), Comparison::Congruent);
        twin.set_name("twin \u{e9}").unwrap();
        assert_eq!(twin.name().unwrap(), "twin \u{e9}");
        let long = twin.set_name(&"x".repeat(1000)).unwrap_err();
        assert!(long.kind() == ErrorKind::Usage && long.to_string().ends_with("bytes, and it has 1000"), "{long}");
        assert_eq!(twin.set_name("a\0b").unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(twin.name().unwrap(), "twin \u{e9}");
    }
}
