//! The charts: what MPI.NET's paper shows of itself in its figures 13 to 15.

use super::launch::Transport;
use super::rows::Rows;
use upcall_chart::{Line, Lines, Style};

/// A line: its label, the program, the case, whose and which way it is, and how it looks.
type Series = (&'static str, &'static str, &'static str, &'static str, &'static str, Style);

/// How fast messages of each size are, over this transport.
pub fn ping_pong(rows: &Rows, mpi: &str, transport: Transport) -> Lines {
    const SERIES: &[Series] = &[
        ("C", "Upcall", "ping-pong", "C", "bytes", Style::Peer),
        ("Upcall, Buf of bytes", "Upcall", "ping-pong", "Upcall", "Buf", Style::Ours(0)),
        ("Upcall, doubles", "Upcall", "values", "Upcall", "f64", Style::Ours(1)),
        ("Upcall, structs of a double", "Upcall", "values", "Upcall", "struct", Style::Ours(2)),
        ("Upcall, objects with a double", "Upcall", "values", "Upcall", "object", Style::Ours(3)),
        ("C#, bytes", "C#", "ping-pong", "C#", "bytes", Style::Guest(0)),
        ("Python, numpy", "Python", "ping-pong", "Python", "numpy", Style::Guest(1)),
        ("rsmpi, bytes", "rsmpi", "ping-pong", "rsmpi", "bytes", Style::Other(0)),
        ("mpi4py, numpy", "mpi4py", "ping-pong", "mpi4py", "numpy", Style::Other(1)),
    ];
    Lines {
        title: format!("Ping-pong over {}, {mpi}", transport.name()),
        across: "bytes of a message".into(),
        up: "MB/s".into(),
        lines: lines(rows, mpi, transport, SERIES, |bytes, nanos| (bytes, bytes / nanos * 1e3)),
    }
}

/// How long a reduction of so many doubles takes.
pub fn all_reduce(rows: &Rows, mpi: &str, transport: Transport) -> Lines {
    const SERIES: &[Series] = &[
        ("C, MPI_SUM", "Upcall", "all-reduce", "C", "MPI_SUM", Style::Peer),
        ("C, its own function", "Upcall", "all-reduce", "C", "function", Style::Other(2)),
        ("Upcall, Sum", "Upcall", "all-reduce", "Upcall", "MPI_SUM", Style::Ours(1)),
        ("Upcall, closure", "Upcall", "all-reduce", "Upcall", "closure", Style::Ours(2)),
        ("Upcall, handler in C#", "Upcall", "handlers", "Upcall", "handler in C#", Style::Guest(3)),
        ("Upcall, handler in Python", "Upcall", "handlers", "Upcall", "handler in Python", Style::Guest(4)),
        ("C#, function of spans", "C#", "all-reduce", "C#", "function of spans", Style::Guest(0)),
        ("C#, function of elements", "C#", "all-reduce", "C#", "function of elements", Style::Guest(1)),
        ("Python, function of numpy", "Python", "all-reduce", "Python", "function of numpy", Style::Guest(2)),
        ("rsmpi, closure", "rsmpi", "all-reduce", "rsmpi", "closure", Style::Other(0)),
        ("mpi4py, function of numpy", "mpi4py", "all-reduce", "mpi4py", "function of numpy", Style::Other(1)),
    ];
    Lines {
        title: format!("All-reduce over {}, {mpi}", transport.name()),
        across: "doubles".into(),
        up: "us".into(),
        lines: lines(rows, mpi, transport, SERIES, |bytes, nanos| (bytes / 8.0, nanos / 1e3)),
    }
}

/// The series that were measured, each point by bytes and nanoseconds.
fn lines(
    rows: &Rows,
    mpi: &str,
    transport: Transport,
    series: &[Series],
    point: impl Fn(f64, f64) -> (f64, f64),
) -> Vec<Line> {
    let line = |(label, program, case, who, how, style): &Series| {
        let mut points: Vec<(f64, f64)> = rows
            .0
            .iter()
            .filter(|row| {
                let place = (&*row.mpi, &*row.transport, &*row.program);
                let what = (&*row.measured.case, &*row.measured.who, &*row.measured.how);
                place == (mpi, transport.name(), *program) && what == (*case, *who, *how)
            })
            .map(|row| point(row.measured.bytes as f64, row.measured.nanos))
            .collect();
        points.sort_by(|one, other| one.0.total_cmp(&other.0));
        Line { label: (*label).to_owned(), style: *style, points }
    };
    series.iter().map(line).filter(|line| !line.points.is_empty()).collect()
}
