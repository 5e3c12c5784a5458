//! The runtimes that a flow needs, started once.

use crate::arguments::Guests;
use crate::last_word;
use std::process::Command;
use upcall_flow::{Error, FlowBuilder, FlowSpec};
use upcall_host::clr::ClrOptions;
use upcall_host::guests::{self, Options};
use upcall_host::python::PythonOptions;

impl Guests {
    pub(crate) fn clr_options(&self) -> ClrOptions {
        ClrOptions::default()
    }

    pub(crate) fn python_options(&self) -> PythonOptions {
        PythonOptions { interpreter: self.python.clone(), ..PythonOptions::default() }
    }

    /// Where the runtimes are.
    pub(crate) fn options(&self) -> Options {
        Options { clr: self.clr_options(), python: self.python_options(), on_unhandled: None }
    }

    /// Gives another process of this program the same.
    pub(crate) fn pass_on(&self, command: &mut Command) {
        if let Some(python) = &self.python {
            command.arg("--python").arg(python);
        }
    }

    /// A builder with a host for each guest that the flow names, and no other runtime started.
    pub(crate) fn builder(&self, spec: FlowSpec) -> Result<FlowBuilder, upcall_host::Error> {
        let needed: Vec<&str> =
            spec.handlers.iter().filter_map(|on| Some(on.code.as_ref()?.guest.as_str())).collect();
        let options = Options { on_unhandled: Some(last_word::unhandled), ..self.options() };
        let hosts = guests::start(&needed, &options)?;
        Ok(hosts.into_iter().fold(FlowBuilder::from_spec(spec), FlowBuilder::host))
    }

    /// Starts a flow and the guests that it needs.
    pub(crate) fn start(&self, spec: FlowSpec) -> anyhow::Result<upcall_flow::Flow> {
        let started: Result<_, Error> = self.builder(spec)?.start();
        Ok(started?)
    }
}
