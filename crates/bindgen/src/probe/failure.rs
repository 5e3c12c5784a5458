use super::ask::Ask;
use crate::Diagnostics;
use crate::model::{Api, Place};

/// Why nothing was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Failure {
    pub message: String,
    pub help: String,
    pub place: Option<Box<Place>>,
    /// The one thing that could not be measured, if there is one.
    pub ask: Option<Ask>,
}

impl Failure {
    pub fn new(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure { message: message.into(), help: help.into(), place: None, ask: None }
    }

    pub fn report(self, api: &Api, diagnostics: &mut Diagnostics) {
        match self.ask {
            Some(ask) => {
                let (name, place) = ask.about(api);
                diagnostics.error(
                    place.as_ref(),
                    format!("{name} cannot be measured: {}", self.message),
                    self.help,
                );
            }
            None => diagnostics.error(self.place.as_deref(), self.message, self.help),
        }
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Failure {
        Failure::new(format!("the probe's files cannot be written: {error}"), "")
    }
}

impl From<Failure> for Vec<Failure> {
    fn from(failure: Failure) -> Vec<Failure> {
        vec![failure]
    }
}
