//! What a flow has done, for people and for programs.

use crate::arguments::ReportForm;
use crate::{closed, output};
use anyhow::Context;
use serde::Serialize;
use upcall_flow::{DeadLetter, Flow, HandlerReport, Report};

/// Writes the report of a flow, on standard output.
pub(crate) fn write(report: &Report, form: ReportForm) -> anyhow::Result<()> {
    let text = match form {
        ReportForm::None => return Ok(()),
        ReportForm::Json => serde_json::to_string(&Told { report, cpu_seconds: cpu_seconds() })? + "\n",
        ReportForm::Text => text(report, cpu_seconds()),
    };
    output::all(text).context("report")
}

/// The report as JSON has it.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    report: &'a Report,
    cpu_seconds: f64,
}

/// Seconds that this process has computed, on all cores.
fn cpu_seconds() -> f64 {
    let mut used = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: a place for one `rusage`, which the call fills; all zeroes are one too.
    let used = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, used.as_mut_ptr());
        used.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(used.ru_utime) + seconds(used.ru_stime)
}

const HEAD: [&str; 12] = [
    "handler", "guest", "items", "items/s", "emitted", "batches", "mean", "half", "largest", "inside",
    "boundary", "buried",
];

fn text(report: &Report, cpu: f64) -> String {
    let mut rows = vec![HEAD.map(str::to_owned)];
    rows.extend(report.handlers.iter().map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEAD.len()).map(width).collect();
    let mut text = format!(
        "\nflow {}: {:.3} s, {:.3} s CPU, {} workers, {} in flight at most\n\n",
        report.flow,
        report.seconds,
        cpu,
        report.workers,
        bytes(report.peak_in_flight_bytes)
    );
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0 | 1 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text += "\n";
    }
    text += "\nmean, half, largest: items in a batch; half of the batches, and all of them, have fewer than that\n\
             inside: seconds in the handler, over all workers; boundary: the part of them that crossing took\n";
    for (path, letters) in report.pools.iter().filter_map(|pool| Some((&pool.path, pool.dead_letters?))) {
        text += &format!(
            "{path}: {} kept ({}), {} dropped\n",
            letters_of(letters.kept),
            bytes(letters.bytes),
            grouped(letters.dropped)
        );
    }
    text
}

fn letters_of(count: u64) -> String {
    if count == 1 { "1 dead letter".to_owned() } else { format!("{} dead letters", grouped(count)) }
}

fn row(handler: &HandlerReport) -> [String; 12] {
    let largest = handler.batch_sizes.last().map_or(0, |(smallest, _)| smallest * 2);
    [
        handler.name.clone(),
        handler.guest.to_owned(),
        grouped(handler.items),
        grouped(handler.items_per_second.round() as u64),
        grouped(handler.emitted),
        grouped(handler.batches),
        format!("{:.1}", handler.batch_mean),
        format!("<{}", handler.batch_median_below),
        format!("<{largest}"),
        format!("{:.3} s", handler.inside_seconds),
        format!("{:.3} %", handler.boundary_share * 100.0),
        grouped(handler.buried),
    ]
}

/// So many items, in words.
pub(crate) fn items(count: u64) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{} items", grouped(count)) }
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let first = digits.len() % 3;
    let mut text = digits[..first].to_owned();
    for (index, digit) in digits[first..].chars().enumerate() {
        if index % 3 == 0 && !text.is_empty() {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn bytes(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// Warns, on standard error, about what was buried.
pub(crate) fn warn_of_dead(flow: &Flow) {
    let report = flow.report();
    let dropped = |pool: &str| {
        let dead = report.pools.iter().find(|dead| dead.path.strip_prefix("/dead") == Some(pool));
        dead.and_then(|dead| dead.dead_letters).map_or(0, |letters| letters.dropped)
    };
    for pool in flow.pools() {
        let mut letters = flow.dead_letters(pool).unwrap_or_default();
        // Some could not be printed when the reader had gone, which ends the run as it is meant to.
        if closed::output() {
            letters.retain(|letter| !closed::is_cause(&letter.cause.message));
        }
        if let Some(first) = letters.first() {
            output::error(output::escaped(&buried(pool, letters.len(), first)));
        }
        if dropped(pool) > 0 {
            output::error(format!(
                "warning: /dead{pool} dropped {} older than what it keeps (raise `dead_letters` in the flow's \
                 file to keep more)",
                letters_of(dropped(pool))
            ));
        }
    }
}

fn buried(pool: &str, count: usize, first: &DeadLetter) -> String {
    let (items, are) = (items(count as u64), if count == 1 { "is" } else { "are" });
    // What is no value of its pool has come to no handler.
    let failed = match first.trace.get(2) {
        Some(handler) => format!("failed in handler {handler}"),
        None => "is no value of the pool".to_owned(),
    };
    format!(
        "warning: {items} {are} in /dead{pool}; the oldest, key {}, {failed}: {}: {}\n\
         (keep them with --dump /dead{pool}=FILE)",
        first.key, first.cause.type_name, first.cause.message
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use upcall_flow::{DeadLetterReport, PoolReport};

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(
            [0, 12, 123, 1234, 123_456, 1_234_567].map(grouped),
            ["0", "12", "123", "1,234", "123,456", "1,234,567"]
        );
    }

    #[test]
    fn the_report_says_how_many_dead_letters_were_kept_and_dropped() {
        let dead_letters = Some(DeadLetterReport { kept: 10_000, bytes: 3 << 20, dropped: 90_000 });
        let report = Report {
            flow: "f".into(),
            seconds: 0.5,
            workers: 3,
            peak_in_flight_bytes: 0,
            peak_held_bytes: 0,
            stored_bytes: 0,
            pools: vec![
                PoolReport { path: "/in".into(), objects: 100_000, dead_letters: None },
                PoolReport { path: "/dead/in".into(), objects: 100_000, dead_letters },
            ],
            handlers: Vec::new(),
        };
        let shown = text(&report, 0.9);
        assert!(
            shown.ends_with("\n/dead/in: 10,000 dead letters kept (3.0 MiB), 90,000 dropped\n"),
            "{shown}"
        );
        let json = serde_json::to_string(&report).unwrap();
        assert!(json.contains(r#""dead_letters":{"kept":10000,"bytes":3145728,"dropped":90000}"#), "{json}");
    }

    #[test]
    fn the_table_has_a_line_a_handler_and_its_columns_stand_below_each_other() {
        let handler = HandlerReport {
            name: "split".into(),
            guest: "csharp",
            items: 31_102,
            batches: 12,
            emitted: 790_000,
            failed: 0,
            buried: 0,
            active_seconds: 0.5,
            items_per_second: 62_204.0,
            inside_seconds: 0.25,
            boundary_seconds: 0.0001,
            boundary_share: 0.0004,
            batch_mean: 2591.8,
            batch_median_below: 4096,
            batch_sizes: vec![(1024, 2), (2048, 10)],
        };
        let report = Report {
            flow: "wordcount".into(),
            seconds: 0.5,
            workers: 3,
            peak_in_flight_bytes: 12 << 20,
            peak_held_bytes: 14 << 20,
            stored_bytes: 0,
            pools: Vec::new(),
            handlers: vec![handler],
        };
        let shown = text(&report, 0.9);
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(lines[1], "flow wordcount: 0.500 s, 0.900 s CPU, 3 workers, 12.0 MiB in flight at most");
        assert_eq!(
            lines[3..5],
            [
                "handler  guest    items  items/s  emitted  batches    mean   half  largest   inside  boundary  buried",
                "split    csharp  31,102   62,204  790,000       12  2591.8  <4096    <4096  0.250 s   0.040 %       0"
            ]
        );
    }
}
