use super::{Batch, Emit, Object, Open};
use crate::{Describe, Failure};

/// A handler that is called once per object.
///
/// An instance belongs to one worker and is used on its thread only. Returning an error (or panicking)
/// fails the object: what it emitted is forgotten, it is retried and then buried as its flow says.
pub trait Handler: 'static {
    /// Says what the handler is, before it is opened: the settings that it understands.
    fn describe(&self, describe: &mut Describe<'_>) {
        let _ = describe;
    }

    /// Called once, before anything else: settings, pools, the log. A failure stops the flow.
    ///
    /// # Errors
    /// The flow does not start.
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        let _ = open;
        Ok(())
    }

    /// Handles one object. What it emits is kept if it returns `Ok`.
    ///
    /// # Errors
    /// The object fails: it is tried again and then buried, as its flow says.
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure>;

    /// Called once the input has ended and everything upstream is flushed.
    ///
    /// # Errors
    /// What it emitted is forgotten, and the flow's drain fails.
    fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let _ = emit;
        Ok(())
    }
}

impl<F> Handler for F
where
    F: FnMut(Object<'_>, &mut Emit<'_>) -> Result<(), Failure> + 'static,
{
    #[inline]
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self(object, emit)
    }
}

/// A handler that takes the whole batch.
///
/// On failure everything since the last [`Batch::done`] fails together and keeps nothing that it emitted. A flow
/// then hands it over again, one object at a time.
pub trait BatchHandler: 'static {
    /// As [`Handler::describe`].
    fn describe(&self, describe: &mut Describe<'_>) {
        let _ = describe;
    }

    /// As [`Handler::open`].
    ///
    /// # Errors
    /// The flow does not start.
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        let _ = open;
        Ok(())
    }

    /// Handles the objects of one batch.
    ///
    /// # Errors
    /// Everything since the last [`Batch::done`] fails.
    fn on_batch(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure>;

    /// As [`Handler::flush`].
    ///
    /// # Errors
    /// As [`Handler::flush`].
    fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let _ = emit;
        Ok(())
    }
}

/// What the driver drives: a [`Handler`], or a [`BatchHandler`] wrapped by [`batch`].
pub trait Drive: 'static {
    /// How it likes its objects.
    #[doc(hidden)]
    fn form(&self) -> &'static str {
        "object"
    }
    #[doc(hidden)]
    fn describe(&self, describe: &mut Describe<'_>) {
        let _ = describe;
    }
    #[doc(hidden)]
    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure>;
    #[doc(hidden)]
    fn run(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure>;
    #[doc(hidden)]
    fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure>;
}

impl<H: Handler> Drive for H {
    fn describe(&self, describe: &mut Describe<'_>) {
        Handler::describe(self, describe);
    }

    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        Handler::open(self, open)
    }

    #[inline]
    fn run(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        for index in 0..batch.len() {
            batch.begin(index, emit);
            self.on_object(batch.get(index), emit)?;
            emit.check()?;
            batch.finish(index, emit);
        }
        Ok(())
    }

    fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
        Handler::flush(self, emit)
    }
}

/// Wraps a [`BatchHandler`] for [`crate::handlers!`], [`crate::instance`] and [`crate::Harness`].
pub fn batch<H: BatchHandler>(handler: H) -> impl Drive {
    Batched(handler)
}

struct Batched<H>(H);

impl<H: BatchHandler> Drive for Batched<H> {
    fn form(&self) -> &'static str {
        "batch"
    }

    fn describe(&self, describe: &mut Describe<'_>) {
        self.0.describe(describe);
    }

    fn open(&mut self, open: &Open<'_>) -> Result<(), Failure> {
        self.0.open(open)
    }

    fn run(&mut self, batch: &mut Batch<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.0.on_batch(batch, emit)?;
        emit.check()?;
        batch.done(batch.len(), emit);
        Ok(())
    }

    fn flush(&mut self, emit: &mut Emit<'_>) -> Result<(), Failure> {
        self.0.flush(emit)
    }
}
