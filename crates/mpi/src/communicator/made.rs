//! Communicators of some of the processes of another, and what tells them apart.

use super::Communicator;
use crate::error::{Error, ErrorKind};
use crate::group::{Comparison, Group};
use crate::point::Tag;
use crate::shim::{Constant, Handle};
use std::ffi::{CString, c_char, c_int};

impl Communicator {
    /// One that a call has made: `None` where it has none for this process.
    pub(crate) fn made(&self, handle: Handle) -> Result<Option<Communicator>, Error> {
        if handle == self.library.constant(Constant::CommNull) {
            return Ok(None);
        }
        Communicator::new(self.library, handle, true).map(Some)
    }

    /// The processes of a group, in its order; `None` for those that are not in it. Collective over all ranks of this
    /// communicator, which all give the same group.
    ///
    /// # Errors
    /// A process of the group is not in this communicator, or MPI refuses.
    pub fn create(&self, group: &Group) -> Result<Option<Communicator>, Error> {
        let what = || format!("make a communicator of a group of {}", group.size());
        self.contains(group, what)?;
        let mut made = 0;
        self.library.call(
            // SAFETY: a communicator and a group of this MPI's, here and below.
            |table| unsafe { (table.comm_create)(self.handle, group.handle, &mut made) },
            what,
        )?;
        self.made(made)
    }

    /// As [`create`](Communicator::create), collective over the processes of the group only; the others do not call it. `tag`
    /// tells apart what threads make at once.
    ///
    /// # Errors
    /// This process is not in the group, or a process of the group is not in this communicator, or MPI refuses.
    pub fn create_group(&self, group: &Group, tag: i32) -> Result<Communicator, Error> {
        let what = || format!("make a communicator of a group of {} with tag {tag}", group.size());
        if group.rank().is_none() {
            let message = format!("{}: this process is not in the group, and does not take part", what());
            return Err(Error::new(ErrorKind::Rank, message));
        }
        self.contains(group, what)?;
        let (tag, mut made) = (self.tag(Tag::Is(tag), what)?, 0);
        self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.comm_create_group)(self.handle, group.handle, tag, &mut made) },
            what,
        )?;
        Communicator::new(self.library, made, true)
    }

    /// Whether all processes of a group are here. It is the same on all ranks that give the same group.
    fn contains(&self, group: &Group, what: impl FnOnce() -> String) -> Result<(), Error> {
        let ranks: Vec<usize> = (0..group.size()).collect();
        let here = group.translate(&ranks, &self.group()?)?;
        let Some(stranger) = here.iter().position(Option::is_none) else { return Ok(()) };
        let message = format!(
            "{}: its process {stranger} is not in this communicator, which has {} ranks",
            what(),
            self.size()
        );
        Err(Error::new(ErrorKind::Rank, message))
    }

    /// The processes that share memory with this one (those of its machine), ranked by `key` and then as here. Collective.
    ///
    /// # Errors
    /// MPI refuses.
    pub fn split_shared_memory(&self, key: i32) -> Result<Communicator, Error> {
        let mut made = 0;
        self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.comm_split_shared)(self.handle, key, &mut made) },
            || "split a communicator by shared memory".to_owned(),
        )?;
        Communicator::new(self.library, made, true)
    }

    /// How alike this one and another are: a [duplicate](Communicator::duplicate) is [`Comparison::Congruent`].
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn compare(&self, other: &Communicator) -> Result<Comparison, Error> {
        let mut how = 0;
        self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.comm_compare)(self.handle, other.handle, &mut how) },
            || "compare two communicators".to_owned(),
        )?;
        Ok(Comparison::of(how))
    }

    /// Its name, as debuggers and profilers show it; empty where it has none. The world is `MPI_COMM_WORLD`.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn name(&self) -> Result<String, Error> {
        let (mut name, mut length) = ([0u8; 512], 0);
        self.library.call(
            // SAFETY: as above, with as much room as is said.
            |table| unsafe {
                let room = name.len() as c_int;
                (table.comm_get_name)(self.handle, name.as_mut_ptr().cast::<c_char>(), room, &mut length)
            },
            || "ask for the name of a communicator".to_owned(),
        )?;
        let length = usize::try_from(length).unwrap_or(0).min(name.len());
        Ok(String::from_utf8_lossy(&name[..length]).into_owned())
    }

    /// Names it, on this process.
    ///
    /// # Errors
    /// The name has more bytes than the library takes (63 or more), or a byte that is 0.
    pub fn set_name(&self, name: &str) -> Result<(), Error> {
        let what = || format!("name a communicator `{name}`");
        let text = CString::new(name)
            .map_err(|_| Error::new(ErrorKind::Usage, format!("{}: it has a byte that is 0", what())))?;
        let mut longest = 0;
        let set = self.library.call(
            // SAFETY: as above, and a text that ends with 0.
            |table| unsafe { (table.comm_set_name)(self.handle, text.as_ptr(), &mut longest) },
            what,
        );
        if set.is_err() && usize::try_from(longest).is_ok_and(|longest| longest > 0 && name.len() > longest) {
            let message = format!("{}: this MPI takes {longest} bytes, and it has {}", what(), name.len());
            return Err(Error::new(ErrorKind::Usage, message));
        }
        set
    }
}
