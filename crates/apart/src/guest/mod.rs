//! The other side: what a guest's process runs.
//!
//! [`main`] serves a handler of any guest that has a [`Host`]. A runtime whose driver needs no host of ours takes a
//! [`Connection`] and keeps to [`protocol`](crate::protocol) itself.

mod connection;
mod services;

use crate::protocol::{NUMBER, SANDBOX_VARIABLE, SEGMENT_VARIABLE, to_guest, to_host};
use crate::sandbox;
pub use connection::Connection;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use upcall_abi::{FlowOpen, FrameHead, OpenFrame, Output, kind};
use upcall_host::{Error, HandlerSpec, Host, Instance};

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
    let connection = Connection::inherited()?;
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
    if !connection.wait() {
        return Ok(());
    }
    let host = match start(&guest) {
        Ok(host) => host,
        Err(error) => return refuse(&connection, &error),
    };
    let mut outcome = Ok(());
    host.worker(&mut || {
        let made = host.load(&spec).and_then(|module| module.instantiate());
        match made {
            Ok(instance) => serve(&connection, instance),
            Err(error) => outcome = refuse(&connection, &error),
        }
    });
    outcome
}

/// Tells the host why there is no handler, and waits until it has heard.
fn refuse(connection: &Connection, error: &Error) -> io::Result<()> {
    let bytes = connection.say(&error.to_string());
    connection.ask(to_host::REFUSED, [error.kind().refusal().into(), bytes, 0]);
    Ok(())
}

/// Answers calls until there will be none.
fn serve(connection: &Connection, mut instance: Instance) {
    let services = services::Given::new(connection);
    let mut next = connection.ask(to_host::READY, [NUMBER, 0, 0]);
    while next.what == to_guest::CALL {
        let [at, out, ..] = next.with;
        let frame = connection.place(at).cast::<FrameHead>();
        // SAFETY: the host has put a whole frame there, which is ours until the turn is passed.
        let status = unsafe {
            (*frame).base = [connection.base(); 4];
            if out > 0 {
                (*frame.byte_add(out as usize).cast::<Output>()).grow = Some(services::grow);
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
        };
        services::pass_on(connection);
        next = connection.ask(to_host::RETURNED, [status.0.cast_unsigned().into(), 0, 0]);
    }
}
