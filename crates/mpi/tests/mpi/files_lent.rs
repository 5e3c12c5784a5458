//! Files whose elements are somebody else's affair, as another language's are.

use crate::support::Stream;
use proptest::arbitrary::any;
use upcall_mpi::{ErrorKind, File, Lent, Place, View};

crate::ranks! {
    fn elements_of_so_many_bytes_are_as_typed_ones(world: [1, 2, 3]) {
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let mut id = [std::process::id()];
        world.broadcast(&mut id, 0).unwrap();
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("files-lent-{}", id[0]));
        let options = File::options().read(true).write(true).create_new(true).delete_on_close(true);
        let mut file = options.open(world, &path).unwrap();
        let all: Vec<u32> = (0..12 * size).map(|_| stream.draw(any::<u32>())).collect();
        let bytes = |elements: &[u32]| elements.iter().flat_map(|element| element.to_ne_bytes()).collect::<Vec<u8>>();

        // Each rank's blocks, in every way.
        let blocks = View::Blocks(3);
        let mine: Vec<u32> = all.chunks(3).skip(me).step_by(size).flatten().copied().collect();
        for place in [Place::At(0), Place::AtAll(0), Place::PointerAll] {
            file.view_of(1, 0, View::Whole).unwrap();
            file.set_size(4).unwrap();
            file.view_of(4, 4, blocks).unwrap();
            file.write_bytes(&bytes(&mine), place).unwrap();
            file.sync().unwrap();
            world.barrier().unwrap();
            file.view::<u32>(4).unwrap();
            assert_eq!(file.read_at_all::<u32>(0, all.len()).unwrap(), all, "{place:?}");
        }
        let strided = View::Strided { first: me, block: 1, stride: size };
        let array = View::Subarray { sizes: &[12, size], part: &[12, 1], starts: &[0, me] };
        let column: Vec<u32> = all.iter().skip(me).step_by(size).copied().collect();
        for view in [strided, array] {
            file.view_of(4, 4, view).unwrap();
            let mut into = vec![0; 4 * 20];
            assert_eq!(file.read_bytes(&mut into, 4, Place::AtAll(2)).unwrap(), 40);
            assert_eq!(into[..40], bytes(&column[2..]), "{view:?}");

            // In the background, into memory that is kept by what it is given with, and more than there is.
            let mut room = vec![0u8; 4 * 15];
            // SAFETY: the vector's memory stays where it is, and nobody else uses it.
            let lent = unsafe { Lent::new(room.as_mut_ptr(), room.len(), room) };
            let mut reading = file.start_read_at_lent(lent, 4, 1).unwrap();
            let (lent, read) = reading.wait().unwrap();
            let room = lent.into_keeper();
            assert_eq!((read, &room[..read]), (44, &bytes(&column[1..])[..]), "{view:?}");
        }
        world.barrier().unwrap();

        file.view_of(8, 4, View::Whole).unwrap();
        let odd = file.read_bytes(&mut [0; 12], 4, Place::At(0)).unwrap_err();
        assert_eq!(odd.kind(), ErrorKind::Type, "{odd}");
        assert_eq!(file.view_of(0, 0, View::Whole).unwrap_err().kind(), ErrorKind::Usage);
        file.view_of(1, 0, View::Whole).unwrap();
        // It ends within an element of somebody's.
        let cut = file.read_bytes(&mut [0; 64], 64, Place::At(4 * all.len() as u64)).unwrap_err();
        assert_eq!(cut.kind(), ErrorKind::Type, "{cut}");
        world.barrier().unwrap();

        // What goes on when it is dropped, and when its file is closed.
        let mut data = bytes(&mine);
        // SAFETY: as above.
        let lent = unsafe { Lent::new(data.as_mut_ptr(), data.len(), data) };
        drop(file.start_write_at_lent(lent, 4 + (me * 48) as u64).unwrap());
        let mut data = vec![7u8; 100];
        // SAFETY: as above.
        let lent = unsafe { Lent::new(data.as_mut_ptr(), data.len(), data) };
        let mut writing = file.start_write_at_lent(lent, 10_000).unwrap();
        file.close().unwrap();
        assert_eq!(writing.wait().unwrap().1, 100);
        assert_eq!(writing.wait().unwrap_err().kind(), ErrorKind::Io);
    }
}
