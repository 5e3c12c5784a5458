//! Messages that say which type their elements have.

use crate::support::Stream;
use proptest::arbitrary::any;
use upcall::Blit;
use upcall_mpi::{Communicator, ElementType, ErrorKind, Source, Sum, Tag};

#[repr(C)]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Reading {
    sensor: u32,
    value: f64,
}

mod other {
    /// Of the same name and size, and of other fields.
    #[repr(C)]
    #[derive(upcall::Blit, Clone, Copy, Debug, PartialEq)]
    pub struct Reading {
        pub value: f64,
        pub sensor: u32,
    }
}

const VARIABLE: &str = "UPCALL_MPI_CHECK_TYPES";

/// Sets it for what this rank does next.
fn wanted(value: &str) {
    // SAFETY: a rank of these tests has no thread that reads the environment meanwhile.
    unsafe { std::env::set_var(VARIABLE, value) };
}

/// What is sent as one type arrives as that, however it is received.
fn arrives(world: &Communicator, on: bool) {
    let world = world.checked().unwrap();
    assert_eq!(world.is_on(), on);
    let (me, size) = (world.rank(), world.size());
    let (next, before) = ((me + 1) % size, (me + size - 1) % size);
    let mut stream = Stream::new();
    for round in 0..10i32 {
        let all = stream.elements(&any::<u64>(), size, false);
        let mut into = vec![0u64; 200];
        let status = world.send_receive(&all[me], next, round, &mut into, before, round).unwrap();
        assert_eq!(into[..status.count::<u64>().unwrap()], all[before]);
        if me == 0 {
            for to in 1..size {
                world.send(&all[0], to, round).unwrap();
                world.send(&[Reading { sensor: to as u32, value: 0.5 }], to, round).unwrap();
            }
            for _ in 1..size {
                let (data, status) = world.receive::<u64>(Source::Any, Tag::Any).unwrap();
                assert_eq!(data, all[status.source().unwrap()]);
                assert_eq!((status.tag().unwrap(), status.bytes().unwrap()), (round, 8 * data.len()));
            }
        } else {
            let status = world.receive_into(&mut into, Source::Any, round).unwrap();
            assert_eq!(into[..status.count::<u64>().unwrap()], all[0]);
            let (readings, _) = world.receive::<Reading>(0, round).unwrap();
            assert_eq!(readings, [Reading { sensor: me as u32, value: 0.5 }]);
            world.send(&all[me], 0, round).unwrap();
        }
        world.together::<u8>().unwrap().barrier().unwrap();
    }
    // Numbers in arrays are numbers.
    world.send(&[1.5f64, 2.5], next, 1).unwrap();
    assert_eq!(world.receive::<[f64; 2]>(before, 1).unwrap().0, [[1.5, 2.5]]);
    assert_eq!(world.together::<u64>().unwrap().all_reduce(&[1u64], Sum).unwrap(), [size as u64]);
}

crate::ranks! {
    fn checked_messages_arrive_as_plain_ones_do(world: [2, 3]) {
        wanted("1");
        arrives(world, true);
        wanted("0");
        arrives(world, false);
        // Where one does not want it, nobody has it.
        wanted(if world.rank() == 0 { "0" } else { "1" });
        arrives(world, false);
        // SAFETY: as in `wanted`.
        unsafe { std::env::remove_var(VARIABLE) };
        arrives(world, cfg!(debug_assertions));
    }

    fn another_type_is_an_error_that_names_both(world: [2, 3]) {
        wanted("1");
        let world = world.checked().unwrap();
        let (me, size) = (world.rank(), world.size());
        if me == 0 {
            world.send(&[1.5f64], 1, 7).unwrap();
            world.send(&[1.5f64], 1, 8).unwrap();
            world.send(&[Reading { sensor: 1, value: 2.0 }], 1, 9).unwrap();
            world.send(&[1u8; 3], 1, 10).unwrap();
            world.send(&[2u32; 10], 1, 11).unwrap();
        } else if me == 1 {
            let error = world.receive::<u64>(Source::Any, 7).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Type);
            assert_eq!(error.to_string(), "receive from rank 0 with tag 7: it sent f64 of 8 bytes, and this rank receives u64 of 8 bytes");
            let error = world.receive_into(&mut [0f32; 2], 0, Tag::Any).unwrap_err();
            assert_eq!(error.to_string(), "receive from rank 0 with tag 8: it sent f64 of 8 bytes, and this rank receives f32 of 4 bytes");
            let error = world.receive::<other::Reading>(0, 9).unwrap_err();
            let wanted = "receive from rank 0 with tag 9: it sent Reading of 16 bytes with other fields, and this rank receives Reading of 16 bytes";
            assert_eq!(error.to_string(), wanted);
            // What is right arrives all the same.
            assert_eq!(world.receive::<u8>(0, 10).unwrap().0, [1; 3]);
            let error = world.receive_into(&mut [0u32; 9], 0, 11).unwrap_err();
            assert_eq!((error.kind(), error.to_string().as_str()), (ErrorKind::Truncated, "receive a checked message: it has 40 bytes, and there is room for 36"));
        }
        // All are told, and nobody waits for the others.
        let outcome = if me == size - 1 { world.together::<f32>().map(drop) } else { world.together::<f64>().map(drop) };
        let error = outcome.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Type);
        let wanted = if me == size - 1 {
            "call a collective on f32 of 4 bytes: rank 0 has f64 of 8 bytes".to_owned()
        } else {
            format!("call a collective on f64 of 8 bytes: rank {} has f32 of 4 bytes", size - 1)
        };
        assert_eq!(error.to_string(), wanted);
        world.together::<f64>().unwrap().barrier().unwrap();
    }

    fn a_type_that_is_described_is_the_one_of_rust(world: [2, 3]) {
        wanted("0");
        assert!(!world.checked_where(true).unwrap().is_on());
        // SAFETY: as in `wanted`.
        unsafe { std::env::remove_var(VARIABLE) };
        assert!(!world.checked_where(world.rank() > 0).unwrap().is_on());
        for on in [true, false] {
            let world = world.checked_where(on).unwrap();
            assert_eq!(world.is_on(), on);
            let described = ElementType::named("Reading", 16).unwrap();
            let described = described.field("sensor", "u32", 0, 4).unwrap().field("value", "f64", 8, 8).unwrap();
            let (number, bytes) = (ElementType::of::<u64>(), 5u64.to_ne_bytes());
            assert_eq!((described.size(), number.size()), (16, 8));
            match world.rank() {
                0 => {
                    world.send(&[Reading { sensor: 3, value: 0.5 }], 1, 1).unwrap();
                    world.send_as(&[&[7, 0, 0, 0, 0, 0, 0, 0][..], &1.5f64.to_ne_bytes()].concat(), &described, 1, 2).unwrap();
                    let mut into = [0u8; 24];
                    let sent = (&bytes[..], &number, 1, 3);
                    let arrived = world.send_receive_as(sent, (&mut into, &number, Source::Rank(1), Tag::Is(3))).unwrap();
                    assert_eq!((arrived.bytes().unwrap(), &into[..8]), (8, &bytes[..]));
                    world.send(&[1u8; 12], 1, 4).unwrap();
                }
                1 => {
                    let (data, arrived) = world.receive_as(&described, 0, 1).unwrap();
                    assert_eq!((arrived.source().unwrap(), arrived.tag().unwrap(), data.len()), (0, 1, 16));
                    assert_eq!((data[0], &data[8..]), (3, &0.5f64.to_ne_bytes()[..]));
                    assert_eq!(world.receive::<Reading>(0, 2).unwrap().0, [Reading { sensor: 7, value: 1.5 }]);
                    assert_eq!(world.receive::<u64>(0, 3).unwrap().0, [5]);
                    world.send(&[5u64], 0, 3).unwrap();
                    let error = world.receive_into_as(&mut [0; 32], &number, 0, 4).unwrap_err();
                    assert_eq!(error.kind(), ErrorKind::Type, "{error}");
                }
                _ => {}
            }
            let together = world.together_as(&number).unwrap();
            assert_eq!(together.all_reduce(&[1u64], Sum).unwrap(), [world.size() as u64]);
            let error = world.send_as(&[0; 7], &number, 0, 0).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::Usage);
        }
        assert_eq!(ElementType::named("", 8).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(ElementType::of::<u64>().field("far", "u8", 8, 1).unwrap_err().kind(), ErrorKind::Usage);
    }
}
