//! Handlers that are part of this program: closures and types, behind the same entry as every other.

use crate::{Capabilities, Error, ErrorKind, HandlerSpec, Host, Instance, Module, Threads};
use upcall_handler::IntoBody;

/// The host of handlers that are part of this program. Loads nothing: a flow is given the modules.
#[derive(Clone, Copy, Debug)]
pub struct InProcess;

impl Host for InProcess {
    fn guest(&self) -> &'static str {
        "rust"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities {
            threads: Threads::Own,
            killable: false,
            sees_native_memory: true,
            maps_lent: false,
            good_batch: 1,
        }
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        body();
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        let message = format!(
            "load handler {}: it is code of this program; pass it to the builder instead",
            handler.name
        );
        Err(Error::new(ErrorKind::HandlerMissing, message))
    }
}

/// A module that makes an instance by calling `make` on the worker's thread.
pub fn module<B: IntoBody>(make: impl Fn() -> B + Send + Sync + 'static) -> Box<dyn Module> {
    Box::new(Made(make))
}

struct Made<F>(F);

impl<B: IntoBody, F: Fn() -> B + Send + Sync> Module for Made<F> {
    fn instantiate(&self) -> Result<Instance, Error> {
        upcall_abi::caught::caught(|| upcall_handler::instance((self.0)())).map_err(|panic| {
            Error::new(
                ErrorKind::ConstructorFailed,
                format!("make a handler: its constructor panicked: {panic}"),
            )
        })
    }
}
