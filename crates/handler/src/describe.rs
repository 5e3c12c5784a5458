use upcall_abi::DescribeWriter;

/// What a handler says of itself before it is opened: settings that it understands, what it promises.
///
/// What is said is shown by `upcall describe`; an engine compares the kind before it opens the handler.
pub struct Describe<'a> {
    pub(crate) writer: DescribeWriter<'a>,
}

impl Describe<'_> {
    /// A setting that the handler understands: its type (`u64`, `text`), its default if it has one, which may be empty,
    /// and the range of its values in words of the type's own (`1..=100`, `fast or exact`), if there is one.
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
        self.writer.parameter(name, of, default, range);
    }
}
