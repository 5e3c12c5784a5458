//! How much memory reading asks for, seen by the allocator: never more than the bytes can hold, whatever they claim.
//!
//! One test, because all threads of a program share its allocator.

use golden::cases;
use golden::types::{Log, Person};
use std::alloc::{GlobalAlloc, Layout, System};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, LinkedList, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use upcall_pack::stream::StreamReader;
use upcall_pack::{
    Array2, Array4, BigInteger, BitArray, Lookup, Options, PriorityQueue, StringBuilder, Unpack,
};

struct Counting;

static NOW: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

// SAFETY: the system's allocator does the work; only sizes are counted.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        PEAK.fetch_max(NOW.fetch_add(layout.size(), Relaxed) + layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        NOW.fetch_sub(layout.size(), Relaxed);
        // SAFETY: the caller's promise.
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The most bytes that were allocated at once while `work` ran.
fn peak(work: impl FnOnce()) -> usize {
    let before = NOW.load(Relaxed);
    PEAK.store(before, Relaxed);
    work();
    PEAK.load(Relaxed) - before
}

/// What an error message and the first items of a few collections take.
const SMALL: usize = 16 << 10;

/// Reads bytes that claim to be many items, and are `length` bytes of `filler` behind their counts.
fn bomb<T: for<'a> Unpack<'a>>(header: &[u8], filler: &[u8], per_byte: usize) {
    claims::<T>(header, filler, per_byte, |bytes| drop(Options::new().from_slice::<T>(bytes)));
}

fn claims<T>(header: &[u8], filler: &[u8], per_byte: usize, read: impl Fn(&[u8])) {
    for claimed in [i32::MAX, 1 << 30, 1 << 24, 1 << 18, 1 << 16, 1 << 12] {
        for length in [0, 1000, 1 << 16] {
            let mut bytes = header.to_vec();
            bytes.extend(claimed.to_le_bytes());
            bytes.extend(filler.iter().cycle().take(length));
            let peak = peak(|| read(&bytes));
            let bound = per_byte * bytes.len() + SMALL;
            let name = std::any::type_name::<T>();
            assert!(
                peak <= bound,
                "{name}: {peak} bytes for {claimed} items in {} bytes, above {bound}",
                bytes.len()
            );
        }
    }
}

/// The same, read by serde's traits.
#[cfg(feature = "serde")]
fn serde_bomb<T: for<'a> serde::Deserialize<'a>>(header: &[u8], filler: &[u8], per_byte: usize) {
    let shape = upcall_pack::serde::Shape::of::<T>().unwrap();
    claims::<T>(header, filler, per_byte, |bytes| drop(shape.from_slice::<T>(bytes)));
}

#[cfg(feature = "serde")]
fn serde_bombs() {
    /// A class that takes a hundred times the memory of its bytes.
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Large {
        #[serde(default)]
        list: Vec<Large>,
        #[serde(skip)]
        _space: [u64; 12],
    }
    let text = [0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, b'a'];
    serde_bomb::<Vec<u8>>(&[], &[0], 2);
    serde_bomb::<Vec<i64>>(&[], &[0], 2);
    serde_bomb::<Vec<(u8, i64)>>(&[], &[0], 2);
    serde_bomb::<String>(&[], &[0], 4);
    serde_bomb::<Vec<Vec<u8>>>(&[], &[0; 4], 24);
    serde_bomb::<Vec<Vec<Vec<i32>>>>(&[1, 0, 0, 0], &[0; 4], 24);
    serde_bomb::<Vec<Option<String>>>(&[], &[0xff; 4], 24);
    serde_bomb::<Vec<String>>(&[], &text, 16);
    serde_bomb::<HashMap<String, Vec<u8>>>(&[], &text, 32);
    serde_bomb::<BTreeMap<i32, i32>>(&[], &[1, 0, 0, 0], 16);
    serde_bomb::<Vec<Large>>(&[], &[1], 64);
    // Each of the lists in one another claims all that is left.
    let mut bytes = Vec::new();
    while bytes.len() < 1 << 16 {
        bytes.push(1);
        bytes.extend_from_slice(&((1 << 16) - bytes.len() as i32 - 16).max(1).to_le_bytes());
    }
    let shape = upcall_pack::serde::Shape::of::<Large>().unwrap();
    let peak = peak(|| assert!(shape.from_slice::<Large>(&bytes).is_err()));
    assert!(peak <= 10 * bytes.len() + 800 * 4 * size_of::<Large>(), "{peak} bytes for {}", bytes.len());
}

fn bombs() {
    let text = [0xfe, 0xff, 0xff, 0xff, 1, 0, 0, 0, b'a'];
    let person = [2, 7, 0, 0, 0, 0xff, 0xff, 0xff, 0xff];
    bomb::<Vec<u8>>(&[], &[0], 2);
    bomb::<Vec<bool>>(&[], &[1], 2);
    bomb::<Vec<i64>>(&[], &[0], 2);
    bomb::<Vec<(u8, i64)>>(&[], &[0], 2);
    bomb::<Vec<Option<i32>>>(&[], &[0], 4);
    bomb::<String>(&[], &[0], 4);
    bomb::<StringBuilder>(&[], &[b'a', 0], 4);
    bomb::<BigInteger>(&[], &[1], 2);
    // A list of lists: four bytes of the wire are an empty `Vec` of 24.
    bomb::<Vec<Vec<u8>>>(&[], &[0; 4], 24);
    bomb::<Vec<Vec<Vec<i32>>>>(&[1, 0, 0, 0], &[0; 4], 24);
    bomb::<Vec<Option<String>>>(&[], &[0xff; 4], 24);
    bomb::<Vec<String>>(&[], &text, 16);
    bomb::<VecDeque<String>>(&[], &text, 16);
    bomb::<LinkedList<String>>(&[], &text, 32);
    bomb::<HashSet<i32>>(&[], &[1, 0, 0, 0], 16);
    bomb::<HashSet<String>>(&[], &text, 32);
    bomb::<BTreeSet<i32>>(&[], &[1, 0, 0, 0], 16);
    bomb::<HashMap<i32, i32>>(&[], &[1, 0, 0, 0], 16);
    bomb::<HashMap<String, Vec<u8>>>(&[], &text, 32);
    bomb::<BTreeMap<i32, i32>>(&[], &[1, 0, 0, 0], 16);
    bomb::<PriorityQueue<u8, i32>>(&[], &[0], 4);
    bomb::<Lookup<u8, i32>>(&[], &[2, 0, 0, 0, 0, 0], 32);
    bomb::<Array2<i32>>(&[3, 0, 0, 1, 0, 0, 0, 1, 0], &[0], 4);
    bomb::<Array4<String>>(&[5, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1], &[0; 4], 24);
    bomb::<BitArray>(&[2], &[0xff], 4);
    bomb::<Vec<Person>>(&[], &person, 16);
    // A null is one byte, and a place for the class in the list.
    let place = size_of::<Option<Log>>();
    assert!(place < 400);
    bomb::<Vec<Option<Log>>>(&[], &[0xff], 3 * place);
}

/// Lists of lists: what the outer ones claim is not there for the inner ones as well.
fn nests() {
    #[derive(upcall_pack::Pack)]
    #[pack(crate = upcall_pack)]
    struct Nest {
        list: Vec<Nest>,
        set: std::collections::HashSet<String>,
    }
    let mut bytes = Vec::new();
    while bytes.len() < 1 << 20 {
        let claimed = ((1 << 20) - bytes.len() as i32) / 9 - 5;
        bytes.push(2);
        bytes.extend_from_slice(&claimed.max(1).to_le_bytes());
    }
    let options = Options::new().depth(800);
    let peak = peak(|| assert!(options.from_slice::<Nest>(&bytes).is_err()));
    assert!(peak <= 10 * bytes.len(), "{peak} bytes for {}", bytes.len());
}

/// Every place of every golden line where a count may be, with counts that lie.
fn lies() {
    for case in cases() {
        let mut bytes = case.bytes.clone();
        for at in 0..bytes.len().saturating_sub(3) {
            for lie in [i32::MAX, i32::MIN, 0x00ff_ffff, 1000, !1000, -2] {
                bytes[at..at + 4].copy_from_slice(&lie.to_le_bytes());
                let peak = peak(|| drop(case.value.rewrite(&[&bytes])));
                let bound = 600 * bytes.len() + SMALL;
                assert!(peak <= bound, "{}: {peak} bytes with {lie} at {at}, above {bound}", case.name);
                bytes[at..at + 4].copy_from_slice(&case.bytes[at..at + 4]);
            }
        }
    }
}

/// A stream keeps no more than it was told to.
fn streams() {
    let mut reader = StreamReader::new().limit(1 << 16);
    let peak = peak(|| {
        let endless = [0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff, 0x7f];
        let mut fed = reader.feed(&endless);
        assert!(reader.next::<Vec<u8>>().is_err(), "two gigabytes are more than the limit");
        for _ in 0..1000 {
            fed = fed.and_then(|()| reader.feed(&[0; 1000]));
        }
        assert!(fed.is_err(), "a megabyte is more than the limit");
    });
    assert!(peak <= 3 << 16, "{peak}");
}

/// A frame may say what it likes: the codec's best ratio bounds what is asked for.
fn frames() {
    use upcall_pack::frame::{Codec, compress, decompress};
    for codec in Codec::ALL.into_iter().filter(|codec| codec.is_available()) {
        let mut frame = compress(&[7; 1000], codec).unwrap();
        for claimed in [u64::MAX, 1 << 40, 1 << 30, 1 << 24, 1 << 20] {
            frame[8..16].copy_from_slice(&claimed.to_le_bytes());
            let peak = peak(|| assert!(decompress(&frame, 1 << 30).is_err()));
            assert!(peak <= 4 << 20, "{codec:?}: {peak} bytes for {claimed} in {} bytes", frame.len());
        }
    }
}

/// Compressed members that are small one by one are not small together.
#[cfg(feature = "brotli")]
fn many_members() {
    #[derive(upcall_pack::Pack)]
    #[pack(crate = upcall_pack)]
    struct Member {
        #[pack(with = upcall_pack::with::Brotli)]
        bytes: Vec<u8>,
    }
    let mut bytes = upcall_pack::to_vec(&[Member { bytes: vec![0; 65 << 20] }].as_slice()).unwrap();
    bytes.extend_from_within(4..);
    bytes[0] = 2;
    let error = upcall_pack::from_slice::<Vec<Member>>(&bytes).err().unwrap();
    assert_eq!(error.kind(), upcall_pack::ErrorKind::LengthInvalid, "{error}");
}

#[cfg(feature = "brotli")]
fn members() {
    use upcall_pack::Reader;
    use upcall_pack::with::{BitPack, Brotli, BrotliString, UnpackWith};
    fn read<F: for<'a> UnpackWith<'a, T>, T>(claimed: i32, rest: &[u8]) {
        let bytes = [claimed.to_le_bytes().as_slice(), rest].concat();
        let peak = peak(|| drop(F::unpack(&mut Reader::new(&bytes))));
        // The decompressor's own tables and window.
        assert!(peak <= (1 << 20) + 16 * bytes.len(), "{peak} bytes for {claimed} in {} bytes", bytes.len());
    }
    for claimed in [i32::MAX, 1 << 27, 1 << 26, 1000, -2] {
        for rest in [vec![], vec![4, 0, 0, 0, 1, 2, 3, 4], vec![0; 1000]] {
            read::<Brotli, Vec<u8>>(claimed, &rest);
            read::<BrotliString, String>(claimed, &rest);
            read::<BitPack, Vec<bool>>(claimed, &rest);
        }
    }
}

#[test]
fn memory_is_bounded_by_the_bytes_that_are_there() {
    bombs();
    #[cfg(feature = "serde")]
    serde_bombs();
    nests();
    lies();
    streams();
    frames();
    #[cfg(feature = "brotli")]
    members();
    #[cfg(feature = "brotli")]
    many_members();
}
