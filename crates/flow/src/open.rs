//! The first and the last upcalls of an instance.

use crate::check::check_limits;
use crate::dead::Cause;
use crate::open_handler::OpenHandler;
use crate::shared::Shared;
use crate::worker_context::WorkerContext;
use crate::{Error, ErrorKind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;
use upcall_abi::{FlowOpen, FrameHead, OpenFrame, PoolEntry, Rel, Setting, access, kind};

/// Makes an instance of a handler on this thread and opens it.
pub(crate) fn open<'s>(
    shared: &'s Arc<Shared>,
    worker: &mut WorkerContext<'_>,
    index: usize,
) -> Result<OpenHandler<'s>, Error> {
    let plan = &shared.plan;
    let handler = &plan.handlers[index];
    let fail =
        |what: String| Error::new(ErrorKind::Load, format!("open handler {}: {what}", handler.spec.name));
    let mut instance = handler.module.instantiate().map_err(|error| fail(error.to_string()))?;
    let described = upcall_host::describe(&mut instance).map_err(|error| fail(error.to_string()))?;
    described.check_kind("a flow", kind::FLOW).map_err(fail)?;
    check_limits(&handler.spec, described.answers_later).map_err(fail)?;
    let mut open = OpenHandler::new(shared, worker.me, index, instance, &described);

    let text = |text: &str| Rel::of(text.as_bytes());
    let settings = handler.spec.settings.iter();
    let settings: Vec<Setting> =
        settings.map(|(name, value)| Setting { name: text(name), value: text(value) }).collect();
    let entry = |(id, pool): (usize, &crate::plan::PoolPlan)| {
        let watch = if handler.watches(id) { access::WATCH } else { 0 };
        let emit = if handler.may_emit[id] { access::EMIT } else { 0 };
        let read = if handler.may_read[id] { access::READ } else { 0 };
        let plain = pool.value == crate::ValueType::Bytes;
        PoolEntry {
            path: text(&pool.path),
            value_type: text(if plain { "" } else { pool.value.name() }),
            value_size: pool.value.size().unwrap_or(0) as u32,
            id: id as u32,
            access: watch | emit | read,
            reserved: 0,
        }
    };
    let mut pools: Vec<PoolEntry> =
        plan.pools.iter().enumerate().map(entry).filter(|pool| pool.access != 0).collect();
    // The pool that is emitted to by default is the first that `to` names, not the first declared.
    let rank = |pool: &PoolEntry| {
        let path = &plan.pools[pool.id as usize].path;
        handler.spec.to.iter().position(|to| to == path).unwrap_or(usize::MAX)
    };
    pools.sort_by_key(rank);
    let names = plan.handlers.iter().map(|handler| handler.spec.name.as_str());
    let senders: Vec<Rel<u8>> = std::iter::once("input").chain(names).map(text).collect();
    let workers = handler.workers();
    let added = FlowOpen {
        size: size_of::<FlowOpen>() as u32,
        reserved: 0,
        pools: Rel::of(&pools),
        senders: Rel::of(&senders),
        pool_services: &*open.pool_services,
    };
    let mut frame = OpenFrame::new(kind::FLOW, &handler.spec.name, &*open.services, &added);
    frame.settings = Rel::of(&settings);
    (frame.worker, frame.workers) = ((worker.me - workers.first) as u32, workers.count as u32);
    // SAFETY: the frame and all it points to live until the call returns; the services until CLOSE.
    unsafe { open.instance.ask(&mut frame) }.map_err(|failed| fail(failed.told()))?;
    if let Some(sample) = &handler.spec.warm
        && let Err(cause) = worker.warm(&mut open, sample)
    {
        let Cause { type_name, message, stack } = cause;
        return Err(Error::new(
            ErrorKind::Load,
            format!("warm up handler {}: {type_name}: {message}\n{stack}", handler.spec.name).trim_end(),
        ));
    }
    open.stats.crossing.store(crossing(&mut open), Relaxed);
    Ok(open)
}

/// Nanoseconds of an empty crossing: the least of some.
fn crossing(handler: &mut OpenHandler<'_>) -> u64 {
    const ROUNDS: u32 = 16;
    let mut ping = FrameHead::new::<FrameHead>(kind::PING);
    let round = |_| {
        let begin = Instant::now();
        for _ in 0..ROUNDS {
            // SAFETY: a whole frame of its kind. What it answers does not matter.
            let _ = unsafe { handler.instance.call(&mut ping) };
        }
        (begin.elapsed() / ROUNDS).as_nanos() as u64
    };
    (0..8).map(round).min().unwrap_or(0)
}

/// The last upcall of an instance, which is dropped afterwards.
pub(crate) fn close(handler: &mut OpenHandler<'_>) {
    let mut frame = FrameHead::new::<FrameHead>(kind::CLOSE);
    // SAFETY: a whole frame of its kind.
    if let Err(failed) = unsafe { handler.instance.ask(&mut frame) } {
        tracing::warn!(target: "upcall::flow", handler = handler.plan.spec.name, "close: {failed}");
    }
}
