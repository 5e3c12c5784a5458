use super::failure::{FlowFailure, UPCALL_IN_HANDLER, UPCALL_INVALID};
use super::line::{Line, Sent};
use super::task::{Outcome, UpcallTask, in_handler};
use super::{UpcallFound, UpcallSeen};
use std::sync::Arc;
use upcall_flow::{ErrorKind, PoolHandle, Stored, Ticket, ValueType};

/// What [`UpcallPool::send`] does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallSend {
    /// Puts an object.
    Put,
    /// Puts an object if the newest version of its key is the one that is given, 0 for none.
    PutIf,
    /// Runs the handlers and stores nothing.
    Trigger,
    /// Removes a key.
    Remove,
}

/// What [`UpcallPool::get`] goes by.
#[derive(Clone, Copy, PartialEq, Eq, Debug, upcall::Enum)]
#[repr(u32)]
pub enum UpcallAsOf {
    /// The newest version.
    Now,
    /// The newest version that is not after one of the pool's.
    Version,
    /// The newest version that is not after a time, in nanoseconds since the Unix epoch.
    Time,
}

/// A pool of a running flow, for any thread. Puts that wait for credit without a thread come before all that are asked for
/// later.
pub struct UpcallPool {
    pool: PoolHandle,
    line: Arc<Line>,
}

impl UpcallPool {
    pub(super) fn new(pool: PoolHandle, line: Arc<Line>) -> UpcallPool {
        UpcallPool { pool, line }
    }

    /// Puts if there is credit. Returns whether there was.
    fn put_now(&self, key: &[u8], value: &[u8]) -> Result<bool, FlowFailure> {
        if !self.line.is_empty() {
            return Ok(false);
        }
        match self.pool.try_put(key, value) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Puts the first of these objects. Returns those behind it, or none where there is no credit.
    fn put_first<'a>(&self, objects: &'a [u8], wait: bool) -> Result<Option<&'a [u8]>, FlowFailure> {
        let Some((key, value, rest)) = split(objects) else {
            let (path, bytes) = (self.pool.path(), objects.len());
            let message =
                format!("put objects into pool {path}: one is cut short, of which {bytes} bytes are there");
            return Err(FlowFailure::new(UPCALL_INVALID, message));
        };
        if wait {
            self.put_then(key, value)?;
        } else if !self.put_now(key, value)? {
            return Ok(None);
        }
        Ok(Some(rest))
    }

    /// Puts, and waits for credit.
    fn put_then(&self, key: &[u8], value: &[u8]) -> Result<(), FlowFailure> {
        if self.line.is_empty() || self.pool.workers().are_here() {
            return Ok(self.pool.put_and_forget(key, value)?);
        }
        let put = self.send(UpcallSend::Put, key, value, 0)?;
        put.wait(-1)?;
        put.check()
    }
}

#[upcall::export]
impl UpcallPool {
    /// The pool's path.
    pub fn path(&self) -> String {
        self.pool.path().to_owned()
    }

    /// What its values are: a word of a flow's file (`bytes`, `text`, `u64`), `blittable Reading 16` or `packed Order`.
    pub fn value_type(&self) -> String {
        match self.pool.value_type() {
            ValueType::Blittable { name, size } => format!("blittable {name} {size}"),
            ValueType::Packed { name } => format!("packed {name}"),
            word => word.to_string(),
        }
    }

    /// Fails on a worker of the pool's flow, where whoever waits for the flow would wait for itself. To be asked before a call
    /// that may wait: one that is refused only when it has to wait is refused under load only.
    pub fn may_wait(&self) -> Result<(), FlowFailure> {
        if !self.pool.workers().are_here() {
            return Ok(());
        }
        let message = format!(
            "put into pool {} from inside a handler of the same flow: it would wait for itself; emit instead, or use what \
             does not wait",
            self.pool.path()
        );
        Err(FlowFailure::new(UPCALL_IN_HANDLER, message))
    }

    /// Puts an object. Waits for credit, so a handler of the same flow must not call it.
    pub fn put(&self, key: &[u8], value: &[u8]) -> Result<(), FlowFailure> {
        self.put_then(key, value)
    }

    /// Puts an object if there is credit. Returns whether there was.
    pub fn try_put(&self, key: &[u8], value: &[u8]) -> Result<bool, FlowFailure> {
        self.put_now(key, value)
    }

    /// Puts objects, each as the lengths of its key and its value (`u32` each) and their bytes, until there is no credit.
    /// Returns how many bytes of `objects` were taken. Waits for credit first if `wait` says so. Fails where the first object
    /// cannot be put; one behind it ends the call, and the next, which begins with it, fails.
    pub fn put_many(&self, objects: &[u8], wait: bool) -> Result<u64, FlowFailure> {
        let mut rest = objects;
        while !rest.is_empty() {
            match self.put_first(rest, wait) {
                Ok(Some(next)) => rest = next,
                Ok(None) => break,
                // What was taken has to be known. An object that failed fails again when it is the first.
                Err(_) if rest.len() < objects.len() => break,
                Err(failure) => return Err(failure),
            }
        }
        Ok((objects.len() - rest.len()) as u64)
    }

    /// Puts, puts on condition, triggers or removes, without waiting: key and value are copied where there is no credit. The
    /// task has the version, of a trigger 0.
    pub fn send(
        &self,
        what: UpcallSend,
        key: &[u8],
        value: &[u8],
        previous: u64,
    ) -> Result<UpcallTask, FlowFailure> {
        let pool = self.pool.clone();
        let may_wait = Box::new(move || {
            let here = pool.workers().are_here();
            if here { Err(in_handler(&format!("{} pool {}", verb(what), pool.path()))) } else { Ok(()) }
        });
        let ticket = |ticket: Option<Ticket>| async {
            let version = match ticket {
                Some(ticket) => ticket.await?,
                None => 0,
            };
            Ok(Outcome::Version(version))
        };
        if self.line.is_empty() {
            match send(&self.pool, what, key, value, previous) {
                Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                sent => return Ok(UpcallTask::new(ticket(sent?), may_wait)),
            }
        }
        let (key, value) = (key.to_vec(), value.to_vec());
        let sent = self.line.enter(self.pool.clone(), move |pool| send(pool, what, &key, &value, previous));
        Ok(UpcallTask::new(async move { ticket(sent.await?).await }, may_wait))
    }

    /// Copies the value of a key into `room` if it fits, and writes what was found. Returns whether the value was copied, or
    /// there is none: if not, ask again with room for `found.len` bytes.
    pub fn get(
        &self,
        key: &[u8],
        of: UpcallAsOf,
        at: u64,
        room: &mut [u8],
        found: &mut UpcallFound,
    ) -> Result<bool, FlowFailure> {
        let stored = match of {
            UpcallAsOf::Now => self.pool.get(key),
            UpcallAsOf::Version => self.pool.get_at(key, at),
            UpcallAsOf::Time => self.pool.get_by_time(key, at),
        };
        let Some(Stored { value, version, time, .. }) = stored? else {
            *found = UpcallFound { version: 0, time: 0, len: 0 };
            return Ok(true);
        };
        *found = UpcallFound { version, time, len: value.len() as u64 };
        let fits = room.get_mut(..value.len());
        Ok(fits.map(|room| room.copy_from_slice(&value)).is_some())
    }

    /// The versions of a key that are kept, oldest first.
    pub fn versions(&self, key: &[u8]) -> Result<Vec<UpcallSeen>, FlowFailure> {
        let seen = self.pool.versions(key)?;
        let seen = seen.into_iter().map(|seen| UpcallSeen {
            version: seen.version,
            time: seen.time,
            removed: seen.removed.into(),
        });
        Ok(seen.collect())
    }

    /// The keys that begin with `prefix`, sorted, each as its length (`u32`) and its bytes.
    pub fn list(&self, prefix: &[u8]) -> Result<Vec<u8>, FlowFailure> {
        let mut bytes = Vec::new();
        for key in self.pool.list(prefix)? {
            bytes.extend((key.len() as u32).to_ne_bytes());
            bytes.extend(key);
        }
        Ok(bytes)
    }
}

/// What it does, for messages.
fn verb(what: UpcallSend) -> &'static str {
    match what {
        UpcallSend::Put => "put into",
        UpcallSend::PutIf => "put on condition into",
        UpcallSend::Trigger => "trigger",
        UpcallSend::Remove => "remove from",
    }
}

/// Without a wait. A trigger has no ticket.
fn send(pool: &PoolHandle, what: UpcallSend, key: &[u8], value: &[u8], previous: u64) -> Sent {
    match what {
        UpcallSend::Put => pool.try_put_with_ticket(key, value).map(Some),
        UpcallSend::PutIf => pool.try_put_if(key, value, previous).map(Some),
        UpcallSend::Trigger => pool.try_trigger(key, value).map(|()| None),
        UpcallSend::Remove => pool.try_remove(key).map(Some),
    }
}

/// The first object's key and value, and what follows.
fn split(objects: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let (key_len, rest) = objects.split_first_chunk::<4>()?;
    let (value_len, rest) = rest.split_first_chunk::<4>()?;
    let (key, rest) = rest.split_at_checked(u32::from_ne_bytes(*key_len) as usize)?;
    let (value, rest) = rest.split_at_checked(u32::from_ne_bytes(*value_len) as usize)?;
    Some((key, value, rest))
}
