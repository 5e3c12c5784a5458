use crate::{Writer, about, kind};
use alloc::format;
use alloc::string::{String, ToString};

/// Writes what a handler says of itself into the output of a [`crate::DescribeFrame`]. A driver says the kind first.
#[derive(Debug)]
pub struct DescribeWriter<'a> {
    writer: &'a mut Writer,
    whole: bool,
}

impl<'a> DescribeWriter<'a> {
    /// What is said goes through this writer.
    #[must_use]
    pub fn new(writer: &'a mut Writer) -> DescribeWriter<'a> {
        DescribeWriter { writer, whole: true }
    }

    /// Whether all that was said was written: else the engine gives no room for it.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    fn say(&mut self, what: u32, key: &str, value: &str) {
        self.whole &= self.writer.put(what, 0, key.as_bytes(), value.as_bytes()).is_some();
    }

    /// The kind of batch that it takes, one of [`kind`].
    pub fn kind(&mut self, number: u16) {
        self.say(about::KIND, kind::name(number).unwrap_or_default(), &number.to_string());
    }

    /// How it likes what is in a batch: one of the words of [`about::FORM`].
    pub fn form(&mut self, form: &str) {
        self.say(about::FORM, form, "");
    }

    /// The type of the values it takes, and the bytes of one where all have as many.
    pub fn takes(&mut self, name: &str, size: Option<usize>) {
        self.say(about::TAKES, name, &shown(size));
    }

    /// A type of the values it gives; as [`DescribeWriter::takes`].
    pub fn gives(&mut self, name: &str, size: Option<usize>) {
        self.say(about::GIVES, name, &shown(size));
    }

    /// Combining is commutative.
    pub fn commutative(&mut self) {
        self.say(about::COMMUTATIVE, "", "");
    }

    /// It may answer later.
    pub fn answers_later(&mut self) {
        self.say(about::ANSWERS_LATER, "", "");
    }

    /// The type of a value that a vertex program has: `own`, `shown` or `edge`.
    pub fn value(&mut self, which: &str, name: &str) {
        self.say(about::VALUE, which, name);
    }

    /// What a vertex program needs: one of the words of [`about::NEEDS`].
    pub fn needs(&mut self, what: &str) {
        self.say(about::NEEDS, what, "");
    }

    /// By what a vertex program has its neighbours gathered: one of the words of [`about::GATHER`].
    pub fn gather(&mut self, by: &str) {
        self.say(about::GATHER, by, "");
    }

    /// A setting that it understands: its type, what it is when nobody sets it, and which values it may have.
    pub fn parameter(&mut self, name: &str, of: &str, default: Option<&str>, range: Option<&str>) {
        let default = default.map_or(String::new(), |default| format!("={default}"));
        let [of, default, range] =
            [of, &default, range.unwrap_or_default()].map(|line| line.replace('\n', " "));
        self.say(about::PARAMETER, name, &format!("{of}\n{default}\n{range}"));
    }
}

fn shown(size: Option<usize>) -> String {
    size.map_or(String::new(), |size| size.to_string())
}

/// Type, default and range of a setting, as the value of an [`about::PARAMETER`] record says them.
#[must_use]
pub fn read_parameter(value: &str) -> (&str, Option<&str>, Option<&str>) {
    let mut lines = value.split('\n');
    let of = lines.next().unwrap_or_default();
    let mut line = || lines.next().filter(|line| !line.is_empty());
    let default = line();
    // What was written before there was a `=` is not empty, or there is no default.
    (of, default.map(|default| default.strip_prefix('=').unwrap_or(default)), line())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Chained, DescribeFrame, FrameHead, Output};
    use alloc::vec::Vec;

    /// The records that are said: subject, key and value.
    fn said(say: impl FnOnce(&mut DescribeWriter<'_>)) -> Vec<(u32, String, String)> {
        let head = FrameHead::new::<DescribeFrame>(kind::DESCRIBE);
        let mut asked = Chained::new(DescribeFrame { head, out: Output::NONE });
        let frame = asked.start();
        // SAFETY: the frame lives until the end, and its output is used by this writer alone.
        let mut writer = unsafe { Writer::new(frame, &raw mut (*frame.cast::<DescribeFrame>()).out) };
        let mut describe = DescribeWriter::new(&mut writer);
        say(&mut describe);
        assert!(describe.is_whole());
        // SAFETY: the writer has written.
        let records = unsafe { asked.records() }.unwrap();
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
        records.into_iter().map(|(record, key, value)| (record.pool, text(key), text(value))).collect()
    }

    #[test]
    fn each_thing_is_a_record_of_its_own() {
        let records = said(|describe| {
            describe.kind(kind::FLOW);
            describe.form("object");
            describe.takes("Reading", Some(16));
            describe.gives("text", None);
            describe.commutative();
            describe.answers_later();
        });
        let expected = [
            (about::KIND, "FLOW", "16"),
            (about::FORM, "object", ""),
            (about::TAKES, "Reading", "16"),
            (about::GIVES, "text", ""),
            (about::COMMUTATIVE, "", ""),
            (about::ANSWERS_LATER, "", ""),
        ];
        assert_eq!(records, expected.map(|(what, key, value)| (what, key.into(), value.into())));
    }

    #[test]
    fn a_setting_is_read_as_it_was_said_and_an_empty_default_is_not_none() {
        for default in [None, Some(""), Some("10"), Some("="), Some("=10")] {
            for range in [None, Some("1..=1000")] {
                let records = said(|describe| describe.parameter("every", "u64", default, range));
                let [(about::PARAMETER, name, value)] = &records[..] else { panic!("{records:?}") };
                assert_eq!((name.as_str(), read_parameter(value)), ("every", ("u64", default, range)));
            }
        }
        let records = said(|describe| describe.parameter("p", "te\nxt", Some("a\nb"), Some("\n")));
        assert_eq!(read_parameter(&records[0].2), ("te xt", Some("a b"), Some(" ")));
    }

    #[test]
    fn a_setting_of_a_library_that_is_older_is_read() {
        assert_eq!(read_parameter("u64\n10\n1..=1000"), ("u64", Some("10"), Some("1..=1000")));
        assert_eq!(read_parameter("u64\n\n"), ("u64", None, None));
        assert_eq!(read_parameter("u64"), ("u64", None, None));
    }

    #[test]
    fn what_finds_no_room_is_told() {
        let head = FrameHead::new::<DescribeFrame>(kind::DESCRIBE);
        let mut frame = DescribeFrame { head, out: Output::NONE };
        let frame = &raw mut frame;
        // SAFETY: the frame lives until the end; it has no room and none to ask for.
        let mut writer = unsafe { Writer::new(frame.cast(), &raw mut (*frame).out) };
        let mut describe = DescribeWriter::new(&mut writer);
        describe.form("object");
        assert!(!describe.is_whole());
    }
}
