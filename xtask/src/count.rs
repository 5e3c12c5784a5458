//! Reading how many tests passed and failed from what a test runner printed.

use crate::report::Counts;

/// Sums `N passed` and `N failed` over the closing lines that `is_closing` picks.
fn sum(said: &str, is_closing: impl Fn(&str) -> bool) -> Option<Counts> {
    let mut closing = said.lines().filter(|line| is_closing(line)).peekable();
    closing.peek()?;
    Some(closing.fold(Counts::default(), |sum, line| Counts {
        passed: sum.passed + number_before(line, "passed"),
        failed: sum.failed
            + number_before(line, "failed")
            + number_before(line, "error")
            + number_before(line, "errors")
            + number_before(line, "timed"),
    }))
}

/// nextest: `Summary [ 0.05s] 12 tests run: 11 passed (1 slow), 1 failed, 0 skipped`.
pub fn nextest(said: &str) -> Option<Counts> {
    sum(said, |line| line.trim_start().starts_with("Summary ["))
}

/// `cargo test`: one `test result: ok. 5 passed; 0 failed; ...` per program.
pub fn libtest(said: &str) -> Option<Counts> {
    sum(said, |line| line.starts_with("test result: "))
}

/// pytest -q: `1 failed, 3 passed in 0.12s`, the last such line.
pub fn pytest(said: &str) -> Option<Counts> {
    let closing = said.lines().rev().find(|line| {
        let words = [" passed", " failed", " error"];
        line.contains(" in ") && words.iter().any(|word| line.contains(word))
    })?;
    sum(closing, |_| true)
}

/// The C# tests: `3 passed, 0 failed`, the last line.
pub fn console(said: &str) -> Option<Counts> {
    let closing = said.lines().rev().find(|line| line.contains(" passed, ") && line.ends_with(" failed"))?;
    sum(closing, |_| true)
}

/// `node --test`: `# pass 3` and `# fail 0`, or with `ℹ` on a terminal; one number per line.
pub fn node(said: &str) -> Option<Counts> {
    let number = |word: &str| {
        let line = said.lines().rev().find_map(|line| line.split_once(&format!(" {word} ")))?;
        line.1.trim().parse().ok()
    };
    Some(Counts { passed: number("pass")?, failed: number("fail")? })
}

fn number_before(line: &str, word: &str) -> u64 {
    let mut words = line.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).rev();
    while let Some(found) = words.next() {
        if found == word {
            return words.next().and_then(|number| number.parse().ok()).unwrap_or(0);
        }
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn counts(passed: u64, failed: u64) -> Option<Counts> {
        Some(Counts { passed, failed })
    }

    #[test]
    fn the_summary_of_nextest_is_read() {
        let said = "   PASS [   0.005s] a failed_thing\n     Summary [   0.045s] 12 tests run: 12 passed, 3 skipped\n";
        assert_eq!(nextest(said), counts(12, 0));
        let said = "     Summary [   1.0s] 9 tests run: 6 passed (1 slow), 2 failed, 1 timed out, 0 skipped";
        assert_eq!(nextest(said), counts(6, 3));
    }

    #[test]
    fn the_programs_of_cargo_test_are_summed() {
        let said = "test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured\nx\n\
                    test result: FAILED. 2 passed; 1 failed; 0 ignored";
        assert_eq!(libtest(said), counts(7, 1));
    }

    #[test]
    fn the_last_line_of_pytest_is_read_in_any_order() {
        assert_eq!(pytest("....\n3 passed in 0.12s\n"), counts(3, 0));
        assert_eq!(pytest("1 failed, 3 passed, 1 error in 0.12s"), counts(3, 2));
    }

    #[test]
    fn the_close_of_the_console_program_is_read() {
        assert_eq!(console("ok a\n10 passed, 2 failed\n"), counts(10, 2));
    }

    #[test]
    fn the_close_of_node_is_read() {
        assert_eq!(node("ok 1 - a\n# tests 3\n# pass 2\n# fail 1\n# duration_ms 9\n"), counts(2, 1));
        assert_eq!(node("\u{2139} tests 3\n\u{2139} pass 3\n\u{2139} fail 0\n"), counts(3, 0));
    }

    #[test]
    fn a_runner_that_did_not_close_has_no_counts() {
        assert_eq!(nextest("error: could not compile"), None);
        assert_eq!(libtest("Segmentation fault"), None);
        assert_eq!(pytest("Traceback"), None);
        assert_eq!(console("ok a\n"), None);
        assert_eq!(node("ok 1 - a\n"), None);
    }
}
