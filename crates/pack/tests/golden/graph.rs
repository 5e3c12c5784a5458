//! Graphs, which are compared object by object.

use super::Golden;
use super::types::Node;
use upcall_pack::stream::StreamReader;
use upcall_pack::{Arena, Error, Graph, Options, Pack, Unpack, from_parts};

/// A graph of nodes.
pub struct Of<R>(pub Graph<R>);

fn same<R: PartialEq>(one: &Graph<R>, other: &Graph<R>) -> bool {
    one.root == other.root && one.arena.iter::<Node>().eq(other.arena.iter::<Node>())
}

impl<R: Pack + for<'a> Unpack<'a> + PartialEq + Clone> Golden for Of<R> {
    fn write(&self) -> Result<Vec<u8>, Error> {
        upcall_pack::to_vec(&self.0)
    }

    fn read(&self, bytes: &[u8], options: Options) -> Result<bool, Error> {
        Ok(same(&options.from_slice(bytes)?, &self.0))
    }

    fn rewrite<'a>(&self, parts: &'a [&'a [u8]]) -> Result<Vec<u8>, Error> {
        Options::new().to_vec(&from_parts::<Graph<R>>(parts)?)
    }

    fn read_parts<'a>(&self, parts: &'a [&'a [u8]]) -> Result<bool, Error> {
        Ok(same(&from_parts(parts)?, &self.0))
    }

    fn read_next(&self, stream: &mut StreamReader) -> Result<Option<bool>, Error> {
        Ok(stream.next()?.map(|graph| same(&graph, &self.0)))
    }

    fn overwrite(&self, bytes: &[u8]) -> Result<bool, Error> {
        let mut arena = Arena::new();
        arena.add(Node::default());
        let mut graph = Graph { arena, root: self.0.root.clone() };
        upcall_pack::overwrite(&mut graph, bytes)?;
        Ok(same(&graph, &self.0))
    }
}
