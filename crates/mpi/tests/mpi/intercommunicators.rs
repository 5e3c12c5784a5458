//! Two groups, against plain loops over what all ranks of both have.

use crate::support::Stream;
use proptest::arbitrary::any;
use upcall_mpi::{
    Communicator, Comparison, ErrorKind, Intercommunicator, Max, Operation, Root, Source, Sum, Tag,
};

/// Ranks by whether they are odd, joined. What is said of them is in the order of this group and the other.
fn joined(world: &Communicator, tag: i32) -> (Communicator, Intercommunicator) {
    let odd = world.rank() % 2;
    let half = world.split(Some(odd as u32), 0).unwrap().unwrap();
    // The leaders are the first of the even ranks and the last of the odd ones.
    let last_odd = (world.size() / 2) * 2 - 1;
    let (leader, remote) = if odd == 0 { (0, last_odd) } else { (half.size() - 1, 0) };
    let inter = half.intercommunicator(leader, world, remote, tag).unwrap();
    (half, inter)
}

/// Who says what of a root that is the rank `root` of the world.
fn root_of(world: &Communicator, root: usize) -> Root {
    match () {
        () if root == world.rank() => Root::Here,
        () if root % 2 == world.rank() % 2 => Root::Beside,
        () => Root::Remote(root / 2),
    }
}

/// What the ranks of the group that is odd or not have, of what all have.
fn of_group<T: Clone>(all: &[T], odd: usize) -> Vec<T> {
    all.iter().skip(odd).step_by(2).cloned().collect()
}

crate::ranks! {
    fn two_groups_are_joined_and_merged(world: [2, 3, 5]) {
        let (me, size) = (world.rank(), world.size());
        let (half, inter) = joined(world, 5);
        assert_eq!((inter.rank(), inter.size()), (half.rank(), half.size()));
        assert_eq!(inter.remote_size(), size - half.size());
        let all = world.group().unwrap();
        let remote = inter.remote_group().unwrap();
        let there: Vec<usize> = (0..remote.size()).collect();
        let other: Vec<Option<usize>> = (0..size).filter(|rank| rank % 2 != me % 2).map(Some).collect();
        assert_eq!(remote.translate(&there, &all).unwrap(), other);
        assert_eq!(inter.group().unwrap().compare(&half.group().unwrap()).unwrap(), Comparison::Identical);
        for high in [false, true] {
            let merged = inter.merge((me % 2 == 1) != high).unwrap();
            let order: Vec<u64> = of_group(&(0..size as u64).collect::<Vec<_>>(), usize::from(high))
                .into_iter().chain(of_group(&(0..size as u64).collect::<Vec<_>>(), usize::from(!high))).collect();
            assert_eq!(merged.all_gather(&[me as u64]).unwrap(), order);
        }
        assert_eq!(inter.merge(false).unwrap().size(), size);
        inter.set_name("between").unwrap();
        assert_eq!(inter.name().unwrap(), "between");
        let twin = inter.duplicate().unwrap();
        assert_eq!((twin.rank(), twin.remote_size()), (inter.rank(), inter.remote_size()));
        assert_eq!(twin.compare(&inter).unwrap(), Comparison::Congruent);
        assert_eq!(twin.compare(&twin).unwrap(), Comparison::Identical);
        twin.barrier().unwrap();
        inter.disconnect().unwrap();
        twin.barrier().unwrap();
    }

    fn messages_go_to_the_other_group(world: [2, 3, 5]) {
        let (mut stream, me) = (Stream::new(), world.rank());
        let (_half, inter) = joined(world, 6);
        for round in 0..10i32 {
            let all = stream.elements(&any::<u64>(), world.size(), false);
            let ours = &all[me];
            // Each rank sends to all of the other group, by every kind of send.
            let sent: Vec<_> =
                (0..inter.remote_size()).map(|to| inter.start_send(ours.clone(), to, round).unwrap()).collect();
            for from in 0..inter.remote_size() {
                let wanted = &all[2 * from + (me + 1) % 2];
                let (data, status) = match round % 3 {
                    0 => {
                        let seen = inter.probe(from, round).unwrap();
                        assert_eq!(seen.count::<u64>().unwrap(), wanted.len());
                        assert!(inter.try_probe(from, round).unwrap().is_some());
                        inter.receive::<u64>(from, round).unwrap()
                    }
                    1 => inter.matched(from, Tag::Any).unwrap().receive::<u64>().unwrap(),
                    _ => {
                        let (mut data, status) =
                            inter.start_receive(vec![0u64; 200], from, round).unwrap().wait().unwrap();
                        data.truncate(status.count::<u64>().unwrap());
                        (data, status)
                    }
                };
                assert_eq!((&data, status.source().unwrap()), (wanted, from));
            }
            for request in sent {
                request.wait().unwrap();
            }
            if inter.rank() == 0 {
                let mut into = vec![0u64; 200];
                let status = inter.send_receive(ours, 0, 1000, &mut into, 0, 1000).unwrap();
                assert_eq!(into[..status.count::<u64>().unwrap()], all[(me + 1) % 2]);
                inter.send_object(&format!("{round} of {me}"), 0, 1001).unwrap();
                let (text, _) = inter.receive_object::<String>(Source::Any, 1001).unwrap();
                assert_eq!(text, format!("{round} of {}", (me + 1) % 2));
            }
            // Requests of any size, and ones that are made once.
            let text = inter.start_send_object(&format!("from {me}"), inter.remote_size() - 1, 1002).unwrap();
            if inter.rank() == inter.size() - 1 {
                let mut texts: Vec<String> = (0..inter.remote_size())
                    .map(|from| inter.start_receive_object::<String>(from, 1002).unwrap().wait().unwrap().0)
                    .collect();
                texts.sort_unstable();
                let wanted = (0..world.size()).filter(|rank| rank % 2 != me % 2).map(|from| format!("from {from}"));
                assert_eq!(texts, wanted.collect::<Vec<_>>());
            }
            text.wait().unwrap();
            if inter.rank() == 0 {
                let mut sent = inter.send_init(vec![me as u32; 3], 0, 1003).unwrap();
                let mut got = inter.receive_init(vec![0u32; 3], 0, 1003).unwrap();
                for _ in 0..2 {
                    got.start().unwrap();
                    sent.start().unwrap();
                    sent.wait().unwrap();
                    got.wait().unwrap();
                    assert_eq!(got.result().unwrap(), [(me as u32 + 1) % 2; 3]);
                }
                let sent = inter.start_send(vec![7u8; round as usize], 0, 1004).unwrap();
                let got = inter.start_receive_any_size::<u8>(0, 1004).unwrap();
                assert_eq!(got.wait().unwrap().0, vec![7u8; round as usize]);
                sent.wait().unwrap();
            }
            assert!(inter.try_matched(Source::Any, 2000).unwrap().is_none());
            world.barrier().unwrap();
        }
        if me < 2 {
            let to = inter.remote_size();
            let refused = inter.send(&[1u8], to, 0).unwrap_err();
            assert_eq!(refused.kind(), ErrorKind::Rank);
            let wanted = format!("send 1 byte to rank {to} with tag 0: there is no rank {to}; the other group has {to}, from 0 on");
            assert_eq!(refused.to_string(), wanted);
            // Both groups know each other by as many ranks as there are, which differ.
            if inter.size() < to {
                let wait = inter.start_receive(vec![0u8], to - 1, 7).unwrap();
                drop(wait);
            }
        }
    }

    fn what_one_group_has_the_other_gets(world: [2, 3, 5]) {
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let (_half, inter) = joined(world, 7);
        let other = (me + 1) % 2;
        for _ in 0..8 {
            let root = stream.draw(0..size);
            let said = root_of(world, root);
            let (is_root, gets) = (me == root, matches!(said, Root::Remote(_)));
            let even = stream.elements(&any::<u32>(), size, true);
            let uneven = stream.elements(&any::<u64>(), size, false);
            let each = even[0].len();

            let mut copy = if gets { vec![0; each] } else { even[me].clone() };
            inter.broadcast(&mut copy, said).unwrap();
            assert_eq!(copy, if gets { even[root].clone() } else { even[me].clone() });

            let mut into = vec![0; each * inter.remote_size()];
            inter.gather_into(&even[me], if is_root { &mut into } else { &mut [] }, said).unwrap();
            assert!(!is_root || into == of_group(&even, other).concat());
            let parts = inter.gather_parts(&uneven[me], said).unwrap();
            assert_eq!(parts.is_some(), is_root);
            if let Some(parts) = parts {
                assert_eq!(parts.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), of_group(&uneven, other));
            }

            // The root's elements for the other group's ranks.
            let theirs = of_group(&uneven, (root + 1) % 2);
            let counts: Vec<usize> = theirs.iter().map(Vec::len).collect();
            let (data, counts) = if is_root { (theirs.concat(), counts) } else { Default::default() };
            let part = inter.scatter_parts(&data, &counts, said).unwrap();
            assert_eq!(part, if gets { uneven[me].clone() } else { Vec::new() });
            let theirs = of_group(&even, (root + 1) % 2).concat();
            let part = inter.scatter(if is_root { &theirs } else { &[] }, said).unwrap();
            assert_eq!(part, if gets { even[me].clone() } else { Vec::new() });
            let mut part = vec![0; if gets { each } else { 0 }];
            inter.scatter_into(if is_root { &theirs } else { &[] }, &mut part, said).unwrap();
            assert!(!gets || part == even[me]);

            let mut into = vec![0; each * inter.remote_size()];
            inter.all_gather_into(&even[me], &mut into).unwrap();
            assert_eq!(into, of_group(&even, other).concat());
            let parts = inter.all_gather_parts(&uneven[me]).unwrap();
            assert_eq!(parts.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), of_group(&uneven, other));

            // What each rank has for each of the other group: one element, or some.
            let pairs: Vec<Vec<Vec<u64>>> = (0..size).map(|_| stream.elements(&any::<u64>(), size, false)).collect();
            let mine = &of_group(&pairs[me], other);
            let counts: Vec<usize> = mine.iter().map(Vec::len).collect();
            let parts = inter.all_to_all_parts(&mine.concat(), &counts).unwrap();
            let wanted: Vec<Vec<u64>> = of_group(&pairs, other).iter().map(|from| from[me].clone()).collect();
            assert_eq!(parts.iter().map(<[_]>::to_vec).collect::<Vec<_>>(), wanted);
            let square: Vec<Vec<u32>> = (0..size).map(|_| (0..size).map(|_| stream.draw(any::<u32>())).collect()).collect();
            let mut into = vec![0; inter.remote_size()];
            inter.all_to_all_into(&of_group(&square[me], other), &mut into).unwrap();
            assert_eq!(into, of_group(&square, other).iter().map(|from| from[me]).collect::<Vec<_>>());
        }
    }

    fn what_one_group_has_is_combined_for_the_other(world: [2, 3, 5]) {
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let (_half, inter) = joined(world, 8);
        let other = (me + 1) % 2;
        let larger = Operation::each(|from: u32, into: u32| from.max(into)).unwrap();
        for _ in 0..8 {
            let root = stream.draw(0..size);
            let said = root_of(world, root);
            let all = stream.elements(&any::<u32>(), size, true);
            let fold = |combine: fn(u32, u32) -> u32| -> Vec<u32> {
                let mut theirs = of_group(&all, other).into_iter();
                let first = theirs.next().unwrap();
                theirs.fold(first, |sum, next| sum.iter().zip(next).map(|(a, b)| combine(*a, b)).collect())
            };
            let (sum, max) = (fold(u32::wrapping_add), fold(u32::max));
            assert_eq!(inter.all_reduce(&all[me], Sum).unwrap(), sum);
            let mut into = vec![0; sum.len()];
            inter.all_reduce_into(&all[me], &mut into, &larger).unwrap();
            assert_eq!(into, max);
            let is_root = me == root;
            assert_eq!(inter.reduce(&all[me], Max, said).unwrap(), is_root.then(|| max.clone()));
            assert_eq!(inter.reduce(&all[me], &larger, said).unwrap(), is_root.then(|| max.clone()));
            // As even as can be, from the first rank of this group on.
            let shares: Vec<usize> = (0..inter.size()).map(|rank| (sum.len() + rank) / inter.size()).collect();
            let begin: usize = shares[..inter.rank()].iter().sum();
            let part = inter.reduce_scatter(&all[me], &shares, Sum).unwrap();
            assert_eq!(part, sum[begin..begin + shares[inter.rank()]]);
            let mut into = vec![0; if is_root { sum.len() } else { 0 }];
            inter.reduce_into(&all[me], &mut into, Sum, said).unwrap();
            assert!(!is_root || into == sum);
        }
    }

    fn what_does_not_commute_is_combined_in_the_order_of_the_other_group(world: [2, 3, 5]) {
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let (_half, inter) = joined(world, 11);
        // Affine maps, `a * x + b` modulo 2^64: composing them is associative and not commutative.
        let composed = |a: [u64; 2], b: [u64; 2]| {
            [a[0].wrapping_mul(b[0]), a[0].wrapping_mul(b[1]).wrapping_add(a[1])]
        };
        let compose = Operation::each(composed).unwrap().not_commutative();
        for _ in 0..8 {
            let root = stream.draw(0..size);
            let all = stream.elements(&any::<[u64; 2]>(), size, true);
            let theirs = of_group(&all, (me + 1) % 2);
            let wanted: Vec<[u64; 2]> = (0..all[me].len())
                .map(|at| theirs.iter().map(|rank| rank[at]).reduce(composed).unwrap())
                .collect();
            assert_eq!(inter.all_reduce(&all[me], &compose).unwrap(), wanted);
            let reduced = inter.reduce(&all[me], &compose, root_of(world, root)).unwrap();
            assert_eq!(reduced, (me == root).then(|| wanted.clone()));
            let shares: Vec<usize> = (0..inter.size()).map(|rank| (wanted.len() + rank) / inter.size()).collect();
            let begin: usize = shares[..inter.rank()].iter().sum();
            let part = inter.reduce_scatter(&all[me], &shares, &compose).unwrap();
            assert_eq!(part, wanted[begin..begin + shares[inter.rank()]]);
        }
    }

    fn objects_go_between_the_groups(world: [2, 3, 5]) {
        let (me, size) = (world.rank(), world.size());
        let (_half, inter) = joined(world, 9);
        let name = |rank: usize| format!("rank {rank}{}", "!".repeat(rank * 1000));
        let names: Vec<String> = (0..size).map(name).collect();
        let theirs = of_group(&names, (me + 1) % 2);
        assert_eq!(inter.all_gather_objects(&name(me)).unwrap(), theirs);
        let concat = |a: String, b: String| a + &b;
        assert_eq!(inter.all_reduce_object(&name(me), concat).unwrap(), theirs.concat());
        let pairs: Vec<String> = (0..inter.remote_size()).map(|to| format!("{me} to {}", 2 * to + (me + 1) % 2)).collect();
        let wanted: Vec<String> = (0..size).filter(|rank| rank % 2 != me % 2).map(|from| format!("{from} to {me}")).collect();
        assert_eq!(inter.all_to_all_objects(&pairs).unwrap(), wanted);
        for root in 0..size {
            let said = root_of(world, root);
            let (is_root, gets) = (said == Root::Here, matches!(said, Root::Remote(_)));
            let mine = is_root.then(|| name(root));
            assert_eq!(inter.broadcast_object(mine.as_ref(), said).unwrap(), gets.then(|| name(root)));
            let mine = gets.then(|| name(me));
            assert_eq!(inter.gather_objects(mine.as_ref(), said).unwrap(), is_root.then(|| theirs.clone()));
            assert_eq!(inter.reduce_object(mine.as_ref(), concat, said).unwrap(), is_root.then(|| theirs.concat()));
            let values = if is_root { theirs.clone() } else { Vec::new() };
            assert_eq!(inter.scatter_objects(&values, said).unwrap(), gets.then(|| name(me)));
        }
    }

    fn what_one_rank_gives_wrongly_is_told_to_all(world: [2, 3, 5]) {
        let (me, size) = (world.rank(), world.size());
        let (half, inter) = joined(world, 10);
        let said = root_of(world, size - 1);
        let gets = matches!(said, Root::Remote(_));
        let odd_one = vec![1u8; inter.remote_size() + 1];
        // Where the root's other group has one rank, any number is shared evenly. Those beside the root take no part.
        let is_uneven = (if gets { inter.size() } else { inter.remote_size() }) > 1;
        let scattered = inter.scatter(if said == Root::Here { &odd_one } else { &[] }, said);
        assert_eq!(scattered.is_err(), is_uneven && said != Root::Beside);
        let scattered = inter.scatter_parts(&odd_one, &[1], said);
        let is_wrong = said != Root::Beside;
        assert_eq!(scattered.as_ref().err().map(upcall_mpi::Error::kind), is_wrong.then_some(ErrorKind::Usage));
        let counts = vec![usize::from(me == 0); inter.remote_size()];
        let refused = inter.all_to_all_parts::<u8>(&[], &counts).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Usage, "{refused}");
        let given = vec![1u32; if me + 2 >= size { 1 } else { 2 }];
        let reduced = inter.reduce(&given, Sum, said);
        let ranks = if gets { half.size() } else { inter.remote_size() };
        if said != Root::Beside {
            assert_eq!(reduced.is_err(), ranks > 1, "{reduced:?}");
        }
        let none: Option<&String> = None;
        assert_eq!(inter.broadcast_object(none, said).is_err(), said != Root::Beside);
        // A leader that one rank of each side gets wrong is told to all of both.
        let refused = half.intercommunicator(if half.rank() == 0 { 99 } else { 0 }, world, 0, 3).unwrap_err();
        assert_eq!(refused.kind(), if half.rank() == 0 { ErrorKind::Rank } else { ErrorKind::Usage });
        // And all are together again.
        inter.barrier().unwrap();
        assert_eq!(world.all_reduce(&[1u32], Sum).unwrap(), [size as u32]);
    }
}
