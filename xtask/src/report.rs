//! The steps of a long command: each is named and timed, the first failure ends it, a table closes it.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};

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

/// The steps so far.
#[derive(Default)]
pub struct Report {
    steps: Vec<Step>,
}

impl Report {
    /// Runs a step. An error, or a test that failed, is an error here too.
    pub fn step(&mut self, name: &'static str, run: impl FnOnce() -> Result<Outcome>) -> Result<()> {
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
        self.steps.push(Step { name, took, result, counts });
        match failure {
            None => Ok(()),
            Some(error) => bail!("step `{name}` failed: {error:#}"),
        }
    }

    /// The sum over all steps.
    pub fn total(&self) -> Counts {
        self.steps.iter().fold(Counts::default(), |sum, step| Counts {
            passed: sum.passed + step.counts.passed,
            failed: sum.failed + step.counts.failed,
        })
    }

    /// One line per step, and the sum of their times.
    pub fn table(&self) -> String {
        let width = self.steps.iter().map(|step| step.name.len()).max().unwrap_or(0).max(3);
        let line = |step: &Step| {
            format!("{:width$}  {:>7.1} s  {}\n", step.name, step.took.as_secs_f64(), step.result)
        };
        let sum: Duration = self.steps.iter().map(|step| step.took).sum();
        let lines: String = self.steps.iter().map(line).collect();
        format!("{lines}{:width$}  {:>7.1} s\n", "all", sum.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_check_without_tests_counts_as_one_failure_and_names_its_step() {
        let mut report = Report::default();
        report.step("unit", || Ok(Outcome::Tests(Counts { passed: 7, failed: 0 }))).unwrap();
        let error = report.step("format", || bail!("a line is too long")).unwrap_err().to_string();
        assert_eq!(error, "step `format` failed: a line is too long");
        assert_eq!(report.total(), Counts { passed: 7, failed: 1 });
    }

    #[test]
    fn a_failed_test_fails_its_step() {
        let mut report = Report::default();
        assert!(report.step("unit", || Ok(Outcome::Tests(Counts { passed: 7, failed: 2 }))).is_err());
        assert_eq!(report.total(), Counts { passed: 7, failed: 2 });
        assert!(report.table().contains("FAILED, 2 of 9"));
    }

    #[test]
    fn a_skipped_step_says_why_in_the_table() {
        let mut report = Report::default();
        report.step("sanitizer", || Ok(Outcome::Skipped("no nightly".to_owned()))).unwrap();
        assert!(report.table().contains("SKIPPED: no nightly"));
    }
}
