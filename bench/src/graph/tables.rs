//! Tables as docs/graph.md has them.

use super::asked::Part;
use super::budget;
use super::rows::{Row, Rows};
use super::scales::{Peer, scales};
use super::{cold, python};

/// Seconds with as many digits as tell something.
fn seconds(seconds: f64) -> String {
    match seconds {
        _ if seconds < 10.0 => format!("{seconds:.3}"),
        _ if seconds < 100.0 => format!("{seconds:.1}"),
        _ => format!("{seconds:.0}"),
    }
}

fn line(cells: impl IntoIterator<Item = String>) -> String {
    let cells: Vec<String> = cells.into_iter().collect();
    format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |").replace("|  |", "| |")
}

/// A power of two with its exponent above the line.
fn power(scale: u32) -> String {
    const DIGITS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    let digits = scale.to_string().bytes().map(|digit| DIGITS[usize::from(digit - b'0')]).collect::<String>();
    format!("2{digits}")
}

/// PageRank at all scales: a row for each peer.
#[must_use]
pub fn of_scales(rows: &Rows, largest: u32, peers: &[Peer<'_>]) -> String {
    let scales = scales(largest);
    let last = ["ns per edge and iteration", "MiB of its own", "MiB with what is mapped", "ended by"];
    let head = scales.iter().map(|scale| power(*scale)).chain(last.map(str::to_owned));
    let mut table = line([String::new()].into_iter().chain(head));
    table += &line(vec!["---".to_owned(); 1 + scales.len() + last.len()]);
    for peer in peers {
        let row = |scale| rows.row(Part::Scales, scale, peer.what, &peer.who, 1);
        let more = match peer.what {
            cold::ALL => ", cold",
            python::CONVERGED => ", to 1e-10",
            _ => "",
        };
        let name = [format!("{}{more}", peer.who)];
        let cells = scales.iter().map(|scale| row(*scale).map_or(String::new(), |row| seconds(row.seconds)));
        let best = peer.largest.and_then(row);
        // How many iterations it takes to converge is not known of all.
        let nanos = best.filter(|_| peer.what != python::CONVERGED);
        let nanos = nanos.map_or(String::new(), |row| format!("{:.2}", row.nanos_per_edge));
        let memory = [best.and_then(|row| row.peak_mib), best.and_then(|row| row.resident_mib)].map(mib);
        table += &line(name.into_iter().chain(cells).chain([nanos]).chain(memory).chain([peer.why()]));
    }
    table
}

fn mib(mib: Option<f64>) -> String {
    mib.map_or(String::new(), |mib| format!("{mib:.0}"))
}

/// What was measured within the budget, with the memory that it took.
#[must_use]
pub fn of_budget(rows: &Rows, scale: u32) -> String {
    let mut table = line(["", "threads", "seconds", "MiB of its own"].map(str::to_owned));
    table += &line(vec!["---".to_owned(); 4]);
    for what in [budget::BUILT, budget::RANKED, budget::LATER] {
        for (who, on) in rows.who(Part::Budget, what) {
            let Some(Row { seconds: took, peak_mib, .. }) = rows.row(Part::Budget, scale, what, who, on)
            else {
                continue;
            };
            table += &line([format!("{what}, {who}"), on.to_string(), seconds(*took), mib(*peak_mib)]);
        }
    }
    table
}

/// What ours takes at the largest scale, beside those who hold it.
#[must_use]
pub fn beside(rows: &Rows, peers: &[Peer<'_>]) -> String {
    let ours = |scale, what| rows.row(Part::Scales, scale, what, "Upcall, f32", 1);
    let mut lines = String::new();
    for Peer { what, who, largest, .. } in peers.iter().filter(|peer| peer.what != python::CONVERGED) {
        let Some(scale) = *largest else { continue };
        let theirs = rows.row(Part::Scales, scale, what, who, 1);
        if let Some((theirs, ours)) = theirs.zip(ours(scale, what)).filter(|_| who != "Upcall, f32") {
            let times = theirs.seconds / ours.seconds;
            lines += &format!("{}: {what}: {times:.2} times as fast as {who}\n", power(scale));
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::super::rows::Size;
    use super::*;

    #[test]
    fn a_table_has_a_line_for_each_peer() {
        assert_eq!(power(24), "2²⁴");
        assert_eq!([0.12345, 12.345, 123.45].map(seconds), ["0.123", "12.3", "123"]);
        assert_eq!(line(["a", "", "", "", "b"].map(str::to_owned)), "| a | | | | b |\n");
    }

    #[test]
    fn what_was_measured_within_the_budget_is_told_with_its_memory() {
        let mut rows = Rows::default();
        rows.begin(Part::Budget);
        let size = Size { scale: 24, vertices: 16, edges: 100 };
        let mut row = size.row(budget::RANKED, "Upcall, f32", 2, 21.48, 10);
        row.peak_mib = Some(196.9);
        rows.add(row);
        let table = of_budget(&rows, 24);
        assert!(table.ends_with("| PageRank, budget, Upcall, f32 | 2 | 21.5 | 197 |\n"), "{table}");
    }
}
