use super::builder::UpcallFlowBuilder;
use super::failure::{FlowFailure, UPCALL_INVALID};
use std::ffi::c_void;
use std::sync::Arc;
use upcall::{Emit, Failure, Handler, Object};
use upcall_host::in_process::{InProcess, module};
use upcall_host::{Capabilities, Error, HandlerSpec, Host, Module};

type Handle = Box<dyn Fn(&str, &[u8], u64, *mut c_void) -> i32 + Send + Sync>;

#[upcall::export(extend)]
impl UpcallFlowBuilder {
    /// Gives the handler of this name, before the start: a function that is called with the key, the value and the version of
    /// each object, and with what `upcall_emit` and `upcall_fail` take; all of them end with the call. It returns 0, or anything
    /// else where the object has failed. All workers call it, several at once unless the handler's `order` is `single`.
    #[expect(clippy::type_complexity, reason = "the attribute reads the type as it is written")]
    pub fn on_object(
        &mut self,
        handler: &str,
        handle: Box<dyn Fn(&str, &[u8], u64, *mut c_void) -> i32 + Send + Sync>,
    ) -> Result<(), FlowFailure> {
        let handle: Arc<Handle> = Arc::new(handle);
        self.take(handler, Arc::new(C), module(move || Called(handle.clone())))
    }
}

/// Emits an object into the handler's first pool.
#[upcall::export]
pub fn upcall_emit(emit: *mut c_void, key: &[u8], value: &[u8]) -> Result<(), FlowFailure> {
    let call = Call::of(emit)?;
    call.emit().put(key, value);
    Ok(())
}

/// Emits an object into a pool that the handler names in its `to`. Another one fails the object.
#[upcall::export]
pub fn upcall_emit_to(emit: *mut c_void, pool: &str, key: &[u8], value: &[u8]) -> Result<(), FlowFailure> {
    let call = Call::of(emit)?;
    call.emit().put_to(pool, key, value);
    Ok(())
}

/// Says why the object fails, for its dead letter: text that may quote whatever the object holds, as what is not UTF-8 in it
/// is replaced. What it returns, a handler may return.
#[upcall::export]
pub fn upcall_fail(emit: *mut c_void, message: &[u8]) -> Result<i32, FlowFailure> {
    // Not `&str`: a text that is refused would make this return 0, by which a handler says that all is well.
    Call::of(emit)?.why = Some(String::from_utf8_lossy(message).into_owned());
    Ok(1)
}

/// What a handler is called with, behind the address that it is given.
struct Call {
    /// Of the call's own length, which an address does not say.
    emit: *mut Emit<'static>,
    why: Option<String>,
}

impl Call {
    /// The call behind the address.
    fn of<'a>(address: *mut c_void) -> Result<&'a mut Call, FlowFailure> {
        // SAFETY: the caller's duty: it is the address that the handler was called with, on the thread of that call, before its
        // end, and nobody else has a reference to it then.
        let call = unsafe { address.cast::<Call>().as_mut() };
        call.ok_or_else(|| {
            FlowFailure::new(UPCALL_INVALID, "emit: null is no place for it; pass what the handler was given")
        })
    }

    fn emit(&mut self) -> &mut Emit<'static> {
        // SAFETY: the emitter lives until the handler returns, and the handler's own reference rests meanwhile.
        unsafe { &mut *self.emit }
    }
}

/// The host of functions behind the C ABI: as of Rust's own, under the name of who gives them.
struct C;

impl Host for C {
    fn guest(&self) -> &'static str {
        "c"
    }

    fn capabilities(&self) -> Capabilities {
        InProcess.capabilities()
    }

    fn worker(&self, body: &mut dyn FnMut()) {
        InProcess.worker(body);
    }

    fn load(&self, handler: &HandlerSpec) -> Result<Box<dyn Module>, Error> {
        InProcess.load(handler)
    }
}

struct Called(Arc<Handle>);

impl Handler for Called {
    fn on_object(&mut self, object: Object<'_>, emit: &mut Emit<'_>) -> Result<(), Failure> {
        let mut call = Call { emit: (&raw mut *emit).cast(), why: None };
        let answer = (self.0)(object.key_str(), object.value(), object.version(), (&raw mut call).cast());
        match (answer, call.why) {
            (0, _) => Ok(()),
            (_, Some(why)) => Err(Failure::new(why)),
            (answer, None) => Err(Failure::new(format!("the handler returned {answer}"))),
        }
    }
}
