//! Runs a handler of our own, to see whether a guest really works.

use crate::{Error, ErrorKind, HandlerSpec, Host};
use std::path::Path;

/// What is run, and how a user would mend what is found.
pub(crate) struct Probe {
    /// The guest, as a flow's file writes it.
    pub(crate) guest: &'static str,
    /// The handler's language, for messages.
    pub(crate) language: &'static str,
    /// What to do where it does not run.
    pub(crate) remedy: &'static str,
}

impl Probe {
    /// Runs the handler of this class, which emits what it is given, on this thread.
    pub(crate) fn echoes(&self, host: &dyn Host, file: &Path, class: &str) -> Result<(), Error> {
        let module = host.load(&HandlerSpec::new("probe", self.guest, file, class))?;
        let mut outcome = Ok(());
        host.worker(&mut || {
            outcome = module.instantiate().and_then(|instance| {
                let mut harness = upcall_handler::Harness::of(instance).emits(&["/out"]);
                harness.put(b"ping", b"pong").map_err(|failure| self.failed(&failure.message))?;
                match harness.emitted() {
                    [echo] if echo.key == b"ping" && echo.value == b"pong" => Ok(()),
                    other => Err(self.failed(&format!("it emitted {other:?} instead of what it was given"))),
                }
            });
        });
        outcome
    }

    /// As [`Probe::echoes`], of a handler `Echo` that is written into a file of this name first.
    #[cfg(any(feature = "node", feature = "python"))]
    pub(crate) fn written(&self, host: &dyn Host, name: &str, source: &str) -> Result<(), Error> {
        let written = tempfile::tempdir().and_then(|folder| {
            let file = folder.path().join(name);
            std::fs::write(&file, source)?;
            Ok((folder, file))
        });
        // Nobody else may enter the folder: what is written there is run.
        let (_folder, file) = written.map_err(|error| {
            let place = std::env::temp_dir();
            self.failed(&format!(
                "write it below {}: {error}; set TMPDIR to a writable folder",
                place.display()
            ))
        })?;
        self.echoes(host, &file, "Echo")
    }

    fn failed(&self, found: &str) -> Error {
        let Probe { language, remedy, .. } = self;
        Error::new(ErrorKind::RuntimeFailed, format!("run a {language} handler: {found}; {remedy}"))
    }
}
