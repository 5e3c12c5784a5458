//! Several requests at once, requests that are taken back, and receives of unknown size.

use crate::support::Stream;
use proptest::arbitrary::any;
use std::any::Any;
use upcall_mpi::{Communicator, ErrorKind, Request, Source, Status, Tag, Withdrawn};

type Requests = Vec<Request<Vec<u32>>>;

/// A ring: what comes from the rank before, as many messages as `sizes`, whose tags are their indices.
fn ring(world: &Communicator, sizes: &[usize]) -> (Requests, Requests) {
    let (me, size) = (world.rank(), world.size());
    let (next, before) = ((me + 1) % size, (me + size - 1) % size);
    let receive =
        |(tag, size): (usize, &usize)| world.start_receive(vec![0; *size], before, tag as i32).unwrap();
    let receives = sizes.iter().enumerate().map(receive).collect();
    let send =
        |(tag, size): (usize, &usize)| world.start_send(vec![tag as u32; *size], next, tag as i32).unwrap();
    (receives, sizes.iter().enumerate().rev().map(send).collect())
}

fn is_right(sizes: &[usize], data: &[u32], status: &Status) -> usize {
    let tag = status.tag().unwrap() as usize;
    assert_eq!(data, vec![tag as u32; sizes[tag]]);
    tag
}

crate::ranks! {
    fn some_are_taken_as_they_end_and_none_is_lost(world: [1, 2, 3]) {
        let mut stream = Stream::new();
        for round in 0..12 {
            let count = stream.draw(1..12usize);
            // Some are larger than what is sent at once.
            let sizes: Vec<usize> = (0..count).map(|_| stream.draw(0..6usize).pow(6)).collect();
            let (mut receives, mut sends) = ring(world, &sizes);
            let mut seen = Vec::new();
            let mut take = |data: Vec<u32>, status: Status| seen.push(is_right(&sizes, &data, &status));
            match round % 4 {
                0 => while !receives.is_empty() {
                    let before = receives.len();
                    let ended = Request::wait_some(&mut receives);
                    assert!(!ended.is_empty() && ended.len() + receives.len() == before);
                    assert!(ended.iter().all(|ended| ended.index < before));
                    for ended in ended {
                        let (data, status) = ended.outcome.unwrap();
                        take(data, status);
                    }
                },
                1 => while !receives.is_empty() {
                    for ended in Request::test_some(&mut receives) {
                        let (data, status) = ended.outcome.unwrap();
                        take(data, status);
                    }
                },
                2 => while !receives.is_empty() {
                    if let Some((_, data, status)) = Request::test_any(&mut receives).unwrap() {
                        take(data, status);
                    }
                },
                _ => {
                    let all = loop {
                        if let Some(all) = Request::test_all(&mut receives).unwrap() {
                            break all;
                        }
                        assert_eq!(receives.len(), count);
                    };
                    assert!(all.iter().enumerate().all(|(at, (_, status))| status.tag().unwrap() as usize == at));
                    all.into_iter().for_each(|(data, status)| take(data, status));
                }
            }
            seen.sort_unstable();
            assert_eq!(seen, (0..count).collect::<Vec<_>>());
            while Request::test_all(&mut sends).unwrap().is_none() {}
            assert!(sends.is_empty());
        }
        assert!(Request::<Vec<u8>>::wait_some(&mut Vec::new()).is_empty());
        assert!(Request::<Vec<u8>>::test_any(&mut Vec::new()).unwrap().is_none());
        assert!(Request::<Vec<u8>>::test_all(&mut Vec::new()).unwrap().unwrap().is_empty());
    }

    fn requests_of_different_buffers_are_waited_for_together(world: [2, 3]) {
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        let mut all: Vec<Request<Box<dyn Any + Send>>> = vec![
            world.start_receive(vec![0.0f64; 2], before, 1).unwrap().erased(),
            world.start_receive_object::<String>(before, 2).unwrap().erased(),
            world.start_send(vec![me as u8; 3], next, 3).unwrap().erased(),
            world.start_all_gather(vec![me as u16]).unwrap().erased(),
            world.start_receive_any_size::<u8>(before, 3).unwrap().erased(),
            world.start_barrier().unwrap().erased(),
        ];
        world.send(&[me as f64, 0.5], next, 1).unwrap();
        world.send_object(&format!("from {me}"), next, 2).unwrap();
        let mut kinds = [0; 5];
        while let Some((_, value, status)) = Request::wait_any(&mut all).unwrap() {
            if let Some(numbers) = value.downcast_ref::<Vec<f64>>() {
                assert_eq!((numbers, status.source().unwrap()), (&vec![before as f64, 0.5], before));
                kinds[0] += 1;
            } else if let Some(text) = value.downcast_ref::<String>() {
                assert_eq!(*text, format!("from {before}"));
                kinds[1] += 1;
            } else if let Some(bytes) = value.downcast_ref::<Vec<u8>>() {
                assert!(*bytes == [me as u8; 3] || *bytes == [before as u8; 3]);
                kinds[2] += 1;
            } else if let Some(ranks) = value.downcast_ref::<Vec<u16>>() {
                assert_eq!(*ranks, (0..size as u16).collect::<Vec<_>>());
                kinds[3] += 1;
            } else {
                value.downcast::<()>().unwrap();
                kinds[4] += 1;
            }
        }
        assert_eq!(kinds, [1, 1, 2, 1, 1]);
    }

    fn a_receive_that_is_taken_back_says_whether_a_message_had_arrived(world: [2]) {
        let other = 1 - world.rank();
        let pending = world.start_receive(vec![7u8; 5], other, 1).unwrap();
        match pending.withdraw().unwrap() {
            Withdrawn::Undone(Some(buffer)) => assert_eq!(buffer, [7; 5]),
            wrong => panic!("{wrong:?}"),
        }
        match world.start_receive_any_size::<u8>(other, 1).unwrap().withdraw().unwrap() {
            Withdrawn::Undone(None) => {}
            wrong => panic!("{wrong:?}"),
        }
        let pending = world.start_receive(vec![0u8; 5], other, 2).unwrap();
        let any_size = world.start_receive_any_size::<u8>(other, 3).unwrap();
        world.barrier().unwrap();
        world.send(&[9u8; 4], other, 2).unwrap();
        world.send(&[8u8; 3], other, 3).unwrap();
        // What was taken back has not taken this, which comes behind the others.
        world.send(&[1u8], other, 1).unwrap();
        assert_eq!(world.receive::<u8>(other, 1).unwrap().0, [1]);
        match pending.withdraw().unwrap() {
            Withdrawn::Ended(data, status) => assert_eq!((data, status.bytes().unwrap()), (vec![9, 9, 9, 9, 0], 4)),
            wrong => panic!("{wrong:?}"),
        }
        match any_size.withdraw().unwrap() {
            Withdrawn::Ended(data, _) => assert_eq!(data, [8; 3]),
            wrong => panic!("{wrong:?}"),
        }
    }

    fn a_send_that_is_to_be_taken_back_arrives_where_the_mpi_cannot(world: [2]) {
        let other = 1 - world.rank();
        // Large enough to wait for its receiver.
        let sent = world.start_send_synchronous(vec![3u8; 1 << 20], other, 1).unwrap();
        match sent.withdraw().unwrap() {
            Withdrawn::GoesOn(sent) => {
                world.barrier().unwrap();
                assert_eq!(world.receive::<u8>(other, 1).unwrap().0, vec![3; 1 << 20]);
                assert!(!sent.wait().unwrap().1.is_cancelled().unwrap());
            }
            Withdrawn::Undone(data) => {
                assert_eq!(data.unwrap(), vec![3; 1 << 20]);
                world.barrier().unwrap();
                assert!(world.try_matched(other, 1).unwrap().is_none());
            }
            Withdrawn::Ended(..) => panic!("nobody has received it"),
        }
        world.barrier().unwrap();
    }

    fn receives_that_fail_are_told_one_by_one(world: [2]) {
        let other = 1 - world.rank();
        let mut all: Vec<_> = (0..6).map(|tag| world.start_receive(vec![0u32; 2], other, tag).unwrap()).collect();
        world.barrier().unwrap();
        for tag in 0..6 {
            world.send(&vec![tag as u32; if tag % 2 == 0 { 2 } else { 3 }], other, tag).unwrap();
        }
        let mut outcomes = Vec::new();
        while !all.is_empty() {
            outcomes.extend(Request::wait_some(&mut all).into_iter().map(|ended| match ended.outcome {
                Ok((data, status)) => (status.tag().unwrap(), data),
                Err(error) => {
                    assert_eq!(error.kind(), ErrorKind::Truncated);
                    (-1, Vec::new())
                }
            }));
        }
        outcomes.sort_unstable();
        let wanted: Vec<(i32, Vec<u32>)> = [-1, -1, -1, 0, 2, 4]
            .map(|tag| (tag, if tag < 0 { Vec::new() } else { vec![tag as u32; 2] }))
            .into();
        assert_eq!(outcomes, wanted);
        // All together: the error is told when the others have ended too.
        let mut all: Vec<_> = (0..2).map(|tag| world.start_receive(vec![0u32; 2], other, tag).unwrap()).collect();
        world.barrier().unwrap();
        world.send(&[1u32; 3], other, 0).unwrap();
        world.send(&[1u32; 2], other, 1).unwrap();
        let error = loop {
            match Request::test_all(&mut all) {
                Ok(None) => {}
                Ok(Some(_)) => panic!("there was no room for one"),
                Err(error) => break error,
            }
        };
        assert_eq!((error.kind(), all.len()), (ErrorKind::Truncated, 0));
        world.barrier().unwrap();
    }

    fn messages_of_any_size_are_received_by_requests(world: [1, 2, 3, 5]) {
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        let mut stream = Stream::new();
        for round in 0..10i32 {
            let all = stream.elements(&any::<[u16; 3]>(), size, false);
            let text: String = stream.draw("\\PC{0,3000}");
            let elements = world.start_receive_any_size::<[u16; 3]>(before, round).unwrap();
            let object = world.start_receive_object::<(String, u64)>(Source::Any, 1000 + round).unwrap();
            let waits = (round as usize + me).is_multiple_of(2);
            let text_of_me = (text.clone(), me as u64);
            let sends = [
                world.start_send(all[me].clone(), next, round).unwrap().erased(),
                world.start_send_object(&text_of_me, next, 1000 + round).unwrap().erased(),
                world.start_send(vec![0u8; 0], next, 500).unwrap().erased(),
            ];
            let (data, status) = if waits { elements.wait().unwrap() } else {
                let mut asked = elements;
                loop {
                    match asked.test().unwrap() {
                        Ok(ended) => break ended,
                        Err(goes_on) => asked = goes_on,
                    }
                }
            };
            assert_eq!((data, status.source().unwrap()), (all[before].clone(), before));
            assert_eq!(object.wait().unwrap().0, (text, before as u64));
            assert!(world.start_receive_any_size::<u64>(before, 500).unwrap().wait().unwrap().0.is_empty());
            Request::wait_all(sends).unwrap();
        }
    }

    fn threads_ask_for_messages_of_any_size_and_lose_none(world: [2, 3]) {
        const EACH: usize = 40;
        let me = world.rank();
        if me > 0 {
            for number in 0..EACH {
                world.send_object(&vec![number as u32; number * 50], 0, 3).unwrap();
            }
            return;
        }
        let mut found: Vec<usize> = std::thread::scope(|scope| {
            let take = |waits: bool| (0..EACH * (world.size() - 1) / 2).map(|_| {
                let (first, second) = (
                    world.start_receive_object::<Vec<u32>>(Source::Any, 3).unwrap(),
                    world.start_receive_object::<Vec<u32>>(Source::Any, 3).unwrap(),
                );
                // One of several that is dropped has taken no message.
                drop(second);
                let data = if waits { first.wait().unwrap().0 } else {
                    Request::wait_any(&mut vec![first]).unwrap().unwrap().1
                };
                assert!(data.iter().all(|number| *number as usize * 50 == data.len()));
                data.len() / 50
            }).collect::<Vec<_>>();
            let threads = [scope.spawn(move || take(true)), scope.spawn(move || take(false))];
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        found.sort_unstable();
        let wanted: Vec<usize> = (0..EACH).flat_map(|number| vec![number; world.size() - 1]).collect();
        assert_eq!(found, wanted);
    }

    fn several_of_any_size_wait_for_each_other_in_no_order(world: [2]) {
        let other = 1 - world.rank();
        let receives: Vec<_> = (0..4).map(|tag| world.start_receive_any_size::<u8>(other, tag).unwrap()).collect();
        // The last is sent first, and is too large to be sent before it is received.
        if world.rank() == 0 {
            for tag in (0..4).rev() {
                world.send_synchronous(&vec![tag as u8; 1 << 18], other, tag).unwrap();
            }
            let _ = Request::wait_all(receives).unwrap();
        } else {
            let all = Request::wait_all(receives).unwrap();
            assert!(all.iter().enumerate().all(|(tag, (data, _))| *data == vec![tag as u8; 1 << 18]));
            for tag in 0..4 {
                world.send(&[1u8], other, tag).unwrap();
            }
        }
    }

    fn what_arrives_of_another_shape_is_thrown_away(world: [2]) {
        let other = 1 - world.rank();
        let odd = world.start_receive_any_size::<u32>(other, 1).unwrap();
        let object = world.start_receive_object::<String>(other, 2).unwrap();
        world.send(&[1u8; 7], other, 1).unwrap();
        world.send(&[0xffu8; 9], other, 2).unwrap();
        world.send(&[5u32], other, 1).unwrap();
        let error = odd.wait().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Type, "{error}");
        let error = object.wait().unwrap_err();
        assert!(error.to_string().starts_with("receive an object: it is no value of the type"), "{error}");
        assert_eq!(world.receive::<u32>(other, Tag::Any).unwrap().0, [5]);
    }

    fn requests_are_dropped_in_every_state(world: [2]) {
        let other = 1 - world.rank();
        for round in 0..20u8 {
            let size = if round % 2 == 0 { 10 } else { 1 << 17 };
            // Not arrived, arrived, and ended by a look.
            let never = world.start_receive(vec![0u8; size], other, 90).unwrap();
            let arrived = world.start_receive(vec![0u8; size], other, 1).unwrap();
            let mut ended = vec![world.start_receive(vec![0u8; size], other, 2).unwrap()];
            let any_size = world.start_receive_any_size::<u8>(other, 3).unwrap();
            let asked = world.start_receive_any_size::<u8>(other, 4).unwrap();
            let sends = (1..5).map(|tag| world.start_send(vec![round; size], other, tag).unwrap()).collect::<Vec<_>>();
            while Request::test_all(&mut ended).unwrap().is_none() {}
            // It may have found its message, and not all of that.
            drop(asked.test().unwrap());
            drop((never, arrived, any_size, sends));
            // The last was not taken by the one that was dropped, which had not looked for it.
            assert_eq!(world.receive::<u8>(other, 3).unwrap().0, vec![round; size]);
            world.barrier().unwrap();
            for tag in [1, 4] {
                while let Some(message) = world.try_matched(other, tag).unwrap() {
                    assert_eq!(message.receive::<u8>().unwrap().0, vec![round; size]);
                }
            }
            world.barrier().unwrap();
        }
    }
}
