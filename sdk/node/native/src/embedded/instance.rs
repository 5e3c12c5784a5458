//! A handler on its worker: the entry that an engine calls.

use super::open::Open;
use super::program::{ENDED, Post, Program, lock};
use super::shared::{Shared, answer};
use super::talk::{Asked, Talk, Told};
use std::ffi::c_void;
use std::os::fd::BorrowedFd;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use upcall_abi::{
    CancelFrame, Entry, FrameHead, OpenFrame, Status, VertexLent, VertexOpen, about, base, kind, refusal,
};
use upcall_apart::protocol::LENT_TO_NODE;
use upcall_apart::{Lent, Room, SharedBlocks};
use upcall_crossing::{Chunks, Crossing, Room as _, Services, Unable, cancel, cross, tell};
use upcall_segment::Segment;

/// Bytes of memory that a handler sees at most: no `ArrayBuffer` of Node is larger. Only what is touched is taken.
const BYTES: u64 = 4 << 30;

/// Where frames begin: an offset of 0 is nothing.
pub(super) const FROM: u64 = 4096;

struct Instance {
    shared: Arc<Shared>,
    room: Room,
    chunks: Chunks,
    services: Services,
    /// From OPEN on, of a handler that answers later.
    blocks: Option<SharedBlocks>,
    batch: u16,
}

/// Makes an instance of a module, on its worker's thread.
pub(super) fn make(program: &Arc<Program>, module: u32) -> Result<Entry, (u32, String)> {
    let segment = Segment::create("upcall-node", BYTES).map_err(|error| {
        (refusal::RUNTIME_FAILED, format!("take memory that JavaScript shares with the engine: {error}"))
    })?;
    let segment = Arc::new(segment);
    let shared = program.enter(|number| {
        Arc::new(Shared {
            number,
            program: program.clone(),
            segment: segment.clone(),
            later: AtomicBool::new(false),
            talk: Talk::default(),
            open: Open::default(),
            services: Mutex::new((Services::NONE, None)),
        })
    });
    let instance = shared.number;
    if let Err(why) = program.ask(|question| Post::Make { question, module, instance }) {
        program.leave(instance);
        return Err(why);
    }
    let room = Room::new(segment, FROM);
    let instance = Instance {
        shared,
        room,
        chunks: Chunks::default(),
        services: Services::NONE,
        blocks: None,
        batch: 0,
    };
    let state = Box::into_raw(Box::new(instance)).cast();
    Ok(Entry { call, state, release: Some(release) })
}

impl Instance {
    /// # Safety
    /// `frame` must be a whole frame of its kind, as an engine passes it.
    unsafe fn call(&mut self, frame: *mut FrameHead) -> Status {
        // SAFETY: the caller's promise, here and below.
        let of = unsafe { (*frame).kind };
        if of == kind::OPEN {
            // SAFETY: as above.
            unsafe { self.open(&*frame.cast::<OpenFrame>()) };
        }
        // SAFETY: as above.
        if let (kind::FLOW, Some(blocks), true) = (of, &self.blocks, unsafe { (*frame).complete.is_some() }) {
            // SAFETY: as above; it stays until it is completed.
            return unsafe { self.hand_over(frame, blocks) };
        }
        // SAFETY: as above.
        let crossed = unsafe {
            if of == kind::CANCEL {
                let frame = &*frame.cast::<CancelFrame>();
                // It was completed meanwhile.
                let Some(at) = self.shared.open.find(frame.call) else { return Status::OK };
                cancel(&mut self.room, frame, at)
            } else {
                cross(&mut self.room, &mut self.chunks, frame, self.batch)
            }
        };
        let status = match crossed {
            // SAFETY: as above.
            Ok(crossing) => unsafe { self.exchange(frame, &crossing) },
            // SAFETY: as above.
            Err(unable) => unsafe { refuse(frame, &unable) },
        };
        if of == kind::DESCRIBE && status == Status::OK {
            // SAFETY: as above; the chunks are those of the frame.
            let later = unsafe { self.chunks.tell(about::ANSWERS_LATER) };
            self.shared.later.store(later, Relaxed);
        }
        if of == kind::CLOSE {
            self.shared.open.end("the handler was closed before it had answered");
            self.services = Services::NONE;
            *lock(&self.shared.services) = (Services::NONE, None);
        }
        status
    }

    /// # Safety
    /// As [`Instance::call`].
    unsafe fn open(&mut self, frame: &OpenFrame) {
        // SAFETY: the caller's promise.
        self.services = unsafe { Services::of(frame) };
        self.batch = frame.batch;
        // SAFETY: as above. The engine keeps what it lends until CLOSE.
        if let Some(room) = unsafe { self.lent(frame) } {
            self.room = room;
        }
        if self.shared.later.load(Relaxed) {
            self.room.reset();
            let blocks = self.blocks.get_or_insert_with(|| self.room.share()).clone();
            let told = Room::of_lane(self.shared.segment.clone(), blocks);
            *lock(&self.shared.services) = (self.services, Some(told));
        }
    }

    /// The room behind what the engine lends, if it lends anything. Where it cannot be mapped, it is copied.
    ///
    /// # Safety
    /// As [`Instance::call`], for OPEN; what is lent stays until CLOSE.
    unsafe fn lent(&self, frame: &OpenFrame) -> Option<Room> {
        // SAFETY: the caller's promise, here and below.
        let open = (frame.batch == kind::VERTEX).then(|| unsafe { VertexOpen::of(frame) }).flatten()?;
        if (open.size as usize) < size_of::<VertexOpen>() {
            return None;
        }
        // SAFETY: as above.
        let told = unsafe { open.lent.get(frame.head.base[base::BATCH]) };
        // SAFETY: as above.
        let lent: Option<Vec<Lent>> = told.iter().map(|told| unsafe { lent(told) }).collect();
        let lent = lent.filter(|lent| !lent.is_empty())?;
        // SAFETY: nothing but frames is put there, and none is under way.
        unsafe { Room::with_lent(self.shared.segment.clone(), &lent, LENT_TO_NODE) }.ok()
    }

    /// Hands a frame over that is answered later.
    ///
    /// # Safety
    /// As [`Instance::call`]; the frame stays until it is completed.
    unsafe fn hand_over(&self, frame: *mut FrameHead, blocks: &SharedBlocks) -> Status {
        let Shared { number, program, segment, open, .. } = &*self.shared;
        // SAFETY: the caller's promise, here and below.
        let at = match unsafe { open.enter(frame, self.batch, segment, blocks) } {
            Ok(at) => at,
            // SAFETY: as above.
            Err(unable) => return unsafe { refuse(frame, &unable) },
        };
        if !program.post(Post::Call { instance: *number, at }) && open.take_back(at) {
            // SAFETY: as above; nobody else has it.
            unsafe { tell(frame, "Error", ENDED) };
            return Status::FAILED;
        }
        Status::PENDING
    }

    /// Has a frame answered, and waits.
    ///
    /// # Safety
    /// As [`Instance::call`]; it is the one that crosses.
    unsafe fn exchange(&mut self, frame: *mut FrameHead, crossing: &Crossing) -> Status {
        let Instance { shared, room, chunks, services, .. } = self;
        // SAFETY: the caller's promise, here and below.
        let emitted = unsafe { crossing.emitted(frame) };
        // SAFETY: as above: the services are those of OPEN, and this is its worker's thread, in a call.
        let mut told = |asked: Asked| unsafe {
            match (&asked, &emitted) {
                (Asked::Grow { at, need }, Some(emitted)) if *at == crossing.at => {
                    let grown = chunks.grow(room, emitted, *need).ok().flatten();
                    grown.map_or(Told::NO, |with| Told { yes: true, with })
                }
                _ => answer(services, room, &asked),
            }
        };
        for unsaid in shared.talk.begin() {
            told(unsaid);
        }
        let posted = shared.program.post(Post::Call { instance: shared.number, at: crossing.at });
        let status = if posted { shared.talk.wait(&mut told) } else { None };
        // SAFETY: as above; the handler has answered, or never will.
        unsafe {
            let why = match status.map(|status| (status, crossing.back(room, chunks, frame, status))) {
                Some((status, Ok(()))) => return status,
                Some((_, Err(broken))) => broken,
                None => ENDED,
            };
            crossing.nothing(chunks, frame);
            tell(frame, "Error", why);
        }
        Status::FAILED
    }
}

/// What an engine says that it lends, with a descriptor of our own.
///
/// # Safety
/// The descriptor is open.
unsafe fn lent(told: &VertexLent) -> Option<Lent> {
    let file = i32::try_from(told.file).ok()?;
    // SAFETY: the caller's promise.
    let file = unsafe { BorrowedFd::borrow_raw(file) }.try_clone_to_owned().ok()?;
    Some(Lent { addresses: told.address..told.address.checked_add(told.bytes)?, file: Arc::new(file.into()) })
}

/// Why a frame does not cross.
///
/// # Safety
/// As [`Instance::call`].
unsafe fn refuse(frame: *mut FrameHead, unable: &Unable) -> Status {
    let why = match unable {
        Unable::Full => {
            "the batch is larger than what Node can see of memory, 4 GiB: hand over less".to_owned()
        }
        Unable::Short => "OPEN is cut short: build engine and handler with the same version".to_owned(),
        Unable::Kind(of) => {
            let of = kind::name(*of).map_or_else(|| of.to_string(), str::to_owned);
            format!("{of} frames do not reach handlers in JavaScript")
        }
    };
    // SAFETY: the caller's promise.
    unsafe { tell(frame, "Error", &why) };
    Status::FAILED
}

unsafe extern "C" fn call(state: *mut c_void, frame: *mut FrameHead) -> Status {
    // SAFETY: `make` made the state, one call at a time; the engine passes a whole frame.
    unsafe { (*state.cast::<Instance>()).call(frame) }
}

unsafe extern "C" fn release(state: *mut c_void) {
    // SAFETY: `make` made it, and release is called once.
    let instance = unsafe { Box::from_raw(state.cast::<Instance>()) };
    instance.shared.program.leave(instance.shared.number);
}
