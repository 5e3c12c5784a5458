//! A flow's frames around the instance.

use super::{Inner, failed, number};
use crate::flow::data::Data;
use crate::py::{self, Kind, Outcome, Ref};
use upcall_abi::{Chained, FlowFrame, FlowOpen, Item, PoolEntry, Record, Rel, kind};

pub fn open(inner: &mut Inner) -> Outcome<Ref> {
    let text = |text: &str| Rel::of(text.as_bytes());
    let entries = (0u32..).zip(&inner.pools).map(|(id, pool)| PoolEntry {
        path: text(&pool.path),
        value_type: text(&pool.value_type),
        value_size: pool.value_size,
        id,
        access: pool.access,
        reserved: 0,
    });
    let (pools, senders) = (entries.collect::<Vec<_>>(), [text("harness")]);
    let added = FlowOpen {
        size: size_of::<FlowOpen>() as u32,
        reserved: 0,
        pools: Rel::of(&pools),
        senders: Rel::of(&senders),
        pool_services: inner.lent[0].pool_services(),
    };
    inner.open(kind::FLOW, &added)
}

/// Objects in memory of their own, as an engine's batch is: what dangles afterwards really does.
pub struct Fed {
    bytes: Vec<u8>,
    items: Vec<Item>,
}

impl Fed {
    /// Of (key, value, pool, version, time) each.
    pub fn of(objects: &Ref) -> Outcome<Fed> {
        let (mut bytes, mut items) = (Vec::<u8>::new(), Vec::new());
        let mut keep = |object: &Ref| -> Outcome<Rel<u8>> {
            // SAFETY: it is alive.
            let data = unsafe { Data::key(object.as_ptr())? };
            bytes.extend_from_slice(data.bytes());
            Ok(Rel::new((bytes.len() - data.bytes().len()) as u64, data.bytes().len() as u64))
        };
        let count = py::len(objects)?;
        for index in 0..count {
            let object = py::item(objects, index)?;
            let number = |index| number(&py::item(&object, index)?);
            let (pool, version, time) = (number(2)? as u32, number(3)?, number(4)?);
            let value = keep(&py::item(&object, 1)?)?;
            items.push(Item { value, version, time, pool, ..Item::ABSENT });
        }
        for (index, item) in items.iter_mut().enumerate() {
            item.key = keep(&py::item(&py::item(objects, index)?, 0)?)?;
        }
        let start = bytes.as_ptr() as u64;
        for item in &mut items {
            item.key.offset += start;
            item.value.offset += start;
        }
        Ok(Fed { bytes, items })
    }

    /// Where they are.
    pub fn items(&self) -> &[Item] {
        &self.items
    }
}

/// A batch of (key, value, pool, version, time).
pub fn run(inner: &mut Inner, [objects, size]: [Ref; 2]) -> Outcome<Ref> {
    let (fed, size) = (Fed::of(&objects)?, number(&size)?);
    let items = fed.items();
    let mut frame = FlowFrame::new(kind::FLOW);
    frame.items = Rel::of(items);
    // As in an engine, only values that all have the type's size are side by side.
    if size > 0 && items.iter().all(|item| item.value.len == size) {
        let start = fed.bytes.as_ptr() as u64;
        (frame.values, frame.stride) = (Rel::new(start, size * items.len() as u64), size);
    }
    finish(inner, frame)
}

pub fn flush(inner: &mut Inner) -> Outcome<Ref> {
    finish(inner, FlowFrame::new(kind::FLUSH))
}

/// Calls the driver and answers (emitted, failure); what was emitted is a list of (pool id, key, value, item).
fn finish(inner: &mut Inner, frame: FlowFrame) -> Outcome<Ref> {
    let mut running = Chained::new(frame);
    running.frame.head.error.text = inner.room();
    // SAFETY: the frame and what it points to live until it returns.
    let status = unsafe { inner.call(running.start()) };
    inner.lent[0].take_back();
    let emitted = emitted(&mut running)?;
    py::tuple(&[&emitted, &failed(status, &running.frame.head, running.frame.done)?])
}

/// What was emitted: a list of (pool id, key, value, item, version that is its condition).
pub fn emitted(running: &mut Chained<FlowFrame>) -> Outcome<Ref> {
    let mut emitted = Vec::new();
    // SAFETY: the driver has written.
    let records = unsafe { running.records() }.map_err(|why| py::raise(Kind::Runtime, why))?;
    let mut previous = py::none();
    for (Record { pool, item, .. }, key, value) in records {
        if pool == Record::CONDITION {
            previous =
                value.try_into().map_or(Ok(py::none()), |version| py::int(u64::from_le_bytes(version)))?;
            continue;
        }
        let (pool, item) = (py::int(pool.into())?, py::int(item.into())?);
        let previous = std::mem::replace(&mut previous, py::none());
        emitted.push(py::tuple(&[&pool, &py::bytes(key)?, &py::bytes(value)?, &item, &previous])?);
    }
    py::list(emitted.len(), |index| Ok(emitted[index].clone()))
}
