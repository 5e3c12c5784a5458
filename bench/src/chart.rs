//! Horizontal bars as SVG, readable in light and dark mode.

use crate::results::{Throughput, write_to};
use anyhow::Result;
use std::fmt::Write;
use std::path::PathBuf;

/// One bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// What it stands for.
    pub label: String,
    /// How long it is.
    pub value: f64,
    /// Whether it is ours: ours are coloured, the others grey.
    pub ours: bool,
}

/// A chart of bars, from top to bottom as given.
#[derive(Clone, Debug)]
pub struct Chart {
    /// The line above the bars.
    pub title: String,
    /// What a value is, shown after each: `M words/s`.
    pub unit: String,
    /// Whether a bar's length is the logarithm of its value; the chart says so. For values above 0.
    pub logarithmic: bool,
    /// The bars.
    pub bars: Vec<Bar>,
}

const ROW: f64 = 26.0;
const TOP: f64 = 44.0;
const WIDTH: f64 = 760.0;
/// Bytes of text to pixels, at 13 pixels of a sans-serif font: a little more than its mean.
const LETTER: f64 = 7.2;

impl Chart {
    /// Words per second of each row, on a logarithmic scale.
    pub fn words_per_second(title: &str, rows: &[Throughput]) -> Chart {
        let bar = |row: &Throughput| Bar {
            label: row.label.clone(),
            value: row.words_per_second / 1e6,
            ours: row.ours,
        };
        Chart {
            title: title.to_owned(),
            unit: "million words per second".into(),
            logarithmic: true,
            bars: rows.iter().map(bar).collect(),
        }
    }

    /// Writes `bench/charts/NAME.svg` and returns its path.
    pub fn write(&self, name: &str) -> Result<PathBuf> {
        write_to("charts", &format!("{name}.svg"), &self.svg())
    }

    /// The chart as SVG.
    pub fn svg(&self) -> String {
        let height = TOP + ROW * self.bars.len() as f64 + 10.0;
        let scale = if self.logarithmic { ", logarithmic" } else { "" };
        let title = escaped(&format!("{} ({}{scale})", self.title, self.unit));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
             height=\"{height}\" role=\"img\" aria-label=\"{title}\">\n{STYLE}\
             <text class=\"title\" x=\"8\" y=\"24\">{title}</text>\n"
        );
        let longest =
            |text: &dyn Fn(&Bar) -> usize| self.bars.iter().map(text).max().unwrap_or(0) as f64 * LETTER;
        let left = 16.0 + longest(&|bar| bar.label.chars().count());
        let right = WIDTH - 24.0 - longest(&|bar| number(bar.value).len());
        for (row, (bar, length)) in self.bars.iter().zip(self.lengths()).enumerate() {
            let y = TOP + ROW * row as f64;
            let (text, width) = (y + 15.0, (right - left) * length);
            let class = if bar.ours { "ours" } else { "peer" };
            let (label, value) = (escaped(&bar.label), number(bar.value));
            let (label_x, value_x) = (left - 8.0, left + width + 6.0);
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<text class=\"label\" x=\"{label_x:.1}\" y=\"{text}\">{label}</text>\
                 <rect class=\"{class}\" x=\"{left:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"20\" rx=\"2\"/>\
                 <text x=\"{value_x:.1}\" y=\"{text}\">{value}</text>"
            );
        }
        svg + "</svg>\n"
    }

    /// Each bar's share of the longest, 0 to 1. On a logarithmic scale the axis starts at the power of
    /// ten below the least value.
    fn lengths(&self) -> Vec<f64> {
        let values = || self.bars.iter().map(|bar| bar.value);
        let most = values().fold(0.0, f64::max);
        let least = values().fold(f64::INFINITY, f64::min);
        let share = |value: f64| match self.logarithmic {
            _ if most <= 0.0 => 0.0,
            false => value / most,
            true => {
                let origin = (least.log10() - 0.05).floor();
                (value.log10() - origin) / (most.log10() - origin)
            }
        };
        values().map(|value| share(value).clamp(0.0, 1.0)).collect()
    }
}

/// Bars and text switch with the reader's colour scheme; the background is theirs.
const STYLE: &str = "<style>\
text{font:13px system-ui,sans-serif;fill:#24292f}.title{font-weight:600;font-size:15px}\
.label{text-anchor:end}.ours{fill:#d9480f}.peer{fill:#8c959f}\
@media (prefers-color-scheme:dark){text{fill:#e6edf3}.ours{fill:#ff922b}.peer{fill:#6e7681}}\
</style>\n";

/// Three digits that count.
fn number(value: f64) -> String {
    match value {
        v if v >= 99.95 => format!("{v:.0}"),
        v if v >= 9.995 => format!("{v:.1}"),
        v => format!("{v:.2}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(logarithmic: bool, values: &[f64]) -> Chart {
        let bar = |value: &f64| Bar { label: format!("<{value}>"), value: *value, ours: *value > 5.0 };
        Chart {
            title: "A & B".into(),
            unit: "ns".into(),
            logarithmic,
            bars: values.iter().map(bar).collect(),
        }
    }

    #[test]
    fn the_longest_bar_fills_the_width_and_the_others_their_share() {
        assert_eq!(chart(false, &[1.0, 4.0, 2.0]).lengths(), [0.25, 1.0, 0.5]);
        assert_eq!(chart(false, &[0.0]).lengths(), [0.0]);
    }

    #[test]
    fn a_logarithmic_bar_grows_by_the_same_for_each_factor_of_ten() {
        let lengths = chart(true, &[1.0, 10.0, 100.0]).lengths();
        assert!(lengths[0] > 0.0);
        assert!(((lengths[1] - lengths[0]) - (lengths[2] - lengths[1])).abs() < 1e-9);
        assert!((lengths[2] - 1.0).abs() < 1e-9);
    }

    #[test]
    fn text_is_escaped_and_each_bar_is_there_once() {
        let svg = chart(false, &[3.0, 12.345]).svg();
        assert!(svg.contains("A &amp; B (ns)") && svg.contains("&lt;3>") && svg.contains(">12.3<"), "{svg}");
        assert_eq!((svg.matches("<rect").count(), svg.matches("class=\"ours\"").count()), (2, 1));
    }
}
