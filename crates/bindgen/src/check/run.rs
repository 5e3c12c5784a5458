//! The whole check of a run's output.

use super::Echo;
use super::room::{Room, counted};
use super::tools;
use crate::config::Config;
use crate::generate::Generated;
use crate::step::{Outcome, Step, Stop};
use std::path::Path;
use std::time::Instant;

/// Compiles the output of every language that `config` chooses with that language's compilers, and passes
/// every type of this machine's target through the echo library. Works in its own folder below `folder`
/// ([`super::folder()`] is the user's), and reports each step as it is done. Returns whether all succeeded.
pub fn run(
    config: &Config,
    generated: &Generated,
    folder: &Path,
    stop: &Stop,
    report: &mut dyn FnMut(Step),
) -> bool {
    run_with(None, config, generated, folder, stop, report)
}

/// The same with an echo library for other types than the output's own, to show that a check can fail.
pub fn run_with(
    echo: Option<&Echo>,
    config: &Config,
    generated: &Generated,
    folder: &Path,
    stop: &Stop,
    report: &mut dyn FnMut(Step),
) -> bool {
    let mut passed = true;
    let mut start = Instant::now();
    let mut tell = |language, outcome: Result<Outcome, String>| {
        let outcome = outcome.unwrap_or_else(Outcome::Failed);
        passed &= !matches!(outcome, Outcome::Failed(_));
        if !stop.stopped() {
            report(Step { language, outcome, took: start.elapsed() });
        }
        start = Instant::now();
    };
    let host = match tools::host(stop) {
        Ok(host) => host,
        Err(said) => {
            tell("check", Err(said));
            return false;
        }
    };
    let targets = || generated.apis.iter().map(|api| api.target.triple.as_str());
    // Packers are the same for all targets.
    let fits = |api: &&crate::model::Api| api.only_packs() || api.target.triple == host;
    let Some(api) = generated.apis.iter().find(fits) else {
        let targets: Vec<&str> = targets().collect();
        let why = format!("it was made for {}, and this machine is {host}", targets.join(", "));
        tell("check", Ok(Outcome::Skipped(why)));
        return passed;
    };
    for other in targets().filter(|target| *target != host && !api.only_packs()) {
        tell(
            "check",
            Ok(Outcome::Skipped(format!(
                "what was made for {other}: this machine is {host}, which is checked"
            ))),
        );
    }
    let own;
    let echo = match echo {
        Some(echo) => echo,
        None => {
            own = Echo::new(api);
            &own
        }
    };
    let room = match Room::new(api, generated, folder, echo, stop) {
        Ok(room) => room,
        Err(said) => {
            tell("check", Err(said));
            return false;
        }
    };
    let library = match api.only_packs() || !config.calls() {
        true => Ok(None),
        false => room.place("echo", &echo.files).and_then(|made| room.cargo(&made, "upcall_echo")).map(Some),
    };
    match library {
        Ok(library) => {
            if library.is_some() {
                let knows = format!("compiled, it knows {}", counted(echo.probes.len()));
                tell("echo library", Ok(Outcome::Passed(knows)));
            }
            for (_, backend) in config.outputs() {
                if api.only_packs() && backend.no_packers().is_some() {
                    continue;
                }
                tell(backend.language(), backend.compile(&room));
                if let Some(echo) = library.as_deref().and_then(|library| backend.echo(&room, library)) {
                    tell(backend.language(), echo);
                }
            }
        }
        Err(said) => tell("echo library", Err(said)),
    }
    passed && !stop.stopped()
}
