use super::communicator::{Held, UpcallMpiCommunicator};
use super::failure::MpiFailure;
use super::rank;
use std::sync::Arc;
use upcall_mpi::{Comparison, Group, RankRange};

/// How alike two groups or communicators are.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallMpiComparison {
    /// They are one and the same.
    Identical,
    /// Two communicators of the same processes in the same order.
    Congruent,
    /// The same processes in another order.
    Similar,
    /// Other processes.
    Unequal,
}

impl From<Comparison> for UpcallMpiComparison {
    fn from(how: Comparison) -> UpcallMpiComparison {
        match how {
            Comparison::Identical => UpcallMpiComparison::Identical,
            Comparison::Congruent => UpcallMpiComparison::Congruent,
            Comparison::Similar => UpcallMpiComparison::Similar,
            Comparison::Unequal => UpcallMpiComparison::Unequal,
        }
    }
}

/// Processes in an order: what a communicator is made of. It passes no messages by itself, and every call on it is of this
/// process alone.
pub struct UpcallMpiGroup(pub(super) Group);

#[upcall::export]
impl UpcallMpiGroup {
    /// This process's rank in it; -1 where it is not in it.
    pub fn rank(&self) -> i32 {
        self.0.rank().map_or(-1, |rank| rank as i32)
    }

    /// How many processes it has.
    pub fn size(&self) -> i32 {
        self.0.size() as i32
    }

    /// The processes of this one, and then those of the other that are not in this one.
    pub fn union(&self, other: &UpcallMpiGroup) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiGroup(self.0.union(&other.0)?))
    }

    /// The processes of this one that are in the other, too.
    pub fn intersection(&self, other: &UpcallMpiGroup) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiGroup(self.0.intersection(&other.0)?))
    }

    /// The processes of this one that are not in the other.
    pub fn difference(&self, other: &UpcallMpiGroup) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiGroup(self.0.difference(&other.0)?))
    }

    /// Its processes of these ranks, in this order.
    pub fn include(&self, ranks: &[i32]) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiGroup(self.0.include(&numbers(ranks, "include ranks of a group")?)?))
    }

    /// Its processes without those of these ranks.
    pub fn exclude(&self, ranks: &[i32]) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiGroup(self.0.exclude(&numbers(ranks, "exclude ranks of a group")?)?))
    }

    /// Its processes of ranges of ranks, each of which is three numbers: the first rank, the last one if a step reaches it, and the
    /// step, which may be negative.
    pub fn include_ranges(&self, ranges: &[i32]) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiGroup(self.0.include_ranges(&spans(ranges, "include ranges of a group")?)?))
    }

    /// Its processes without those of such ranges.
    pub fn exclude_ranges(&self, ranges: &[i32]) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiGroup(self.0.exclude_ranges(&spans(ranges, "exclude ranges of a group")?)?))
    }

    /// Which ranks those of these ranks have in the other one; -1 for those that are not in it.
    pub fn translate(&self, ranks: &[i32], other: &UpcallMpiGroup) -> Result<Vec<i32>, MpiFailure> {
        let there = self.0.translate(&numbers(ranks, "translate ranks")?, &other.0)?;
        Ok(there.into_iter().map(or_none).collect())
    }

    /// How alike the two are.
    pub fn compare(&self, other: &UpcallMpiGroup) -> Result<UpcallMpiComparison, MpiFailure> {
        Ok(self.0.compare(&other.0)?.into())
    }
}

#[upcall::export(extend)]
impl UpcallMpiCommunicator {
    /// Its processes.
    pub fn group(&self) -> Result<UpcallMpiGroup, MpiFailure> {
        Ok(UpcallMpiGroup(self.peers()?.group()?))
    }

    /// The processes of a group, in its order; none for those that are not in it. Collective over all ranks of this
    /// communicator, which all give the same group.
    pub fn create(&self, group: &UpcallMpiGroup) -> Result<Self, MpiFailure> {
        let made = self.get()?.create(&group.0)?;
        Ok(UpcallMpiCommunicator::perhaps(made.map(|made| Held::Made(Arc::new(made)))))
    }

    /// As `create`, collective over the processes of the group only. `tag` tells apart what threads make at once.
    pub fn create_group(&self, group: &UpcallMpiGroup, tag: i32) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiCommunicator::made(self.get()?.create_group(&group.0, tag)?))
    }

    /// The processes that share memory with this one (those of its machine), ranked by `key` and then as here. Collective.
    pub fn split_shared_memory(&self, key: i32) -> Result<Self, MpiFailure> {
        Ok(UpcallMpiCommunicator::made(self.get()?.split_shared_memory(key)?))
    }

    /// How alike this one and another are: a duplicate is congruent.
    pub fn compare(&self, other: &UpcallMpiCommunicator) -> Result<UpcallMpiComparison, MpiFailure> {
        Ok(self.peers()?.compare(other.peers()?)?.into())
    }

    /// Its name, as debuggers and profilers show it; empty where it has none.
    pub fn name(&self) -> Result<String, MpiFailure> {
        Ok(self.peers()?.name()?)
    }

    /// Names it, on this process.
    pub fn set_name(&self, name: &str) -> Result<(), MpiFailure> {
        Ok(self.peers()?.set_name(name)?)
    }
}

/// Ranks as Rust counts them.
pub(super) fn numbers(ranks: &[i32], what: &str) -> Result<Vec<usize>, MpiFailure> {
    ranks.iter().map(|number| rank(*number, what)).collect()
}

/// Ranges of ranks, as Rust has them.
fn spans(numbers: &[i32], what: &str) -> Result<Vec<RankRange>, MpiFailure> {
    let (ranges, rest) = numbers.as_chunks();
    if !rest.is_empty() {
        let message = format!("{what}: each range is three numbers, and {} were given", numbers.len());
        return Err(MpiFailure::usage(message));
    }
    let span = |&[first, last, step]: &[i32; 3]| {
        Ok(RankRange { first: rank(first, what)?, last: rank(last, what)?, step: step as isize })
    };
    ranges.iter().map(span).collect()
}

/// How many there are of something, as Rust counts them.
pub(super) fn amounts(numbers: &[i32], what: &str) -> Result<Vec<usize>, MpiFailure> {
    let amount = |number: &i32| {
        let negative = |_| MpiFailure::usage(format!("{what}: {number} is no number of ranks"));
        usize::try_from(*number).map_err(negative)
    };
    numbers.iter().map(amount).collect()
}

/// A rank as others count it; -1 for none.
pub(super) fn or_none(rank: Option<usize>) -> i32 {
    rank.map_or(-1, |rank| rank as i32)
}
