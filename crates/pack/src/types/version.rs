use crate::{Error, Form, Pack, Reader, Unpack, Writer, header};
use core::fmt;

/// A version number of two to four parts, C#'s `System.Version`: a class, so an `Option` of it may be null.
///
/// ```
/// use upcall_pack::Version;
///
/// assert_eq!(Version { build: 3, ..Version::new(1, 2) }.to_string(), "1.2.3");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version {
    /// The first part.
    pub major: i32,
    /// The second part.
    pub minor: i32,
    /// The third part; -1 when there is none.
    pub build: i32,
    /// The fourth part; -1 when there is none.
    pub revision: i32,
}

impl Version {
    /// A version of two parts.
    #[must_use]
    pub const fn new(major: i32, minor: i32) -> Version {
        Version { major, minor, build: -1, revision: -1 }
    }
}

impl Default for Version {
    /// `0.0`.
    fn default() -> Version {
        Version::new(0, 0)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)?;
        for part in [self.build, self.revision] {
            if part < 0 {
                break;
            }
            write!(f, ".{part}")?;
        }
        Ok(())
    }
}

impl Pack for Version {
    const FORM: Form<Self> = Form::Object;
    const MIN: usize = 17;

    fn describe(to: &mut crate::Describe) {
        to.plain("version");
    }

    fn pack(&self, writer: &mut Writer<'_>) -> Result<(), Error> {
        writer.u8(4)?;
        [self.major, self.minor, self.build, self.revision].into_iter().try_for_each(|part| writer.i32(part))
    }
}

impl<'a> Unpack<'a> for Version {
    fn unpack(reader: &mut Reader<'a>) -> Result<Self, Error> {
        header::exactly(reader, 4, "Version")?;
        let [major, minor, build, revision] = [reader.i32()?, reader.i32()?, reader.i32()?, reader.i32()?];
        Ok(Version { major, minor, build, revision })
    }
}
