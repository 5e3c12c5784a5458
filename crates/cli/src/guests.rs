//! The runtimes that a flow needs, started once.

use crate::arguments::{Guest, Guests};
use crate::{last_word, signals};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use upcall_apart::{Processes, Program};
use upcall_flow::{Error, FlowBuilder, FlowSpec};
use upcall_host::clr::ClrOptions;
use upcall_host::guests::{self, GUESTS, KnownGuest, Options};
use upcall_host::python::PythonOptions;
use upcall_host::{ErrorKind, JavaOptions};
use upcall_measure as measure;

impl Guests {
    pub(crate) fn clr_options(&self) -> ClrOptions {
        ClrOptions::default()
    }

    pub(crate) fn python_options(&self) -> PythonOptions {
        PythonOptions { interpreter: self.python.clone(), ..PythonOptions::default() }
    }

    pub(crate) fn java_options(&self) -> JavaOptions {
        JavaOptions {
            java_home: self.java.clone(),
            class_path: self.java_class_path.clone(),
            module_path: self.java_module_path.clone(),
            options: self.java_option.clone(),
            home: None,
        }
    }

    /// With what a flow's file says of Java, where the command line does not say anything else.
    pub(crate) fn with_java(mut self, said: JavaOptions) -> Guests {
        let JavaOptions { java_home, class_path, module_path, options, home: _ } = said;
        self.java = self.java.or(java_home);
        (self.java_class_path, self.java_module_path, self.java_option) = (class_path, module_path, options);
        self
    }

    /// Where the runtimes are.
    pub(crate) fn options(&self) -> Options {
        Options {
            clr: self.clr_options(),
            java: self.java_options(),
            python: self.python_options(),
            ..Options::default()
        }
    }

    /// What gives another process of this program the same.
    fn arguments(&self) -> Vec<OsString> {
        let python = self.python.iter().map(|path| {
            let mut argument = OsString::from("--python=");
            argument.push(path);
            argument
        });
        python.chain(self.java_options().arguments()).collect()
    }

    /// The same for guests of which these are `needed`, with a host for those that run in processes of their own.
    pub(crate) fn options_for(&self, needed: &[&str]) -> Result<Options, upcall_host::Error> {
        let apart = needed.iter().any(|name| KnownGuest::named(name).is_some_and(|guest| guest.apart));
        let processes = if apart { Some(self.processes(needed)?) } else { None };
        let processes = processes.map(|processes| Arc::new(processes) as Arc<dyn upcall_host::Host>);
        Ok(Options { processes: guests::Processes(processes), ..self.options() })
    }

    /// The host of handlers in processes of their own, for these guests.
    pub(crate) fn processes(&self, needed: &[&str]) -> Result<Processes, upcall_host::Error> {
        Processes::of(self.program()?, needed, &self.options())
    }

    /// Gives another process of this program the same.
    pub(crate) fn pass_on(&self, command: &mut Command) {
        command.args(self.arguments());
    }

    /// A builder with a host for each guest that the flow names, and no other runtime started.
    pub(crate) fn builder(&self, spec: FlowSpec) -> Result<FlowBuilder, upcall_host::Error> {
        let code = || spec.handlers.iter().filter_map(|on| on.code.as_ref());
        let beside = code().filter(|code| code.isolation.is_none());
        let needed: Vec<&str> = beside.map(|code| code.guest.as_str()).collect();
        let options = Options { on_unhandled: Some(last_word::unhandled), ..self.options() };
        let mut hosts = guests::start(&needed, &options)?;
        // Opening the handlers may take a while.
        signals::restore();
        let apart: Vec<&str> =
            code().filter(|code| code.isolation.is_some()).map(|code| code.guest.as_str()).collect();
        if !apart.is_empty() {
            hosts.push(Arc::new(self.processes(&apart)?));
        }
        Ok(hosts.into_iter().fold(FlowBuilder::from_spec(spec), FlowBuilder::host))
    }

    /// What the processes of isolated handlers run: this program, with the same runtimes.
    pub(crate) fn program(&self) -> Result<Program, upcall_host::Error> {
        let path = std::env::current_exe().map_err(|error| {
            let message =
                format!("start handlers in processes of their own: this program has no path: {error}");
            upcall_host::Error::new(ErrorKind::RuntimeMissing, message)
        })?;
        let program = Program::new(path).argument("guest");
        Ok(self.arguments().into_iter().fold(program, Program::argument))
    }

    /// Starts a flow and the guests that it needs.
    pub(crate) fn start(&self, spec: FlowSpec) -> anyhow::Result<upcall_flow::Flow> {
        let started: Result<_, Error> = self.builder(spec)?.start();
        Ok(started?)
    }
}

/// The guest that a file is for, by its extension. Without one it is a library, as in a flow's file, if there is such a one.
///
/// # Errors
/// Why none was found.
pub(crate) fn of_file(file: &Path) -> Result<(&'static KnownGuest, PathBuf), String> {
    found(file).ok_or_else(|| untold(file))
}

fn found(file: &Path) -> Option<(&'static KnownGuest, PathBuf)> {
    let Some(extension) = file.extension() else {
        let libraries = GUESTS.into_iter().filter(|guest| guest.file.library);
        let mut files = libraries.map(|guest| (guest, guest.file.named(file.to_owned())));
        return files.find(|(_, file)| file.is_file());
    };
    let extension = extension.to_str()?;
    let guest = GUESTS.into_iter().find(|guest| guest.file.extensions.contains(&extension))?;
    Some((guest, file.to_owned()))
}

/// Why no guest was found for a file.
fn untold(file: &Path) -> String {
    let kinds = GUESTS.iter().map(|guest| format!("{} (.{})", guest.file.kind, guest.file.extensions[0]));
    let kinds = kinds.collect::<Vec<_>>().join(", ");
    match GUESTS.into_iter().find(|guest| guest.file.library && file.extension().is_none()) {
        Some(guest) => {
            let (this_is, library) = (guest.file.this_is, guest.file.named(file.to_owned()));
            let library = library.display();
            format!(
                "as {this_is} it would be {library}, which is not there; build it, or name one of: {kinds}"
            )
        }
        None => format!("its name does not tell the language; name one of: {kinds}"),
    }
}

/// `upcall guest`: serves one handler, whose host has started this process.
pub(crate) fn serve(guest: Guest) -> anyhow::Result<u8> {
    let Guest { guests, handler } = guest;
    upcall_apart::guest::main(handler, |name| match KnownGuest::named(name) {
        Some(known) => known.start(&guests.options()),
        None if name == measure::Guest::Rust.name() => Ok(measure::rust()),
        None => {
            let message = format!("start {name}: there is no such guest");
            Err(upcall_host::Error::new(ErrorKind::RuntimeMissing, message))
        }
    })?;
    Ok(0)
}
