//! `upcall run`.

use crate::arguments::Run;
use crate::input::{self, Reading, Source};
use crate::progress::Progress;
use crate::{dump, log, report, signals};
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::{Duration, Instant};
use upcall_flow::{Config, Flow};

/// How often progress is shown, and a failure seen that no input notices.
const TICK: Duration = Duration::from_millis(100);

enum Event {
    Ended(anyhow::Result<()>),
    Signal(i32),
}

pub(crate) fn run(run: Run) -> anyhow::Result<u8> {
    log::start(run.log.as_deref())?;
    let Config { flow: mut spec, input, .. } = Config::read(&run.flow)?;
    if let Some(workers) = run.workers {
        spec.workers = Some(workers.into());
    }
    let sources = input::sources(&spec, input, &run.input)?;
    let dumps = dump::plan(&spec, &run.dump, run.form)?;

    let flow = run.guests.start(spec)?;
    let (tell, events) = mpsc::channel();
    let told = tell.clone();
    signals::listen(move |signal| drop(told.send(Event::Signal(signal))))?;
    let ended = read(sources, &flow, tell, &events).and_then(|signal| {
        flow.drain()?;
        dumps.iter().try_for_each(|dump| dump.write(&flow))?;
        Ok(signal)
    });
    report::warn_of_dead(&flow);
    // Closing the handlers prints what they still hold back.
    let report = flow.report();
    let stopped = flow.stop();
    report::write(&report, run.report)?;
    // A signal may have come while the flow was ending anyway.
    let late = events.try_iter().find_map(|event| match event {
        Event::Signal(signal) => Some(signal),
        Event::Ended(_) => None,
    });
    let signal = ended?.or(late);
    stopped?;
    Ok(signal.map_or(0, signals::exit_code))
}

/// Reads the input to its end, or until the first signal, which is returned.
fn read(
    sources: Vec<Source>,
    flow: &Flow,
    tell: Sender<Event>,
    events: &Receiver<Event>,
) -> anyhow::Result<Option<i32>> {
    let progress = Progress::new(input::total(&sources));
    let reading = Reading::start(sources, flow, move |outcome| drop(tell.send(Event::Ended(outcome))))?;
    let started = Instant::now();
    let mut left = reading.count();
    let mut outcome = Ok(None);
    while left > 0 {
        match events.recv_timeout(TICK) {
            Ok(Event::Ended(Ok(()))) => left -= 1,
            Ok(Event::Ended(Err(error))) => {
                outcome = Err(error);
                break;
            }
            Ok(Event::Signal(signal)) => {
                outcome = Ok(Some(signal));
                break;
            }
            Err(_) => {}
        }
        if flow.failure().is_some() {
            break;
        }
        let (bytes, lines) = reading.progress();
        progress.at(bytes, lines, started.elapsed());
    }
    reading.close();
    progress.end();
    // A put that failed because the flow did says less than the flow.
    flow.failure().map_or(outcome, |error| Err(error.into()))
}
