//! The runtimes that a flow needs, started once.

use crate::arguments::Guests;
use crate::last_word;
use std::sync::Arc;
use upcall_flow::{Error, FlowBuilder, FlowSpec};
use upcall_host::Host;
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::native::Native;
use upcall_host::python::{Python, PythonOptions};

impl Guests {
    pub(crate) fn clr_options(&self) -> ClrOptions {
        ClrOptions::default()
    }

    pub(crate) fn python_options(&self) -> PythonOptions {
        PythonOptions { interpreter: self.python.clone(), ..PythonOptions::default() }
    }

    /// A builder with a host for each guest that the flow names, and no other runtime started. CoreCLR comes
    /// last: it keeps to itself what it finds of others.
    pub(crate) fn builder(&self, spec: FlowSpec) -> Result<FlowBuilder, upcall_host::Error> {
        let mut guests: Vec<String> = Vec::new();
        guests.extend(spec.handlers.iter().filter_map(|on| Some(on.code.as_ref()?.guest.clone())));
        let needs = |guest: &str| guests.iter().any(|needed| needed == guest);
        let mut builder = FlowBuilder::from_spec(spec);
        let mut hosts: Vec<Arc<dyn Host>> = vec![Arc::new(Native)];
        if needs("python") {
            hosts.push(Arc::new(Python::start(&self.python_options())?));
        }
        if needs("csharp") {
            let clr = Clr::start(&self.clr_options())?;
            clr.on_unhandled(last_word::unhandled);
            hosts.push(Arc::new(clr));
        }
        for host in hosts {
            builder = builder.host(host);
        }
        Ok(builder)
    }

    /// Starts a flow and the guests that it needs.
    pub(crate) fn start(&self, spec: FlowSpec) -> anyhow::Result<upcall_flow::Flow> {
        let started: Result<_, Error> = self.builder(spec)?.start();
        Ok(started?)
    }
}
