//! Messages in partitions, where the MPI has them, and what is said where it has not.

use crate::support::Stream;
use proptest::arbitrary::any;
use std::time::Duration;
use upcall_mpi::{Communicator, ErrorKind};

/// Whether the MPI in use has them: MPICH 4 has, and Open MPI 4.1 has not, where the error is what is tested.
fn has(world: &Communicator) -> bool {
    let rank = world.rank();
    let Err(error) = world.partitioned_send_init(vec![0u8; 4], 2, rank, 99) else { return true };
    assert!(std::env::var_os("OMPI_COMM_WORLD_SIZE").is_some(), "MPICH 4 has them: {error}");
    assert_eq!(error.kind(), ErrorKind::Unsupported);
    let said = error.to_string();
    let wanted = format!("make a send of 4 bytes in 2 partitions to rank {rank} ready: Open MPI v4.1");
    assert!(said.starts_with(&wanted), "{said}");
    let wanted = ", of MPI 3.1, has no MPI_Psend_init; send the partitions as messages of their own";
    assert!(said.ends_with(wanted), "{said}");
    let error = world.partitioned_receive_init(vec![0u8; 4], 2, 0, 99).unwrap_err();
    assert!(error.to_string().contains("has no MPI_Precv_init"), "{error}");
    false
}

crate::ranks! {
    fn partitions_are_sent_by_threads_as_they_are_ready(world: [2, 3]) {
        if !has(world) {
            return;
        }
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        let mut stream = Stream::new();
        for (partitions, each) in [(1usize, 1), (4, 100), (8, 3), (2, 50_000)] {
            let elements = partitions * each;
            // The receiver divides it in its own way.
            let into = if partitions.is_multiple_of(2) { partitions / 2 } else { partitions };
            let mut send = world.partitioned_send_init(vec![0u32; elements], partitions, next, 1).unwrap();
            let mut receive = world.partitioned_receive_init(vec![0u32; elements], into, before, 1).unwrap();
            for round in 0..3 {
                let base: u32 = stream.draw(any::<u32>());
                let value = |rank: usize, at: usize| base.wrapping_add((rank * elements + at) as u32);
                receive.start().unwrap();
                std::thread::scope(|scope| {
                    for mut partition in send.start().unwrap() {
                        if round == 2 && partition.index() == 0 {
                            // It is not made ready: the wait does that.
                            partition.iter_mut().enumerate().for_each(|(at, to)| *to = value(me, at));
                            continue;
                        }
                        scope.spawn(move || {
                            let begin = partition.index() * each;
                            partition.iter_mut().enumerate().for_each(|(at, to)| *to = value(me, begin + at));
                            partition.ready().unwrap();
                        });
                    }
                });
                assert_eq!(send.data().unwrap_err().kind(), ErrorKind::Usage);
                send.wait().unwrap();
                let wanted: Vec<u32> = (0..elements).map(|at| value(before, at)).collect();
                for (part, wanted) in wanted.chunks(elements / into).enumerate() {
                    let arrived = loop {
                        if let Some(arrived) = receive.arrived(part).unwrap() {
                            break arrived;
                        }
                        std::thread::sleep(Duration::from_micros(50));
                    };
                    assert_eq!(arrived, wanted);
                }
                assert_eq!(receive.arrived(into).unwrap_err().kind(), ErrorKind::Usage);
                receive.wait().unwrap();
                assert_eq!(receive.data().unwrap(), wanted);
            }
            assert_eq!(send.free().unwrap().len(), elements);
            assert_eq!(receive.free().unwrap().len(), elements);
        }
    }

    fn partitions_that_are_given_up_are_sent_and_received(world: [2]) {
        if !has(world) {
            return;
        }
        let other = 1 - world.rank();
        for round in 0..5u8 {
            let mut send = world.partitioned_send_init(vec![round; 1000], 4, other, i32::from(round)).unwrap();
            let mut receive = world.partitioned_receive_init(vec![9u8; 1000], 2, other, i32::from(round)).unwrap();
            let mut partitions = send.start().unwrap();
            partitions.remove(2).ready().unwrap();
            drop(partitions);
            drop(send);
            receive.start().unwrap();
            if world.rank() == 0 {
                receive.wait().unwrap();
                assert_eq!(receive.data().unwrap(), [round; 1000]);
            }
        }
        world.barrier().unwrap();
    }

    fn what_cannot_be_shared_out_is_refused(world: [2]) {
        if !has(world) {
            return;
        }
        for (elements, partitions) in [(5, 2), (0, 1), (4, 0), (2, 4)] {
            let error = world.partitioned_send_init(vec![0u8; elements], partitions, 0, 0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
        }
        let mut send = world.partitioned_send_init(vec![0u8; 4], 2, 0, 0).unwrap();
        assert_eq!(send.wait().unwrap_err().to_string(), "wait for a message in partitions: it was not started");
        assert_eq!(world.partitioned_receive_init(vec![0u8; 4], 2, 7, 0).unwrap_err().kind(), ErrorKind::Rank);
    }
}
