//! Reading and writing that goes on while the program does something else.
//!
//! Not by MPI's own calls for that: with a disk that is full MPICH 4.0.2 waits for ever for what was begun, and Open MPI 4.1.4
//! crashes; and the latter waits for ever for what ends with its file.

use super::access::Place;
use super::{File, Raw};
use crate::datatype::zeroed;
use crate::error::{Error, ErrorKind};
use crate::library::Threads;
use crate::padding::cleaned;
use std::fmt;
use std::marker::PhantomData;
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::{Mutex, PoisonError};
use std::thread::JoinHandle;
use upcall_abi::Blit;

type Job = Box<dyn FnOnce() + Send>;

/// A file's own thread, which does one after the other what was begun; there is none before the first.
#[derive(Default)]
pub(super) struct Worker(Mutex<Option<(Sender<Job>, JoinHandle<()>)>>);

impl Worker {
    fn takes(&self, job: Job) -> Result<(), Error> {
        let failed = |why: String| Error::new(ErrorKind::Io, format!("begin to read or write a file: {why}"));
        let mut worker = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if worker.is_none() {
            let (jobs, taken) = mpsc::channel::<Job>();
            let run = move || taken.iter().for_each(|job| job());
            let thread = std::thread::Builder::new().name("mpi file".to_owned()).spawn(run);
            *worker = Some((jobs, thread.map_err(|error| failed(error.to_string()))?));
        }
        let sent = worker.as_ref().is_some_and(|(jobs, _)| jobs.send(job).is_ok());
        if sent { Ok(()) } else { Err(failed("its thread has ended".to_owned())) }
    }

    /// Waits for all that was begun.
    pub(super) fn end(&mut self) {
        let worker = self.0.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some((jobs, thread)) = worker {
            drop(jobs);
            // It has told of all that could fail.
            let _ = thread.join();
        }
    }
}

/// A read or write of a file that was begun, which owns its elements and gives them when it has ended. Where it is dropped or
/// forgotten, closing the file waits for it.
#[must_use = "a transfer gives its elements when it is waited for"]
pub struct FileTransfer<'f, T> {
    told: Receiver<Result<Vec<T>, Error>>,
    of: PhantomData<&'f File>,
}

impl<T> FileTransfer<'_, T> {
    /// Waits until it has ended: the elements that were read, fewer where the file has ended before; or those that were written.
    ///
    /// # Errors
    /// As of the call that waits.
    pub fn wait(self) -> Result<Vec<T>, Error> {
        self.told.recv().unwrap_or_else(|_| Err(lost()))
    }

    /// What [`wait`](FileTransfer::wait) returns, where it has ended; else the transfer.
    ///
    /// # Errors
    /// As there.
    pub fn test(self) -> Result<Result<Vec<T>, Self>, Error> {
        match self.told.try_recv() {
            Ok(told) => told.map(Ok),
            Err(TryRecvError::Empty) => Ok(Err(self)),
            Err(TryRecvError::Disconnected) => Err(lost()),
        }
    }
}

pub(super) fn lost() -> Error {
    Error::new(ErrorKind::Io, "wait for a transfer of a file: its thread has ended")
}

impl<T> fmt::Debug for FileTransfer<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileTransfer").finish_non_exhaustive()
    }
}

impl File {
    /// Begins to [`read_at`](File::read_at): `count` elements at most. It is done by a thread of the file's, where all threads
    /// may call MPI ([`Threads::Multiple`]); else it is done when this returns.
    ///
    /// # Errors
    /// As there, but for what the transfer tells.
    pub fn start_read_at<T: Blit + Send>(
        &self,
        offset: u64,
        count: usize,
    ) -> Result<FileTransfer<'_, T>, Error> {
        let (how, what) = (Place::At(offset), "begin to read from");
        self.may(true, what)?;
        let mut into = zeroed::<T>(count)?;
        let offset = self.placed(how, size_of_val(into.as_slice()), what)?;
        let (gaps, unit) = (self.gaps, self.unit);
        let told = self.begun(move |raw| {
            let bytes = raw.read_before_end(&mut into, how, offset, gaps.then_some(unit))?;
            into.truncate(raw.whole(bytes, size_of::<T>())?);
            Ok(into)
        })?;
        Ok(FileTransfer { told, of: PhantomData })
    }

    /// Begins to [`write_at`](File::write_at), of elements that the transfer gives back; see
    /// [`start_read_at`](File::start_read_at).
    ///
    /// # Errors
    /// As there, but for what the transfer tells.
    pub fn start_write_at<T: Blit + Send>(
        &self,
        data: Vec<T>,
        offset: u64,
    ) -> Result<FileTransfer<'_, T>, Error> {
        let (how, what) = (Place::At(offset), "begin to write to");
        self.may(false, what)?;
        let data = cleaned(data)?;
        let offset = self.placed(how, size_of_val(data.as_slice()), what)?;
        let told = self.begun(move |raw| raw.write(&data, how, offset).map(|()| data))?;
        Ok(FileTransfer { told, of: PhantomData })
    }

    /// Has it done by the file's thread, or at once.
    pub(super) fn begun<R: Send + 'static>(
        &self,
        job: impl FnOnce(&Raw) -> Result<R, Error> + Send + 'static,
    ) -> Result<Receiver<Result<R, Error>>, Error> {
        let (tell, told) = mpsc::sync_channel(1);
        if self.raw.library.threads == Threads::Multiple {
            let raw = self.raw.clone();
            self.worker.takes(Box::new(move || {
                // Nobody may wait for it.
                let _ = tell.send(job(&raw));
            }))?;
        } else {
            // There is room for one.
            let _ = tell.send(job(&self.raw));
        }
        Ok(told)
    }
}

impl Raw {
    /// Reads elements at a place: how many bytes there were, where the view has gaps between its units too.
    pub(super) fn read_before_end<T: Blit>(
        &self,
        into: &mut [T],
        how: Place,
        offset: i64,
        gaps: Option<usize>,
    ) -> Result<usize, Error> {
        let room = size_of_val(into);
        let most = gaps.map_or(Ok(room), |unit| self.before_end(how.offset(), room, unit))?;
        Ok(self.read(into, how, offset)?.min(most))
    }
}
