//! More ranks than cores, by far.

use upcall_mpi::{Dimension, Max, Operation, Request, Root, Source, Sum};

crate::ranks! {
    fn eighteen_ranks_do_what_few_do(world: [18]) {
        let (me, size) = (world.rank(), world.size());
        let all: Vec<u64> = (0..size as u64).collect();
        let (next, before) = ((me + 1) % size, (me + size - 1) % size);
        // Messages.
        let got = world.start_receive(vec![0usize as u64], before, 1).unwrap();
        world.send(&[me as u64], next, 1).unwrap();
        assert_eq!(got.wait().unwrap().0, [before as u64]);
        if me == 0 {
            let mut from: Vec<u64> = (1..size).map(|_| world.receive_object::<u64>(Source::Any, 2).unwrap().0).collect();
            from.sort_unstable();
            assert_eq!(from, all[1..]);
        } else {
            world.send_object(&(me as u64), 0, 2).unwrap();
        }
        let sent: Vec<_> = (0..size).map(|to| world.start_send(vec![me as u64; to], to, 3).unwrap()).collect();
        let received: Vec<_> = (0..size).map(|from| world.start_receive(vec![0u64; me], from, 3).unwrap()).collect();
        for (from, (data, _)) in Request::wait_all(received).unwrap().into_iter().enumerate() {
            assert_eq!(data, vec![from as u64; me]);
        }
        Request::wait_all(sent).unwrap();
        // All together.
        world.barrier().unwrap();
        assert_eq!(world.all_gather(&[me as u64]).unwrap(), all);
        assert_eq!(world.all_reduce(&[me as u64], Sum).unwrap(), [all.iter().sum::<u64>()]);
        assert_eq!(world.scan(&[me as u64], Sum).unwrap(), [all[..=me].iter().sum::<u64>()]);
        let larger = Operation::each(|from: u64, into: u64| from.max(into)).unwrap();
        assert_eq!(world.reduce(&[me as u64], &larger, 7).unwrap(), (me == 7).then(|| vec![17]));
        let parts = world.all_to_all_parts(&vec![me as u32; size * (size - 1) / 2], &(0..size).collect::<Vec<_>>()).unwrap();
        assert_eq!(parts.data, (0..size as u32).flat_map(|from| vec![from; me]).collect::<Vec<_>>());
        assert_eq!(world.broadcast_object(Some(&"hello".to_owned()), 17).unwrap(), "hello");
        // On a grid.
        let sizes = world.dimensions(&[0, 0]).unwrap();
        let grid: Vec<Dimension> = sizes.iter().map(|size| Dimension { size: *size, periodic: true }).collect();
        let grid = world.cartesian(&grid, true).unwrap().unwrap();
        let around = grid.neighbor_all_gather(&[grid.rank() as u64]).unwrap();
        assert_eq!(around.data, grid.sources().iter().map(|rank| rank.unwrap() as u64).collect::<Vec<_>>());
        let row = grid.sub_grid(&[false, true]).unwrap();
        assert_eq!(row.all_reduce(&[1u64], Sum).unwrap(), [sizes[1] as u64]);
        // Between two groups.
        let third = world.split(Some((me % 3 == 0).into()), 0).unwrap().unwrap();
        let inter = third.intercommunicator(0, world, usize::from(me % 3 == 0), 4).unwrap();
        assert_eq!((inter.size(), inter.remote_size()), if me % 3 == 0 { (6, 12) } else { (12, 6) });
        let largest = inter.all_reduce(&[me as u64], Max).unwrap();
        assert_eq!(largest, [if me % 3 == 0 { 17 } else { 15 }]);
        let root = match me {
            0 => Root::Here,
            _ if me % 3 == 0 => Root::Beside,
            _ => Root::Remote(0),
        };
        let gathered = inter.gather_parts(&[me as u64], root).unwrap();
        let others: Vec<u64> = all.iter().copied().filter(|rank| rank % 3 != 0).collect();
        assert_eq!(gathered.map(|parts| parts.data), (me == 0).then_some(others));
        assert_eq!(inter.merge(me % 3 == 0).unwrap().size(), size);
        world.barrier().unwrap();
    }
}
