use super::failure::{FlowFailure, UPCALL_INVALID, UPCALL_NOT_NOW};
use super::log;
use super::running::UpcallFlow;
use super::task::{Outcome, UpcallTask};
use std::ffi::c_void;
use std::sync::Arc;
use upcall_apart::{Processes, Program};
use upcall_config::Config;
use upcall_flow::FlowBuilder;
use upcall_host::embedded::Embedded;
use upcall_host::guests::{self, KnownGuest, Options};
use upcall_host::{Host, Module, Threads};

/// Any thread may call it, several at once.
pub const UPCALL_THREADS_ANY: u32 = 0;
/// An instance for each worker, called on its thread only.
pub const UPCALL_THREADS_OWN: u32 = 1;
/// One worker calls all handlers of the guest.
pub const UPCALL_THREADS_ONE: u32 = 2;

/// The threads that one of these numbers stands for.
pub(crate) fn threads_of(number: u32) -> Option<Threads> {
    match number {
        UPCALL_THREADS_ANY => Some(Threads::Any),
        UPCALL_THREADS_OWN => Some(Threads::Own),
        UPCALL_THREADS_ONE => Some(Threads::One),
        _ => None,
    }
}

/// A flow that is described and has not started.
pub struct UpcallFlowBuilder {
    config: Option<Config>,
    program: Option<Embedded>,
    given: Vec<Given>,
}

/// A handler's name, the host of its guest, and its code.
type Given = (String, Arc<dyn Host>, Box<dyn Module>);

impl UpcallFlowBuilder {
    /// Gives a handler. After the start it is released, and nobody would call it.
    pub(super) fn take(
        &mut self,
        handler: &str,
        host: Arc<dyn Host>,
        module: Box<dyn Module>,
    ) -> Result<(), FlowFailure> {
        self.before_start(&format!("give handler {handler}"))?;
        self.given.push((handler.to_owned(), host, module));
        Ok(())
    }

    fn before_start(&self, what: &str) -> Result<(), FlowFailure> {
        if self.config.is_some() {
            return Ok(());
        }
        let message = format!("{what}: the flow has been started; describe another");
        Err(FlowFailure::new(UPCALL_NOT_NOW, message))
    }
}

#[upcall::export]
impl UpcallFlowBuilder {
    /// Reads the text of a flow's file, in TOML. `path` is where it is, or would be: paths in it are relative to its folder, and
    /// messages name it. It is empty where there is no file: paths are relative to the current folder then. Handlers that name no
    /// code are given by the program.
    pub fn new(text: &str, path: &str) -> Result<Self, FlowFailure> {
        UpcallFlowBuilder::with_keys("", text, path)
    }

    /// As `new`, behind the flow's own keys (`workers = 2`), each on a line, which the program adds to those of its file: places
    /// that messages name are those of the file.
    pub fn with_keys(keys: &str, text: &str, path: &str) -> Result<Self, FlowFailure> {
        let config = Config::parse_with_keys(keys, text, path);
        let config = config.map_err(|error| FlowFailure::new(UPCALL_INVALID, error))?;
        Ok(UpcallFlowBuilder { config: Some(config), program: None, given: Vec::new() })
    }

    /// Says which guest the program itself is, as in `csharp`: its runtime runs the handlers that the flow's file names of this
    /// guest, and those that are given. `table` is its SDK's `GuestTable`, which stays for ever; `threads` is one of
    /// `UPCALL_THREADS_ANY`, `UPCALL_THREADS_OWN` and `UPCALL_THREADS_ONE`.
    pub fn program(&mut self, guest: &str, table: *const c_void, threads: u32) -> Result<(), FlowFailure> {
        self.before_start(&format!("take handlers of guest {guest}"))?;
        let Some(threads) = threads_of(threads) else {
            let message = format!("take handlers of guest {guest}: {threads} says nothing of their threads");
            return Err(FlowFailure::new(UPCALL_INVALID, message));
        };
        if table.is_null() {
            let message = format!("take handlers of guest {guest}: its table is null");
            return Err(FlowFailure::new(UPCALL_INVALID, message));
        }
        // SAFETY: the caller's duty, as of every address: it is the table of an SDK that runs in this process.
        self.program = Some(unsafe { Embedded::new(guest, table.cast(), threads)? });
        Ok(())
    }

    /// Gives the handler of this name, before the start: a module of the program's table, which the flow owns from now on, also
    /// where this fails, and releases by the table's `unload` on whatever thread. Where nobody has said yet which guest the
    /// program is (`program`), it fails and the module stays the caller's: there is no table to release it by.
    pub fn give(&mut self, handler: &str, module: *mut c_void) -> Result<(), FlowFailure> {
        let Some(program) = self.program else {
            let message = format!("give handler {handler}: say first which guest the program is");
            return Err(FlowFailure::new(UPCALL_NOT_NOW, message));
        };
        // SAFETY: the caller's duty: it is one of the table's, and nobody else's.
        let module = unsafe { program.module(module, handler) };
        self.take(handler, Arc::new(program), module)
    }

    /// Starts it: other guests that the flow's file names, and all handlers. Their constructors and OPEN run meanwhile, on the
    /// workers, so an event loop that they need must go on. Once.
    pub fn start(&mut self) -> Result<UpcallTask, FlowFailure> {
        let Some(config) = self.config.take() else {
            return Err(FlowFailure::new(
                UPCALL_NOT_NOW,
                "start a flow: it has been started; describe another",
            ));
        };
        log::start();
        let (program, given) = (self.program, std::mem::take(&mut self.given));
        let start = move || start(config, program, given);
        Ok(UpcallTask::on_its_own("upcall-start", start, Box::new(|| Ok(()))))
    }
}

fn start(config: Config, program: Option<Embedded>, given: Vec<Given>) -> Result<Outcome, FlowFailure> {
    // Java of handlers in another guest's program, and of isolated ones.
    let options = &Options { java: config.java, keeps_signals: true, ..Options::default() };
    let (mut spec, isolated) = (config.flow, config.isolated);
    let own = program.map(|program| program.guest());
    let (mut beside, mut apart) = (Vec::new(), Vec::new());
    for on in &mut spec.handlers {
        let Some(code) = &mut on.code else { continue };
        // A guest that is always in processes of its own is here where the program is that guest, unless the text asks for them.
        let here = Some(code.guest.as_str()) == own;
        let always = KnownGuest::named(&code.guest).is_some_and(|guest| guest.apart);
        if here && always && !isolated.contains(&on.name) {
            code.isolation = None;
        }
        match code.isolation {
            Some(_) => apart.push(code.guest.clone()),
            None if !here => beside.push(code.guest.clone()),
            None => {}
        }
    }
    let mut hosts = guests::start(&beside, options)?;
    if !apart.is_empty() {
        let apart: Vec<&str> = apart.iter().map(String::as_str).collect();
        let program = options.java.arguments().into_iter().fold(Program::upcall()?, Program::argument);
        hosts.push(Arc::new(Processes::of(program, &apart, options)?));
    }
    let mut builder = hosts.into_iter().fold(FlowBuilder::from_spec(spec), FlowBuilder::host);
    if let Some(program) = program {
        builder = builder.host(Arc::new(program));
    }
    let give = |builder: FlowBuilder, (name, host, module): Given| builder.give(&name, host, module);
    let flow = given.into_iter().fold(builder, give).start()?;
    Ok(Outcome::Started(UpcallFlow::new(flow)))
}
