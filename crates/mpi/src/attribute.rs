//! Values that are kept with a communicator, as MPI's own attributes: a library in C that duplicates or frees a communicator has
//! them copied and dropped as well.

mod numbered;

pub use numbered::NumberedKey;

use crate::communicator::Communicator;
use crate::error::Error;
use crate::intercommunicator::Intercommunicator;
use crate::library::Library;
use std::ffi::{c_int, c_void};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What a value of type `T` is kept under, with any communicator: made once, as a static.
///
/// It says what becomes of the value where its communicator is duplicated. What copies or drops a value must not ask for
/// attributes, nor panic: MPI may hold a lock then, and a panic is an error of the duplication.
///
/// ```no_run
/// use upcall_mpi::{Environment, Key, Threads};
///
/// static ROUND: Key<u32> = Key::copied();
///
/// let mpi = Environment::start(Threads::Funneled)?;
/// mpi.world().set(&ROUND, 7)?;
/// let twin = mpi.world().duplicate()?;
/// assert_eq!(twin.get(&ROUND)?.as_deref(), Some(&7));
/// # Ok::<_, upcall_mpi::Error>(())
/// ```
pub struct Key<T> {
    made: OnceLock<c_int>,
    copy: fn(&T) -> Option<T>,
}

/// One at a time: a value is not dropped while another thread takes hold of it.
static LOCK: Mutex<()> = Mutex::new(());

impl<T: Send + Sync + 'static> Key<T> {
    /// One whose values stay behind: a duplicate has none.
    #[must_use]
    pub const fn new() -> Key<T> {
        Key { made: OnceLock::new(), copy: |_| None }
    }

    /// One whose values are cloned for a duplicate.
    #[must_use]
    pub const fn copied() -> Key<T>
    where
        T: Clone,
    {
        Key { made: OnceLock::new(), copy: |value| Some(value.clone()) }
    }

    /// One that says itself what a duplicate has, if anything.
    #[must_use]
    pub const fn copied_by(copy: fn(&T) -> Option<T>) -> Key<T> {
        Key { made: OnceLock::new(), copy }
    }

    /// Its number at MPI's, which is made by one thread.
    fn number(&'static self, library: &Library) -> Result<c_int, Error> {
        if let Some(&number) = self.made.get() {
            return Ok(number);
        }
        let mut number = 0;
        library.call(
            // SAFETY: functions for values of this key, which is there as long as the process.
            |table| unsafe {
                let key = ptr::from_ref(self).cast_mut().cast::<c_void>();
                (table.keyval_create)(copy::<T>, release::<T>, key, &mut number)
            },
            || "make a key".to_owned(),
        )?;
        Ok(*self.made.get_or_init(|| number))
    }
}

impl<T: Send + Sync + 'static> Default for Key<T> {
    fn default() -> Key<T> {
        Key::new()
    }
}

impl<T> fmt::Debug for Key<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("made", &self.made).finish_non_exhaustive()
    }
}

/// Called by MPI where a communicator is duplicated.
///
/// # Safety
/// `key` is a `Key<T>`, and `value` what an `Arc<T>` was made into.
unsafe extern "C" fn copy<T: Send + Sync + 'static>(
    key: *mut c_void,
    value: *mut c_void,
    copied: *mut *mut c_void,
) -> c_int {
    // SAFETY: what the caller says; the communicator keeps the value meanwhile.
    let (key, value) = unsafe { (&*key.cast::<Key<T>>(), &*value.cast::<T>()) };
    match catch_unwind(AssertUnwindSafe(|| (key.copy)(value))) {
        Ok(None) => 0,
        Ok(Some(value)) => {
            // SAFETY: the caller's room for it.
            unsafe { copied.write(Arc::into_raw(Arc::new(value)).cast_mut().cast()) };
            1
        }
        Err(_) => -1,
    }
}

/// Called by MPI where a value is removed, or its communicator is freed.
///
/// # Safety
/// `value` is what an `Arc<T>` was made into, and is used no more.
unsafe extern "C" fn release<T: Send + Sync + 'static>(_key: *mut c_void, value: *mut c_void) {
    // SAFETY: what the caller says.
    let value = unsafe { Arc::from_raw(value.cast_const().cast::<T>()) };
    // A panic must not go on through MPI.
    let _ = catch_unwind(AssertUnwindSafe(|| drop(value)));
}

/// Takes hold of a value, under the lock.
fn held<T: Send + Sync + 'static>(comm: &Communicator, number: c_int) -> Result<Option<Arc<T>>, Error> {
    let (mut value, mut found) = (ptr::null_mut(), 0);
    comm.library.call(
        // SAFETY: a communicator and a key of this MPI's.
        |table| unsafe { (table.attr_get)(comm.handle, number, &mut value, &mut found) },
        || "ask for what is kept with a communicator".to_owned(),
    )?;
    if found == 0 {
        return Ok(None);
    }
    let value = value.cast_const().cast::<T>();
    // SAFETY: what is under this number is an `Arc<T>`, which nobody removes under the lock.
    Ok(Some(unsafe {
        Arc::increment_strong_count(value);
        Arc::from_raw(value)
    }))
}

impl Communicator {
    /// Keeps a value with this communicator, on this process, instead of what was there under this key. It is dropped when
    /// it is replaced or removed, or the communicator is freed.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn set<T: Send + Sync + 'static>(&self, key: &'static Key<T>, value: T) -> Result<(), Error> {
        let lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let number = key.number(self.library)?;
        // It is dropped when the lock is free: what it does then may ask for attributes.
        let before = held::<T>(self, number)?;
        let value = Arc::into_raw(Arc::new(value));
        let set = self.library.call(
            // SAFETY: a communicator of this MPI's, and a key for such values, here and below.
            |table| unsafe { (table.attr_set)(self.handle, number, value.cast_mut().cast()) },
            || "keep a value with a communicator".to_owned(),
        );
        if set.is_err() {
            // SAFETY: MPI has not taken it.
            drop(unsafe { Arc::from_raw(value) });
        }
        drop(lock);
        drop(before);
        set
    }

    /// What is kept with this communicator under this key.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn get<T: Send + Sync + 'static>(&self, key: &'static Key<T>) -> Result<Option<Arc<T>>, Error> {
        let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        held(self, key.number(self.library)?)
    }

    /// Takes away what is kept with this communicator under this key.
    ///
    /// # Errors
    /// MPI has been finalized.
    pub fn remove<T: Send + Sync + 'static>(&self, key: &'static Key<T>) -> Result<Option<Arc<T>>, Error> {
        let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        let number = key.number(self.library)?;
        let Some(before) = held::<T>(self, number)? else { return Ok(None) };
        self.library.call(
            // SAFETY: as above.
            |table| unsafe { (table.attr_delete)(self.handle, number) },
            || "remove what is kept with a communicator".to_owned(),
        )?;
        Ok(Some(before))
    }
}

impl Intercommunicator {
    /// As [`Communicator::set`].
    ///
    /// # Errors
    /// As there.
    pub fn set<T: Send + Sync + 'static>(&self, key: &'static Key<T>, value: T) -> Result<(), Error> {
        self.comm.set(key, value)
    }

    /// As [`Communicator::get`].
    ///
    /// # Errors
    /// As there.
    pub fn get<T: Send + Sync + 'static>(&self, key: &'static Key<T>) -> Result<Option<Arc<T>>, Error> {
        self.comm.get(key)
    }

    /// As [`Communicator::remove`].
    ///
    /// # Errors
    /// As there.
    pub fn remove<T: Send + Sync + 'static>(&self, key: &'static Key<T>) -> Result<Option<Arc<T>>, Error> {
        self.comm.remove(key)
    }
}
