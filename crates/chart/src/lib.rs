//! Lines over two logarithmic axes as SVG, readable in light and dark mode.
//!
//! It is a crate of its own because the command draws what it has found, and the benchmarks what they have measured, and neither
//! stands on the other.
//!
//! ```
//! use upcall_chart::{Line, Lines, Style};
//!
//! let line = Line { label: "half".into(), style: Style::Ours(0), points: vec![(1.0, 8.0), (2.0, 4.0), (4.0, 2.0)] };
//! let chart = Lines { title: "What is left".into(), across: "steps".into(), up: "bytes".into(), lines: vec![line] };
//! assert!(chart.svg().starts_with("<svg"));
//! ```

use std::fmt::Write;

/// Whose line it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// What all are compared with.
    Peer,
    /// One of ours, by number: each has another pattern.
    Ours(usize),
    /// One of ours from another language.
    Guest(usize),
    /// One of the others.
    Other(usize),
}

/// One line.
#[derive(Clone, Debug)]
pub struct Line {
    /// What it stands for.
    pub label: String,
    /// How it looks.
    pub style: Style,
    /// Its points, from left to right; all above 0.
    pub points: Vec<(f64, f64)>,
}

/// A chart of lines.
#[derive(Clone, Debug)]
pub struct Lines {
    /// What stands above.
    pub title: String,
    /// What goes across.
    pub across: String,
    /// What goes up.
    pub up: String,
    /// The lines, in the order of the legend.
    pub lines: Vec<Line>,
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 460.0;
/// Of the axes: left, right, top, bottom.
const AREA: [f64; 4] = [64.0, 520.0, 44.0, 410.0];
const PATTERNS: [&str; 5] = ["", "7 4", "2 3", "9 3 2 3", "1 5"];

impl Lines {
    /// The chart as SVG.
    #[must_use]
    pub fn svg(&self) -> String {
        let [left, right, top, bottom] = AREA;
        let title = escaped(&format!("{} ({}, both axes logarithmic)", self.title, self.up));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" width=\"{WIDTH}\" \
             height=\"{HEIGHT}\" role=\"img\" aria-label=\"{title}\">\n{STYLE}\
             <text class=\"title\" x=\"8\" y=\"24\">{title}</text>\n"
        );
        let all = || self.lines.iter().flat_map(|line| &line.points);
        let (across, up) = (Axis::of(all().map(|point| point.0)), Axis::of(all().map(|point| point.1)));
        for power in across.powers() {
            let x = left + (right - left) * across.share(10f64.powi(power));
            grid(&mut svg, [x, top, x, bottom]);
            text(&mut svg, "across", x, bottom + 18.0, &number(power));
        }
        for power in up.powers() {
            let y = bottom - (bottom - top) * up.share(10f64.powi(power));
            grid(&mut svg, [left, y, right, y]);
            text(&mut svg, "up", left - 8.0, y + 4.0, &number(power));
        }
        text(&mut svg, "across", (left + right) / 2.0, bottom + 38.0, &escaped(&self.across));
        for (row, line) in self.lines.iter().enumerate() {
            let place = |(x, y): &(f64, f64)| {
                let x = left + (right - left) * across.share(*x);
                format!("{x:.1},{:.1}", bottom - (bottom - top) * up.share(*y))
            };
            let points: Vec<String> = line.points.iter().map(place).collect();
            let y = top + 12.0 + 24.0 * row as f64;
            let sample = format!("{:.1},{y:.1} {:.1},{y:.1}", right + 18.0, right + 54.0);
            for points in [points.join(" "), sample] {
                let (class, pattern) = look(line.style);
                // Writing to a string cannot fail, here and below.
                let _ = writeln!(
                    svg,
                    "<polyline class=\"{class}\" stroke-dasharray=\"{pattern}\" points=\"{points}\"/>"
                );
            }
            text(&mut svg, "", right + 62.0, y + 4.0, &escaped(&line.label));
        }
        svg + "</svg>\n"
    }
}

/// The powers of ten between which values are.
struct Axis {
    from: i32,
    to: i32,
}

impl Axis {
    fn of(values: impl Iterator<Item = f64> + Clone) -> Axis {
        let least = values.clone().fold(f64::INFINITY, f64::min).log10().floor();
        let most = values.fold(0.0, f64::max).log10().ceil();
        if !least.is_finite() || !most.is_finite() {
            return Axis { from: 0, to: 1 };
        }
        let from = least as i32;
        Axis { from, to: (most as i32).max(from + 1) }
    }

    fn powers(&self) -> std::ops::RangeInclusive<i32> {
        self.from..=self.to
    }

    /// Where a value is, 0 to 1.
    fn share(&self, value: f64) -> f64 {
        (value.log10() - f64::from(self.from)) / f64::from(self.to - self.from)
    }
}

fn look(style: Style) -> (&'static str, &'static str) {
    match style {
        Style::Peer => ("peer", ""),
        Style::Ours(number) => ("ours", PATTERNS[number % PATTERNS.len()]),
        Style::Guest(number) => ("guest", PATTERNS[number % PATTERNS.len()]),
        Style::Other(number) => ("other", PATTERNS[(number + 1) % PATTERNS.len()]),
    }
}

fn grid(svg: &mut String, [x, y, to_x, to_y]: [f64; 4]) {
    let _ =
        writeln!(svg, "<line class=\"grid\" x1=\"{x:.1}\" y1=\"{y:.1}\" x2=\"{to_x:.1}\" y2=\"{to_y:.1}\"/>");
}

fn text(svg: &mut String, class: &str, x: f64, y: f64, said: &str) {
    let _ = writeln!(svg, "<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{said}</text>");
}

/// A power of ten as one says it.
fn number(power: i32) -> String {
    match power {
        ..0 => format!("{:.1$}", 10f64.powi(power), power.unsigned_abs() as usize),
        0..3 => format!("{:.0}", 10f64.powi(power)),
        3..6 => format!("{:.0} k", 10f64.powi(power - 3)),
        6..9 => format!("{:.0} M", 10f64.powi(power - 6)),
        _ => format!("{:.0} G", 10f64.powi(power - 9)),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

/// Lines and text switch with the reader's colour scheme; the background is theirs.
const STYLE: &str = "<style>\
text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600;font-size:15px}\
.across{text-anchor:middle}.up{text-anchor:end}.grid{stroke:#d0d7de;stroke-width:1}\
polyline{fill:none;stroke-width:2}.ours{stroke:#d9480f}.peer{stroke:#24292f}.other{stroke:#6e7fa3}.guest{stroke:#2b8a3e}\
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.grid{stroke:#30363d}\
.ours{stroke:#ff922b}.peer{stroke:#e6edf3}.other{stroke:#8b9dc3}.guest{stroke:#69db7c}}\
</style>\n";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_goes_from_a_power_of_ten_to_another() {
        let axis = Axis::of([3.0, 800.0].into_iter());
        assert_eq!(axis.powers(), 0..=3);
        assert!((axis.share(10.0) - 1.0 / 3.0).abs() < 1e-9);
        assert_eq!(Axis::of([].into_iter()).powers(), 0..=1);
        assert_eq!(Axis::of([1.0].into_iter()).powers(), 0..=1);
    }

    #[test]
    fn powers_of_ten_are_said_shortly() {
        assert_eq!([-2, 0, 2, 4, 6].map(number), ["0.01", "1", "100", "10 k", "1 M"]);
    }

    #[test]
    fn each_line_is_there_with_its_sample_and_label() {
        let line = |style| Line { label: "a < b".into(), style, points: vec![(1.0, 10.0), (100.0, 1000.0)] };
        let lines = vec![line(Style::Peer), line(Style::Ours(1)), line(Style::Other(0))];
        let chart = Lines { title: "t".into(), across: "bytes".into(), up: "us".into(), lines };
        let svg = chart.svg();
        assert_eq!((svg.matches("<polyline").count(), svg.matches("a &lt; b").count()), (6, 3));
        assert!(svg.contains("64.0,410.0 520.0,44.0"), "{svg}");
    }
}
