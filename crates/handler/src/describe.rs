use upcall_abi::{Writer, about};

/// What a handler says of itself before it is opened: settings that it understands, what it promises.
///
/// What is said is shown by `upcall describe`; an engine compares the kind before it opens the handler.
pub struct Describe<'a> {
    writer: &'a mut Writer,
    /// Whether everything was written.
    pub(crate) whole: bool,
}

impl<'a> Describe<'a> {
    pub(crate) fn new(writer: &'a mut Writer) -> Describe<'a> {
        Describe { writer, whole: true }
    }

    pub(crate) fn say(&mut self, what: u32, key: &str, value: &str) {
        self.whole &= self.writer.put(what, 0, key.as_bytes(), value.as_bytes()).is_some();
    }

    /// The type of the values it takes, and the bytes of one where all have as many.
    pub(crate) fn takes(&mut self, name: &str, size: Option<usize>) {
        self.say(about::TAKES, name, &size.map_or(String::new(), |size| size.to_string()));
    }

    /// A type of the values it gives; as [`Describe::takes`].
    pub(crate) fn gives(&mut self, name: &str, size: Option<usize>) {
        self.say(about::GIVES, name, &size.map_or(String::new(), |size| size.to_string()));
    }

    /// A setting that the handler understands: its type (`u64`, `text`), its default if it has one, and the range of
    /// its values in words of the type's own (`1..=100`, `fast or exact`), if there is one.
    ///
    /// ```
    /// # use upcall::{Describe, Emit, Failure, Handler, Object};
    /// struct Sample;
    ///
    /// impl Handler for Sample {
    ///     fn describe(&self, describe: &mut Describe<'_>) {
    ///         describe.parameter("every", "u64", Some("10"), Some("1..=1000"));
    ///     }
    /// #   fn on_object(&mut self, _: Object<'_>, _: &mut Emit<'_>) -> Result<(), Failure> { Ok(()) }
    /// }
    /// ```
    pub fn parameter(&mut self, name: &str, of: &str, default: Option<&str>, range: Option<&str>) {
        let line = |text: Option<&str>| text.unwrap_or_default().replace('\n', " ");
        let of = line(Some(of));
        self.say(about::PARAMETER, name, &format!("{of}\n{}\n{}", line(default), line(range)));
    }
}
