//! Runs of sorted records, put together into one.

use super::buffer::Buffer;
use super::record::{Edge, Record, bytes, bytes_mut};
use super::temporary::Temporary;
use super::watch::{Phase, Watch};
use crate::error::Error;
use std::ops::Range;
use std::path::Path;

/// Fewer bytes of a run are not read at a time.
const SLOT: usize = 1 << 16;

/// Edges in order.
pub(crate) trait Edges {
    fn next(&mut self) -> Result<Option<Edge>, Error>;
}

/// Runs in a file, by their records, each behind the other in the order of the input.
pub(crate) struct Runs {
    pub(crate) file: Temporary,
    pub(crate) runs: Vec<Range<u64>>,
}

impl Runs {
    /// Merges neighbouring runs until one pass is left that takes `memory` bytes, and returns that.
    pub(crate) fn merged<R: Record>(
        mut self,
        folder: &Path,
        memory: usize,
        watch: &mut Watch<'_>,
    ) -> Result<Merge<R>, Error> {
        let most = (memory / SLOT).max(2);
        while self.runs.len() > most {
            watch.begin(Phase::Merging)?;
            let mut into = Runs { file: Temporary::new(folder)?, runs: Vec::new() };
            let mut file = self.file;
            // The last slot is for what is written.
            let together = (most - 1).max(2);
            for runs in self.runs.chunks(together) {
                let mut merge = Merge::of_file(file, runs, memory / (together + 1) * together)?;
                let room = (memory / (together + 1) / size_of::<R>()).max(1);
                let mut out = Buffer::<R>::new(room)?;
                let begin = into.file.length() / size_of::<R>() as u64;
                while let Some(record) = merge.record()? {
                    out.push(record);
                    if out.is_full() {
                        into.file.append(bytes(out.records()))?;
                        out.clear();
                    }
                    watch.edge()?;
                }
                into.file.append(bytes(out.records()))?;
                into.runs.push(begin..into.file.length() / size_of::<R>() as u64);
                file = merge.file.expect("it is of a file");
            }
            self = into;
        }
        Merge::of_file(self.file, &self.runs, memory)
    }
}

/// One run, as far as it is in memory.
struct Cursor {
    /// What of it is in memory, and not yet taken.
    here: Range<usize>,
    /// Where that begins when more is read.
    slot: usize,
    /// What of it is in the file.
    left: Range<u64>,
}

/// A merge of runs: a tree whose inner nodes hold the run that lost there, and whose root the one that is next. Of records with
/// the same key, those of the earlier run come first.
pub(crate) struct Merge<R: Record> {
    records: Buffer<R>,
    file: Option<Temporary>,
    /// How many records are read at a time.
    slot: usize,
    cursors: Vec<Cursor>,
    heads: Vec<Option<R::Key>>,
    tree: Vec<usize>,
}

impl<R: Record> Merge<R> {
    /// Of runs in memory.
    pub(crate) fn of_memory(records: Buffer<R>, runs: Vec<Range<usize>>) -> Result<Merge<R>, Error> {
        let cursors = runs.into_iter().map(|here| Cursor { slot: here.start, here, left: 0..0 }).collect();
        Merge::start(records, None, 0, cursors)
    }

    /// Of runs in a file, of which so many bytes are in memory.
    fn of_file(file: Temporary, runs: &[Range<u64>], memory: usize) -> Result<Merge<R>, Error> {
        let slot = (memory / size_of::<R>() / runs.len().max(1)).max(1);
        let cursor = |(run, left): (usize, &Range<u64>)| Cursor {
            slot: run * slot,
            here: run * slot..run * slot,
            left: left.clone(),
        };
        let cursors = runs.iter().enumerate().map(cursor).collect();
        Merge::start(Buffer::new(slot * runs.len())?, Some(file), slot, cursors)
    }

    fn start(
        records: Buffer<R>,
        file: Option<Temporary>,
        slot: usize,
        cursors: Vec<Cursor>,
    ) -> Result<Merge<R>, Error> {
        const NOBODY: usize = usize::MAX;
        let runs = cursors.len();
        let mut merge =
            Merge { records, file, slot, cursors, heads: vec![None; runs], tree: vec![NOBODY; runs.max(1)] };
        for run in 0..runs {
            merge.look(run)?;
        }
        for run in 0..runs {
            let (mut winner, mut node) = (run, (run + runs) / 2);
            while node > 0 && merge.tree[node] != NOBODY {
                if merge.before(merge.tree[node], winner) {
                    std::mem::swap(&mut merge.tree[node], &mut winner);
                }
                node /= 2;
            }
            // Whoever comes first to a node waits there for the other.
            merge.tree[node] = winner;
        }
        Ok(merge)
    }

    fn before(&self, one: usize, other: usize) -> bool {
        match (self.heads[one], self.heads[other]) {
            (Some(a), Some(b)) => (a, one) < (b, other),
            (a, b) => (a.is_none(), one) < (b.is_none(), other),
        }
    }

    /// Sees to it that a run's head is known.
    fn look(&mut self, run: usize) -> Result<(), Error> {
        let cursor = &mut self.cursors[run];
        if cursor.here.is_empty() && !cursor.left.is_empty() {
            let count = (cursor.left.end - cursor.left.start).min(self.slot as u64) as usize;
            cursor.here = cursor.slot..cursor.slot + count;
            let file = self.file.as_ref().expect("what is not in memory is in a file");
            let at = cursor.left.start * size_of::<R>() as u64;
            file.read(bytes_mut(&mut self.records.room()[cursor.here.clone()]), at)?;
            cursor.left.start += count as u64;
        }
        self.heads[run] = cursor.here.clone().next().map(|place| self.records.room()[place].key());
        Ok(())
    }

    /// The next record.
    #[inline]
    pub(crate) fn record(&mut self) -> Result<Option<R>, Error> {
        let mut winner = self.tree[0];
        if self.heads.get(winner).is_none_or(Option::is_none) {
            return Ok(None);
        }
        let cursor = &mut self.cursors[winner];
        let record = self.records.room()[cursor.here.start];
        cursor.here.start += 1;
        match cursor.here.is_empty() {
            true => self.look(winner)?,
            false => self.heads[winner] = Some(self.records.room()[cursor.here.start].key()),
        }
        let mut node = (winner + self.cursors.len()) / 2;
        while node > 0 {
            if self.before(self.tree[node], winner) {
                std::mem::swap(&mut self.tree[node], &mut winner);
            }
            node /= 2;
        }
        self.tree[0] = winner;
        Ok(Some(record))
    }
}

impl<R: Record> Edges for Merge<R> {
    #[inline]
    fn next(&mut self) -> Result<Option<Edge>, Error> {
        Ok(self.record()?.map(Record::edge))
    }
}
