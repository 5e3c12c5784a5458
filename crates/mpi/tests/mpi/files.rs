//! Files of all ranks, against bytes.

use crate::support::{GIB, Stream, for_real, many};
use proptest::arbitrary::any;
use proptest::strategy::Strategy;
use std::fmt::Debug;
use std::io::SeekFrom;
use std::path::PathBuf;
use std::process::Command;
use upcall::Blit;
use upcall_abi::Blit as Blittable;
use upcall_mpi::{Communicator, ErrorKind, File};

#[repr(C)]
#[derive(Blit, Clone, Copy, Debug, PartialEq)]
struct Padded {
    small: u8,
    large: u64,
    last: u16,
}

fn padded() -> impl Strategy<Value = Padded> + Clone {
    (any::<u8>(), any::<u64>(), any::<u16>()).prop_map(|(small, large, last)| Padded { small, large, last })
}

/// A folder that all ranks of a run have, and nobody else.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(world: &Communicator, name: &str) -> Folder {
        let mut id = [std::process::id()];
        world.broadcast(&mut id, 0).unwrap();
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("files-{name}-{}", id[0]));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    /// One in memory, where there is room for a large file, as disks are slow.
    fn with_room(world: &Communicator, name: &str, bytes: usize) -> Folder {
        let said = Command::new("df")
            .args(["-k", "--output=avail", "/dev/shm"])
            .output()
            .map(|output| output.stdout);
        let said = String::from_utf8(said.unwrap_or_default()).unwrap_or_default();
        let room: usize = said.lines().nth(1).and_then(|line| line.trim().parse().ok()).unwrap_or(0);
        if room * 1024 < 2 * bytes {
            return Folder::new(world, name);
        }
        let folder = PathBuf::from(format!("/dev/shm/upcall-mpi-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Folder(folder)
    }

    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// When all ranks need it no more.
    pub fn remove(self, world: &Communicator) {
        world.barrier().unwrap();
        let _ = std::fs::remove_dir_all(self.0);
    }
}

/// The bytes that elements have in a file: those of their fields, and zeroes.
fn bytes<T: Blittable>(elements: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; size_of_val(elements)];
    for (element, to) in elements.iter().zip(bytes.chunks_exact_mut(size_of::<T>())) {
        let from = std::ptr::from_ref(element).cast::<u8>();
        let whole = [(0, size_of::<T>())];
        let fields: Vec<(usize, usize)> = T::FIELDS.iter().map(|field| (field.offset, field.size)).collect();
        for (offset, size) in if fields.is_empty() { &whole[..] } else { &fields[..] } {
            // SAFETY: bytes of a field of the element's.
            to[*offset..][..*size]
                .copy_from_slice(unsafe { std::slice::from_raw_parts(from.add(*offset), *size) });
        }
    }
    bytes
}

/// A file by its bytes: what is written behind the end leaves zeroes before it.
fn write(model: &mut Vec<u8>, at: usize, data: &[u8]) {
    if !data.is_empty() {
        model.resize(model.len().max(at + data.len()), 0);
        model[at..at + data.len()].copy_from_slice(data);
    }
}

const ROUNDS: usize = 10;

/// Reads and writes at offsets, in every way, each rank in its part.
fn at_offsets<S: Strategy + Clone>(world: &Communicator, folder: &Folder, of: &S, name: &str)
where
    S::Value: Blittable + Send + PartialEq + Debug,
{
    let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
    let path = folder.file(name);
    let mut file = File::options().read(true).write(true).create_new(true).open(world, &path).unwrap();
    file.view::<S::Value>(3).unwrap();
    let (mut model, unit) = (Vec::new(), size_of::<S::Value>());
    for round in 0..ROUNDS {
        let parts = stream.elements(of, size, false);
        let first = stream.draw(0..50usize);
        let at = |rank: usize| first + parts[..rank].iter().map(Vec::len).sum::<usize>();
        let (mine, here) = (&parts[me], at(me) as u64);
        match round % 4 {
            0 => file.write_at(mine, here).unwrap(),
            1 => file.write_at_all(mine, here).unwrap(),
            2 => assert_eq!(file.start_write_at(mine.clone(), here).unwrap().wait().unwrap(), *mine),
            _ => {
                assert_eq!(file.seek(SeekFrom::Start(here)).unwrap(), here);
                if stream.draw(any::<bool>()) {
                    file.write(mine).unwrap()
                } else {
                    file.write_all(mine).unwrap()
                }
                assert_eq!(file.position().unwrap(), here + mine.len() as u64);
            }
        }
        for (rank, part) in parts.iter().enumerate() {
            write(&mut model, 3 + at(rank) * unit, &bytes(part));
        }
        file.sync().unwrap();
        world.barrier().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), model, "round {round} of {name}");
        assert_eq!(file.size().unwrap(), model.len() as u64);
        // Another's part, and more than there may be.
        let other = stream.draw(0..size);
        let other = (other + me) % size;
        let (there, wanted) = (at(other) as u64, &parts[other]);
        let mut into = wanted.clone();
        into.reverse();
        let got = match (round + 1) % 4 {
            0 => file.read_at(there, wanted.len()).unwrap(),
            1 => file.read_at_all(there, wanted.len()).unwrap(),
            2 => file.start_read_at(there, wanted.len()).unwrap().wait().unwrap(),
            _ => {
                file.seek(SeekFrom::Start(there)).unwrap();
                let count =
                    if round % 2 == 0 { file.read_into(&mut into) } else { file.read_all_into(&mut into) };
                assert_eq!(count.unwrap(), wanted.len());
                into
            }
        };
        assert_eq!(got, *wanted, "round {round} of {name}");
        let whole = ((model.len().max(3) - 3) / unit) as u64;
        let ends = [
            file.read_at::<S::Value>(whole.saturating_sub(2), 10).unwrap(),
            file.read_at_all(whole.saturating_sub(2), 10).unwrap(),
            file.start_read_at(whole.saturating_sub(2), 10).unwrap().wait().unwrap(),
        ];
        for (way, end) in ends.iter().enumerate() {
            assert_eq!(end.len() as u64, whole.min(2), "way {way} in round {round} of {name}");
            assert_eq!(
                bytes(end),
                model[model.len() - end.len() * unit..],
                "way {way} in round {round} of {name}"
            );
        }
        assert_eq!(file.read_at::<S::Value>(whole + 100, 3).unwrap().len(), 0);
        assert_eq!(file.read_at_all::<S::Value>(whole + 100, 3).unwrap().len(), 0);
        world.barrier().unwrap();
    }
    file.close().unwrap();
}

crate::ranks! {
    fn elements_are_written_and_read_at_offsets(world: [1, 2, 3, 5]) {
        let folder = Folder::new(world, "offsets");
        at_offsets(world, &folder, &any::<u8>(), "bytes");
        at_offsets(world, &folder, &any::<i64>(), "numbers");
        at_offsets(world, &folder, &any::<[u16; 3]>(), "arrays");
        at_offsets(world, &folder, &padded(), "padded");
        folder.remove(world);
    }

    fn each_rank_sees_its_part(world: [1, 2, 3, 4]) {
        let folder = Folder::new(world, "views");
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let path = folder.file("shared-out");
        let mut file = File::options().read(true).write(true).create(true).open(world, &path).unwrap();
        for round in 0..8 {
            file.set_size(0).unwrap();
            let (place, block) = (stream.draw(0..20usize), stream.draw(1..9usize));
            let each = block * stream.draw(1..6usize);
            let parts: Vec<Vec<u32>> = (0..size).map(|_| (0..each).map(|_| stream.draw(any::<u32>())).collect()).collect();
            let mut model = Vec::new();
            if round % 2 == 0 {
                file.view_blocks::<u32>(place as u64, block).unwrap();
                for (rank, part) in parts.iter().enumerate() {
                    for (index, run) in part.chunks(block).enumerate() {
                        write(&mut model, place + 4 * (index * size + rank) * block, &bytes(run));
                    }
                }
            } else {
                // A column for each rank, and one that is nobody's.
                let stride = size * block + 1;
                file.view_strided::<u32>(place as u64, me * block, block, stride).unwrap();
                for (rank, part) in parts.iter().enumerate() {
                    for (index, run) in part.chunks(block).enumerate() {
                        write(&mut model, place + 4 * (index * stride + rank * block), &bytes(run));
                    }
                }
            }
            if round % 4 < 2 { file.write_at_all(&parts[me], 0).unwrap() } else { file.write_at(&parts[me], 0).unwrap() }
            file.sync().unwrap();
            world.barrier().unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), model, "round {round}");
            let from = stream.draw(0..each);
            assert_eq!(file.read_at::<u32>(from as u64, each - from).unwrap(), parts[me][from..]);
            assert_eq!(file.read_at_all::<u32>(from as u64, each - from).unwrap(), parts[me][from..]);
            // And no more than there is.
            assert_eq!(file.read_at_all::<u32>(from as u64, each).unwrap(), parts[me][from..], "round {round}");
            assert_eq!(file.read_at::<u32>(from as u64, each).unwrap(), parts[me][from..], "round {round}");
            assert_eq!(file.start_read_at::<u32>(from as u64, each).unwrap().wait().unwrap(), parts[me][from..]);
            let shared = file.read_shared::<u32>(1);
            let gaps = size > 1 || round % 2 == 1;
            assert_eq!(shared.err().map(|error| error.kind()), gaps.then_some(ErrorKind::Usage));
            file.seek(SeekFrom::Start(from as u64)).unwrap();
            assert_eq!(file.read_all::<u32>(each - from).unwrap(), parts[me][from..]);
            world.barrier().unwrap();
        }
        // The whole again, as bytes.
        file.view::<u8>(0).unwrap();
        let whole = std::fs::read(&path).unwrap();
        assert_eq!(file.read_at::<u8>(0, whole.len() + 10).unwrap(), whole);
        file.close().unwrap();
        folder.remove(world);
    }

    fn the_end_is_behind_the_last_whole_element_of_the_view(world: [1, 2]) {
        let folder = Folder::new(world, "end");
        let mut file =
            File::options().read(true).write(true).create(true).open(world, folder.file("end")).unwrap();
        file.set_size(804).unwrap();
        assert_eq!(file.seek(SeekFrom::End(-4)).unwrap(), 800);
        file.view::<f64>(0).unwrap();
        assert_eq!(file.seek(SeekFrom::End(0)).unwrap(), 100);
        assert_eq!(file.seek(SeekFrom::End(-100)).unwrap(), 0);
        file.view_blocks::<f64>(0, 2).unwrap();
        let mine = if world.size() == 1 { 100 } else { 50 };
        assert_eq!(file.seek(SeekFrom::End(-1)).unwrap(), mine - 1);
        assert_eq!(file.seek(SeekFrom::End(-101)).unwrap_err().kind(), ErrorKind::Range);
        file.close().unwrap();
        folder.remove(world);
    }

    fn arrays_are_shared_out_by_their_indices(world: [1, 2, 4]) {
        let folder = Folder::new(world, "arrays");
        let (mut stream, me, size) = (Stream::new(), world.rank(), world.size());
        let path = folder.file("array");
        let mut file = File::options().read(true).write(true).create(true).open(world, &path).unwrap();
        for _ in 0..5 {
            file.set_size(0).unwrap();
            // Rows by columns, of which each rank has a band of columns.
            let (rows, width, place) = (stream.draw(1..8usize), stream.draw(1..6usize), stream.draw(0..9usize));
            let columns = width * size;
            let all: Vec<u16> = (0..rows * columns).map(|_| stream.draw(any::<u16>())).collect();
            let mine: Vec<u16> = all.chunks(columns).flat_map(|row| row[me * width..][..width].to_vec()).collect();
            file.view_subarray::<u16>(place as u64, &[rows, columns], &[rows, width], &[0, me * width]).unwrap();
            file.write_at_all(&mine, 0).unwrap();
            file.sync().unwrap();
            world.barrier().unwrap();
            let mut model = vec![0; place];
            model.extend(bytes(&all));
            assert_eq!(std::fs::read(&path).unwrap(), model);
            assert_eq!(file.read_at_all::<u16>(0, mine.len()).unwrap(), mine);
            world.barrier().unwrap();
        }
        file.close().unwrap();
        folder.remove(world);
    }

    fn all_ranks_share_a_pointer(world: [1, 2, 3]) {
        let folder = Folder::new(world, "shared");
        let (me, size) = (world.rank(), world.size());
        let path = folder.file("lines");
        let mut file = File::options().read(true).write(true).create(true).open(world, &path).unwrap();
        file.view::<u32>(0).unwrap();
        // In the order of the ranks, each another number.
        for _ in 0..3 {
            file.write_ordered(&vec![me as u32; me + 1]).unwrap();
        }
        let round: Vec<u32> = (0..size).flat_map(|rank| vec![rank as u32; rank + 1]).collect();
        let each = round.len() as u64;
        file.sync().unwrap();
        world.barrier().unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), bytes(&[round.clone(), round.clone(), round.clone()].concat()));
        assert_eq!(file.position_shared().unwrap(), 3 * each);
        world.barrier().unwrap();
        assert_eq!(file.seek_shared(SeekFrom::Start(each)).unwrap(), each);
        for _ in 0..2 {
            assert_eq!(file.read_ordered::<u32>(me + 1).unwrap(), vec![me as u32; me + 1]);
        }
        // Behind the end there is nothing.
        assert_eq!(file.read_ordered::<u32>(5).unwrap().len(), 0);
        // And where it ends between two ranks, or within what one would read.
        file.seek_shared(SeekFrom::Start(3 * each - 3)).unwrap();
        let end = &[round.clone(), round.clone()].concat()[2 * round.len() - 3.min(2 * round.len())..];
        let mine = end.get(2 * me..).unwrap_or_default();
        assert_eq!(file.read_ordered::<u32>(2).unwrap(), mine[..mine.len().min(2)]);
        // In no order, but none twice.
        file.seek_shared(SeekFrom::Start(0)).unwrap();
        file.write_shared(&[me as u32; 4]).unwrap();
        file.write_shared(&[me as u32; 4]).unwrap();
        file.sync().unwrap();
        world.barrier().unwrap();
        file.seek_shared(SeekFrom::Start(0)).unwrap();
        let mut mine = file.read_shared::<u32>(4).unwrap();
        mine.extend(file.read_shared::<u32>(4).unwrap());
        assert_eq!((mine[0], mine[4]), (mine[3], mine[7]));
        let mut all = world.all_gather(&mine).unwrap();
        all.sort_unstable();
        assert_eq!(all, (0..size as u32).flat_map(|rank| [rank; 8]).collect::<Vec<_>>());
        file.close().unwrap();
        folder.remove(world);
    }

    fn files_are_opened_as_is_said(world: [1, 2]) {
        let folder = Folder::new(world, "options");
        let path = folder.file("a file: of ranks");
        let error = File::open(world, &path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        let said = error.to_string();
        assert!(said.starts_with(&format!("open {}: ", path.display())) && said.contains("open it with `create`"), "{said}");
        let file = File::options().write(true).create_new(true).open(world, &path).unwrap();
        assert_eq!(file.path(), path);
        file.write_at_all(&[world.rank() as u8; 4], 4 * world.rank() as u64).unwrap();
        let refused = file.read_at::<u8>(0, 1).unwrap_err();
        assert_eq!(refused.kind(), ErrorKind::Access);
        assert_eq!(refused.to_string(), format!("read from {}: it was not opened to read; open it with `read`", path.display()));
        file.close().unwrap();
        let error = File::options().write(true).create_new(true).open(world, &path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Exists, "{error}");
        let file = File::open(world, &path).unwrap();
        assert_eq!(file.size().unwrap(), 4 * world.size() as u64);
        assert_eq!(file.write_at(&[1u8], 0).unwrap_err().kind(), ErrorKind::Access);
        assert_eq!(file.set_size(1).unwrap_err().kind(), ErrorKind::Access);
        assert_eq!(file.read_at_all::<u8>(0, 1).unwrap(), [0]);
        drop(file);
        let file = File::options().append(true).open(world, &path).unwrap();
        assert_eq!(file.position().unwrap(), 4 * world.size() as u64);
        world.barrier().unwrap();
        file.write_ordered(&[9u8; 2]).unwrap();
        file.close().unwrap();
        assert_eq!(std::fs::read(&path).unwrap()[4 * world.size()..], vec![9; 2 * world.size()]);
        world.barrier().unwrap();
        let file = File::create(world, &path).unwrap();
        assert_eq!(file.size().unwrap(), 0);
        file.close().unwrap();
        let file = File::options().read(true).write(true).delete_on_close(true).open(world, &path).unwrap();
        file.preallocate(10_000).unwrap();
        assert_eq!(file.size().unwrap(), 10_000);
        world.barrier().unwrap();
        file.set_size(7).unwrap();
        assert_eq!(file.size().unwrap(), 7);
        file.close().unwrap();
        assert!(!path.exists());
        world.barrier().unwrap();
        let error = File::delete(world, &path).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        File::create(world, &path).unwrap().close().unwrap();
        if world.rank() == 0 {
            File::delete(world, &path).unwrap();
            assert!(!path.exists());
        }
        for wrong in [File::options(), File::options().read(true).create(true)] {
            assert_eq!(wrong.open(world, &path).unwrap_err().kind(), ErrorKind::Usage);
        }
        assert_eq!(File::open(world, "a\0b").unwrap_err().kind(), ErrorKind::Usage);
        let error = File::options().write(true).create(true).open(world, folder.file("none/file")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::NotFound, "{error}");
        let folder_itself = File::options().read(true).write(true).open(world, folder.file("")).unwrap_err();
        assert!(folder_itself.to_string().starts_with("open "), "{folder_itself}");
        folder.remove(world);
    }

    fn hints_are_given_and_atomicity_is_set(world: [1, 2]) {
        let folder = Folder::new(world, "hints");
        let options = File::options().read(true).write(true).create(true).hint("cb_buffer_size", "65536").hint("no_such_hint", "1");
        let file = options.open(world, folder.file("hinted")).unwrap();
        for (name, value) in file.hints().unwrap() {
            assert!(!name.is_empty() && (name != "cb_buffer_size" || value == "65536"), "{name}: {value}");
        }
        assert!(!file.is_atomic().unwrap());
        file.set_atomic(true).unwrap();
        assert!(file.is_atomic().unwrap());
        if world.rank() == 0 {
            file.write_at(&[5u64; 10], 0).unwrap();
        }
        world.barrier().unwrap();
        assert_eq!(file.read_at::<u64>(0, 10).unwrap(), [5; 10]);
        file.set_atomic(false).unwrap();
        assert_eq!(File::options().read(true).hint("", "x").open(world, folder.file("hinted")).unwrap_err().kind(), ErrorKind::Usage);
        file.close().unwrap();
        folder.remove(world);
    }

    fn what_is_wrong_with_a_file_is_an_error_of_all_or_of_one(world: [2]) {
        let folder = Folder::new(world, "wrong");
        let me = world.rank();
        let mut file = File::options().read(true).write(true).create(true).open(world, folder.file("file")).unwrap();
        // Whatever one rank says, the others do not wait.
        let seen = file.view_blocks::<u32>(0, if me == 0 { 0 } else { 2 }).unwrap_err();
        assert_eq!(seen.kind(), ErrorKind::Usage);
        let seen = file.view_subarray::<u32>(0, &[4, 4], &[2, 2], &[me * 2, 3]).unwrap_err();
        assert!(seen.to_string().contains("not within the array"), "{seen}");
        assert_eq!(file.view::<[Padded; 2]>(0).unwrap_err().kind(), ErrorKind::Usage);
        assert_eq!(file.view::<u8>(u64::MAX).unwrap_err().kind(), ErrorKind::Usage);
        file.view::<u32>(0).unwrap();
        let odd = file.write_at(&[1u8; 3], 0).unwrap_err();
        assert_eq!(odd.kind(), ErrorKind::Type);
        assert!(odd.to_string().contains("3 bytes are no whole number of the view's elements of 4"), "{odd}");
        let outcome = file.write_at_all(&[1u32; 3], if me == 0 { u64::MAX } else { 0 });
        assert_eq!(outcome.err().map(|error| error.kind()), (me == 0).then_some(ErrorKind::Range));
        file.sync().unwrap();
        world.barrier().unwrap();
        assert_eq!(file.size().unwrap(), 12);
        assert_eq!(file.read_at::<u32>(u64::MAX, 1).unwrap_err().kind(), ErrorKind::Range);
        world.barrier().unwrap();
        // It ends within an element.
        file.set_size(10).unwrap();
        file.view::<u8>(0).unwrap();
        let within = file.read_at::<u32>(8, 1).unwrap_err();
        assert_eq!(within.kind(), ErrorKind::Type);
        assert!(within.to_string().contains("it ends within an element: there are 2 bytes, and 4 are one"), "{within}");
        assert!(file.seek(SeekFrom::Current(-5)).is_err());
        assert!(file.seek(SeekFrom::Start(u64::MAX)).is_err());
        world.barrier().unwrap();
        // Transfers that nobody waits for are waited for when it is closed.
        if me == 0 {
            drop(file.start_write_at(vec![7u8; 1 << 20], 0).unwrap());
            drop(file.start_read_at::<u8>(0, 1 << 20).unwrap());
        }
        file.close().unwrap();
        world.barrier().unwrap();
        assert_eq!(std::fs::read(folder.file("file")).unwrap(), vec![7; 1 << 20]);
        // One that is forgotten is closed with MPI.
        std::mem::forget(File::open(world, folder.file("file")).unwrap());
        folder.remove(world);
    }

    fn a_full_disk_is_an_error(world: [1, 2]) {
        // All writes to this one find the disk full.
        let file = File::options().write(true).open(world, "/dev/full").unwrap();
        let full = file.write_at(&[1u8; 10_000], 0).unwrap_err();
        assert_eq!(full.kind(), ErrorKind::NoSpace, "{full}");
        let full = file.start_write_at(vec![1u8; 10_000], 0).and_then(|begun| begun.wait().map(drop)).unwrap_err();
        assert_eq!(full.kind(), ErrorKind::NoSpace, "{full}");
        let _ = file.write_at_all(&[1u8; 10_000], 0).unwrap_err();
        world.barrier().unwrap();
    }

    fn threads_read_and_write_one_file(world: [2]) {
        let folder = Folder::new(world, "threads");
        let file = File::options().read(true).write(true).create(true).open(world, folder.file("file")).unwrap();
        let me = world.rank();
        std::thread::scope(|scope| {
            for thread in 0..3usize {
                let file = &file;
                scope.spawn(move || {
                    for round in 0..20usize {
                        let place = (((me * 3 + thread) * 20 + round) * 100) as u64;
                        file.write_at(&[thread as u8; 100], place).unwrap();
                        assert_eq!(file.read_at::<u8>(place, 100).unwrap(), [thread as u8; 100]);
                    }
                });
            }
        });
        file.sync().unwrap();
        world.barrier().unwrap();
        let wanted: Vec<u8> = [0u8, 1, 2, 0, 1, 2].into_iter().flat_map(|thread| [thread; 2000]).collect();
        assert_eq!(std::fs::read(folder.file("file")).unwrap(), wanted);
        file.close().unwrap();
        folder.remove(world);
    }
}

#[test]
fn more_bytes_than_31_bits_count_are_written_and_read() {
    let name = concat!(module_path!(), "::more_bytes_than_31_bits_count_are_written_and_read");
    for_real(name, &[1], 9 * GIB, |world| {
        let mut data = many();
        let folder = Folder::with_room(world, "large", size_of_val(data.as_slice()));
        let count = data.len();
        let options = File::options().read(true).write(true).create(true).delete_on_close(true);
        let file = options.open(world, folder.file("file")).unwrap();
        file.write_at(&data, 5).unwrap();
        assert_eq!(file.size().unwrap(), 8 * count as u64 + 5);
        assert_eq!(file.read_at_all::<u64>(5 + 8 * (count as u64 - 3), 9).unwrap(), data[count - 3..]);
        let wanted = data.clone();
        data.fill(0);
        assert_eq!(file.read_at_all_into(&mut data, 5).unwrap(), count);
        assert!(data == wanted);
        file.close().unwrap();
        folder.remove(world);
    });
}
