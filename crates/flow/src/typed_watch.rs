//! A watch through values of one type.

use crate::Error;
use crate::typed::own;
use crate::watch::{Event, Watch};
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;
use upcall_handler::Owned;

/// A watch on pools whose values are a `T`; ends when dropped. From [`Watch::of`].
#[must_use = "a watch ends when it is dropped"]
pub struct TypedWatch<T: ?Sized> {
    watch: Watch,
    of: PhantomData<fn(&T)>,
}

/// What a typed watcher sees: an [`Event`] with a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TypedEvent<V> {
    /// An object was put, emitted or triggered.
    Put {
        /// The pool's path.
        pool: Arc<str>,
        /// The key.
        key: String,
        /// The value.
        value: V,
        /// As [`crate::Stored::version`].
        version: u64,
        /// As [`crate::Stored::time`].
        time: u64,
    },
    /// As [`Event::Removed`].
    Removed {
        /// The pool's path.
        pool: Arc<str>,
        /// The key.
        key: String,
        /// The version that removed it.
        version: u64,
    },
    /// As [`Event::Missed`].
    Missed {
        /// The pool's path.
        pool: Arc<str>,
        /// How many.
        count: u64,
        /// The smallest version missed.
        first: u64,
        /// The largest version missed.
        last: u64,
    },
}

impl<T: Owned + ?Sized> TypedWatch<T> {
    pub(crate) fn new(watch: Watch) -> TypedWatch<T> {
        TypedWatch { watch, of: PhantomData }
    }

    /// The next event; `None` when there was none for `patience`.
    ///
    /// # Errors
    ///
    /// Of kind [`crate::ErrorKind::BadValue`] when its value is not a `T`. The watch goes on: the next call returns the
    /// event behind it.
    pub fn next(&self, patience: Duration) -> Result<Option<TypedEvent<<T as Owned>::Value>>, Error> {
        // Keys are checked to be UTF-8 when they are put.
        let text = |key: &[u8]| String::from_utf8_lossy(key).into_owned();
        Ok(match self.watch.next(patience) {
            Some(Event::Put { pool, object }) => {
                let value = own::<T>(&pool, &object.key, &object.value)?;
                let (key, version, time) = (text(&object.key), object.version, object.time);
                Some(TypedEvent::Put { pool, key, value, version, time })
            }
            Some(Event::Removed { pool, key, version }) => {
                Some(TypedEvent::Removed { pool, key: text(&key), version })
            }
            Some(Event::Missed { pool, count, first, last }) => {
                Some(TypedEvent::Missed { pool, count, first, last })
            }
            None => None,
        })
    }
}
