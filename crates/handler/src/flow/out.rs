use super::open::AsPool;
use super::{Emit, Encode, Found, Handler, Object};
use crate::Failure;

/// What a closure emits through: each emission says at once whether it could be written. Ends with the call.
///
/// ```
/// use upcall::{Harness, closure};
///
/// let handler = closure(|line, out| out.put(line.key(), &(line.text()?.len() as u64)));
/// let mut harness = Harness::new(handler).emits(&["/lengths"]);
/// harness.put(b"1", b"In the beginning").unwrap();
/// assert_eq!(harness.emitted()[0].value_as::<u64>(), Some(16));
/// ```
pub struct Out<'e, 'a> {
    emit: &'e mut Emit<'a>,
}

impl<'a> Out<'_, 'a> {
    /// Emits an object into the handler's first pool: a number, a blittable struct, text or bytes.
    ///
    /// # Errors
    /// The handler has no output pool, that pool declares another type, or the flow has no more memory.
    #[inline]
    pub fn put<V: Encode<Value = V> + ?Sized>(
        &mut self,
        key: impl AsRef<[u8]>,
        value: &V,
    ) -> Result<(), Failure> {
        self.emit.of::<V>().put(key.as_ref(), value);
        self.emit.check()
    }

    /// Emits an object into a pool that the handler declares, by its id or its path.
    ///
    /// # Errors
    /// As [`Out::put`].
    #[inline]
    pub fn put_to<V: Encode<Value = V> + ?Sized>(
        &mut self,
        pool: impl AsPool,
        key: impl AsRef<[u8]>,
        value: &V,
    ) -> Result<(), Failure> {
        self.emit.of::<V>().put_to(pool, key.as_ref(), value);
        self.emit.check()
    }

    /// Emits an object into the handler's first pool if the newest version of its key is `previous` when it arrives there, 0
    /// for none; see [`Emit::put_if`].
    ///
    /// # Errors
    /// As [`Out::put`], or it is the second such emission of the object. The conflict is none: it fails the object.
    pub fn put_if<V: Encode<Value = V> + ?Sized>(
        &mut self,
        key: impl AsRef<[u8]>,
        value: &V,
        previous: u64,
    ) -> Result<(), Failure> {
        self.emit.of::<V>().put_if(key.as_ref(), value, previous);
        self.emit.check()
    }

    /// As [`Out::put_if`], into a pool that the handler declares, by its id or its path.
    ///
    /// # Errors
    /// As [`Out::put_if`].
    pub fn put_to_if<V: Encode<Value = V> + ?Sized>(
        &mut self,
        pool: impl AsPool,
        key: impl AsRef<[u8]>,
        value: &V,
        previous: u64,
    ) -> Result<(), Failure> {
        self.emit.of::<V>().put_to_if(pool, key.as_ref(), value, previous);
        self.emit.check()
    }

    /// The newest version of a key in a pool that the handler may read, by its id or its path.
    ///
    /// ```
    /// use upcall::{Harness, closure};
    ///
    /// let handler = closure(|line, out| {
    ///     let (sum, version) = match out.read("/sums", line.key())? {
    ///         Some(found) => (found.value_as::<u64>()?, found.version),
    ///         None => (0, 0),
    ///     };
    ///     out.put_to_if("/sums", line.key(), &(sum + 1), version)
    /// });
    /// let mut harness = Harness::new(handler).emits(&["/sums"]).reads("/sums", &[(b"a", &7u64.to_le_bytes())]);
    /// harness.put(b"a", b"").unwrap();
    /// assert_eq!(harness.emitted()[0].value_as::<u64>(), Some(8));
    /// assert_eq!(harness.emitted()[0].previous, Some(1));
    /// ```
    ///
    /// # Errors
    /// The handler does not declare the pool.
    pub fn read(&mut self, pool: impl AsPool, key: impl AsRef<[u8]>) -> Result<Option<Found<'a>>, Failure> {
        self.emit.read(pool, key.as_ref())
    }
}

/// A handler that is a closure over an object and its [`Out`].
pub fn closure<F>(handle: F) -> impl Handler
where
    F: FnMut(Object<'_>, &mut Out<'_, '_>) -> Result<(), Failure> + 'static,
{
    Closure(handle)
}

struct Closure<F>(F);

impl<F> Handler for Closure<F>
where
    F: FnMut(Object<'_>, &mut Out<'_, '_>) -> Result<(), Failure> + 'static,
{
    #[inline]
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        (self.0)(object, &mut Out { emit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Harness;

    #[test]
    fn an_emission_that_cannot_be_written_says_so_where_it_is_made() {
        let handler = closure(|object, out| {
            let refused = out.put(object.key(), &1.5f64).unwrap_err();
            out.put_to("/text", object.key(), refused.message())
        });
        let mut harness = Harness::new(handler).emits(&["/numbers", "/text"]).declares("/numbers", "u64", 8);
        harness.put(b"k", b"").unwrap();
        let emitted = harness.emitted();
        assert_eq!((emitted.len(), emitted[0].pool.as_str()), (1, "/text"));
        let said = String::from_utf8(emitted[0].value.clone()).unwrap();
        assert!(
            said.starts_with("pool /numbers has the type u64 of 8 bytes, and the handler emits f64"),
            "{said}"
        );
    }

    #[test]
    fn text_that_is_not_utf_8_fails_the_object() {
        let mut harness =
            Harness::new(closure(|object, out| out.put(object.key(), object.text()?))).emits(&["/out"]);
        harness.put(b"k", "é".as_bytes()).unwrap();
        assert_eq!(harness.emitted()[0].value, "é".as_bytes());
        let failed = harness.put(b"bad", b"\xff").unwrap_err();
        assert_eq!(failed.message, "read the value of bad as text: it is not UTF-8 at byte 0");
    }
}
