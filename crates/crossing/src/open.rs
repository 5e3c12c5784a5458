//! OPEN: names, settings and what the engine adds go in. The services stay here: the guest asks for them by other means.

use super::{Unable, theirs};
use crate::room::{Full, Room};
use upcall_abi::{
    CombineOpen, ErrorSlot, FlowOpen, OpenFrame, PoolEntry, PoolServices, Rel, Setting, VertexOpen, base,
    kind,
};

/// What an engine does for a handler; valid until CLOSE.
#[derive(Clone, Copy, Debug)]
pub struct Services {
    pub(super) common: *const upcall_abi::Services,
    pub(super) pools: *const PoolServices,
    /// What the answers are relative to.
    pub(super) base: u64,
}

// SAFETY: an engine's services for a handler that answers later may be asked on any thread; of another one they stay on the
// worker's.
unsafe impl Send for Services {}

impl Services {
    /// Those of a handler that is not open.
    pub const NONE: Services = Services { common: std::ptr::null(), pools: std::ptr::null(), base: 0 };

    /// Those of an OPEN frame.
    ///
    /// # Safety
    /// The frame must be as an engine passes it.
    #[must_use]
    pub unsafe fn of(frame: &OpenFrame) -> Services {
        // SAFETY: the caller's promise.
        let added = (frame.batch == kind::FLOW).then(|| unsafe { FlowOpen::of(frame) }).flatten();
        Services {
            common: frame.services,
            pools: added.map_or(std::ptr::null(), |added| added.pool_services),
            base: frame.head.base[base::BATCH],
        }
    }
}

/// In place of an address of ours: the guest's own services are meant. Null stays null.
fn there<T>(ours: *const T) -> *const T {
    if ours.is_null() { ours } else { std::ptr::without_provenance(1) }
}

/// # Safety
/// The frame must be as an engine passes it.
pub(super) unsafe fn cross<R: Room>(
    room: &mut R,
    frame: &OpenFrame,
    error: ErrorSlot,
) -> Result<u64, Unable> {
    let origin = frame.head.base[base::BATCH];
    let text = |room: &mut R, text: Rel<u8>| -> Result<Rel<u8>, Full> {
        // SAFETY: the caller's promise.
        let bytes = unsafe { text.get(origin) };
        Ok(Rel::new(room.put(bytes)?, text.len))
    };
    // SAFETY: as above.
    let settings = unsafe { frame.settings.get(origin) };
    let settings = settings
        .iter()
        .map(|setting| Ok(Setting { name: text(room, setting.name)?, value: text(room, setting.value)? }))
        .collect::<Result<Vec<Setting>, Full>>()?;
    let settings = Rel::new(room.put_all(&settings)?, frame.settings.len);
    let name = text(room, frame.name)?;
    let added = match frame.batch {
        kind::FLOW => {
            // SAFETY: the caller's promise.
            let Some(added) = (unsafe { FlowOpen::of(frame) }) else { return Err(Unable::Short) };
            // SAFETY: as above.
            let (pools, senders) = unsafe { (added.pools.get(origin), added.senders.get(origin)) };
            let entry = |pool: &PoolEntry| {
                Ok(PoolEntry {
                    path: text(room, pool.path)?,
                    value_type: text(room, pool.value_type)?,
                    ..*pool
                })
            };
            let pools = pools.iter().map(entry).collect::<Result<Vec<PoolEntry>, Full>>()?;
            let senders =
                senders.iter().map(|sender| text(room, *sender)).collect::<Result<Vec<Rel<u8>>, Full>>()?;
            let added = FlowOpen {
                size: size_of::<FlowOpen>() as u32,
                reserved: 0,
                pools: Rel::new(room.put_all(&pools)?, pools.len() as u64),
                senders: Rel::new(room.put_all(&senders)?, senders.len() as u64),
                pool_services: there(added.pool_services),
            };
            Rel::new(room.put_one(added)?, size_of::<FlowOpen>() as u64)
        }
        kind::COMBINE => {
            // SAFETY: the caller's promise.
            let Some(added) = (unsafe { CombineOpen::of(frame) }) else { return Err(Unable::Short) };
            let element = text(room, added.element)?;
            let size = size_of::<CombineOpen>() as u32;
            let added = CombineOpen { size, element, element_size: added.element_size };
            Rel::new(room.put_one(added)?, size.into())
        }
        kind::VERTEX => {
            // SAFETY: the caller's promise.
            let Some(added) = (unsafe { VertexOpen::of(frame) }) else { return Err(Unable::Short) };
            let size = size_of::<VertexOpen>() as u32;
            // What is lent is mapped before, or not at all.
            Rel::new(room.put_one(VertexOpen { size, lent: Rel::EMPTY, ..*added })?, size.into())
        }
        other => return Err(Unable::Kind(other)),
    };
    let frame = OpenFrame {
        head: theirs::<OpenFrame>(&frame.head, error),
        name,
        settings,
        services: there(frame.services),
        added,
        batch: frame.batch,
        reserved: 0,
        worker: frame.worker,
        workers: frame.workers,
        reserved_2: 0,
    };
    Ok(room.put_one(frame)?)
}
