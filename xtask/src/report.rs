//! The steps of a long command: each is named and timed, the first failure ends it, a table closes it.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Result, anyhow};

use crate::command;

/// How many tests passed and failed.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Counts {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed.
    pub failed: u64,
}

/// What became of a step that did not fail to run.
pub enum Outcome {
    /// A check that has no tests to count, or does not apply.
    Done,
    /// Tests were run.
    Tests(Counts),
    /// Something is not as it should be, but not wrong; the text says what.
    Warned(String),
    /// It could not run on this machine; the text says why and what would change that.
    Skipped(String),
}

struct Step {
    name: &'static str,
    took: Duration,
    result: String,
    counts: Counts,
}

impl Step {
    /// Runs it, and says what it has come to; an error, or a test that failed, is an error here too.
    fn run(name: &'static str, run: impl FnOnce() -> Result<Outcome>) -> (Step, Result<()>) {
        eprintln!("\n== {name}");
        let started = Instant::now();
        let outcome = run();
        let took = started.elapsed();
        let (result, counts, failure) = match outcome {
            Ok(Outcome::Done) => ("ok".to_owned(), Counts::default(), None),
            Ok(Outcome::Tests(counts)) if counts.failed == 0 => {
                (format!("ok, {} passed", counts.passed), counts, None)
            }
            Ok(Outcome::Tests(counts)) => {
                let said = format!("{} of {}", counts.failed, counts.passed + counts.failed);
                (format!("FAILED, {said}"), counts, Some(anyhow!("tests failed: {said}")))
            }
            Ok(Outcome::Warned(what)) => (format!("ok, but {what}"), Counts::default(), None),
            Ok(Outcome::Skipped(why)) => {
                eprintln!("!! SKIPPED: {why}");
                (format!("SKIPPED: {why}"), Counts::default(), None)
            }
            // A check without tests still counts, so that the total cannot read as a success.
            Err(error) => ("FAILED".to_owned(), Counts { passed: 0, failed: 1 }, Some(error)),
        };
        eprintln!("== {name}: {result} ({:.1} s)", took.as_secs_f64());
        let ended = match failure {
            None => Ok(()),
            Some(error) => Err(anyhow!("step `{name}` failed: {error:#}")),
        };
        (Step { name, took, result, counts }, ended)
    }
}

/// The steps so far.
pub struct Report {
    started: Instant,
    steps: Vec<Step>,
}

impl Report {
    /// No steps yet; the time begins.
    pub fn new() -> Self {
        Self { started: Instant::now(), steps: Vec::new() }
    }

    /// Runs a step. An error, or a test that failed, is an error here too.
    pub fn step(&mut self, name: &'static str, run: impl FnOnce() -> Result<Outcome>) -> Result<()> {
        let (step, ended) = Step::run(name, run);
        self.steps.push(step);
        ended
    }

    /// Runs as many at a time as there are cores, and two at least, of which those `apart` are never two; what each prints begins
    /// with its name. After the first failure no other begins; what failed says its last lines again when all have ended.
    pub fn beside<F>(&mut self, apart: Vec<(&'static str, F)>, others: Vec<(&'static str, F)>) -> Result<()>
    where
        F: FnOnce() -> Result<Outcome> + Send,
    {
        let (apart, others) = (Mutex::new(VecDeque::from(apart)), Mutex::new(VecDeque::from(others)));
        let ended = Mutex::new(Vec::new());
        let work = |queues: &[&Mutex<VecDeque<(&'static str, F)>>]| {
            while let Some((name, run)) = queues.iter().find_map(|queue| locked(queue).pop_front()) {
                let mut last = String::new();
                let (step, result) = Step::run(name, || {
                    let ran;
                    (ran, last) = command::beside(name, run);
                    ran
                });
                if result.is_err() {
                    locked(&apart).clear();
                    locked(&others).clear();
                }
                locked(&ended).push((step, result, last));
            }
        };
        thread::scope(|scope| {
            for _ in 1..thread::available_parallelism().map_or(2, usize::from).max(2) {
                scope.spawn(|| work(&[&others]));
            }
            work(&[&apart, &others]);
        });
        let mut result = Ok(());
        for (step, ended, last) in ended.into_inner().unwrap_or_else(PoisonError::into_inner) {
            if !last.is_empty() {
                eprintln!("\n== {} failed, and its last lines were\n{last}", step.name);
            }
            self.steps.push(step);
            result = result.and(ended);
        }
        result
    }

    /// The sum over all steps.
    pub fn total(&self) -> Counts {
        self.steps.iter().fold(Counts::default(), |sum, step| Counts {
            passed: sum.passed + step.counts.passed,
            failed: sum.failed + step.counts.failed,
        })
    }

    /// One line per step, and the time from the first to now.
    pub fn table(&self) -> String {
        let width = self.steps.iter().map(|step| step.name.len()).max().unwrap_or(0).max(3);
        let line = |step: &Step| {
            format!("{:width$}  {:>7.1} s  {}\n", step.name, step.took.as_secs_f64(), step.result)
        };
        let lines: String = self.steps.iter().map(line).collect();
        format!("{lines}{:width$}  {:>7.1} s\n", "all", self.started.elapsed().as_secs_f64())
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    use anyhow::bail;

    #[test]
    fn a_failed_check_without_tests_counts_as_one_failure_and_names_its_step() {
        let mut report = Report::new();
        report.step("unit", || Ok(Outcome::Tests(Counts { passed: 7, failed: 0 }))).unwrap();
        let error = report.step("format", || bail!("a line is too long")).unwrap_err().to_string();
        assert_eq!(error, "step `format` failed: a line is too long");
        assert_eq!(report.total(), Counts { passed: 7, failed: 1 });
    }

    #[test]
    fn a_failed_test_fails_its_step() {
        let mut report = Report::new();
        assert!(report.step("unit", || Ok(Outcome::Tests(Counts { passed: 7, failed: 2 }))).is_err());
        assert_eq!(report.total(), Counts { passed: 7, failed: 2 });
        assert!(report.table().contains("FAILED, 2 of 9"));
    }

    #[test]
    fn a_skipped_step_says_why_in_the_table() {
        let mut report = Report::new();
        report.step("sanitizer", || Ok(Outcome::Skipped("no nightly".to_owned()))).unwrap();
        assert!(report.table().contains("SKIPPED: no nightly"));
    }

    #[test]
    fn what_fails_beside_others_repeats_its_last_lines() {
        let (_, last) = command::beside("one", || {
            command::tee(Command::new("sh").args(["-c", "seq 100; exit 3"])).unwrap();
            command::tee(Command::new("sh").args(["-c", "echo well"])).unwrap()
        });
        assert!(last.starts_with("61\n") && last.ends_with("\n100\n"), "{last}");
    }

    #[test]
    fn after_a_failure_beside_others_no_other_begins() {
        let mut report = Report::new();
        let one = || Ok(Outcome::Tests(Counts { passed: 1, failed: 0 }));
        report.beside(vec![("a", one)], vec![("b", one), ("c", one)]).unwrap();
        assert_eq!(report.total(), Counts { passed: 3, failed: 0 });
        let fails = || -> Result<Outcome> { bail!("not well") };
        let error = report.beside(vec![("one", fails)], vec![("two", fails), ("three", fails)]).unwrap_err();
        assert!(error.to_string().ends_with("failed: not well"), "{error}");
        assert!((1..=3).contains(&report.total().failed));
    }
}
