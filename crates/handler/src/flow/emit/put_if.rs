//! Emissions on condition: the owner of the key decides.

use super::{AsPool, Emit, Encode, NO_POOL, PoolId, To, no_memory};
use upcall_abi::Record;

impl<O: Encode + ?Sized> Emit<'_, O> {
    /// Emits an object into the handler's first pool if the newest version of its key is `previous` when it arrives there, 0
    /// for none. If it is not, the object that is being handled fails, and nothing counts of what it has emitted; with
    /// `retry` it is handled again, and may read the key again.
    ///
    /// For each object one such emission: a second one fails it. One from a batch handler or at the flush is a failure too,
    /// as there is no object that could fail.
    pub fn put_if(&mut self, key: &[u8], value: &O::Value, previous: u64) {
        match self.to.names.default {
            Some(pool) => self.write_if(pool, key, value, previous),
            None => self.fail(NO_POOL.into()),
        }
    }

    /// As [`Emit::put_if`], into a pool that the handler declares, by its id or its path.
    pub fn put_to_if(&mut self, pool: impl AsPool, key: &[u8], value: &O::Value, previous: u64) {
        if let Some(pool) = self.target(pool) {
            self.write_if(pool, key, value, previous);
        }
    }

    fn write_if(&mut self, pool: PoolId, key: &[u8], value: &O::Value, previous: u64) {
        let To { writer, item, conditional, failure, .. } = &mut self.to;
        // Both are NO_ITEM in a batch handler and at the flush.
        if item == conditional {
            let refused = if *item == Record::NO_ITEM { NO_OBJECT } else { TWICE };
            return self.fail(refused.into());
        }
        let (before, mark) = (failure.take(), writer.mark());
        match writer.condition(*item, previous) {
            Some(()) => self.write(pool, key, value),
            None => self.fail(no_memory(size_of::<u64>())),
        }
        if self.to.failure.is_some() {
            // SAFETY: the mark is of this call, and nothing was forgotten since.
            unsafe { self.to.writer.truncate(mark) };
        } else {
            self.to.conditional = self.to.item;
        }
        self.to.failure = before.or(self.to.failure.take());
    }
}

// These two are the same in the other SDKs.
const TWICE: &str = "emit on condition twice for one object: two conditions cannot be decided together; emit on condition \
                     once for each object";
const NO_OBJECT: &str = "emit on condition for no object in particular: there is none that could fail; emit on condition \
                         where one object is handled, not for a batch or at the flush";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Batch, BatchHandler, Failure, Harness, Object, batch};

    #[test]
    fn an_emission_on_condition_that_cannot_be_written_leaves_no_condition_behind() {
        let handler = |object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
            emit.of::<f64>().put_if(object.key(), &1.5, 7);
            let refused = emit.check().unwrap_err();
            assert!(refused.message().contains("/counts has the type u64"), "{refused}");
            emit.of::<u64>().put_if(object.key(), &2, 7);
            emit.of::<u64>().put(object.key(), &3);
            Ok(())
        };
        let mut harness = Harness::new(handler).emits(&["/counts"]).declares("/counts", "u64", 8);
        harness.put(b"k", b"").unwrap();
        let emitted = harness.emitted().iter().map(|one| (one.value_as::<u64>().unwrap(), one.previous));
        assert_eq!(emitted.collect::<Vec<_>>(), [(2, Some(7)), (3, None)]);
    }

    #[test]
    fn a_second_emission_on_condition_fails_its_object_and_no_other() {
        let handler = |object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
            object.value().iter().for_each(|_| emit.put_if(object.key(), b"", 7));
            Ok(())
        };
        let mut harness = Harness::new(handler).emits(&["/out"]);
        // In each call the items are counted from 0.
        harness.put(b"first", b"1").unwrap();
        let failed = harness.batch(&[(b"a", b"1"), (b"b", b"1"), (b"c", b"22"), (b"d", b"1")]).unwrap_err();
        assert_eq!((failed.done, failed.item, failed.message.as_str()), (2, Some(2), TWICE));
        harness.batch(&[(b"c", b"1"), (b"d", b"1")]).unwrap();
        let emitted = harness.emitted().iter().map(|one| (&*one.key, one.previous));
        assert!(emitted.eq(["first", "a", "b", "c", "d"].map(|key| (key.as_bytes(), Some(7)))));
    }

    #[test]
    fn a_second_emission_on_condition_can_be_refused_and_the_first_stays() {
        let handler = |object: Object<'_>, emit: &mut Emit<'_>| -> Result<(), Failure> {
            emit.put_if(object.key(), b"first", 1);
            emit.put_if(object.key(), b"second", 2);
            assert_eq!(emit.check().unwrap_err().message(), TWICE);
            emit.put(object.key(), b"third");
            Ok(())
        };
        let mut harness = Harness::new(handler).emits(&["/out"]);
        harness.put(b"k", b"").unwrap();
        let emitted = harness.emitted().iter().map(|one| (&*one.value, one.previous));
        assert!(emitted.eq([(&b"first"[..], Some(1)), (b"third", None)]));
    }

    #[test]
    fn without_an_object_nothing_is_emitted_on_condition() {
        struct AtTheEnd;
        impl BatchHandler for AtTheEnd {
            fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
                batch.iter().filter(|object| !object.value().is_empty()).for_each(|object| {
                    emit.put_if(object.key(), b"", 7);
                });
                Ok(())
            }

            fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
                emit.put(b"end", b"");
                emit.put_if(b"end", b"", 7);
                Ok(())
            }
        }
        let mut harness = Harness::new(batch(AtTheEnd)).emits(&["/out"]);
        harness.batch(&[(b"a", b""), (b"b", b"")]).unwrap();
        let failed = harness.batch(&[(b"a", b""), (b"b", b"1")]).unwrap_err();
        assert_eq!((failed.done, failed.item, failed.message.as_str()), (0, None, NO_OBJECT));
        assert_eq!(harness.flush().unwrap_err().message, NO_OBJECT);
        assert!(harness.emitted().is_empty());
    }
}
