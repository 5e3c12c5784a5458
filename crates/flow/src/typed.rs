//! A pool through values of one type.

use crate::pool::PoolHandle;
use crate::spec::ValueType;
use crate::ticket::Ticket;
use crate::{Error, ErrorKind};
use std::marker::PhantomData;
use upcall_handler::{Encode, Owned};

/// A pool whose values are put and read as a `T`: a blittable type, `str`, or `Packed<P>`. From [`PoolHandle::of`].
pub struct TypedPool<T: ?Sized> {
    pool: PoolHandle,
    of: PhantomData<fn(&T)>,
}

impl<T: Owned + ?Sized> TypedPool<T> {
    pub(crate) fn new(pool: &PoolHandle) -> Result<TypedPool<T>, Error> {
        agree::<T>("open pool", pool.path(), pool.value_type())?;
        Ok(TypedPool { pool: pool.clone(), of: PhantomData })
    }

    /// Puts a value; as [`PoolHandle::put`].
    ///
    /// # Errors
    /// As [`PoolHandle::put`].
    pub fn put(&self, key: impl AsRef<[u8]>, value: &<T as Encode>::Value) -> Result<Ticket, Error> {
        let bytes = self.bytes(key.as_ref(), value)?;
        self.pool.put(key, bytes)
    }

    /// Puts a value, or fails where it would have to wait; as [`PoolHandle::try_put`].
    ///
    /// # Errors
    /// As [`PoolHandle::try_put`].
    pub fn try_put(&self, key: impl AsRef<[u8]>, value: &<T as Encode>::Value) -> Result<(), Error> {
        let bytes = self.bytes(key.as_ref(), value)?;
        self.pool.try_put(key, bytes)
    }

    /// Puts a value if `previous` is still the newest version of its key, 0 for none; as [`PoolHandle::put_if`].
    ///
    /// ```
    /// # use upcall_flow::{Flow, Pool};
    /// let flow = Flow::builder().pool(Pool::of::<u64>("/counts")).start()?;
    /// let counts = flow.pool("/counts")?.of::<u64>()?;
    /// counts.put("in", &1)?.wait()?;
    /// let (count, version) = counts.get_with_version("in")?.unwrap_or((0, 0));
    /// counts.put_if("in", &(count + 1), version)?.wait()?;
    /// assert_eq!(counts.get("in")?, Some(2));
    /// # Ok::<(), upcall_flow::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`PoolHandle::put_if`].
    pub fn put_if(
        &self,
        key: impl AsRef<[u8]>,
        value: &<T as Encode>::Value,
        previous: u64,
    ) -> Result<Ticket, Error> {
        let bytes = self.bytes(key.as_ref(), value)?;
        self.pool.put_if(key, bytes, previous)
    }

    /// Removes a key; as [`PoolHandle::remove`].
    ///
    /// # Errors
    /// As [`PoolHandle::remove`].
    pub fn remove(&self, key: impl AsRef<[u8]>) -> Result<Ticket, Error> {
        self.pool.remove(key)
    }

    fn bytes(&self, key: &[u8], value: &<T as Encode>::Value) -> Result<Vec<u8>, Error> {
        T::bytes(value).map_err(|why| {
            let (path, key) = (self.pool.path(), String::from_utf8_lossy(key));
            let of = shown(&ValueType::of::<T>());
            Error::new(ErrorKind::BadValue, format!("put {key} into pool {path} as {of}: {why}"))
        })
    }

    /// The newest value of a key.
    ///
    /// # Errors
    /// The pool stores nothing, or the value is not a `T`.
    pub fn get(&self, key: impl AsRef<[u8]>) -> Result<Option<<T as Owned>::Value>, Error> {
        Ok(self.get_with_version(key)?.map(|(value, _)| value))
    }

    /// The newest value of a key, and its version: what [`TypedPool::put_if`] asks for.
    ///
    /// # Errors
    /// As [`TypedPool::get`].
    pub fn get_with_version(
        &self,
        key: impl AsRef<[u8]>,
    ) -> Result<Option<(<T as Owned>::Value, u64)>, Error> {
        let Some(object) = self.pool.get(key.as_ref())? else { return Ok(None) };
        own::<T>(self.pool.path(), key.as_ref(), &object.value).map(|value| Some((value, object.version)))
    }

    /// All keys, sorted, with their newest values, as they are now.
    ///
    /// # Errors
    /// The pool stores nothing, or a value is not a `T`.
    pub fn entries(&self) -> Result<Vec<(String, <T as Owned>::Value)>, Error> {
        let mut entries = Vec::new();
        for key in self.pool.list(b"")? {
            if let Some(value) = self.get(&key)? {
                entries.push((String::from_utf8_lossy(&key).into_owned(), value));
            }
        }
        Ok(entries)
    }
}

/// Whether values of the type that the pool declares are a `T`.
pub(crate) fn agree<T: Owned + ?Sized>(verb: &str, path: &str, declared: &ValueType) -> Result<(), Error> {
    let wanted = ValueType::of::<T>();
    if *declared == wanted || *declared == ValueType::Bytes {
        return Ok(());
    }
    let message = format!(
        "{verb} {path} of {}: its values are {}; name that type, or change the pool's",
        shown(&wanted),
        shown(declared)
    );
    Err(Error::new(ErrorKind::BadValue, message))
}

/// A value that was read of a pool.
pub(crate) fn own<T: Owned + ?Sized>(
    path: &str,
    key: &[u8],
    bytes: &[u8],
) -> Result<<T as Owned>::Value, Error> {
    T::own(bytes).map_err(|why| {
        let (key, of) = (String::from_utf8_lossy(key), shown(&ValueType::of::<T>()));
        Error::new(ErrorKind::BadValue, format!("read {key} of pool {path} as {of}: {why}"))
    })
}

impl ValueType {
    /// The type of values that are a `T`: what a pool of them declares.
    #[must_use]
    pub fn of<T: Encode + ?Sized>() -> ValueType {
        let shape = T::shape();
        let word = Self::ALL.iter().find(|(name, value)| *name == shape.name && value.size() == shape.size);
        match (word, shape.size) {
            (Some((_, word)), _) => word.clone(),
            _ if shape.name.is_empty() => ValueType::Bytes,
            (None, Some(size)) => ValueType::Blittable { name: shape.name.into(), size: size as u32 },
            (None, None) => ValueType::Packed { name: shape.name.into() },
        }
    }
}

fn shown(of: &ValueType) -> String {
    of.size().map_or(of.name().to_owned(), |size| format!("{} of {size} bytes", of.name()))
}
