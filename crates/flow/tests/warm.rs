//! The object that a handler is warmed up with.

use std::sync::{Arc, Mutex};
use upcall::{Batch, BatchHandler, Emit, Failure, Object};
use upcall_flow::{Error, ErrorKind, Flow, FlowBuilder, OnSpec, Pool, ValueType};

type Done = Result<(), Box<dyn std::error::Error>>;
type Seen = Arc<Mutex<Vec<String>>>;

fn pools(workers: usize) -> FlowBuilder {
    let numbers = Pool::new("/numbers").values(ValueType::U64);
    Flow::builder().workers(workers).pool(numbers).pool(Pool::new("/out").values(ValueType::U64))
}

fn sampled() -> OnSpec {
    OnSpec::new("sampled", "/numbers").to("/out").warm("sample", 7u64.to_le_bytes())
}

/// Notes what it gets and passes it on.
fn noting(
    seen: &Seen,
) -> impl Fn(Object<'_>, &mut Emit<'_>) -> Result<(), Failure> + Clone + Send + Sync + 'static {
    let seen = seen.clone();
    move |object, emit| {
        let value = u64::from_le_bytes(object.value().try_into().unwrap());
        let (pool, key, sender) = (object.pool_path(), object.key_str(), object.sender_name());
        seen.lock().unwrap().push(format!("{pool} {key}={value} v{} {sender}", object.version().min(1)));
        emit.put(object.key(), object.value());
        Ok(())
    }
}

/// The error of a flow whose handler does this with its sample.
fn refused(handler: fn(Object<'_>, &mut Emit<'_>) -> Result<(), Failure>) -> Error {
    let error = pools(2).handler(sampled(), move || handler).start().err().expect("it must not start");
    assert_eq!(error.kind(), ErrorKind::Load);
    error
}

#[test]
fn each_instance_handles_the_sample_once_before_the_flow_starts_and_nothing_of_it_counts() -> Done {
    let seen = Seen::default();
    let handler = noting(&seen);
    let flow = pools(3).handler(sampled(), move || handler.clone()).start()?;
    assert_eq!(*seen.lock().unwrap(), ["/numbers sample=7 v0 input"; 3]);
    flow.drain()?;
    assert!(flow.pool("/numbers")?.list(b"")?.is_empty() && flow.pool("/out")?.list(b"")?.is_empty());
    let report = flow.report();
    let handler = &report.handlers[0];
    assert_eq!((handler.items, handler.batches, handler.emitted, handler.failed), (0, 0, 0, 0));

    flow.pool("/numbers")?.put_and_forget(b"real", 8u64.to_le_bytes())?;
    flow.drain()?;
    assert_eq!(seen.lock().unwrap()[3..], ["/numbers real=8 v1 input"]);
    assert_eq!(flow.pool("/out")?.list(b"")?, [Box::from(*b"real")]);
    let report = flow.report();
    assert_eq!((report.handlers[0].items, report.handlers[0].emitted), (1, 1));
    Ok(())
}

#[test]
fn a_batch_handler_gets_its_sample_as_a_batch_of_one_with_its_values_side_by_side() -> Done {
    struct Lengths(Seen);
    impl BatchHandler for Lengths {
        fn on_batch(&mut self, batch: &mut Batch<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
            let (bytes, stride) = batch.values().ok_or_else(|| Failure::new("scattered"))?;
            self.0.lock().unwrap().push(format!("{} of {bytes:?}, {stride}", batch.len()));
            Ok(())
        }
    }
    let seen = Seen::default();
    let noted = seen.clone();
    let flow = pools(1).handler(sampled(), move || upcall::batch(Lengths(noted.clone()))).start()?;
    assert_eq!(*seen.lock().unwrap(), ["1 of [7, 0, 0, 0, 0, 0, 0, 0], 8"]);
    drop(flow);
    Ok(())
}

#[test]
fn a_handler_that_fails_with_its_sample_does_not_start() {
    let error = refused(|object, _| Err(Failure::new(format!("no {}", object.key_str()))));
    assert!(error.to_string().starts_with("warm up handler sampled: failure: no sample"), "{error}");
    let error = refused(|_, _| panic!("out of order"));
    assert!(error.to_string().starts_with("warm up handler sampled: panic: out of order"), "{error}");
}

#[test]
fn a_handler_that_emits_what_its_pools_do_not_take_does_not_start() {
    let error = refused(|object, emit| {
        emit.put(object.key(), b"short");
        Ok(())
    });
    let wrong = "warm up handler sampled: bad emission: a value of sample for /out has 5 bytes, and the pool's type u64 takes 8";
    assert_eq!(error.to_string(), wrong);
}

#[test]
fn a_sample_that_is_no_value_of_the_pool_is_a_mistake() {
    let on = OnSpec::new("sampled", "/numbers").warm("sample", "7");
    let error = pools(1).handler(on, || |_: Object<'_>, _: &mut Emit<'_>| Ok(())).start().err().unwrap();
    assert_eq!(error.kind(), ErrorKind::Invalid);
    assert!(
        error.to_string().starts_with("handler sampled is warmed up with a value of size 1, not 8"),
        "{error}"
    );
}
