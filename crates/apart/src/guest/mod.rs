//! The other side: what a guest's process runs.
//!
//! [`main`] serves a handler of any guest that has a [`Host`]. A runtime whose driver needs no host of ours takes a
//! [`Connection`] and keeps to [`protocol`](crate::protocol) itself.

mod connection;
mod kept;
mod lanes;
mod services;

use crate::limits;
use crate::protocol::{NUMBER, SANDBOX_VARIABLE, SEGMENT_VARIABLE, to_guest, to_host};
use crate::sandbox;
pub use connection::Connection;
use lanes::{Lanes, Next, Waiting};
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use upcall_abi::{CancelFrame, FlowOpen, FrameHead, OpenFrame, Output, Status, kind};
use upcall_host::{Error, HandlerSpec, Host, Instance};
use upcall_segment::Message;

/// Whether this process was started to be a guest's, by [`Processes`](crate::Processes).
#[must_use]
pub fn is_one() -> bool {
    std::env::var_os(SEGMENT_VARIABLE).is_some()
}

/// Serves one handler until the host says that it is enough. `arguments` are the last four that the program was given, and
/// `start` starts the runtime of the guest of this name.
///
/// Call it on the main thread, before anything else is started: a runtime may want that thread.
///
/// # Errors
/// The process was not started by a host, or what that has given it is not what it should be. What is wrong with the handler the
/// host is told, and is no error.
pub fn main(
    arguments: impl IntoIterator<Item = OsString>,
    start: impl FnOnce(&str) -> Result<Arc<dyn Host>, Error>,
) -> io::Result<()> {
    // Threads of the handler may use it until the process has ended.
    let connection: &'static Connection = Box::leak(Box::new(Connection::inherited()?));
    if std::env::var_os(SANDBOX_VARIABLE).is_some() {
        sandbox::forbid_exec()?;
    }
    let mut arguments = arguments.into_iter();
    let mut next =
        || arguments.next().ok_or_else(|| io::Error::other("too few arguments: GUEST FILE CLASS NAME"));
    let (guest, file, class, name) = (next()?, next()?, next()?, next()?);
    let text = |text: OsString| text.to_string_lossy().into_owned();
    let guest = text(guest);
    let spec = HandlerSpec::new(text(name), &guest, PathBuf::from(file), text(class));
    let spec = HandlerSpec { limits: limits::told(), ..spec };
    if !connection.wait() {
        return Ok(());
    }
    upcall_host::set_apart();
    let host = match start(&guest) {
        Ok(host) => host,
        Err(error) => return refuse(connection, &error),
    };
    let mut outcome = Ok(());
    host.worker(&mut || {
        let made = host.load(&spec).and_then(|module| module.instantiate());
        match made {
            Ok(instance) => serve(connection, instance),
            Err(error) => outcome = refuse(connection, &error),
        }
    });
    outcome
}

/// Tells the host why there is no handler, and waits until it has heard.
fn refuse(connection: &Connection, error: &Error) -> io::Result<()> {
    let bytes = connection::say(connection.segment(), &error.to_string());
    connection.ask(to_host::REFUSED, [error.kind().refusal().into(), bytes, 0]);
    Ok(())
}

/// Answers calls until there will be none.
fn serve(connection: &'static Connection, mut instance: Instance) {
    // Threads of the handler may outlive it.
    let services: &'static _ = Box::leak(Box::new(services::Given::new(connection)));
    let mut next = connection.ask(to_host::READY, [NUMBER, 0, 0]);
    while next.what == to_guest::CALL {
        let (frame, given) = (frame(connection, next), Grow { grow: services::grow, complete: None });
        // SAFETY: the host has put a whole frame there, which is ours until the turn is passed.
        let opens_lanes = unsafe { (*frame).kind } == kind::OPEN && next.with[4] == to_guest::LANES;
        if opens_lanes {
            let lanes = Lanes::begin(connection.segment());
            // SAFETY: as above.
            let status = unsafe { call(connection, &mut instance, services, next, &given) };
            lanes.pass(0, to_host::RETURNED, returned(status));
            return serve_lanes(connection, lanes, &mut instance, services);
        }
        // SAFETY: as above.
        let status = unsafe { call(connection, &mut instance, services, next, &given) };
        services::pass_on(connection);
        next = connection.ask(to_host::RETURNED, returned(status));
    }
}

/// As [`serve`], for a handler that answers later: whatever its other threads do, it is called on this one.
fn serve_lanes(connection: &Connection, lanes: Lanes, instance: &mut Instance, services: &services::Given) {
    let first = Grow { grow: services::grow_first, complete: None };
    let other = Grow { grow: services::grow_lane, complete: Some(lanes::complete) };
    let (mut waiting, mut closed) = (Waiting::new(lanes), false);
    let on_lane = |instance: &mut Instance, lane: u64| {
        let next = lanes.message(lane);
        connection.fetch(next.with[2], next.with[3]);
        // SAFETY: the host has put a whole frame there, which is ours until it is returned.
        let status = unsafe {
            lanes::mark(frame(connection, next), lane);
            call(connection, instance, services, next, &other)
        };
        if status != Status::PENDING {
            lanes.pass(lane, to_host::RETURNED, returned(status));
        }
    };
    loop {
        let next = match waiting.next() {
            // After CLOSE there is nobody who could answer.
            Next::Call(_) if closed => continue,
            Next::Call(lane) => {
                on_lane(instance, lane);
                continue;
            }
            Next::First(next) if next.what == to_guest::CALL => next,
            Next::First(_) => return,
        };
        let frame = frame(connection, next);
        // SAFETY: as above.
        unsafe {
            match (*frame).kind {
                kind::CANCEL => {
                    if waiting.take(next.with[4]) {
                        // What is to be cancelled has to have begun.
                        on_lane(instance, next.with[4]);
                    }
                    let cancel = &mut *frame.cast::<CancelFrame>();
                    cancel.call = connection.place(cancel.call.addr() as u64).cast();
                }
                kind::CLOSE => closed = true,
                _ => {}
            }
        }
        // SAFETY: as above.
        let status = unsafe { call(connection, instance, services, next, &first) };
        lanes.pass(0, to_host::RETURNED, returned(status));
    }
}

/// What a message says of how a call has ended.
fn returned(status: Status) -> [u64; 3] {
    [status.0.cast_unsigned().into(), 0, 0]
}

/// The frame that a message speaks of.
fn frame(connection: &Connection, next: Message) -> *mut FrameHead {
    connection.place(next.with[0]).cast()
}

/// What a frame's functions are here.
struct Grow {
    grow: unsafe extern "C" fn(*mut FrameHead, u64) -> Status,
    complete: Option<unsafe extern "C" fn(*mut FrameHead, Status)>,
}

/// Calls the handler with the frame that a message speaks of.
///
/// # Safety
/// The host must have put a whole frame there, which is ours until it is returned.
unsafe fn call(
    connection: &Connection,
    instance: &mut Instance,
    services: &services::Given,
    next: Message,
    given: &Grow,
) -> Status {
    let (frame, out) = (frame(connection, next), next.with[1]);
    // SAFETY: the caller's promise.
    unsafe {
        (*frame).base = [connection.base(); 4];
        (*frame).complete = given.complete;
        if out > 0 {
            (*frame.byte_add(out as usize).cast::<Output>()).grow = Some(given.grow);
        }
        if (*frame).kind == kind::OPEN {
            let open = &mut *frame.cast::<OpenFrame>();
            if !open.services.is_null() {
                open.services = &services.common;
            }
            if open.batch == kind::FLOW {
                let added = connection.place(open.added.offset).cast::<FlowOpen>();
                if !(*added).pool_services.is_null() {
                    (*added).pool_services = &services.pools;
                }
            }
        }
        instance.call(frame)
    }
}
