//! Buffers and what lies in them.

use crate::support::Stream;
use proptest::arbitrary::any;
use upcall::{Blit, Soa};
use upcall_mpi::{Buf, Communicator, ErrorKind, Max, Operation, Request, Sum};

/// More bytes than its fields have, and aligned to more than `malloc` is.
#[repr(C, align(32))]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Aligned {
    x: f64,
}

/// Two of whatever: the derive writes one type at a time, as its name is the same in every language, so that Rust's own are
/// described by hand.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
struct Pair<T> {
    first: T,
    second: T,
}

const fn field<T: Blit>(name: &'static str, offset: usize) -> upcall_abi::Field {
    upcall_abi::Field { name, type_name: T::NAME, offset, size: size_of::<T>(), align: align_of::<T>() }
}

// SAFETY: two blittable values side by side, of whose alignment both have a multiple.
unsafe impl<T: Blit> Blit for Pair<T> {
    const NAME: &'static str = "Pair";
    const FIELDS: &'static [upcall_abi::Field] =
        &[field::<T>("first", 0), field::<T>("second", std::mem::offset_of!(Pair<T>, second))];
    const PADDED: bool = T::PADDED;
}

#[derive(Soa, Clone, Copy, Debug, PartialEq)]
struct Particle {
    mass: f64,
    place: [f32; 3],
    kind: u8,
}

/// Some values of a type go round once.
fn travels<T: Blit + Send + PartialEq + std::fmt::Debug>(world: &Communicator, of: impl Fn(u8) -> T) {
    let (me, size) = (world.rank(), world.size());
    let (next, before) = ((me + 1) % size, (me + size - 1) % size);
    let values = |rank: usize| vec![of(rank as u8); 3 + rank];
    let sent = world.start_send(values(me), next, 1).unwrap();
    let (found, status) = world.receive::<T>(before, 1).unwrap();
    assert_eq!(found, values(before));
    assert_eq!(status.bytes().unwrap(), size_of_val(&found[..]));
    sent.wait().unwrap();
    assert_eq!(
        world.all_gather(&[of(me as u8)]).unwrap(),
        (0..size).map(|rank| of(rank as u8)).collect::<Vec<_>>()
    );
}

crate::ranks! {
    fn requests_own_buffers_of_every_kind(world: [2, 3]) {
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        let mut stream = Stream::new();
        for round in 0..10i32 {
            let all = stream.elements(&any::<u64>(), size, false);
            let into = world.start_receive(Buf::<u64>::zeroed(200).unwrap(), before, round).unwrap();
            let boxed = world.start_receive(vec![0u64; 200].into_boxed_slice(), before, round).unwrap();
            let sent = world.start_send(Buf::from_slice(&all[me]).unwrap(), next, round).unwrap();
            let again = world.start_send_synchronous(all[me].clone().into_boxed_slice(), next, round).unwrap();
            let (data, status) = into.wait().unwrap();
            assert_eq!(data[..status.count::<u64>().unwrap()], all[before]);
            let (data, status) = boxed.wait().unwrap();
            assert_eq!(data[..status.count::<u64>().unwrap()], all[before]);
            let (buffer, _) = Request::wait_all([sent]).unwrap().remove(0);
            assert_eq!(buffer[..], all[me]);
            assert_eq!(again.wait().unwrap().0[..], all[me]);
        }
    }

    fn a_buffer_is_a_slice_to_every_call(world: [1, 2]) {
        let mut numbers = Buf::<f64>::zeroed(1 << 18).unwrap();
        numbers.fill(1.0 + world.rank() as f64);
        let mut sum = Buf::zeroed(numbers.len()).unwrap();
        world.all_reduce_into(&numbers, &mut sum, Sum).unwrap();
        let ranks = world.size() as f64;
        assert!(sum.iter().all(|number| *number == ranks * (ranks + 1.0) / 2.0));
        world.broadcast(&mut numbers, world.size() - 1).unwrap();
        assert!(numbers.iter().all(|number| *number == ranks));
        // One that is given up while MPI reads it is freed later.
        let other = world.size() - 1 - world.rank();
        drop(world.start_send(numbers.clone(), other, 1).unwrap());
        let mut into = Buf::<f64>::zeroed(numbers.len()).unwrap();
        world.receive_into(&mut into, other, 1).unwrap();
        assert_eq!(into, numbers);
    }

    fn types_of_every_shape_arrive_as_they_are(world: [2, 3]) {
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        travels(world, |rank| Aligned { x: f64::from(rank) });
        travels(world, |rank| Pair { first: rank, second: 7 });
        travels(world, |rank| Pair { first: [f64::from(rank); 3], second: [0.5; 3] });
        travels(world, |rank| Pair { first: [u32::from(rank), 1], second: [2, 3] });
        travels(world, |rank| [[[i16::from(rank); 2]; 3]; 4]);
        let inner = |rank: u8| Pair { first: u32::from(rank), second: 1 };
        travels(world, |rank| Pair { first: inner(rank), second: inner(1) });
        // The padding of an array of such is not known.
        let nested = [Pair { first: Aligned { x: 1.0 }, second: Aligned { x: 2.0 } }];
        assert_eq!(world.send(&nested, next, 1).unwrap_err().kind(), ErrorKind::Usage);
        // What has no bytes has no number either.
        world.send(&[[0u64; 0]; 5], next, 2).unwrap();
        assert_eq!(world.receive::<[u64; 0]>(before, 2).unwrap().0.len(), 0);
        let pairs = Operation::<Pair<i64>>::each(|a, b| Pair { first: a.first + b.first, second: a.second.max(b.second) });
        let combined = world.all_reduce(&[Pair { first: 1, second: me as i64 }; 50], pairs.unwrap()).unwrap();
        assert_eq!(combined, [Pair { first: size as i64, second: size as i64 - 1 }; 50]);
    }

    fn columns_are_slices_and_containers_are_objects(world: [2, 3]) {
        let (me, size) = (world.rank(), world.size());
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        let of = |rank: usize| -> ParticleSoaVec {
            let one = |at: usize| Particle { mass: (at * rank) as f64, place: [at as f32; 3], kind: rank as u8 };
            (0..1000).map(one).collect()
        };
        let (mine, wanted) = (of(me), of(before));
        let mut into: ParticleSoaVec = (0..1000).map(|_| Particle { mass: 0.0, place: [0.0; 3], kind: 0 }).collect();
        assert!(mine.mass().as_ptr().addr().is_multiple_of(64), "columns begin at a cache line");
        world.send_receive(mine.mass(), next, 0, into.mass_mut(), before, 0).unwrap();
        world.send_receive(mine.place(), next, 1, into.place_mut(), before, 1).unwrap();
        world.send_receive(mine.kind(), next, 2, into.kind_mut(), before, 2).unwrap();
        assert!(into.mass() == wanted.mass() && into.place() == wanted.place() && into.kind() == wanted.kind());
        // Combined where they lie.
        world.all_reduce_into(mine.mass(), into.mass_mut(), Sum).unwrap();
        let ranks = (size * (size - 1) / 2) as f64;
        assert!(into.mass().iter().enumerate().all(|(at, mass)| *mass == at as f64 * ranks));
        world.all_reduce_in_place(into.place_mut(), Max).unwrap();
        // All columns in one message.
        let sent = world.start_send(vec![0u8; 1], next, 4).unwrap();
        if me == 0 {
            world.send_object(&mine, next, 3).unwrap();
        }
        if before == 0 {
            let (found, _) = world.receive_object::<ParticleSoaVec>(before, 3).unwrap();
            assert!(found.mass() == wanted.mass() && found.place() == wanted.place());
        }
        world.receive::<u8>(before, 4).unwrap();
        sent.wait().unwrap();
        let all = world.all_gather_objects(&mine).unwrap();
        assert!(all.iter().enumerate().all(|(rank, one)| one.mass() == of(rank).mass()));
    }
}
