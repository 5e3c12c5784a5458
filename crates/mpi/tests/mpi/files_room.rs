//! Room on the disk that files take before they are written.

use crate::files::Folder;
use std::io::SeekFrom;
use upcall_mpi::{ErrorKind, File};

crate::ranks! {
    // Open MPI wrote zeros through the view, past the file's end, and ranks disagreed on when that was done.
    fn taking_room_leaves_what_was_written(world: [1, 2, 5]) {
        let folder = Folder::new(world, "room");
        let path = folder.file("room");
        let (size, me) = (world.size(), world.rank());
        let mut file = File::options().read(true).write(true).create_new(true).open(world, &path).unwrap();
        file.view::<u32>(8).unwrap();
        file.write_at_all(&[me as u32 + 1; 3], 3 * me as u64).unwrap();
        file.seek(SeekFrom::Start(2)).unwrap();
        for (bytes, size) in [(4096, 4096), (0, 4096), (100_000, 100_000), (50, 100_000)] {
            file.preallocate(bytes).unwrap();
            assert_eq!(file.size().unwrap(), size);
            world.barrier().unwrap();
        }
        assert_eq!(file.position().unwrap(), 2);
        let written: Vec<u32> = (1..=size as u32).flat_map(|rank| [rank; 3]).chain([0; 5]).collect();
        file.sync().unwrap();
        assert_eq!(file.read_at_all::<u32>(0, written.len()).unwrap(), written);
        let error = file.preallocate(if me == 0 { 7 } else { 8 });
        assert_eq!(error.is_ok(), size == 1);
        let error = file.preallocate(1 << 62).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NoSpace, "{error}");
        let said = format!("take room for {}: 4611686018427387904 bytes: ", path.display());
        assert!(error.to_string().starts_with(&said), "{error}");
        file.close().unwrap();
        folder.remove(world);
    }
}
