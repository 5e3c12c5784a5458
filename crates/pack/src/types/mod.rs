//! The values that .NET has and Rust lacks, each with its conversions.

mod big_integer;
mod bit_array;
#[cfg(feature = "chrono")]
mod chrono;
mod complex;
mod date;
mod date_time;
mod date_time_offset;
mod decimal;
mod guid;
mod half;
mod native;
mod range;
mod text;
mod time;
mod time_span;
mod version;

pub use big_integer::BigInteger;
pub use bit_array::BitArray;
pub use complex::Complex;
pub use date::DateOnly;
pub use date_time::{DateTime, DateTimeKind};
pub use date_time_offset::DateTimeOffset;
pub use decimal::Decimal;
pub use guid::{Guid, GuidTextError};
pub use half::Half;
pub use range::{Index, Range};
pub use text::{Lazy, StringBuilder, Uri};
pub use time::TimeOnly;
pub use time_span::TimeSpan;
pub use version::Version;
