//! `upcall run`.

use crate::arguments::Run;
use crate::exit::Failures;
use crate::input::{self, Reading, Rules, Source};
use crate::progress::Progress;
use crate::results::Results;
use crate::{closed, dump, exit, last_word, log, output, project, report, signals};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::time::Duration;
use upcall_config::Config;
use upcall_flow::{Error, Flow};

/// How often progress is shown, and a failure seen that no input notices.
const TICK: Duration = Duration::from_millis(100);

enum Event {
    /// An input has ended.
    Ended(anyhow::Result<()>),
    /// All that was put is handled, and every handler flushed.
    Drained(Result<(), Error>),
    Signal(i32),
}

pub(crate) fn run(run: Run) -> anyhow::Result<u8> {
    log::start(run.log.as_deref())?;
    let Config { flow: mut spec, input, max_line, stop_on_error, java, .. } = {
        let other = |pool: &str| run.input.iter().any(|input| input.pool == pool);
        Config::read_with_input(project::flow(&run.flow), other)?
    };
    if let Some(workers) = run.workers {
        spec.workers = Some(workers.into());
    }
    let sources = input::sources(&spec, input, &run.input)?;
    project::ready(&run.flow, &spec);
    let results = Arc::new(Results::new(dump::plan(&spec, &run.dump, run.form)?, run.report));

    let armed = last_word::arm(&results);
    let flow = Arc::new(run.guests.with_java(java).start(spec)?);
    armed.flow(&flow);
    let (tell, events) = mpsc::channel();
    let told = tell.clone();
    signals::listen(move |signal| drop(told.send(Event::Signal(signal))))?;
    closed::listen()?;
    let mut running = Running {
        flow: &flow,
        events,
        progress: Progress::new(input::total(&sources)),
        unread: results.promise_a_file(),
        signal: None,
    };
    let mut failures = Failures::default();
    // A failure does not keep what was handled from being dumped.
    failures.note(running.read(sources, Rules { max_line, stop_on_error }, tell.clone()));
    failures.note(running.drain(tell));
    running.progress.end();
    log::rest(true);
    results.dump(&flow, &mut failures);
    let Running { events, signal, .. } = running;
    // A failure that has stopped the flow is told already.
    let told = flow.failure().is_some();
    // Whoever else holds it ends the process.
    let stopped = Arc::into_inner(flow).map_or(Ok(()), Flow::stop);
    if !told {
        failures.note(stopped.map_err(Into::into));
    }
    results.report(&mut failures);
    if closed::output() {
        failures.note::<()>(Err(exit::closed()));
    }
    // A signal may have come while the flow was ending anyway.
    let late = events.try_iter().find_map(|event| match event {
        Event::Signal(signal) => Some(signal),
        _ => None,
    });
    Ok(failures.code(signal.or(late).map(signals::exit_code)))
}

/// A flow from its first line to its last flush.
struct Running<'f> {
    flow: &'f Flow,
    events: Receiver<Event>,
    progress: Progress,
    /// Whether the input is read to its end even when nobody reads the output any more.
    unread: bool,
    /// The first signal that came.
    signal: Option<i32>,
}

impl Running<'_> {
    /// Reads the input to its end, or until the first signal or failure. What is read is not yet handled then.
    fn read(&mut self, sources: Vec<Source>, rules: Rules, tell: Sender<Event>) -> anyhow::Result<()> {
        let reading =
            Reading::start(sources, rules, self.flow, move |outcome| drop(tell.send(Event::Ended(outcome))))?;
        let mut left = reading.count();
        let mut outcome = Ok(());
        while left > 0 && outcome.is_ok() && self.goes_on() {
            match self.events.recv_timeout(TICK) {
                Ok(Event::Ended(ended)) => {
                    left -= 1;
                    outcome = ended;
                }
                Ok(Event::Signal(signal)) => self.stopped_by(signal),
                Ok(Event::Drained(_)) | Err(_) => {}
            }
            let (bytes, lines) = reading.progress();
            self.progress.at(bytes, lines, "lines");
            log::rest(false);
        }
        reading.close();
        // A put that failed because the flow did says less than the flow, whose drain tells.
        if self.flow.failure().is_some() { Ok(()) } else { outcome }
    }

    fn goes_on(&self) -> bool {
        let wanted = self.unread || !closed::output();
        wanted && self.signal.is_none() && self.flow.failure().is_none()
    }

    /// Waits until all that was read is handled and every handler has been told that no more comes.
    fn drain(&mut self, tell: Sender<Event>) -> anyhow::Result<()> {
        let flow = self.flow;
        std::thread::scope(|scope| {
            std::thread::Builder::new()
                .name("drain".into())
                .spawn_scoped(scope, move || drop(tell.send(Event::Drained(flow.drain()))))?;
            loop {
                match self.events.recv_timeout(TICK) {
                    Ok(Event::Drained(drained)) => return Ok(drained?),
                    Ok(Event::Signal(signal)) => self.stopped_by(signal),
                    Ok(Event::Ended(_)) | Err(_) => {}
                }
                self.progress.left(flow.in_flight());
                log::rest(false);
            }
        })
    }

    /// Says that a signal was heard, and what is still done.
    fn stopped_by(&mut self, signal: i32) {
        self.signal.get_or_insert(signal);
        self.flow.hurry();
        self.progress.stopping();
        let left = report::items(self.flow.in_flight());
        output::error(format!("stopping: {left} left; a second Ctrl-C ends the command at once"));
    }
}
