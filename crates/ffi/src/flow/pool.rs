use super::failure::{FlowFailure, UPCALL_IN_HANDLER, UPCALL_INVALID};
use super::task::{Outcome, UpcallTask};
use super::{UpcallFound, UpcallSeen};
use upcall_flow::{Error, ErrorKind, PoolHandle, Stored, ValueType};

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

/// A pool of a running flow, for any thread.
pub struct UpcallPool(PoolHandle);

impl UpcallPool {
    pub(super) fn new(pool: PoolHandle) -> UpcallPool {
        UpcallPool(pool)
    }
}

#[upcall::export]
impl UpcallPool {
    /// The pool's path.
    pub fn path(&self) -> String {
        self.0.path().to_owned()
    }

    /// What its values are: a word of a flow's file (`bytes`, `text`, `u64`), `blittable Reading 16` or `packed Order`.
    pub fn value_type(&self) -> String {
        match self.0.value_type() {
            ValueType::Blittable { name, size } => format!("blittable {name} {size}"),
            ValueType::Packed { name } => format!("packed {name}"),
            word => word.to_string(),
        }
    }

    /// Fails on a worker of the pool's flow, where whoever waits for the flow would wait for itself. To be asked before a call
    /// that may wait: one that is refused only when it has to wait is refused under load only.
    pub fn may_wait(&self) -> Result<(), FlowFailure> {
        if !self.0.workers().are_here() {
            return Ok(());
        }
        let message = format!(
            "put into pool {} from inside a handler of the same flow: it would wait for itself; emit instead, or use what \
             does not wait",
            self.0.path()
        );
        Err(FlowFailure::new(UPCALL_IN_HANDLER, message))
    }

    /// Puts an object. Waits for credit, so a handler of the same flow must not call it.
    pub fn put(&self, key: &[u8], value: &[u8]) -> Result<(), FlowFailure> {
        Ok(self.0.put_and_forget(key, value)?)
    }

    /// Puts an object if there is credit. Returns whether there was.
    pub fn try_put(&self, key: &[u8], value: &[u8]) -> Result<bool, FlowFailure> {
        there_was_credit(self.0.try_put(key, value))
    }

    /// Puts objects, each as the lengths of its key and its value (`u32` each) and their bytes, until there is no credit.
    /// Returns how many bytes of `objects` were taken. Waits for credit first if `wait` says so.
    pub fn put_many(&self, objects: &[u8], wait: bool) -> Result<u64, FlowFailure> {
        let mut rest = objects;
        while !rest.is_empty() {
            let Some((key, value, next)) = split(rest) else {
                let at = objects.len() - rest.len();
                let message =
                    format!("put objects into pool {}: the one at byte {at} is cut short", self.0.path());
                return Err(FlowFailure::new(UPCALL_INVALID, message));
            };
            if wait {
                self.0.put_and_forget(key, value)?;
            } else if !there_was_credit(self.0.try_put(key, value))? {
                break;
            }
            rest = next;
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
        let pool = self.0.clone();
        let workers = pool.workers();
        let sent = send(&pool, what, key, value, previous);
        let again = sent.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock);
        let (mut sent, copy) = match again {
            true => (None, Some((key.to_vec(), value.to_vec()))),
            false => (Some(sent?), None),
        };
        let running = async move {
            while let (None, Some((key, value))) = (&sent, &copy) {
                pool.has_credit().await?;
                match send(&pool, what, key, value, previous) {
                    Err(error) if error.kind() == ErrorKind::WouldBlock => {}
                    other => sent = Some(other?),
                }
            }
            let version = match sent.flatten() {
                Some(ticket) => ticket.await?,
                None => 0,
            };
            Ok(Outcome::Version(version))
        };
        Ok(UpcallTask::that_goes_on(running, Box::new(move || !workers.are_here())))
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
            UpcallAsOf::Now => self.0.get(key),
            UpcallAsOf::Version => self.0.get_at(key, at),
            UpcallAsOf::Time => self.0.get_by_time(key, at),
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
        let seen = self.0.versions(key)?;
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
        for key in self.0.list(prefix)? {
            bytes.extend((key.len() as u32).to_ne_bytes());
            bytes.extend(key);
        }
        Ok(bytes)
    }
}

fn there_was_credit(put: Result<(), Error>) -> Result<bool, FlowFailure> {
    match put {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// Without a wait. A trigger has no ticket.
fn send(
    pool: &PoolHandle,
    what: UpcallSend,
    key: &[u8],
    value: &[u8],
    previous: u64,
) -> Result<Option<upcall_flow::Ticket>, Error> {
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
