//! Buffers and what lies in them.

use crate::support::Stream;
use proptest::arbitrary::any;
use upcall_mpi::{Buf, Request, Sum};

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
}
