//! What a flow has done, for people and for programs.

use crate::arguments::ReportForm;
use crate::{closed, output};
use anyhow::Context;
use comfy_table::presets::NOTHING;
use comfy_table::{CellAlignment, Table};
use indicatif::{BinaryBytes, HumanCount};
use serde::Serialize;
use upcall_flow::{DeadLetter, Flow, HandlerReport, Report};

/// Writes the report of a flow, on standard output.
pub(crate) fn write(report: &Report, form: ReportForm) -> anyhow::Result<()> {
    let text = match form {
        ReportForm::None => return Ok(()),
        ReportForm::Json => serde_json::to_string(&Told { report, used: used() })? + "\n",
        ReportForm::Text => text(report, &used()),
    };
    output::all(text).context("report")
}

/// The report as JSON has it.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    report: &'a Report,
    #[serde(flatten)]
    used: Used,
}

/// What this process has used, whatever it did besides.
#[derive(Serialize)]
struct Used {
    /// Seconds on all cores.
    cpu_seconds: f64,
    /// The most bytes that were in memory at a time.
    peak_memory_bytes: u64,
}

fn used() -> Used {
    let mut used = std::mem::MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: a place for one `rusage`, which the call fills; all zeroes are one too.
    let used = unsafe {
        libc::getrusage(libc::RUSAGE_SELF, used.as_mut_ptr());
        used.assume_init()
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    // Linux counts KiB, macOS bytes.
    let unit = if cfg!(target_os = "macos") { 1 } else { 1024 };
    Used {
        cpu_seconds: seconds(used.ru_utime) + seconds(used.ru_stime),
        peak_memory_bytes: used.ru_maxrss as u64 * unit,
    }
}

const HEAD: [&str; 14] = [
    "handler", "guest", "items", "items/s", "emitted", "batches", "mean", "largest", "inside", "boundary",
    "p50", "p99", "queue", "buried",
];

fn text(report: &Report, used: &Used) -> String {
    let mut text = format!(
        "\nflow {}: {:.3} s, {:.3} s CPU, {} workers, at most {} held by the flow and {} by the process\n\n",
        report.flow,
        report.seconds,
        used.cpu_seconds,
        report.workers,
        bytes(report.peak_held_bytes),
        bytes(used.peak_memory_bytes)
    );
    let mut table = Table::new();
    table.load_preset(NOTHING).set_header(HEAD).add_rows(report.handlers.iter().map(row));
    for (index, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if index > 1 {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    text += &table.trim_fmt();
    text += "\n";
    text += "\nmean, largest: items in a batch; all batches have fewer than the largest\n\
             inside: seconds in the handler, over all workers; boundary: the part of them that crossing took\n\
             p50, p99: from an object's put until it, or what it led to, was handled here; half, and 99 %, took no longer\n\
             queue: the most items that waited for the handler at a time\n";
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

fn row(handler: &HandlerReport) -> [String; 14] {
    let largest = handler.batch_sizes.last().map_or(0, |(smallest, _)| smallest * 2);
    [
        handler.name.clone(),
        handler.guest.clone(),
        grouped(handler.items),
        grouped(handler.items_per_second.round() as u64),
        grouped(handler.emitted),
        grouped(handler.batches),
        format!("{:.1}", handler.batch_mean),
        format!("<{largest}"),
        format!("{:.3} s", handler.inside_seconds),
        format!("{:.3} %", handler.boundary_share * 100.0),
        duration(handler.latency.p50),
        duration(handler.latency.p99),
        grouped(handler.peak_queued),
        grouped(handler.buried),
    ]
}

/// So many items, in words.
pub(crate) fn items(count: u64) -> String {
    if count == 1 { "1 item".to_owned() } else { format!("{} items", grouped(count)) }
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    HumanCount(number).to_string()
}

/// Seconds with a unit, to three digits.
fn duration(seconds: f64) -> String {
    let (value, unit) = match seconds {
        1.0.. => (seconds, "s"),
        0.001.. => (seconds * 1e3, "ms"),
        _ => (seconds * 1e6, "us"),
    };
    let digits = if value >= 100.0 {
        0
    } else if value >= 10.0 {
        1
    } else {
        2
    };
    format!("{value:.digits$} {unit}")
}

/// Bytes with a unit.
pub(crate) fn bytes(bytes: u64) -> String {
    BinaryBytes(bytes).to_string()
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
    // A line that is not a value of its pool's type has come to no handler.
    let failed = match first.trace.get(2) {
        Some(handler) => format!("failed in handler {handler}"),
        None => "is not a value of the pool's type".to_owned(),
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
    use upcall_flow::{DeadLetterReport, LatencyReport, PoolReport};

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
            pools: vec![
                PoolReport { path: "/in".into(), objects: 100_000, ..Default::default() },
                PoolReport { path: "/dead/in".into(), objects: 100_000, dead_letters, ..Default::default() },
            ],
            ..Default::default()
        };
        let shown = text(&report, &Used { cpu_seconds: 0.9, peak_memory_bytes: 99 << 20 });
        assert!(
            shown.ends_with("\n/dead/in: 10,000 dead letters kept (3.00 MiB), 90,000 dropped\n"),
            "{shown}"
        );
        let json = serde_json::to_string(&report).unwrap();
        assert!(json.contains(r#""dead_letters":{"kept":10000,"bytes":3145728,"dropped":90000}"#), "{json}");
    }

    #[test]
    fn the_table_has_one_line_per_handler_and_its_columns_stand_below_each_other() {
        let handler = HandlerReport {
            name: "split".into(),
            guest: "csharp".into(),
            items: 31_102,
            batches: 12,
            emitted: 790_000,
            active_seconds: 0.5,
            items_per_second: 62_204.0,
            inside_seconds: 0.25,
            boundary_share: 0.0004,
            batch_mean: 2591.8,
            batch_sizes: vec![(1024, 2), (2048, 10)],
            latency: LatencyReport { p50: 0.0123, p99: 0.000_045, ..Default::default() },
            peak_queued: 65_536,
            ..Default::default()
        };
        let report = Report {
            flow: "wordcount".into(),
            seconds: 0.5,
            workers: 3,
            peak_held_bytes: 14 << 20,
            handlers: vec![handler],
            ..Default::default()
        };
        let shown = text(&report, &Used { cpu_seconds: 0.9, peak_memory_bytes: 99 << 20 });
        let lines: Vec<&str> = shown.lines().collect();
        assert_eq!(
            lines[1],
            "flow wordcount: 0.500 s, 0.900 s CPU, 3 workers, at most 14.00 MiB held by the flow and 99.00 MiB by the \
             process"
        );
        let head = "handler  guest    items  items/s  emitted  batches    mean  largest   inside  boundary      p50      p99   queue  buried";
        let row = "split    csharp  31,102   62,204  790,000       12  2591.8    <4096  0.250 s   0.040 %  12.3 ms  45.0 us  65,536       0";
        assert_eq!(lines[3..5], [head, row]);
    }
}
