//! Handlers of guests as operations of a reduction, called from Rust.

use super::turns::{Failed, Way};
use crate::book;
use std::cell::RefCell;
use std::env;
use std::sync::Arc;
use upcall_host::clr::{Clr, ClrOptions};
use upcall_host::python::{Python, PythonOptions};
use upcall_host::{HandlerSpec, Host};
use upcall_mpi::{Communicator, Handler, Operation};

/// Handlers that add doubles: in C#, by vectors, and in Python, by numpy.
pub struct Guests {
    hosts: [Arc<dyn Host>; 2],
    adding: Vec<(&'static str, Operation<f64>)>,
}

impl Guests {
    /// Starts both runtimes in this rank. The thread that does calls the reductions.
    ///
    /// # Errors
    /// A runtime or a handler is not there.
    pub fn start() -> Result<Guests, Failed> {
        let home = Some(book::root().to_path_buf());
        let folder = book::root().join("bench/mpi");
        let python = Python::start(&PythonOptions { interpreter: None, home: home.clone() })?;
        let clr = Clr::start(&ClrOptions { home, ..ClrOptions::default() })?;
        let assembly = env::var_os("UPCALL_BENCH_MPI_CSHARP").ok_or("UPCALL_BENCH_MPI_CSHARP is not set")?;
        let in_csharp = HandlerSpec::new("sums", "csharp", assembly, "Sums");
        let in_python = HandlerSpec::new("sums", "python", folder.join("sums.py"), "Sums");
        let hosts: [Arc<dyn Host>; 2] = [Arc::new(clr), Arc::new(python)];
        let made = |host: &Arc<dyn Host>, spec| Handler::new(Arc::clone(host), spec).operation::<f64>();
        let adding = vec![
            ("handler in C#", made(&hosts[0], in_csharp)?),
            ("handler in Python", made(&hosts[1], in_python)?),
        ];
        Ok(Guests { hosts, adding })
    }

    /// Runs within the workers of both hosts, so that the thread is not attached anew for each call.
    pub fn within<T>(&self, body: impl FnOnce() -> T) -> Option<T> {
        let (mut body, mut outcome) = (Some(body), None);
        let [clr, python] = &self.hosts;
        clr.worker(&mut || python.worker(&mut || outcome = body.take().map(|body| body())));
        outcome
    }

    /// A way for each: the second half of the data takes what the first of both ranks adds up to.
    pub fn ways<'a>(
        &'a self,
        world: &'a Communicator,
        data: &'a RefCell<Vec<f64>>,
    ) -> impl Iterator<Item = Way<'a>> {
        self.adding.iter().map(move |(how, add)| {
            Way::new("Upcall", how, move |times| {
                let mut data = data.borrow_mut();
                let count = data.len() / 2;
                let (from, into) = data.split_at_mut(count);
                (0..times).try_for_each(|_| world.all_reduce_into(from, into, add)).map_err(Failed::from)
            })
        })
    }
}
