//! An instance of a module, as long as it has not trapped.

use super::engine::{Beat, Machine, ticks};
use super::limits::{Bounds, Refused, no_room};
use super::linear::{Linear, Pages};
use super::module::{CALL, Loaded, MAKE, MEMORY, NUMBER};
use super::trap::Trapped;
use crate::{Error, ErrorKind};
use std::mem::offset_of;
use upcall_abi::{ABI, FlowFrame, FrameHead, HandlerName, Refusal, Rel, Status, kind};
use upcall_crossing::{Broken, Chunks, Crossing, Full, Room, Services, Unable, cross};
use wasmtime::{AsContextMut, InstancePre, Memory, Store, StoreContextMut, TypedFunc, UpdateDeadline};

/// Bytes of room for what a handler says when it refuses to be made.
const ROOM: u64 = 16 << 10;

/// What belongs to an instance beside its own memory.
pub(super) struct Data {
    pub(super) memory: Option<Memory>,
    pub(super) pages: Pages,
    pub(super) bounds: Bounds,
    pub(super) services: Services,
    /// In a box, as it is taken out and put back in each call.
    pub(super) chunks: Option<Box<Chunks>>,
    /// While it is called.
    pub(super) current: Option<Current>,
    /// What it has said of the trap that follows, and where it was.
    pub(super) said: Option<(String, String)>,
    /// Items that were done when the time was last looked at.
    done: u32,
}

/// The call that an instance is in.
#[derive(Clone)]
pub(super) struct Current {
    pub(super) frame: *mut FrameHead,
    pub(super) crossing: Crossing,
}

/// An instance with its handler made.
pub(super) struct Live {
    store: Store<Data>,
    call: TypedFunc<(u32, u32, u32), i32>,
    /// What the module knows the handler by.
    handler: u32,
    ticks: u64,
    _beat: Beat,
}

/// How a call has ended.
pub(super) enum Ended {
    /// What the handler has answered, which is in the engine's frame.
    Answered(Status),
    /// It does not cross, and the instance is as it was.
    Unable(Unable),
    /// The instance is of no more use, and so many items are done.
    Trapped(Trapped),
    /// The same, as it did what no driver does. Nothing of the frame is done.
    Broken(Broken),
}

impl Live {
    /// Makes the handler in an instance of its own.
    ///
    /// # Errors
    /// The module has no memory for it, or no such handler, or traps.
    pub(super) fn make(
        machine: &Machine,
        module: &InstancePre<Data>,
        loaded: &Loaded,
    ) -> Result<Live, Error> {
        #[cfg(feature = "clr")]
        let _inside = crate::faults::Inside::wasm();
        let bounds = Bounds::new(loaded.limits);
        let ticks = ticks(bounds.deadline);
        let data = Data {
            memory: None,
            pages: Pages::default(),
            bounds,
            services: Services::NONE,
            chunks: None,
            current: None,
            said: None,
            done: 0,
        };
        let beat = machine.beat();
        let mut store = Store::new(&machine.engine, data);
        store.limiter(|data| &mut data.bounds);
        store.set_epoch_deadline(ticks);
        store.epoch_deadline_callback(move |store| Ok(on_time(store, ticks)));
        let failed_late = |store: &mut Store<Data>, error: wasmtime::Error, what: &str, late: &str| {
            let Trapped { message, .. } = Trapped::of(&error, store.data_mut(), late);
            Error::new(ErrorKind::ConstructorFailed, format!("make {}: {what}{message}", loaded.what))
        };
        let failed = |store: &mut Store<Data>, error: wasmtime::Error, what: &str| {
            failed_late(store, error, what, "it took longer")
        };
        let instance = match module.instantiate(&mut store) {
            Ok(instance) => instance,
            Err(error) => return Err(failed_late(&mut store, error, "", "its start function took longer")),
        };
        store.data_mut().memory = instance.get_memory(&mut store, MEMORY);
        // Their types were looked at when the module was loaded.
        let exports = instance
            .get_typed_func::<(u32, u32), u32>(&mut store, MAKE)
            .and_then(|make| Ok((make, instance.get_typed_func(&mut store, CALL)?)))
            .and_then(|(make, call)| {
                Ok((instance.get_typed_func::<(), u32>(&mut store, NUMBER)?, make, call))
            });
        let (number, make, call) = exports.map_err(|error| failed(&mut store, error, ""))?;
        match number.call(&mut store, ()) {
            Ok(abi) if abi == u32::from(ABI) => {}
            Ok(other) => return Err(loaded.other_abi(other)),
            Err(error) => return Err(failed(&mut store, error, "ask for its ABI: ")),
        }
        let (name, refusal) = put_name(&mut store, &loaded.class).map_err(|Full| {
            let why = no_room("the handler's name", store.data_mut().bounds.full.take());
            Error::new(ErrorKind::ConstructorFailed, format!("make {}: {why}", loaded.what))
        })?;
        let handler = match make.call(&mut store, (name as u32, refusal as u32)) {
            Ok(handler) => handler,
            Err(error) => return Err(failed(&mut store, error, "its constructor failed: ")),
        };
        if handler == 0 {
            return Err(loaded.refused(&said(&mut store, refusal)));
        }
        Ok(Live { store, call, handler, ticks, _beat: beat })
    }

    pub(super) fn services(&mut self, services: Services) {
        self.store.data_mut().services = services;
    }

    /// Why there was no room for a frame, or for what the handler has asked for in the last call.
    pub(super) fn full(&mut self) -> Option<Refused> {
        self.store.data_mut().bounds.full.take()
    }

    /// Whether the last call has told this, as an answer to DESCRIBE.
    ///
    /// # Safety
    /// The frame of the last call must still be there, with its chunks.
    pub(super) unsafe fn says(&self, about: u32, key: &[u8]) -> bool {
        let chunks = self.store.data().chunks.as_ref();
        // SAFETY: the caller's promise.
        chunks.is_some_and(|chunks| unsafe { chunks.tell_that(about, key) })
    }

    /// Calls the handler with a frame: there, and back.
    ///
    /// # Safety
    /// `frame` must be a whole frame of its kind, as an engine passes it.
    #[inline]
    pub(super) unsafe fn exchange(&mut self, frame: *mut FrameHead, batch: u16) -> Ended {
        #[cfg(feature = "clr")]
        let _inside = crate::faults::Inside::wasm();
        let Live { store, call, handler, ticks, .. } = self;
        store.data_mut().bounds.full = None;
        let mut chunks = store.data_mut().chunks.take().unwrap_or_default();
        let Some(mut room) = Linear::new(store.as_context_mut()) else {
            return Ended::Broken("it has no memory");
        };
        // SAFETY: the caller's promise, here and below.
        let crossed = unsafe { cross(&mut room, &mut chunks, frame, batch) };
        let data = store.data_mut();
        data.chunks = Some(chunks);
        let crossing = match crossed {
            Ok(crossing) => crossing,
            Err(unable) => return Ended::Unable(unable),
        };
        (data.done, data.said, data.bounds.refused) = (0, None, None);
        data.current = Some(Current { frame, crossing: crossing.clone() });
        store.set_epoch_deadline(*ticks);
        // Places in a module's memory have 32 bits.
        let called = call.call(&mut *store, (*handler, crossing.at as u32, crossing.output() as u32));
        let data = store.data_mut();
        data.current = None;
        let mut chunks = data.chunks.take().unwrap_or_default();
        let (status, trapped) = match called {
            Ok(status) => (Status(status), None),
            // SAFETY: as above.
            Err(error) => (Status::LOST, Some(Trapped::of(&error, data, late(unsafe { (*frame).kind })))),
        };
        if trapped.is_none() && (status == Status::PENDING || status == Status::LOST) {
            // SAFETY: as above.
            unsafe { crossing.nothing(&mut chunks, frame) };
            return Ended::Broken("it answers a call as no guest does");
        }
        // A refusal of `new` would have been one above.
        let Some(room) = Linear::new(self.store.as_context_mut()) else {
            return Ended::Broken("it has no memory");
        };
        // SAFETY: as above; the frame is as it was.
        let back = unsafe { crossing.back(&room, &mut chunks, frame, status) };
        match (back, trapped) {
            (Ok(()), None) => {
                self.store.data_mut().chunks = Some(chunks);
                Ended::Answered(status)
            }
            (Ok(()), Some(trapped)) => {
                // SAFETY: as above.
                unsafe {
                    if crossing.emits_items() {
                        chunks.cut(&mut *frame.cast::<FlowFrame>());
                    }
                }
                Ended::Trapped(trapped)
            }
            (Err(broken), trapped) => {
                // SAFETY: as above.
                unsafe { crossing.nothing(&mut chunks, frame) };
                trapped.map_or(Ended::Broken(broken), Ended::Trapped)
            }
        }
    }
}

/// What is said of a call with a frame of this kind whose time has passed.
#[cold]
fn late(of: u16) -> &'static str {
    match of {
        kind::FLOW => "it took longer for an item",
        kind::COMBINE => "it took longer for a batch",
        kind::OPEN => "its opening took longer",
        kind::FLUSH => "its flush took longer",
        kind::CLOSE => "its closing took longer",
        kind::DESCRIBE => "its description took longer",
        _ => "it took longer",
    }
}

/// The time for an item has passed, unless another one was finished since it was last looked at.
fn on_time(mut store: StoreContextMut<'_, Data>, ticks: u64) -> UpdateDeadline {
    let Some(Current { frame, crossing }) = store.data().current.clone() else {
        return UpdateDeadline::Interrupt;
    };
    if !crossing.emits_items() {
        return UpdateDeadline::Interrupt;
    }
    let done = Linear::new(store.as_context_mut()).and_then(|room| {
        // SAFETY: any bytes are a number.
        unsafe { room.read::<u32>(crossing.at + offset_of!(FlowFrame, done) as u64) }
    });
    // SAFETY: the frame is that of the current call.
    let items = unsafe { (*frame.cast::<FlowFrame>()).items.len };
    let data = store.data_mut();
    match done {
        Some(done) if done > data.done && u64::from(done) <= items => {
            data.done = done;
            UpdateDeadline::Continue(ticks)
        }
        _ => UpdateDeadline::Interrupt,
    }
}

/// Puts there what a handler is made with: where its name is, and a refusal.
fn put_name(store: &mut Store<Data>, class: &str) -> Result<(u64, u64), Full> {
    let mut room = Linear::new(store.as_context_mut()).ok_or(Full)?;
    room.reset();
    let class = Rel::new(room.put(class.as_bytes())?, class.len() as u64);
    let size = size_of::<HandlerName>() as u32;
    let name = room.put_one(HandlerName { size, reserved: 0, file: Rel::EMPTY, class })?;
    let (text, _) = room.give(ROOM)?;
    let text = std::ptr::without_provenance_mut(text as usize);
    let refusal = room.put_one(Refusal { kind: 0, reserved: 0, text, room: ROOM, len: 0 })?;
    Ok((name, refusal))
}

/// What a refusal says: its kind, and its text.
fn said(store: &mut Store<Data>, refusal: u64) -> (u32, String) {
    let Some(room) = Linear::new(store.as_context_mut()) else { return (0, String::new()) };
    let at = |field: usize| refusal + field as u64;
    // SAFETY: any bytes are numbers.
    let (kind, len) = unsafe {
        (room.read::<u32>(at(offset_of!(Refusal, kind))), room.read::<u64>(at(offset_of!(Refusal, len))))
    };
    // Where the text is, it was told: the refusal lies behind it.
    let text = room.copy(refusal - ROOM, len.unwrap_or(0).min(ROOM)).unwrap_or_default();
    (kind.unwrap_or(0), String::from_utf8_lossy(&text).into_owned())
}
