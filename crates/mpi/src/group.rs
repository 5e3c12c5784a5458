//! Sets of processes, in an order.

use crate::communicator::Communicator;
use crate::error::{Error, ErrorKind};
use crate::library::Library;
use crate::shim::{Handle, Table};
use std::ffi::c_int;
use std::fmt;

/// Processes in an order: what a communicator is made of. It passes no messages by itself, and every call on it is of this
/// process alone.
///
/// It may be shared by threads, as far as the thread level goes, and is freed when it is dropped, or where that is on a thread
/// that may not call MPI, at the next call of one that may.
pub struct Group {
    pub(crate) library: &'static Library,
    pub(crate) handle: Handle,
    rank: Option<usize>,
    size: usize,
}

/// How alike two groups or communicators are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    /// They are one and the same.
    Identical,
    /// Two communicators of the same processes in the same order.
    Congruent,
    /// The same processes in another order.
    Similar,
    /// Other processes.
    Unequal,
}

impl Comparison {
    pub(crate) fn of(how: c_int) -> Comparison {
        match how {
            0 => Comparison::Identical,
            1 => Comparison::Congruent,
            2 => Comparison::Similar,
            _ => Comparison::Unequal,
        }
    }
}

/// Every `step`th rank from `first` to `last`, both included: `first` is the larger one where the step is negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RankRange {
    /// Where it begins.
    pub first: usize,
    /// The last one, where a step ends there; else those before it.
    pub last: usize,
    /// From one rank to the next: not 0.
    pub step: isize,
}

impl Group {
    /// What `make` makes.
    pub(crate) fn made(
        library: &'static Library,
        make: impl FnOnce(&Table, &mut Handle) -> c_int,
        what: impl Fn() -> String,
    ) -> Result<Group, Error> {
        let (mut handle, mut rank, mut size) = (0, 0, 0);
        library.call(
            |table| match make(table, &mut handle) {
                // SAFETY: a group of this MPI's.
                0 => unsafe { (table.group_rank)(handle, &mut rank, &mut size) },
                code => code,
            },
            what,
        )?;
        Ok(Group {
            library,
            handle,
            rank: usize::try_from(rank).ok(),
            size: usize::try_from(size).unwrap_or(0),
        })
    }

    /// This process's place in it, from 0 on; `None` where it is no member.
    #[must_use]
    pub fn rank(&self) -> Option<usize> {
        self.rank
    }

    /// How many processes it has.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The processes of this group, then those of the other that are not among them.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn union(&self, other: &Group) -> Result<Group, Error> {
        self.combined(other, 0, "join two groups")
    }

    /// The processes that are in both, in the order of this one.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn intersection(&self, other: &Group) -> Result<Group, Error> {
        self.combined(other, 1, "intersect two groups")
    }

    /// The processes that are in this group only, in its order.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn difference(&self, other: &Group) -> Result<Group, Error> {
        self.combined(other, 2, "subtract a group")
    }

    fn combined(&self, other: &Group, how: c_int, what: &str) -> Result<Group, Error> {
        let (one, other) = (self.handle, other.handle);
        Group::made(
            self.library,
            // SAFETY: groups of this MPI's, here and below.
            |table, made| unsafe { (table.group_combine)(one, other, how, made) },
            || what.to_owned(),
        )
    }

    /// The processes with these ranks, in the order of the list.
    ///
    /// # Errors
    /// There is no such rank, or one is there twice.
    pub fn include(&self, ranks: &[usize]) -> Result<Group, Error> {
        self.selected(ranks, false)
    }

    /// The processes without those with these ranks, in the order of this group.
    ///
    /// # Errors
    /// As [`include`](Group::include).
    pub fn exclude(&self, ranks: &[usize]) -> Result<Group, Error> {
        self.selected(ranks, true)
    }

    /// As [`include`](Group::include), with the ranks of all these ranges, one after the other.
    ///
    /// # Errors
    /// As there, or the step of a range is 0.
    pub fn include_ranges(&self, ranges: &[RankRange]) -> Result<Group, Error> {
        self.include(&self.listed(ranges)?)
    }

    /// As [`exclude`](Group::exclude), with the ranks of all these ranges.
    ///
    /// # Errors
    /// As [`include_ranges`](Group::include_ranges).
    pub fn exclude_ranges(&self, ranges: &[RankRange]) -> Result<Group, Error> {
        self.exclude(&self.listed(ranges)?)
    }

    fn selected(&self, ranks: &[usize], without: bool) -> Result<Group, Error> {
        let what = || {
            let verb = if without { "leave out" } else { "take" };
            format!("{verb} {} processes of a group", ranks.len())
        };
        let mut taken = vec![false; self.size];
        for &rank in ranks {
            self.has(rank, what)?;
            if std::mem::replace(&mut taken[rank], true) {
                let message = format!("{}: rank {rank} is there twice", what());
                return Err(Error::new(ErrorKind::Rank, message));
            }
        }
        // There are no more than the group has.
        let ranks: Vec<c_int> = ranks.iter().map(|rank| *rank as c_int).collect();
        Group::made(
            self.library,
            // SAFETY: as above, and so many ranks.
            |table, made| unsafe {
                let (count, without) = (ranks.len() as c_int, c_int::from(without));
                (table.group_select)(self.handle, count, ranks.as_ptr(), without, made)
            },
            what,
        )
    }

    /// The ranks of ranges. Those of one that leaves the group are not all listed: the first that is not there is.
    fn listed(&self, ranges: &[RankRange]) -> Result<Vec<usize>, Error> {
        let mut ranks = Vec::new();
        for range in ranges {
            let RankRange { first, last, step } = *range;
            let what = || format!("take the ranks {first} to {last} by {step}");
            if step == 0 {
                return Err(Error::new(ErrorKind::Usage, format!("{}: the step is 0", what())));
            }
            let is_inside = |at: usize| if step > 0 { at <= last } else { at >= last };
            let mut next = Some(first);
            while let Some(rank) = next.filter(|rank| is_inside(*rank)) {
                self.has(rank, what)?;
                ranks.push(rank);
                next = rank.checked_add_signed(step);
            }
        }
        Ok(ranks)
    }

    fn has(&self, rank: usize, what: impl FnOnce() -> String) -> Result<(), Error> {
        if rank < self.size {
            return Ok(());
        }
        let message = format!("{}: there is no rank {rank}; this group has {}, from 0 on", what(), self.size);
        Err(Error::new(ErrorKind::Rank, message))
    }

    /// The ranks that processes with these ranks here have in another group; `None` for one that is not there.
    ///
    /// # Errors
    /// There is no such rank here.
    pub fn translate(&self, ranks: &[usize], other: &Group) -> Result<Vec<Option<usize>>, Error> {
        let what = || format!("translate {} ranks of a group", ranks.len());
        for &rank in ranks {
            self.has(rank, what)?;
        }
        let ours: Vec<c_int> = ranks.iter().map(|rank| *rank as c_int).collect();
        let mut theirs = vec![0; ours.len()];
        let count = c_int::try_from(ours.len())
            .map_err(|_| Error::new(ErrorKind::Count, format!("{}: too many", what())))?;
        self.library.call(
            // SAFETY: as above, with room for as many ranks.
            |table| unsafe {
                let (from, to) = (ours.as_ptr(), theirs.as_mut_ptr());
                (table.group_translate)(self.handle, count, from, other.handle, to)
            },
            what,
        )?;
        Ok(theirs.into_iter().map(|rank| usize::try_from(rank).ok()).collect())
    }

    /// Whether another group has the same processes, and in the same order ([`Comparison::Identical`]).
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn compare(&self, other: &Group) -> Result<Comparison, Error> {
        let mut how = 0;
        self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.group_compare)(self.handle, other.handle, &mut how) },
            || "compare two groups".to_owned(),
        )?;
        Ok(Comparison::of(how))
    }
}

impl Communicator {
    /// Its processes.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn group(&self) -> Result<Group, Error> {
        self.group_of(false)
    }

    /// Its processes, or those of the other side of an intercommunicator.
    pub(crate) fn group_of(&self, remote: bool) -> Result<Group, Error> {
        Group::made(
            self.library,
            // SAFETY: a communicator of this MPI's.
            |table, made| unsafe { (table.comm_group)(self.handle, c_int::from(remote), made) },
            || "ask for the group of a communicator".to_owned(),
        )
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        let (library, mut handle) = (self.library, self.handle);
        // Nobody could be told; it fails where MPI has been finalized.
        Library::free(move || {
            // SAFETY: as above; it is used no more.
            library.call(|table| unsafe { (table.group_free)(&mut handle) }, String::new)
        });
    }
}

impl fmt::Debug for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Group").field("rank", &self.rank).field("size", &self.size).finish()
    }
}
