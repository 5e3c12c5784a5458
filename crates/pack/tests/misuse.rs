//! What other people's safe code may do to a writer, and the result: an error, never invalid memory.

use std::mem::{MaybeUninit, replace};
use std::sync::Mutex;
use upcall_pack::stream::StreamWriter;
use upcall_pack::{
    Arena, Error, ErrorKind, Form, Graph, Options, Pack, Reader, Ref, Sink, Unpack, Writer, append,
    from_slice, to_vec,
};

/// Keeps leaked memory reachable, so that no sanitizer reports it.
static KEPT: Mutex<Vec<usize>> = Mutex::new(Vec::new());

fn keep<'x, T>(value: T) -> &'x mut T
where
    T: 'x,
{
    let kept = Box::leak(Box::new(value));
    KEPT.lock().unwrap().push((&raw const *kept).addr());
    kept
}

#[derive(Clone, Copy, Debug, PartialEq, Pack)]
#[pack(crate = upcall_pack)]
#[repr(u8, align(4))]
enum Aligned {
    A,
    B,
}

#[test]
fn an_enum_that_is_larger_than_its_integer_shows_none_of_its_padding() {
    let items = vec![Aligned::B, Aligned::A, Aligned::B];
    assert_eq!(to_vec(&items).unwrap(), [3, 0, 0, 0, 1, 0, 1]);
    assert_eq!(from_slice::<Vec<Aligned>>(&[3, 0, 0, 0, 1, 0, 1]).unwrap(), items);
}

/// Puts another writer in the place of the one it is given.
struct Swapper;

impl Pack for Swapper {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 1;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        *writer = Writer::new(keep(Vec::<u8>::with_capacity(1 << 20)));
        writer.bytes(&[7; 3000])
    }
}

impl<'a> Unpack<'a> for Swapper {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        reader.u8().map(|_| Swapper)
    }
}

#[derive(Pack)]
#[pack(version_tolerant, crate = upcall_pack)]
struct Holding {
    swapper: Swapper,
}

#[test]
fn a_member_that_puts_another_writer_in_the_place_of_its_own_is_an_error() {
    for room in [0, 4, 1 << 12] {
        let error = append(&vec![Holding { swapper: Swapper }], &mut Vec::with_capacity(room)).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported, "{error}");
    }
}

#[derive(Pack)]
#[pack(circular, crate = upcall_pack)]
struct Node {
    text: String,
}

/// A sink that has a writer, which it uses when it is asked for room.
struct Thief<'x> {
    writer: Writer<'x>,
    node: Ref<Node>,
    room: Vec<u8>,
}

static SEEN: Mutex<Vec<ErrorKind>> = Mutex::new(Vec::new());

impl Sink for Thief<'_> {
    unsafe fn window(&mut self, at_least: usize) -> Result<&mut [MaybeUninit<u8>], Error> {
        SEEN.lock().unwrap().push(self.node.pack(&mut self.writer).unwrap_err().kind());
        self.room.reserve(at_least);
        Ok(self.room.spare_capacity_mut())
    }

    unsafe fn advance(&mut self, _: usize) {}
}

struct Stolen(Ref<Node>);

impl Pack for Stolen {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 1;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        steal(writer, self.0);
        Ok(())
    }
}

fn steal<'x>(place: &mut Writer<'x>, node: Ref<Node>) {
    let writer = replace(place, Writer::new(keep(Vec::<u8>::new())));
    *place = Writer::new(keep(Thief { writer, node, room: Vec::new() }));
}

struct Outside;

impl Pack for Outside {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 1;

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        let mut arena = Arena::new();
        let node = arena.add(Node { text: "x".repeat(100) });
        Graph { arena, root: Stolen(node) }.pack(writer)?;
        writer.bytes(&[0; 10])
    }
}

#[test]
fn a_writer_that_was_taken_away_knows_no_graph_that_is_gone() {
    to_vec(&Outside).unwrap();
    assert_eq!(*SEEN.lock().unwrap(), [ErrorKind::Unsupported]);
}

#[derive(Pack)]
#[pack(crate = upcall_pack)]
struct Deep {
    next: Option<Box<Deep>>,
}

#[test]
fn a_stream_with_half_an_item_in_it_takes_no_more_and_is_not_finished() {
    let deep = (0..20).fold(Deep { next: None }, |next, _| Deep { next: Some(Box::new(next)) });
    let mut bytes = Vec::new();
    let mut stream = StreamWriter::with(&mut bytes, 2, Options::new().depth(10)).unwrap();
    assert_eq!(stream.push(&deep).unwrap_err().kind(), ErrorKind::DepthExceeded);
    assert_eq!(stream.push(&7).unwrap_err().kind(), ErrorKind::Unsupported);
    assert_eq!(stream.finish().unwrap_err().kind(), ErrorKind::Unsupported);
}
