//! Messages from rank to rank, and requests.

use crate::support::Stream;
use proptest::arbitrary::any;
use proptest::collection::vec;
use upcall::Blit;
use upcall_mpi::{ErrorKind, Request, Source, Sum, Tag};

/// Of 24 bytes, of which 13 are padding.
#[repr(C)]
#[derive(Blit, Clone, Copy)]
struct Padded {
    small: u8,
    large: u64,
    last: u16,
}

crate::ranks! {
    fn messages_arrive_as_they_were_sent_in_every_mode(world: [2, 3, 5]) {
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        let mut stream = Stream::new();
        for round in 0..20i32 {
            let all = stream.elements(&any::<u64>(), size, false);
            let request = world.start_receive(vec![0u64; 200], before, round).unwrap();
            match round % 3 {
                0 => world.send(&all[me], next, round),
                1 => world.send_synchronous(&all[me], next, round),
                _ => world.start_send(all[me].clone(), next, round).and_then(|sent| sent.wait().map(drop)),
            }
            .unwrap();
            let (data, status) = request.wait().unwrap();
            let count = status.count::<u64>().unwrap();
            assert_eq!(data[..count], all[before]);
            assert_eq!((status.source().unwrap(), status.tag().unwrap()), (before, round));
            // Of a size that nobody has said.
            let sent = world.start_send(all[me].clone(), next, round).unwrap();
            let (data, status) = world.receive::<u64>(Source::Any, Tag::Any).unwrap();
            assert_eq!((data, status.source().unwrap()), (all[before].clone(), before));
            sent.wait().unwrap();
            let mut into = vec![0u64; 200];
            let status = world.send_receive(&all[me], next, round, &mut into, before, round).unwrap();
            assert_eq!(into[..status.count::<u64>().unwrap()], all[before]);
            world.barrier().unwrap();
        }
    }

    fn threads_receive_from_any_rank_and_lose_nothing(world: [2, 4]) {
        const EACH: usize = 50;
        let me = world.rank();
        if me > 0 {
            for number in 0..EACH {
                // Messages of another size each: two threads that mix them up are found out.
                world.send_object(&vec![number as u32; number], 0, 3).unwrap();
            }
            return;
        }
        let mut found: Vec<usize> = std::thread::scope(|scope| {
            let take = || (0..EACH * (world.size() - 1) / 2).map(|_| {
                let (data, _) = world.receive_object::<Vec<u32>>(Source::Any, 3).unwrap();
                assert!(data.iter().all(|number| *number as usize == data.len()));
                data.len()
            }).collect::<Vec<_>>();
            let threads = [scope.spawn(take), scope.spawn(take)];
            threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
        });
        found.sort_unstable();
        let wanted: Vec<usize> = (0..EACH).flat_map(|number| vec![number; world.size() - 1]).collect();
        assert_eq!(found, wanted);
    }

    fn requests_are_waited_for_in_any_order_and_dropped_safely(world: [2]) {
        let other = 1 - world.rank();
        let receives: Vec<_> = (0..10).map(|tag| world.start_receive(vec![0u16; 4], other, tag).unwrap()).collect();
        let sends: Vec<_> = (0..10u16).rev().map(|tag| {
            world.start_send(vec![tag; 4], other, i32::from(tag)).unwrap()
        }).collect();
        Request::wait_all(sends).unwrap();
        let mut seen = Vec::new();
        let mut receives = receives;
        while let Some((_, data, status)) = Request::wait_any(&mut receives).unwrap() {
            assert_eq!(data, [status.tag().unwrap() as u16; 4]);
            seen.push(data[0]);
        }
        seen.sort_unstable();
        assert_eq!(seen, (0..10).collect::<Vec<u16>>());
        // Nobody sends this one: it is cancelled, and its buffer is free.
        drop(world.start_receive(vec![1u8; 1 << 20], other, 77).unwrap());
        let pending = world.start_receive(vec![0u8; 8], other, 78).unwrap();
        let Err(pending) = pending.test().unwrap() else { panic!("nothing was sent") };
        world.barrier().unwrap();
        drop(world.start_send(vec![5u8; 1 << 20], other, 79).unwrap());
        assert_eq!(world.receive::<u8>(other, 79).unwrap().0, vec![5u8; 1 << 20]);
        world.send(&[9u8; 8], other, 78).unwrap();
        assert_eq!(pending.wait().unwrap().0, [9; 8]);
    }

    fn a_request_that_fails_has_ended_however_it_was_waited_for(world: [2]) {
        let other = 1 - world.rank();
        let small = |tag| world.start_receive(vec![0u32; 1], other, tag).unwrap();
        let mut some = vec![small(1), small(2)];
        let (waited, tested) = (small(3), small(4));
        world.barrier().unwrap();
        for tag in 1..=4 {
            world.send(&[7u32; 2], other, tag).unwrap();
        }
        world.barrier().unwrap();
        for left in [1, 0] {
            assert_eq!(Request::wait_any(&mut some).unwrap_err().kind(), ErrorKind::Truncated);
            assert_eq!(some.len(), left);
        }
        assert_eq!(waited.wait().unwrap_err().kind(), ErrorKind::Truncated);
        let mut tested = tested;
        let error = loop {
            match tested.test() {
                Ok(Err(goes_on)) => tested = goes_on,
                Ok(Ok(_)) => panic!("there was no room for it"),
                Err(error) => break error,
            }
        };
        assert_eq!(error.kind(), ErrorKind::Truncated);
        world.barrier().unwrap();
    }

    fn a_look_for_a_message_that_is_not_there_takes_none(world: [2]) {
        let other = 1 - world.rank();
        assert!(world.try_matched(other, 5).unwrap().is_none());
        world.barrier().unwrap();
        world.send(&[3u8; 3], other, 5).unwrap();
        let message = loop {
            if let Some(message) = world.try_matched(Source::Any, Tag::Any).unwrap() {
                break message;
            }
        };
        assert_eq!(message.receive::<u8>().unwrap().0, [3; 3]);
        // One that nobody wants is thrown away.
        let sent = world.start_send(vec![4u8; 1 << 20], other, 6).unwrap();
        drop(world.matched(other, 6).unwrap());
        sent.wait().unwrap();
        world.send(&[5u8], other, 6).unwrap();
        assert_eq!(world.receive::<u8>(other, 6).unwrap().0, [5]);
    }

    fn what_was_matched_was_not_cancelled_whatever_the_stack_had_before(world: [2]) {
        // MPICH's probes leave the bit for it as it was.
        #[inline(never)]
        fn dirty() -> u64 {
            std::hint::black_box([u64::MAX; 128])[7]
        }
        let other = 1 - world.rank();
        for round in 0..100 {
            let sent = world.start_send(vec![round; 3], other, round).unwrap();
            dirty();
            let message = world.matched(other, round).unwrap();
            assert!(!message.status().is_cancelled().unwrap());
            dirty();
            let (data, status) = message.receive::<i32>().unwrap();
            assert_eq!((data, status.envelope().unwrap()), (vec![round; 3], (Some(other), round, false)));
            sent.wait().unwrap();
        }
    }

    fn padding_is_zero_where_it_arrives(world: [2]) {
        let mut stream = Stream::new();
        for _ in 0..20 {
            // Of 24 bytes: up to 47 kB, which are copied in parts of 4.
            let count = stream.draw(0..2000usize);
            if world.rank() == 0 {
                let mut data = Vec::<Padded>::with_capacity(count);
                // SAFETY: there is room for as many, and any bytes are values; those of the padding stay what they are as nothing
                // moves the elements.
                unsafe {
                    data.as_mut_ptr().write_bytes(0xa5, count);
                    data.set_len(count);
                }
                world.send(&data, 1, 8).unwrap();
            } else {
                let (bytes, _) = world.receive::<u8>(0, 8).unwrap();
                let each: Vec<u8> = (0..24).map(|at| if matches!(at, 0 | 8..18) { 0xa5 } else { 0 }).collect();
                assert_eq!(bytes, each.repeat(count));
            }
        }
    }

    fn an_object_is_received_into_one_that_is_there(world: [2]) {
        let mut stream = Stream::new();
        let mut value = Vec::new();
        for _ in 0..50 {
            let wanted = stream.draw(vec((any::<u32>(), any::<String>()), 0..50));
            if world.rank() == 0 {
                world.send_object(&wanted, 1, 9).unwrap();
            } else {
                let status = world.receive_object_into(&mut value, 0, Tag::Any).unwrap();
                assert_eq!((&value, status.tag().unwrap()), (&wanted, 9));
            }
        }
        if world.rank() == 0 {
            world.send(&[1u8; 3], 1, 9).unwrap();
        } else {
            let error = world.receive_object_into(&mut value, 0, 9).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Type, "{error}");
        }
    }

    fn sends_that_are_given_up_arrive_and_their_buffers_are_freed(world: [2]) {
        let other = 1 - world.rank();
        for round in 0..50 {
            drop(world.start_send(vec![round; 1 << 16], other, 7).unwrap());
            assert_eq!(world.receive::<u8>(other, 7).unwrap().0, vec![round; 1 << 16]);
        }
    }

    fn what_is_wrong_is_an_error_that_names_it(world: [2]) {
        let (me, other) = (world.rank(), 1 - world.rank());
        let error = world.send(&[1u8], 9, 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Rank);
        assert_eq!(error.to_string(), "send 1 byte to rank 9 with tag 0: there is no rank 9; this communicator has 2, from 0 on");
        assert_eq!(world.send(&[1u8], other, -5).unwrap_err().kind(), ErrorKind::Tag);
        let error = world.receive::<u8>(other, -1).unwrap_err();
        let said = format!("look for a message from rank {other} with tag -1: a tag is 0 or more, and this is -1");
        assert_eq!(error.to_string(), said);
        // More than there is room for.
        if me == 0 {
            world.send(&[1u32; 100], 1, 1).unwrap();
            world.send(&[1u8; 7], 1, 2).unwrap();
        } else {
            let error = world.receive_into(&mut [0u32; 3], 0, 1).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Truncated, "{error}");
            assert!(error.to_string().starts_with("receive 3 elements at most from rank 0 with tag 1: "), "{error}");
            let error = world.receive::<u32>(0, 2).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Type, "{error}");
        }
        assert_eq!(world.all_to_all(&[1u8; 3]).unwrap_err().kind(), ErrorKind::Usage);
        for counts in [vec![3], vec![2, 2], vec![usize::MAX, 4]] {
            assert_eq!(world.scatter_parts(&[1u8; 3], &counts, 0).unwrap_err().kind(), ErrorKind::Usage);
            assert_eq!(world.all_to_all_parts(&[1u8; 3], &counts).unwrap_err().kind(), ErrorKind::Usage);
            assert_eq!(world.reduce_scatter(&[1u8; 3], &counts, Sum).unwrap_err().kind(), ErrorKind::Usage);
        }
        let error = world.scatter(&[1u8; 3], 0).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        world.barrier().unwrap();
    }
}
