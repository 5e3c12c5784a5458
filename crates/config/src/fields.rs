use crate::keys::{Key, Section, Takes};
use crate::mistake::Mistake;
use crate::quantity;
use std::cell::RefCell;
use std::ops::Range;
use std::time::Duration;
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use upcall_host::nearest;

pub(crate) type Value<'i> = Spanned<DeValue<'i>>;

/// Mistakes, gathered from everywhere.
pub(crate) type Mistakes = RefCell<Vec<Mistake>>;

/// The fields of one table, read by type. What does not fit is a mistake and reads as absent.
pub(crate) struct Fields<'a, 'i> {
    table: &'a DeTable<'i>,
    section: Section,
    mistakes: &'a Mistakes,
}

impl<'a, 'i> Fields<'a, 'i> {
    /// A table that may have the keys of its section; any other is a mistake, with `elsewhere(key)` as help if the
    /// key is known there.
    pub(crate) fn new(
        table: &'a DeTable<'i>,
        section: Section,
        elsewhere: impl Fn(&str) -> Option<String>,
        mistakes: &'a Mistakes,
    ) -> Fields<'a, 'i> {
        let what = section.what();
        for key in table.keys().filter(|key| section.key(key.get_ref()).is_none()) {
            let mistake = Mistake::new(key.span(), format!("`{}` is not a key of {what}", key.get_ref()));
            let mistake = match elsewhere(key.get_ref()) {
                Some(help) => mistake.help(help),
                None => {
                    let known: Vec<&str> = section.keys().map(|key| key.name).collect();
                    let help = format!("the keys of {what} are {}", known.join(", "));
                    mistake.mean(nearest(key.get_ref(), known), help)
                }
            };
            mistakes.borrow_mut().push(mistake);
        }
        Fields { table, section, mistakes }
    }

    pub(crate) fn add(&self, mistake: Mistake) {
        self.mistakes.borrow_mut().push(mistake);
    }

    pub(crate) fn mistakes(&self) -> &'a Mistakes {
        self.mistakes
    }

    /// Whether some key was probably meant to be this one: then it is a mistake already.
    pub(crate) fn has_near(&self, key: &str) -> bool {
        let unknown = self.table.keys().filter(|there| self.section.key(there.get_ref()).is_none());
        let known = || self.section.keys().map(|key| key.name);
        unknown.into_iter().any(|there| nearest(there.get_ref(), known()) == Some(key))
    }

    /// A text that is complained about elsewhere if it is none.
    pub(crate) fn quiet_text(&self, key: &str) -> Option<&'a str> {
        self.value(key)?.get_ref().as_str()
    }

    pub(crate) fn value(&self, key: &str) -> Option<&'a Value<'i>> {
        self.row(key);
        self.table.get(key)
    }

    /// The key's row of the table.
    fn row(&self, key: &str) -> &'static Key {
        self.section.key(key).expect("what is read has a row, which a test of every key has looked up")
    }

    /// The place of a value, if it is there.
    pub(crate) fn span(&self, key: &str) -> Option<Range<usize>> {
        self.value(key).map(Spanned::span)
    }

    /// The value of a key is none of what it takes.
    pub(crate) fn wrong(&self, key: &str, wanted: &str) {
        if let Some(value) = self.value(key) {
            self.wrong_value(key, value, wanted);
        }
    }

    fn wrong_value(&self, key: &str, value: &Value<'_>, wanted: &str) {
        let message = format!("`{key}` of {} must be {wanted}", self.section.what());
        self.add(Mistake::new(value.span(), message).label(format!("this is {}", a(value.get_ref()))));
    }

    pub(crate) fn text(&self, key: &str) -> Option<&'a str> {
        let value = self.value(key)?;
        let text = value.get_ref().as_str();
        if text.is_none() {
            self.wrong_value(key, value, "a text in quotes");
        }
        text
    }

    /// A text that says something.
    pub(crate) fn filled(&self, key: &str, help: &str) -> Option<&'a str> {
        let text = self.text(key)?;
        let blank = text.trim().is_empty();
        if blank {
            let message = format!("`{key}` of {} is empty", self.section.what());
            self.add(Mistake::new(self.span(key).unwrap_or_default(), message).help(help));
        }
        (!blank).then_some(text)
    }

    /// One text, or a list of them, each with its place.
    pub(crate) fn texts(&self, key: &str) -> Vec<(&'a str, Range<usize>)> {
        let Some(value) = self.value(key) else { return Vec::new() };
        let values = match value.get_ref() {
            DeValue::Array(values) => values.iter().collect(),
            _ => vec![value],
        };
        let mut texts = Vec::new();
        for value in values {
            match value.get_ref().as_str() {
                Some(text) => texts.push((text, value.span())),
                None => self.wrong_value(key, value, "a text in quotes, or a list of texts"),
            }
        }
        texts
    }

    pub(crate) fn flag(&self, key: &str) -> Option<bool> {
        let value = self.value(key)?;
        let flag = value.get_ref().as_bool();
        if flag.is_none() {
            self.wrong_value(key, value, "true or false");
        }
        flag
    }

    /// A whole number within its key's range.
    pub(crate) fn count(&self, key: &str) -> Option<u64> {
        let Takes::Count { least, most, .. } = self.row(key).takes else { unreachable!("{key} is no count") };
        self.number(key, least, most)
    }

    fn number(&self, key: &str, least: u64, most: u64) -> Option<u64> {
        let value = self.value(key)?;
        let Some(integer) = value.get_ref().as_integer() else {
            self.wrong_value(key, value, "a whole number");
            return None;
        };
        let count = u64::from_str_radix(integer.as_str(), integer.radix()).ok();
        let count = count.filter(|count| (least..=most).contains(count));
        if count.is_none() {
            let message =
                format!("`{key}` of {} must be a number from {least} to {most}", self.section.what());
            self.add(Mistake::new(value.span(), message));
        }
        count
    }

    /// A number of bytes: a plain number, or a text with a unit.
    pub(crate) fn bytes(&self, key: &str) -> Option<u64> {
        let Takes::Bytes { least } = self.row(key).takes else { unreachable!("{key} is no number of bytes") };
        let value = self.value(key)?;
        let (what, shown) = (self.section.what(), quantity::shown(least));
        let too_small = |label: String, help: String| {
            let message = format!("`{key}` of {what} must be at least {shown}");
            self.add(Mistake::new(value.span(), message).label(label).help(help));
        };
        let Some(text) = value.get_ref().as_str() else {
            if let Some(integer) = value.get_ref().as_integer() {
                let bytes = i128::from_str_radix(integer.as_str(), integer.radix());
                if let Some(bytes) = bytes.ok().filter(|bytes| *bytes < least.into()) {
                    let label = format!("this is {bytes} bytes");
                    // Whoever writes 512 means another unit.
                    too_small(
                        label,
                        format!("a number without a unit is in bytes: write \"{shown}\" or more"),
                    );
                    return None;
                }
                return self.number(key, least, i64::MAX as u64);
            }
            self.wrong_value(key, value, "a number of bytes or a text like \"16 MiB\"");
            return None;
        };
        let bytes = quantity::bytes(text);
        if let Err(refused) = &bytes {
            let message =
                format!("`{key}` of {} must be a number of bytes: {}", self.section.what(), refused.why);
            let help = "write it like \"500 kB\", \"16 MiB\" or \"1.5 GiB\"";
            self.add(Mistake::new(value.span(), message).mean(refused.nearest, help));
        }
        let bytes = bytes.ok()?;
        if bytes < least {
            too_small(format!("this is {}", quantity::shown(bytes)), format!("write \"{shown}\" or more"));
            return None;
        }
        Some(bytes)
    }

    /// A time: a text with a unit, or 0.
    pub(crate) fn time(&self, key: &str) -> Option<Duration> {
        let value = self.value(key)?;
        let zero = value.get_ref().as_integer().is_some_and(|integer| integer.as_str() == "0");
        if zero {
            return Some(Duration::ZERO);
        }
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_value(key, value, &self.row(key).takes.to_string());
            return None;
        };
        let time = quantity::time(text);
        if let Err(refused) = &time {
            let message = format!("`{key}` of {} is a time: {}", self.section.what(), refused.why);
            let help = "write it like \"50 ms\", \"1.5 s\" or \"2 min\"";
            self.add(Mistake::new(value.span(), message).mean(refused.nearest, help));
        }
        time.ok().map(Duration::from_nanos)
    }

    /// How many a second: a number, or a text with a time.
    pub(crate) fn rate(&self, key: &str) -> Option<f64> {
        let value = self.value(key)?;
        let plain = value.get_ref().as_integer().map(|number| number.as_str());
        let plain = plain.or_else(|| value.get_ref().as_float().map(|number| number.as_str()));
        if let Some(number) = plain {
            return number.replace('_', "").parse().ok();
        }
        let Some(text) = value.get_ref().as_str() else {
            self.wrong_value(key, value, "a number, or a text like \"600 / min\"");
            return None;
        };
        let rate = quantity::rate(text);
        if let Err(refused) = &rate {
            let message = format!("`{key}` of {} is a rate: {}", self.section.what(), refused.why);
            let help = "write it like \"100 / s\", \"600 / min\" or \"1000 / h\"";
            self.add(Mistake::new(value.span(), message).mean(refused.nearest, help));
        }
        rate.ok()
    }

    /// One of the words of a key.
    pub(crate) fn word(&self, key: &str) -> Option<&'static str> {
        let Takes::Word(words) = self.row(key).takes else { unreachable!("{key} takes no words") };
        let written = self.text(key)?;
        let words = words.iter().map(|(word, _)| *word);
        let found = words.clone().find(|word| *word == written);
        if found.is_none() {
            let message = format!("`{key}` of {} cannot be \"{written}\"", self.section.what());
            let help = format!("it is one of {}", words.clone().collect::<Vec<_>>().join(", "));
            let span = self.span(key).unwrap_or_default();
            self.add(Mistake::new(span, message).mean(nearest(written, words), help));
        }
        found
    }

    /// A table; what else there is, is told what the key takes.
    pub(crate) fn table(&self, key: &str) -> Option<&'a DeTable<'i>> {
        let value = self.value(key)?;
        let table = value.get_ref().as_table();
        if table.is_none() {
            self.wrong_value(key, value, &self.row(key).takes.to_string());
        }
        table
    }
}

/// What a value is, with its article.
pub(crate) fn a(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a decimal point",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
