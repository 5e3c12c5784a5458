//! Typed handlers and pools that declare their types.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use upcall::{Batch, BatchHandler, Blit, Emit, Failure, Object, TypedHandler};
use upcall_flow::{Error, ErrorKind, Flow, FlowBuilder, OnSpec, Pool, TypedEvent, ValueType};

type Done = Result<(), upcall_flow::Error>;

#[derive(Blit, Clone, Copy, PartialEq, Debug)]
#[repr(C)]
struct Reading {
    sensor: u64,
    celsius: f64,
}

fn reading(sensor: u64, celsius: f64) -> Vec<u8> {
    [sensor.to_le_bytes(), celsius.to_le_bytes()].concat()
}

struct Warms;

impl TypedHandler for Warms {
    type In<'a> = Reading;
    type Out = Reading;

    fn on_value(
        &mut self,
        object: Object<'_>,
        value: &Reading,
        emit: &mut Emit<'_, Reading>,
    ) -> Result<(), Failure> {
        let place = (&raw const *value).addr();
        assert_eq!(place, object.value().as_ptr().addr(), "an engine's values are aligned");
        emit.put(object.key(), &Reading { celsius: value.celsius + 1.0, ..*value });
        Ok(())
    }
}

struct Sums(f64, Arc<Mutex<f64>>);

impl BatchHandler for Sums {
    fn on_batch(&mut self, batch: &mut Batch<'_>, _: &mut Emit<'_>) -> Result<(), Failure> {
        let readings = batch.values_as::<Reading>().expect("the pool declares it");
        self.0 += readings.iter().map(|reading| reading.celsius).sum::<f64>();
        Ok(())
    }
    fn flush(&mut self, _: &mut Emit<'_>) -> Result<(), Failure> {
        *self.1.lock().unwrap() += self.0;
        Ok(())
    }
}

fn typed(input: ValueType, output: ValueType) -> FlowBuilder {
    let builder = Flow::builder().workers(1).pool(Pool::trigger("/in").values(input));
    let builder = builder.pool(Pool::new("/out").values(output));
    builder.handler(OnSpec::new("warms", "/in").to("/out"), || upcall::typed(Warms))
}

fn blittable(name: &str, size: u32) -> ValueType {
    ValueType::Blittable { name: name.into(), size }
}

#[test]
fn typed_values_pass_through_a_flow_in_place_and_side_by_side() -> Done {
    let sum = Arc::<Mutex<f64>>::default();
    let inner = sum.clone();
    let flow = typed(blittable("Reading", 16), blittable("Reading", 16))
        .handler(OnSpec::new("sums", "/out"), move || upcall::batch(Sums(0.0, inner.clone())))
        .start()?;
    for sensor in 0..1000 {
        // Keys of every length, so that what lies behind them would not be aligned by chance.
        let key = "k".repeat(sensor as usize % 13) + &sensor.to_string();
        flow.pool("/in")?.put_and_forget(key.as_bytes(), reading(sensor, 0.5))?;
    }
    let error = flow.pool("/in")?.put_and_forget(b"k", b"123").unwrap_err();
    assert!(error.to_string().contains("has 3 bytes, and the pool's type Reading takes 16"), "{error}");
    flow.drain()?;
    assert_eq!(flow.dead_letters("/in")?.len(), 0);
    assert_eq!(*sum.lock().unwrap(), 1500.0);
    Ok(())
}

#[test]
fn a_flow_does_not_start_when_a_handlers_type_is_not_its_pools() {
    for (input, output, said) in [
        (
            blittable("Reading", 24),
            ValueType::Bytes,
            "pool /in has the type Reading of 24 bytes, and the handler takes Reading of 16 bytes",
        ),
        (
            ValueType::U64,
            ValueType::Bytes,
            "pool /in has the type u64 of 8 bytes, and the handler takes Reading",
        ),
        (
            ValueType::Bytes,
            ValueType::Packed { name: "Order".into() },
            "pool /out has the type Order, and the handler emits Reading",
        ),
    ] {
        let error = typed(input, output).start().err().expect(said);
        assert_eq!(error.kind(), ErrorKind::Load, "{error}");
        assert!(error.to_string().contains(said), "{error}");
    }
}

#[test]
fn a_pool_of_a_packed_type_takes_values_of_any_length() -> Done {
    let flow =
        Flow::builder().pool(Pool::new("/p").values(ValueType::Packed { name: "Order".into() })).start()?;
    flow.pool("/p")?.put_and_forget(b"k", b"")?;
    flow.pool("/p")?.put_and_forget(b"k", [7; 1000])?;
    flow.drain()?;
    assert_eq!(flow.pool("/p")?.get(b"k")?.map(|object| object.value.len()), Some(1000));
    Ok(())
}

#[test]
fn a_closure_emits_values_and_a_typed_pool_puts_and_reads_them() -> Result<(), Error> {
    let flow = Flow::builder()
        .pool(Pool::trigger("/lines"))
        .pool(Pool::of::<u64>("/lengths"))
        .on("/lines", "/lengths", |line, out| out.put(line.key(), &(line.text()?.len() as u64)))
        .start()?;
    flow.pool("/lines")?.put("1", "In the beginning")?;
    flow.pool("/lines")?.of::<str>()?.put("2", "God")?;
    flow.drain()?;
    let lengths = flow.pool("/lengths")?.of::<u64>()?;
    assert_eq!(lengths.entries()?, [("1".to_owned(), 16), ("2".to_owned(), 3)]);
    lengths.put("3", &7)?.wait()?;
    assert_eq!((lengths.get("3")?, lengths.get("4")?), (Some(7), None));
    let refused = flow.pool("/lengths")?.of::<f64>().map(drop).unwrap_err().to_string();
    let expected = "open pool /lengths of f64 of 8 bytes: its values are u64 of 8 bytes; name that type, or change the pool's";
    assert_eq!(refused, expected);
    flow.pool("/lines")?.put("bad", b"\xff".as_slice())?;
    flow.drain()?;
    assert_eq!(flow.dead_letters("/lines")?.len(), 1);
    Ok(())
}

#[test]
fn a_typed_pool_puts_on_condition_and_removes_keys() -> Result<(), Error> {
    let flow = Flow::builder().pool(Pool::of::<u64>("/counts")).start()?;
    let counts = flow.pool("/counts")?.of::<u64>()?;
    assert_eq!(counts.get_with_version("in")?, None);
    let first = counts.put_if("in", &1, 0)?.wait()?;
    assert_eq!(counts.get_with_version("in")?, Some((1, first)));
    assert_eq!(counts.put_if("in", &2, 0)?.wait().unwrap_err().kind(), ErrorKind::Conflict);
    counts.put_if("in", &2, first)?.wait()?;
    assert_eq!(counts.get("in")?, Some(2));
    counts.remove("in")?.wait()?;
    assert_eq!(counts.get("in")?, None);
    counts.try_put("it", &3)?;
    flow.drain()?;
    assert_eq!(counts.get("it")?, Some(3));
    Ok(())
}

#[test]
fn a_value_that_is_not_of_the_type_is_an_error_with_key_and_pool() -> Result<(), Error> {
    let flow = Flow::builder().pool(Pool::new("/p")).start()?;
    flow.pool("/p")?.put("k", "abc")?.wait()?;
    let refused = flow.pool("/p")?.of::<u64>()?.get("k").unwrap_err().to_string();
    assert_eq!(refused, "read k of pool /p as u64 of 8 bytes: it has 3 bytes, not 8");
    Ok(())
}

#[test]
fn a_typed_watch_sees_values_and_goes_on_behind_one_that_is_none() -> Result<(), Error> {
    let flow = Flow::builder().pool(Pool::of::<u64>("/p/a")).pool(Pool::new("/p/any")).start()?;
    let watch = flow.watch_with_buffer("/p", 4)?.of::<u64>()?;
    let (a, any) = (flow.pool("/p/a")?.of::<u64>()?, flow.pool("/p/any")?);
    a.put("k", &7)?.wait()?;
    any.put("bad", "abc")?.wait()?;
    flow.pool("/p/a")?.remove("k")?.wait()?;
    (0..3).try_for_each(|value| a.put("k", &value)?.wait().map(drop))?;
    let next = || watch.next(Duration::ZERO);
    let Some(TypedEvent::Put { pool, key, value, version, time }) = next()? else { panic!("a put") };
    assert_eq!((&*pool, key.as_str(), value, version), ("/p/a", "k", 7, 1));
    assert!(time > 0);
    let error = next().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::BadValue);
    assert_eq!(error.to_string(), "read bad of pool /p/any as u64 of 8 bytes: it has 3 bytes, not 8");
    let removed = TypedEvent::Removed { pool: "/p/a".into(), key: "k".into(), version: 2 };
    assert_eq!(next()?, Some(removed));
    assert!(matches!(next()?, Some(TypedEvent::Put { value: 0, version: 3, .. })));
    let missed = TypedEvent::Missed { pool: "/p/a".into(), count: 2, first: 4, last: 5 };
    assert_eq!((next()?, next()?), (Some(missed), None));
    Ok(())
}

#[test]
fn a_watch_of_another_type_than_a_pools_is_refused() -> Result<(), Error> {
    let flow = Flow::builder().pool(Pool::of::<u64>("/p/a")).pool(Pool::of::<str>("/p/b")).start()?;
    let refused = flow.watch("/p")?.of::<u64>().map(drop).unwrap_err();
    assert_eq!(refused.kind(), ErrorKind::BadValue);
    let said = "watch pool /p/b of u64 of 8 bytes: its values are text; name that type, or change the pool's";
    assert_eq!(refused.to_string(), said);
    assert!(flow.watch("/p/a")?.of::<u64>().is_ok());
    Ok(())
}

#[test]
fn closures_on_the_same_pools_have_names_of_their_own() -> Result<(), Error> {
    let flow = Flow::builder()
        .pool(Pool::trigger("/in"))
        .pool(Pool::of::<u64>("/out"))
        .on("/in", "/out", |object, out| out.put("first", &(object.value().len() as u64)))
        .on("/in", "/out", |object, out| out.put("second", &(object.value().len() as u64)))
        .start()?;
    flow.pool("/in")?.put("k", "four")?;
    flow.drain()?;
    assert_eq!(
        flow.pool("/out")?.of::<u64>()?.entries()?,
        [("first".to_owned(), 4), ("second".to_owned(), 4)]
    );
    let names: Vec<String> = flow.report().handlers.into_iter().map(|handler| handler.name).collect();
    assert_eq!(names, ["/in to /out", "/in to /out, 2"]);
    Ok(())
}
