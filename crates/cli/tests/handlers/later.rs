//! Answers later.

use super::Done;
use std::cell::{Cell, RefCell};
use std::time::Duration;
use tokio::time::{sleep, timeout};
use upcall::{AsyncHandler, Describe, Emit, Ended, Failure, Log, Object, Open};

/// Waits for some milliseconds, and emits before and after. What its value says beside happens after that.
#[derive(Default)]
pub struct Waits {
    millis: u64,
    log: RefCell<Option<Log>>,
    open: Cell<u64>,
    most: Cell<u64>,
}

/// Logs why it is dropped, if that is none of the handler's doing.
struct Guard<'a>(&'a Waits);

impl Drop for Guard<'_> {
    fn drop(&mut self) {
        self.0.open.set(self.0.open.get() - 1);
        if let (Some(ended), Some(log)) = (Ended::reason(), &*self.0.log.borrow()) {
            log.warn(&format!("ended: {ended:?}"));
        }
    }
}

impl AsyncHandler for Waits {
    fn describe(&self, describe: &mut Describe<'_>) {
        describe.parameter("millis", "u64", Some("10"), None);
    }

    async fn open(&mut self, open: &Open<'_>) -> Done {
        self.millis = open.setting("millis").map_or(Ok(10), str::parse)?;
        self.log.replace(Some(open.log()));
        sleep(Duration::from_millis(1)).await;
        Ok(())
    }

    async fn on_object(&self, object: Object<'_>, emit: &mut Emit<'_>) -> Done {
        self.open.set(self.open.get() + 1);
        self.most.set(self.most.get().max(self.open.get()));
        let _guard = Guard(self);
        emit.put(object.key(), b"begun");
        sleep(Duration::from_millis(self.millis)).await;
        match object.text()? {
            "fail" => return Err(Failure::new("it was told to")),
            "panic" => panic!("will not pass on {}", object.key_str()),
            "hang" => std::future::pending().await,
            "own" => timeout(Duration::from_millis(1), std::future::pending()).await?,
            _ => {}
        }
        emit.put(object.key(), object.value());
        Ok(())
    }

    async fn flush(&self, emit: &mut Emit<'_>) -> Done {
        sleep(Duration::from_millis(1)).await;
        emit.put(b"most", self.most.get().to_string().as_bytes());
        Ok(())
    }
}
