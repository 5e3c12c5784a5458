//! The keys as text, for a terminal and for the documentation.

use super::{KEYS, Key, LeftOut, Section, Takes};
use std::fmt::Write;

/// Characters in a line of a terminal.
const WIDTH: usize = 100;

/// All keys with one line each, section by section.
#[must_use]
pub fn list() -> String {
    let width = KEYS.iter().map(|key| key.path().len()).max().unwrap_or(0);
    let mut text = String::new();
    for section in Section::ALL {
        let _ = writeln!(text, "{}:", capital(&plain(section.place())));
        for key in section.keys() {
            let _ = writeln!(text, "  {:width$}  {}", key.path(), plain(key.doc));
        }
        text.push('\n');
    }
    text
}

/// All about one key, for a terminal.
#[must_use]
pub fn explain(key: &Key) -> String {
    let mut text = format!("{}: {}\n\n", key.path(), plain(key.doc));
    let mut fact = |name: &str, fact: &str| {
        let _ = writeln!(text, "  {name:<7}  {fact}");
    };
    fact("type", &key.takes.to_string());
    if let Takes::Word(words) = key.takes {
        let width = words.iter().map(|(word, _)| word.len()).max().unwrap_or(0);
        words.iter().for_each(|(word, doc)| fact("", &format!("{word:width$}  {doc}")));
    }
    fact("default", &plain(&key.left_out.to_string()));
    if let Some(unit) = key.unit() {
        fact("unit", unit);
    }
    fact("place", &plain(key.place()));
    if !key.more.is_empty() {
        text += "\n";
        for line in wrapped(&plain(key.more), WIDTH - 2) {
            let _ = writeln!(text, "  {line}");
        }
    }
    text += "\n  Example:\n";
    for line in example(key).lines() {
        let _ = writeln!(text, "    {line}");
    }
    text
}

/// The reference of `docs/flow.md`.
#[must_use]
pub fn markdown() -> String {
    let mut text = String::new();
    for section in Section::ALL {
        let title = match section {
            Section::Flow => "The flow",
            Section::Credit => "`credit`",
            Section::DeadLetters => "`dead_letters`",
            Section::Pool => "`[pool.\"/path\"]`",
            Section::Type => "`type` of a pool",
            Section::Handler => "`[[handler]]`",
            Section::Warm => "`warm` of a handler",
            Section::Java => "`[java]`",
        };
        let _ = writeln!(text, "## {title}\n\n{}.\n", capital(section.place()));
        text += "| key | type | default | unit | |\n| --- | --- | --- | --- | --- |\n";
        for key in section.keys() {
            let takes = match key.takes {
                Takes::Word(words) if words.len() > 3 => "a word, see below".to_owned(),
                ref takes => takes.to_string(),
            };
            let unit = key.unit().unwrap_or_default();
            let _ = writeln!(
                text,
                "| `{}` | {} | {} | {unit} | {} |",
                key.name,
                quoted(&takes),
                default(&key.left_out),
                key.doc
            );
        }
        text.push('\n');
        for key in section.keys() {
            let _ = writeln!(text, "### `{}`\n\n{}.", key.path(), capital(key.doc));
            if !key.more.is_empty() {
                let _ = writeln!(text, "\n{}", key.more);
            }
            if let Takes::Word(words) = key.takes {
                text.push('\n');
                for (word, doc) in words {
                    let _ = writeln!(text, "- `\"{word}\"`: {doc}");
                }
            }
            let _ = writeln!(text, "\n```toml\n{}\n```\n", example(key));
        }
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

/// Its example below the head of its section.
pub(super) fn example(key: &Key) -> String {
    key.section.head().map_or(String::new(), |head| format!("{head}\n")) + key.example
}

fn default(left_out: &LeftOut) -> String {
    match left_out {
        LeftOut::Value(value) => format!("`{value}`"),
        LeftOut::Means(_) => quoted(&left_out.to_string()),
        LeftOut::Needed => left_out.to_string(),
    }
}

/// Texts in quotes and tables as code.
fn quoted(text: &str) -> String {
    if text.contains('`') {
        return text.to_owned();
    }
    match (text.find(['"', '{', '[']), text.rfind(['"', '}', ']'])) {
        (Some(from), Some(to)) if from < to => {
            format!("{}`{}`{}", &text[..from], &text[from..=to], &text[to + 1..])
        }
        _ => text.to_owned(),
    }
}

/// Markdown's marks of code mean nothing on a terminal.
fn plain(text: &str) -> String {
    text.replace('`', "")
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
}

fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let last = lines.last_mut().expect("it begins with one");
        if last.is_empty() {
            last.push_str(word);
        } else if last.chars().count() + 1 + word.chars().count() <= width {
            last.push(' ');
            last.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
